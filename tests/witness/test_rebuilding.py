"""What is taken over from the real world: closed, with its own ids and tags, and nothing dangles."""

from __future__ import annotations

import pytest

from overworld.core.elements import ElementType, ObjectId
from overworld.core.errors import InputError
from overworld.witness.realmap import MapNode, RealMap

PROBE = {"id": "probe", "as": "node", "set": {"a": "b"}, "place": {"at": [50.0, 8.0]}}

CASES = {
    "area-takes-border-and-members": ([{"area": "Quarter"}], "1 2 3 4 10", "100 101", "500", []),
    "area-of-a-closed-way": ([{"area": "School"}], "20 21 22 23", "102", "", []),
    "way-with-a-missing-node": ([{"objects": ["way/103"]}], "20 22", "103", "", ["way/103 node/999"]),
    "relation-of-relations": (
        [{"objects": ["relation/502"]}],
        "20 21 22 23 30",
        "102",
        "502 503",
        ["relation/502 node/31", "relation/503 way/104"],
    ),
    "query": ([{"query": "node/10 way/102"}], "10 20 21 22 23", "102", "", []),
    "several-that-overlap": (
        [{"area": "School"}, {"objects": ["node/21", "node/30"]}],
        "20 21 22 23 30",
        "102",
        "",
        [],
    ),
}


@pytest.mark.parametrize(("rebuild", "nodes", "ways", "relations", "lacking"), CASES.values(), ids=CASES.keys())
def test_closure(build, world_of, rebuild, nodes, ways, relations, lacking):
    built = build(rebuild, probes=[PROBE])
    world = world_of(built)
    assert [str(i) for i in world.nodes.ids[:-1]] == nodes.split()
    assert [str(i) for i in world.ways.ids] == ways.split()
    assert [str(i) for i in world.relations.ids] == relations.split()
    assert [f"{one.parent} {one.member}" for one in built.report.lacking] == lacking
    assert built.report.objects == len(world.nodes.ids) + len(world.ways.ids) + len(world.relations.ids)
    assert len(world.ways.missing) + len(world.relations.missing) == len(lacking)


def test_rebuilt_objects_are_those_of_the_real_world(build, world_of, real):
    world = world_of(build([{"area": "Quarter"}, {"objects": ["relation/502"]}], probes=[PROBE]))
    before, after = RealMap(real), RealMap(world)
    for kind in (ElementType.NODE, ElementType.WAY, ElementType.RELATION):
        for one in [ObjectId(kind, i) for i in world.ids(kind).tolist() if i < 600_000_000]:
            assert after.get(one) == before.get(one)


def test_areas_of_rebuilt_relations_come_back(build, world_of, real):
    world = world_of(build([{"area": "Quarter"}], probes=[PROBE]))
    assert world.areas.ids.tolist() == [3_600_000_500]
    assert sorted(world.areas.ends.tolist()) == sorted(
        real.areas.ends[real.areas.segment_offsets[0] : real.areas.segment_offsets[1]].tolist()
    )


def test_changes_and_removals(build, world_of):
    built = build(
        [{"area": "Quarter"}, {"objects": ["way/102", "node/30"]}],
        change=[{"object": "node/10", "set": {"outdoor_seating": "limited", "cuisine": "cake"}, "drop": ["name"]}],
        remove=["way/102"],
    )
    world = world_of(built)
    changed = RealMap(world).get(ObjectId.parse("node/10"))
    assert changed.tags == {"amenity": "cafe", "outdoor_seating": "limited", "cuisine": "cake"}
    assert world.ways.ids.tolist() == [100, 101]
    assert world.nodes.ids.tolist() == [1, 2, 3, 4, 10, 30]
    assert built.report.changed == (ObjectId.parse("node/10"),)
    assert built.report.removed == (ObjectId.parse("way/102"),)


QUARTER = [{"area": "Quarter"}]
REFUSED = {
    "unknown-object": ([{"objects": ["node/77"]}], {"probes": [PROBE]}, "small has no node/77"),
    "unknown-place": ([{"area": "Atlantis"}], {"probes": [PROBE]}, "no area named 'Atlantis'"),
    "query-that-finds-nothing": ([{"query": " "}], {"probes": [PROBE]}, "the query finds nothing"),
    "change-of-what-is-not-there": (QUARTER, {"change": [{"object": "node/30", "set": {"a": "b"}}]}, "not rebuilt"),
    "change-drops-an-unknown-tag": (QUARTER, {"change": [{"object": "node/10", "drop": ["x"]}]}, "no tag x to drop"),
    "removal-of-what-is-not-there": (QUARTER, {"remove": ["way/102"]}, "way/102 is not rebuilt"),
    "removal-of-a-needed-member": (QUARTER, {"remove": ["way/100"]}, "relation/500 is made of way/100"),
    "removal-of-a-needed-node": ([{"area": "School"}], {"remove": ["node/20"]}, "way/102 is made of node/20"),
}


@pytest.mark.parametrize(("rebuild", "entry", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_what_the_real_world_cannot_give_is_refused(build, rebuild, entry, message):
    with pytest.raises(InputError, match=f"^witness world w1: .*{message}"):
        build(rebuild, **entry)


def test_nodes_keep_their_place_to_the_last_digit(build, world_of):
    world = world_of(build([{"area": "School"}], probes=[PROBE]))
    node = RealMap(world).get(ObjectId.parse("node/22"))
    assert isinstance(node, MapNode)
    assert node.point == (500030000, 80030000)
