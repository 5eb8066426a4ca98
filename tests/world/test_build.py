"""What a world knows about its objects."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from overworld.core.boxes import Box
from overworld.core.elements import ElementType
from overworld.core.errors import InputError
from overworld.world.build import Origin, build_world
from overworld.world.objects import NOWHERE_LAT_E7, NOWHERE_LON_E7, ObjectCollector
from overworld.world.store import World

Draw = Callable[..., World]
NODE, WAY, RELATION = ElementType.NODE, ElementType.WAY, ElementType.RELATION


def built(collector: ObjectCollector) -> World:
    return build_world(collector.objects(), Origin("small", "witness"))


def test_objects_are_kept_by_id_and_the_last_of_an_id_counts() -> None:
    collector = ObjectCollector()
    for id, lat, value in ((9, 1, "a"), (3, 2, "b"), (9, 3, "c"), (4, 4, "d")):
        collector.node(id, lat, 0, {"v": value})
    collector.way(2, [9, 3], {"w": "old"})
    collector.way(1, [3, 4])
    collector.way(2, [4, 9, 4])
    world = built(collector)
    assert world.nodes.ids.tolist() == [3, 4, 9]
    assert world.nodes.lat.tolist() == [2, 4, 3]
    assert [world.tags.values[int(pair)] for pair in world.tags.pair_values] == ["b", "c", "d"]
    assert world.ways.ids.tolist() == [1, 2]
    assert world.ways.nodes.row(1).tolist() == [1, 2, 1]
    assert world.ways.tagged.tags.offsets.tolist() == [0, 0, 0]


def test_what_is_missing_is_negative_and_named() -> None:
    collector = ObjectCollector()
    collector.node(5, 0, 0)
    collector.way(1, [7, 5, 6, 7])
    collector.relation(1, [(NODE, 5, ""), (NODE, 99, "x"), (WAY, 99, "y"), (WAY, 1, ""), (RELATION, 8, "")])
    world = built(collector)
    assert world.ways.nodes.row(0).tolist() == [-2, 0, -1, -2]
    assert world.ways.missing.tolist() == [6, 7]
    assert world.relations.member_rows.row(0).tolist() == [0, -2, -2, 0, -1]
    assert world.relations.missing.tolist() == [8, 99]
    assert world.relations.member_types.tolist() == [0, 0, 1, 1, 2]
    roles = [world.relations.roles[int(number)] for number in world.relations.member_roles]
    assert roles == ["", "x", "y", "", ""]


@pytest.mark.parametrize(
    ("refs", "closed", "complete"),
    [
        pytest.param("abca", 1, 1, id="ring"),
        pytest.param("abc", 0, 1, id="line"),
        pytest.param("aa", 1, 1, id="same node twice"),
        pytest.param("a", 0, 1, id="one node"),
        pytest.param("", 0, 1, id="no node"),
        pytest.param("abZa", 1, 0, id="ring with a missing node"),
        pytest.param("ZabZ", 1, 0, id="ring that starts at a missing node"),
        pytest.param("YabZ", 0, 0, id="line between missing nodes"),
    ],
)
def test_closed_and_complete(draw: Draw, refs: str, closed: int, complete: int) -> None:
    ways = draw("a b\n. c", ways={1: refs}).ways
    assert (ways.closed.tolist(), ways.complete.tolist()) == ([closed], [complete])


def test_boxes(draw: Draw) -> None:
    world = draw(
        "a . b\n. c .\nd . .",
        ways={1: "ac", 2: "cZd", 3: "ZY"},
        relations={
            1: {"members": ["way/1", "node/4"]},
            2: {"members": ["relation/1", "way/3"]},
            3: {"members": ["way/2", "relation/1"]},
        },
    )
    lat, lon = world.nodes.lat.tolist(), world.nodes.lon.tolist()
    assert world.ways.boxes.tolist()[:2] == [[lat[2], lon[0], lat[0], lon[2]], [lat[3], lon[3], lat[2], lon[2]]]
    assert world.ways.boxes[2, 0] > world.ways.boxes[2, 2]
    assert world.relations.boxes.tolist()[0] == [lat[3], lon[0], lat[0], lon[2]]
    assert world.relations.boxes[1, 0] > world.relations.boxes[1, 2]
    assert world.relations.boxes.tolist()[2] == world.ways.boxes.tolist()[1]
    assert world.info.box == Box(49.998, 8.0, 50.0, 8.002)


def test_a_way_over_the_180th_meridian_spans_all_longitudes() -> None:
    collector = ObjectCollector()
    collector.node(1, 0, 1_799_000_000)
    collector.node(2, 10, -1_799_000_000)
    collector.way(1, [1, 2])
    collector.way(2, [1, 1])
    boxes = built(collector).ways.boxes.tolist()
    assert boxes == [[0, -1_800_000_000, 10, 1_800_000_000], [0, 1_799_000_000, 0, 1_799_000_000]]


def test_parents_are_sorted_and_each_once(draw: Draw) -> None:
    world = draw(
        "a b c",
        ways={7: "aba", 3: "bc"},
        relations={
            1: {"members": ["node/1", "way/7", "node/1 again", "relation/1"]},
            5: {"members": ["way/7", "relation/1", "way/3", "way/7"]},
        },
    )
    assert [world.nodes.ways.row(row).tolist() for row in range(3)] == [[1], [0, 1], [0]]
    assert [world.nodes.relations.row(row).tolist() for row in range(3)] == [[0], [], []]
    assert [world.ways.relations.row(row).tolist() for row in range(2)] == [[1], [0, 1]]
    assert [world.relations.relations.row(row).tolist() for row in range(2)] == [[0, 1], []]


def test_tags_are_sorted_by_key_and_indexed_both_ways(draw: Draw) -> None:
    world = draw("a b c", tags={"a": {"name": "Zürich", "amenity": "cafe"}, "c": {"amenity": "bar"}, "b": {"ö": "ü"}})
    tags, tagged = world.tags, world.nodes.tagged
    assert [tags.keys[i] for i in range(len(tags.keys))] == ["amenity", "name", "ö"]
    assert [tags.values[i] for i in range(len(tags.values))] == ["Zürich", "bar", "cafe", "ü"]
    assert [tagged.tags.row(row).tolist() for row in range(3)] == [[1, 2], [3], [0]]
    assert [tagged.by_key.row(key).tolist() for key in range(3)] == [[0, 2], [0], [1]]
    assert [tagged.by_pair.row(pair).tolist() for pair in range(4)] == [[2], [0], [0], [1]]
    assert tags.key_pairs.tolist() == [0, 2, 3, 4]


def test_strings_that_no_object_uses_are_not_kept() -> None:
    collector = ObjectCollector()
    collector.pair("left", "over")
    collector.role("left over")
    collector.node(1, 0, 0, {"a": "b"})
    collector.relation(1, [(NODE, 1, "stop")])
    world = built(collector)
    assert (len(world.tags.keys), len(world.tags.values), len(world.relations.roles)) == (1, 1, 1)


def test_counts(draw: Draw) -> None:
    world = draw("a b\nd c", ways={1: "abcda"}, tags={"a": {"k": "v"}, "way/1": {"k": "v", "building": "yes"}})
    assert world.info.counts == {"nodes": 4, "ways": 1, "relations": 0, "areas": 0, "tagged": 2}


def test_an_empty_world_is_a_world() -> None:
    world = built(ObjectCollector())
    assert world.info.counts == {"nodes": 0, "ways": 0, "relations": 0, "areas": 0, "tagged": 0}
    assert world.info.box is None
    assert world.rows_of(NODE, np.array([1])).tolist() == []


def test_nodes_without_a_place_do_not_stretch_the_box_of_the_world() -> None:
    collector = ObjectCollector()
    collector.node(1, 10, 20)
    collector.node(2, NOWHERE_LAT_E7, NOWHERE_LON_E7)
    assert built(collector).info.box == Box(1e-6, 2e-6, 1e-6, 2e-6)


@pytest.mark.parametrize("id", [0, -4])
@pytest.mark.parametrize("word", ["node", "way", "relation"])
def test_ids_are_positive(word: str, id: int) -> None:
    collector = ObjectCollector()
    collector.node(1, 0, 0)
    if word == "node":
        collector.node(id, 0, 0)
    else:
        getattr(collector, word)(id, [])
    with pytest.raises(InputError, match=f"{word} id {id}: ids of map objects are positive"):
        built(collector)
