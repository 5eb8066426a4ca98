"""The clock is looked at inside of everything that can be long, and deep expressions are walked without recursion."""

from __future__ import annotations

import pytest

from overworld.core.elements import ElementType
from overworld.engine.embedded.engine import EmbeddedEngine
from overworld.engine.protocol import Limits
from overworld.world.build import Origin, build_world
from overworld.world.objects import ObjectCollector
from overworld.world.store import World

BOX = "(47,9,48,10)"
LONG = {
    "hull of every element": (f"node{BOX};convert x ::geom=hull(geom());out;", "convert"),
    "foreach": (f"node{BOX};foreach(node._[x];);", "foreach"),
    "for": (f"node{BOX};for(id())(node._[x];);", "for"),
    "back-references over all values": (r'node[name~"^(.)(.*)\\1\\2$"];out ids;', "query"),
    "union of many": ("(" + "node(1);" * 600 + ");out ids;", "id-query"),
}


@pytest.fixture(scope="module")
def world() -> World:
    collector = ObjectCollector()
    for number in range(1, 1200):
        collector.node(number, 471_000_000 + number, 95_000_000 + number, {"name": f"name {number}"})
    return build_world(collector.objects(), Origin("many"))


class Clock:
    """Stands still for some looks, then is far past every limit."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def __call__(self) -> float:
        self.looks -= 1
        return 0.0 if self.looks > 0 else 1e6


@pytest.mark.parametrize("case", LONG)
def test_what_is_long_ends_when_time_is_up(world: World, case: str) -> None:
    query, statement = LONG[case]
    looks = Clock(1_000_000)
    assert EmbeddedEngine(world, looks).run(query, Limits(2)).remark is None
    used = 1_000_000 - looks.looks
    response = EmbeddedEngine(world, Clock(used // 2 + 2)).run(query, Limits(2))
    assert response.remark is not None
    assert response.remark.startswith("runtime error: Query timed out in ")
    assert response.remark.endswith(" at line 1 after 3 seconds.")
    assert used > 4, f"the clock is looked at {used} times only in {statement}"


@pytest.mark.parametrize(("operator", "value"), [("+", "5000"), ("*", "1"), ("-", "-4998")])
def test_an_expression_of_thousands_of_operands_has_its_value(world: World, operator: str, value: str) -> None:
    response = EmbeddedEngine(world).run(f"[out:json];make x a={operator.join(['1'] * 5000)};out;", Limits())
    assert response.remark is None
    assert response.elements() == [{"type": "x", "id": 1, "tags": {"a": value}}]


POLES = ["pt(90,0),pt(90,0),pt(80,10),pt(80,20)", "pt(-90,5),pt(-80,10),pt(-80,20),pt(-90,5)"]


@pytest.mark.parametrize("points", POLES)
def test_a_polygon_with_a_pole_as_vertex_ends_in_a_remark(world: World, points: str) -> None:
    response = EmbeddedEngine(world).run(f"[out:json];make x ::geom=poly(lstr({points}));out geom;", Limits())
    assert response.remark is None or "out of memory" in response.remark


def test_a_segment_without_length_adds_no_point(world: World) -> None:
    query = "[out:json];make x ::geom=poly(lstr(pt(1,180),pt(1,-180),pt(2,170),pt(1,180)));out geom;"
    assert EmbeddedEngine(world).run(query, Limits()).remark is None


def test_relations_are_looked_at_in_small_portions() -> None:
    collector = ObjectCollector()
    collector.node(1, 471_000_000, 95_000_000)
    for number in range(1, 3000):
        collector.relation(number, [(ElementType.NODE, 1, "")], {"name": "x"})
    engine = EmbeddedEngine(build_world(collector.objects(), Origin("relations")), looks := Clock(1_000_000))
    engine.run(f"rel{BOX};out count;")
    used = looks.looks
    engine.run(f"rel{BOX}(if:length()>0);out count;")
    assert (used - looks.looks) - (1_000_000 - used) > 5
