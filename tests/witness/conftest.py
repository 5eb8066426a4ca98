"""A real world small enough to count by hand: a quarter of 1.1 km by 0.8 km with a café, a school and a bus route."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from pydantic import TypeAdapter

from overworld.core.boxes import Box
from overworld.core.elements import ElementType, ObjectId
from overworld.core.errors import UnknownNameError
from overworld.witness.builder import Surroundings, WitnessBuild, build_witness
from overworld.witness.spec import WitnessSpec
from overworld.world.build import Origin, build_world
from overworld.world.objects import ObjectCollector
from overworld.world.store import World

NODE, WAY, RELATION = ElementType.NODE, ElementType.WAY, ElementType.RELATION
VIEW = Box(50.002, 8.002, 50.004, 8.006)
PLACES = {"Quarter": ObjectId(RELATION, 500), "School": ObjectId(WAY, 102), "Open": ObjectId(RELATION, 501)}


def real_map() -> ObjectCollector:
    """Two ways make the border of relation 500; relation 502 has members that the extract lacks."""
    collector = ObjectCollector()
    corners = {1: (50.0, 8.0), 2: (50.0, 8.01), 3: (50.01, 8.01), 4: (50.01, 8.0)}
    for one, (lat, lon) in corners.items():
        collector.node(one, round(lat * 1e7), round(lon * 1e7), {"note": "corner"} if one == 3 else None)
    collector.node(10, 500050000, 80050000, {"amenity": "cafe", "name": "Eins", "outdoor_seating": "yes"})
    for one, (lat, lon) in {20: (50.002, 8.002), 21: (50.002, 8.003), 22: (50.003, 8.003), 23: (50.003, 8.002)}.items():
        collector.node(one, round(lat * 1e7), round(lon * 1e7))
    collector.node(30, 500080000, 80080000, {"highway": "bus_stop"})
    collector.way(100, [1, 2, 3], {"boundary": "administrative"})
    collector.way(101, [3, 4, 1])
    collector.way(102, [20, 21, 22, 23, 20], {"amenity": "school", "name": "School"})
    collector.way(103, [20, 999, 22], {"highway": "path"})
    members = [(WAY, 100, "outer"), (WAY, 101, "outer"), (NODE, 10, "label")]
    collector.relation(
        500, members, {"type": "boundary", "boundary": "administrative", "name": "Quarter", "admin_level": "10"}
    )
    collector.relation(501, [(WAY, 100, "outer")], {"type": "boundary", "name": "Open", "admin_level": "10"})
    collector.relation(
        502, [(NODE, 30, "stop"), (NODE, 31, "stop"), (RELATION, 503, ""), (WAY, 102, "")], {"route": "bus"}
    )
    collector.relation(503, [(WAY, 104, "platform")], {"public_transport": "stop_area"})
    collector.relation(504, [(WAY, 102, "outer")], {"type": "multipolygon", "leisure": "park"})
    return collector


def find_area(name: str) -> ObjectId:
    """What place names mean here."""
    if name not in PLACES:
        raise UnknownNameError(f"no area named {name!r}")
    return PLACES[name]


@pytest.fixture(scope="session")
def real() -> World:
    """The small real world."""
    return build_world(real_map().objects(), Origin("small", snapshot="2024-01-01"))


Build = Callable[..., WitnessBuild]


@pytest.fixture
def build(real: World) -> Build:
    """Builds one witness world from what would stand under ``rebuild`` and in the entry of the world."""

    def run(rebuild: list[Mapping[str, Any]], name: str = "task-w1", **entry: Any) -> WitnessBuild:
        world = {"id": "w1", "why": "a test", **entry}
        spec = TypeAdapter(WitnessSpec).validate_python({"rebuild": rebuild, "worlds": [world]})
        around = Surroundings(real, find_area, lambda query: [ObjectId.parse(one) for one in query.split()], VIEW)
        return build_witness(spec, spec.worlds[0], name, around)

    return run


@pytest.fixture
def world_of() -> Callable[[WitnessBuild], World]:
    """The world of a build."""

    def run(built: WitnessBuild) -> World:
        return build_world(built.objects, Origin(built.report.world, "witness"))

    return run
