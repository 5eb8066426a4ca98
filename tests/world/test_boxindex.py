"""The packed R-tree against comparing every item."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overworld.world.boxindex import boxes_meeting, index_boxes, index_points, nodes_in_box, query
from overworld.world.build import Origin, build_world
from overworld.world.objects import ObjectCollector
from overworld.world.store import I32, BoxIndex, NodeTable

LARGEST = (900_000_000, 1_800_000_000)


def boxes_of(rng: np.random.Generator, count: int, size: int) -> I32:
    """Random boxes, some of them points, some of them empty (south > north)."""
    south = rng.integers(-LARGEST[0], LARGEST[0] - size, count)
    west = rng.integers(-LARGEST[1], LARGEST[1] - size, count)
    boxes = np.stack([south, west, south + rng.integers(0, size, count), west + rng.integers(0, size, count)], axis=1)
    boxes[rng.random(count) < 0.1] = (1, 0, 0, 0)
    return boxes.astype(np.int32)


def meeting(boxes: I32, south: int, west: int, north: int, east: int) -> list[int]:
    hits = (boxes[:, 0] <= boxes[:, 2]) & (boxes[:, 0] <= north) & (boxes[:, 2] >= south)
    if west <= east:
        hits &= (boxes[:, 1] <= east) & (boxes[:, 3] >= west)
    else:
        hits &= (boxes[:, 1] <= east) | (boxes[:, 3] >= west)
    return np.flatnonzero(hits).tolist()


def nodes_at(lat: I32, lon: I32) -> NodeTable:
    collector = ObjectCollector()
    for row in range(len(lat)):
        collector.node(row + 1, int(lat[row]), int(lon[row]))
    return build_world(collector.objects(), Origin("points")).nodes


def some_box(rng: np.random.Generator) -> tuple[int, int, int, int]:
    south, north = sorted(rng.integers(-LARGEST[0], LARGEST[0], 2).tolist())
    west, east = rng.integers(-LARGEST[1], LARGEST[1], 2).tolist()
    return south, west, north, east


@pytest.mark.parametrize("count", [0, 1, 2, 31, 32, 33, 1000, 5000, 150_000])
def test_boxes(count: int) -> None:
    rng = np.random.default_rng(count)
    boxes = boxes_of(rng, count, 20_000_000)
    index = index_boxes(boxes)
    for _ in range(20):
        box = some_box(rng)
        expected = meeting(boxes, *box)
        found = boxes_meeting(index, boxes, *box)
        assert found.dtype == np.int32
        assert found.tolist() == expected
        candidates = query(index, *box)
        assert candidates.tolist() == sorted(set(candidates.tolist()))
        assert set(expected) <= set(candidates.tolist())


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), max_size=80), st.tuples(*[st.integers(-6, 6)] * 4))
def test_points_with_many_on_the_border_of_the_box(
    points: list[tuple[int, int]], box: tuple[int, int, int, int]
) -> None:
    places = np.array(points, dtype=np.int32).reshape(-1, 2)
    nodes = nodes_at(places[:, 0], places[:, 1])
    expected = meeting(np.concatenate([places, places], axis=1), *box)
    assert nodes_in_box(nodes, *box).tolist() == (expected if box[0] <= box[2] else [])


def test_a_box_over_the_180th_meridian() -> None:
    lon = np.array([-1_800_000_000, -1_799_000_000, 0, 1_799_000_000, 1_800_000_000], dtype=np.int32)
    nodes = nodes_at(np.zeros(5, dtype=np.int32), lon)
    assert nodes_in_box(nodes, -1, 1_799_500_000, 1, -1_799_500_000).tolist() == [0, 4]
    assert nodes_in_box(nodes, -1, 1_799_000_000, 1, -1_799_000_000).tolist() == [0, 1, 3, 4]


def test_a_small_box_looks_at_few_items() -> None:
    rng = np.random.default_rng(7)
    lat = rng.integers(0, 10_000_000, 400_000).astype(np.int32)
    lon = rng.integers(0, 10_000_000, 400_000).astype(np.int32)
    index = index_points(lat, lon)
    assert len(query(index, 5_000_000, 5_000_000, 5_010_000, 5_010_000)) <= 8 * index.fanout


def equal(one: BoxIndex, other: BoxIndex) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ("order", "boxes", "level_starts"))


def test_equal_items_give_an_equal_index() -> None:
    boxes = boxes_of(np.random.default_rng(3), 3000, 5)
    assert equal(index_boxes(boxes), index_boxes(boxes.copy()))
    assert equal(index_boxes(boxes), index_boxes(np.asfortranarray(boxes)))
