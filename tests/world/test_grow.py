"""A grown world is its original, repeated: same tags, same shapes, references inside each copy."""

from __future__ import annotations

import numpy as np
import pytest

from overworld.core.elements import ElementType
from overworld.core.errors import InputError
from overworld.world.build import Origin, build_world
from overworld.world.grow import grow
from overworld.world.objects import MapObjects, ObjectCollector


@pytest.fixture
def village() -> MapObjects:
    collector = ObjectCollector()
    collector.node(10, 471_000_000, 95_000_000, {"amenity": "cafe"})
    collector.node(11, 471_010_000, 95_000_000)
    collector.node(40, 471_010_000, 95_020_000)
    collector.way(5, [10, 11, 40, 10], {"building": "yes"})
    collector.way(6, [40, 999], {"highway": "path"})
    collector.relation(3, [(ElementType.WAY, 5, "outer"), (ElementType.RELATION, 2, ""), (ElementType.NODE, 777, "x")])
    collector.relation(2, [(ElementType.NODE, 40, "stop")], {"type": "route"})
    return collector.objects()


def test_new_ids_follow_the_largest_one_without_a_gap(village: MapObjects) -> None:
    grown = grow(village, 3)
    assert grown.node_ids.tolist() == [10, 11, 40, 41, 42, 43, 44, 45, 46]
    assert grown.way_ids.tolist() == [5, 6, 7, 8, 9, 10]
    assert grown.relation_ids.tolist() == [2, 3, 4, 5, 6, 7]


def test_references_stay_inside_their_copy_and_missing_ones_stay_missing(village: MapObjects) -> None:
    grown = grow(village, 2)
    assert grown.way_refs.row(0).tolist() == [10, 11, 40, 10]
    assert grown.way_refs.row(2).tolist() == [41, 42, 43, 41]
    assert grown.way_refs.row(3).tolist() == [43, 999]
    assert grown.relation_refs.row(2).tolist() == [43]
    assert grown.relation_refs.row(3).tolist() == [7, 4, 777]


def test_copies_are_shifted_as_a_whole_and_do_not_overlap(village: MapObjects) -> None:
    world = build_world(grow(village, 5), Origin("grown"))
    lat, lon = world.nodes.lat.reshape(5, 3).astype(int), world.nodes.lon.reshape(5, 3).astype(int)
    assert (np.ptp(lat - lat[0], axis=1) == 0).all()
    assert (np.ptp(lon - lon[0], axis=1) == 0).all()
    boxes = [(lats.min(), lons.min(), lats.max(), lons.max()) for lats, lons in zip(lat, lon, strict=True)]
    for i, (south, west, north, east) in enumerate(boxes):
        for other in boxes[i + 1 :]:
            assert other[0] > north or other[2] < south or other[1] > east or other[3] < west
    assert world.info.counts["nodes"] == 15
    assert world.info.counts["tagged"] == 5 * 4


def test_one_time_is_the_original(village: MapObjects) -> None:
    original, same = (build_world(one, Origin("w")).info.content_hash for one in (village, grow(village, 1)))
    assert same == original


@pytest.mark.parametrize("times", [0, -3])
def test_a_number_below_one_is_refused(village: MapObjects, times: int) -> None:
    with pytest.raises(InputError, match=f"cannot be grown {times} times"):
        grow(village, times)


def test_copies_that_do_not_fit_on_the_globe_are_refused() -> None:
    collector = ObjectCollector()
    collector.node(1, -800_000_000, -1_700_000_000)
    collector.node(2, 800_000_000, 1_700_000_000)
    with pytest.raises(InputError, match="do not fit"):
        grow(collector.objects(), 2)
