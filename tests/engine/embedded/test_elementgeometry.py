"""Bounds, centres and clipping of elements, where the map has gaps or crosses the date line."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from overworld.core.boxes import Box
from overworld.engine.embedded.elementgeometry import (
    NOWHERE,
    Clip,
    centers,
    crosses,
    drawn_bounds,
    latitudes,
    way_bounds,
    way_vertices,
    ways_clipped,
)
from overworld.engine.embedded.relationgeometry import member_vertices, members_of, relation_bounds
from overworld.engine.embedded.tiles import quadtile_order
from overworld.world.store import World

Worlds = Callable[[str], World]


def rows_of(*ids: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array([id_ - 1 for id_ in ids], dtype=np.int32)


@pytest.mark.parametrize(
    ("box", "segment", "expected"),
    [
        ((0, 0, 1, 1), (0.5, -1, 0.5, 2), True),
        ((0, 0, 1, 1), (0.5, -2, 0.5, -1), False),
        ((0, 0, 1, 1), (-1, 0.5, 2, 0.5), True),
        ((0, 0, 1, 1), (2, 0, 3, 1), False),
        ((0, 0, 1, 1), (-1, -0.5, 0.5, 2.5), False),
        ((0, 0, 1, 1), (-1, 0.5, 0.5, 3.0), False),
        ((0, 0, 1, 1), (-1, 0.5, 3.0, 1.5), True),
        ((0, 179, 1, -179), (0.5, 178, 0.5, -178), True),
        ((0, 179, 1, -179), (0.5, 0, 0.5, 10), False),
        ((0, 170, 1, 179), (0.5, 179.5, 0.5, -179.5), False),
        ((0, 0, 1, 1), (1, 1, 2, 2), True),
    ],
)
def test_crosses(box: tuple[float, ...], segment: tuple[float, ...], expected: bool) -> None:
    assert crosses(Box(*box), *segment) is expected


def test_clip_is_rounded_as_the_engine_rounds() -> None:
    clip = Clip.of(Box(-0.00000006, -0.00000004, 0.00000004, 0.00000006))
    assert (clip.south, clip.west, clip.north, clip.east) == (-1, 0, 0, 1)


def test_latitudes_go_through_the_engines_offset() -> None:
    values = np.array([600_000_001, 0, -900_000_000], dtype=np.int32)
    assert latitudes(values).tolist() == [(600_000_001 + 910_000_000) / 1e7 - 91.0, 0.0, -90.0]


def test_ways_that_lack_nodes(tiny_world: Worlds) -> None:
    world = tiny_world("gaps")
    lists = way_vertices(world, rows_of(1, 2, 10, 4))
    assert np.diff(lists.offsets).tolist() == [3, 0, 3, 0]
    assert (lists.vertices >= 0).tolist() == [True, True, True, True, False, True]
    bounds = way_bounds(world, rows_of(1, 2, 10, 4), None)
    assert np.isnan(bounds[:, 0]).tolist() == [False, True, False, True]
    assert bounds[2].tolist() == [NOWHERE[0], NOWHERE[1], pytest.approx(50.9), pytest.approx(7.9)]
    assert drawn_bounds(world, lists)[1].tolist() == [100.0, 200.0, 100.0, 200.0]


def test_drawn_bounds_turn_at_the_date_line(tiny_world: Worlds) -> None:
    world = tiny_world("dateline")
    island = rows_of(1)
    drawn = drawn_bounds(world, way_vertices(world, island))
    assert drawn[0].tolist() == pytest.approx([0.5, 179.97, 0.6, -179.97])
    assert abs(centers(drawn, turned=True)[0]).tolist() == pytest.approx([0.55, 180.0])
    assert way_bounds(world, island, None)[0].tolist() == pytest.approx([0.5, -179.98, 0.6, 179.98])


def test_clipping_keeps_what_touches_the_box(tiny_world: Worlds) -> None:
    world = tiny_world("gaps")
    lists = way_vertices(world, rows_of(5, 7))
    near = Clip.of(Box(50.0049, 7.0, 50.0051, 7.1))
    clipped = ways_clipped(world, lists, near)
    kept = [world.nodes.ids[row] if row >= 0 else None for row in clipped.vertices.tolist()]
    assert kept[0] == kept[4] == 5
    assert kept[5] is None
    far = Clip.of(Box(10, 10, 11, 11))
    assert (ways_clipped(world, lists, far).vertices < 0).all()


def test_members_of_relations_in_order(tiny_world: Worlds) -> None:
    world = tiny_world("gaps")
    members = members_of(world, rows_of(2, 3))
    assert members.offsets.tolist() == [0, 5, 8]
    assert members.ids(world).tolist() == [1, 92, 1, 2, 77, 2, 1, 55]
    assert members.types.tolist() == [0, 0, 1, 1, 1, 2, 2, 2]
    lists = member_vertices(world, members, None)
    assert np.diff(lists.offsets).tolist() == [1, 1, 3, 0, 0, 0, 0, 0]
    bounds = relation_bounds(world, rows_of(2, 3), None)
    assert bounds[0, :2].tolist() == [NOWHERE[0], pytest.approx(7.002)]
    assert np.isnan(bounds[1]).all()


def test_quadtile_order_puts_squares_after_their_corner_tile() -> None:
    quads = np.array([0x80000005, 0x5, 0x4, 0x80000004, 0x4], dtype=np.uint32)
    assert quadtile_order(quads).tolist() == [2, 4, 3, 1, 0]
