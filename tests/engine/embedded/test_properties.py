"""What must hold for any query: sets are sets, recursion gives members, what a filter keeps lies where it says."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from overworld.core.elements import ElementType
from overworld.engine.embedded.engine import EmbeddedEngine
from overworld.world.store import World

Ask = Callable[[str], set[tuple[int, int]]]

PARTS = (
    "node[place]",
    "way[highway]",
    "way[building]",
    "rel[name]",
    "nwr[name]",
    "nwr(50.0,8.05,50.04,8.1)",
    "nwr(around:3000,50.033472,8.0740352)",
    'wr(poly:"50.0 8.0 50.1 8.0 50.05 8.2")',
    "node(id:1,2,3,203)",
)
NODE, WAY, RELATION, AREA = ElementType


@pytest.fixture(scope="session")
def edge(tiny_world: Callable[[str], World]) -> World:
    return tiny_world("edge")


@pytest.fixture(scope="session")
def ask(tiny_engine: Callable[[str], EmbeddedEngine]) -> Ask:
    """Runs a query on the world ``edge``; the printed objects as (type, id)."""

    def run(query: str) -> set[tuple[int, int]]:
        found: set[tuple[int, int]] = set()
        for printed in tiny_engine("edge").run(f"[out:json];{query}").printed:
            found |= set(zip(printed.types.tolist(), printed.ids.tolist(), strict=True))
        return found

    return run


@pytest.mark.parametrize("left", PARTS)
@pytest.mark.parametrize("right", PARTS[::2])
def test_union_difference_and_intersection_are_those_of_sets(ask: Ask, left: str, right: str) -> None:
    first, second = ask(f"{left};out ids;"), ask(f"{right};out ids;")
    assert first and second
    assert ask(f"({left};{right};);out ids;") == first | second
    assert ask(f"({left};-{right};);out ids;") == first - second
    assert ask(f"{left}->.a;{right}->.b;nwr.a.b;out ids;") == first & second


@pytest.mark.parametrize("part", PARTS)
def test_a_query_for_several_types_is_the_union_of_queries_for_each(ask: Ask, part: str) -> None:
    clause = part.removeprefix("node").removeprefix("way").removeprefix("rel").removeprefix("nwr").removeprefix("wr")
    every = [ask(f"{kind}{clause};out ids;") for kind in ("node", "way", "rel")]
    assert ask(f"nwr{clause};out ids;") == set.union(*every)
    assert ask(f"nw{clause};out ids;") == every[0] | every[1]
    assert ask(f"wr{clause};out ids;") == every[1] | every[2]


def test_down_from_a_way_gives_its_nodes(ask: Ask, edge: World) -> None:
    for row, way in enumerate(edge.ways.ids.tolist()):
        rows = edge.ways.nodes.row(row)
        nodes = {(int(NODE), int(id)) for id in edge.nodes.ids[rows[rows >= 0]]}
        assert ask(f"way({way});>;out ids;") == nodes
        assert ask(f"way({way});node(w);out ids;") == nodes


def test_up_from_a_node_gives_what_leads_down_to_it(ask: Ask, edge: World) -> None:
    for node in edge.nodes.ids.tolist():
        ways = {one for one in ask(f"node({node});<;out ids;") if one[0] == WAY}
        assert all((int(NODE), node) in ask(f"way({way});>;out ids;") for _, way in ways)
        assert ask(f"node({node});way(bn);out ids;") == ways


def test_deep_recursion_reaches_a_fixed_point(ask: Ask, edge: World) -> None:
    for relation in edge.relations.ids.tolist():
        below = ask(f"rel({relation});>>;out ids;")
        assert ask(f"rel({relation});>>;>>;out ids;") == below
        assert below >= ask(f"rel({relation});>;out ids;")


@pytest.mark.parametrize(
    "box", [(50.0, 8.05, 50.04, 8.1), (50.033472, 8.0740352, 50.05, 8.2), (-18.0, 179.0, -16.0, -179.0)]
)
def test_nodes_of_a_box_are_those_inside(ask: Ask, edge: World, box: tuple[float, float, float, float]) -> None:
    south, west, north, east = (round(side * 1e7) for side in box)
    lat, lon = edge.nodes.lat, edge.nodes.lon
    across = (lon >= west) & (lon <= east) if west <= east else (lon >= west) | (lon <= east)
    inside = edge.nodes.ids[(lat >= south) & (lat <= north) & across]
    assert {id for _, id in ask(f"node{box};out ids;")} == set(inside.tolist()) != set()


@pytest.mark.parametrize("filter", ["(50.0,8.05,50.04,8.1)", "(around:500,50.033472,8.0740352)", "(area:3600000001)"])
def test_a_relation_is_where_a_direct_member_is(ask: Ask, filter: str) -> None:
    relations = ask(f"rel{filter};out ids;")
    for _, relation in relations:
        assert ask(f"rel({relation});nw(r)->.m;nw.m{filter};out ids;")
    assert relations


@pytest.mark.parametrize("radius", [0, 1, 100, 3000])
def test_a_larger_radius_never_loses_an_object(ask: Ask, radius: int) -> None:
    near = ask(f"node(202)->.a;nwr(around.a:{radius});out ids;")
    assert near <= ask(f"node(202)->.a;nwr(around.a:{radius * 2 + 1});out ids;")


def test_is_in_and_area_agree_about_nodes(ask: Ask, edge: World) -> None:
    """A node is in an area if the area is among those that the node is in."""
    near = edge.nodes.ids[np.abs(edge.nodes.lat - 500_000_000) < 10_000_000].tolist()
    covering = {node: ask(f"node(id:{node})(if:1);is_in;out ids;") for node in near}
    for area in edge.areas.ids.tolist():
        inside = {id for _, id in ask(f"node(area:{area});out ids;")}
        assert {node for node in near if (int(AREA), area) in covering[node]} == inside.intersection(near)
