"""Borders cut into tiles: where they are cut, and that points are counted right by them."""

from __future__ import annotations

import numpy as np
import pytest

from overworld.engine.embedded.spatial.borders import Border, point_states
from overworld.engine.embedded.spatial.segmentblocks import TILE, Blocks, aligned_segments, closed_by_southern_edges

SOUTH, WEST = 1345 * TILE, 77 * TILE
"""A corner of four tiles."""


@pytest.mark.parametrize(
    ("segment", "pieces"),
    [
        ((10, 10, 20, 30), [(10, 10, 20, 30)]),
        ((20, 30, 10, 10), [(20, 30, 10, 10)]),
        ((0, TILE - 10, 0, TILE + 10), [(0, TILE - 10, 0, TILE - 1), (0, TILE, 0, TILE + 10)]),
        ((TILE + 10, 0, TILE - 10, 20), [(TILE - 10, 20, TILE - 1, 10), (TILE, 10, TILE + 10, 0)]),
        (
            (TILE - 4, TILE - 2, TILE + 4, TILE + 2),
            [(TILE - 4, TILE - 2, TILE - 2, TILE - 1), (TILE, TILE, TILE + 4, TILE + 2)],
        ),
        ((5, 10, 5, 2 * TILE + 4), [(5, 10, 5, TILE - 1), (5, TILE, 5, 2 * TILE - 1), (5, 2 * TILE, 5, 2 * TILE + 4)]),
        (
            (100, 1_799_999_990, 120, -1_799_999_990),
            [(100, 1_799_999_990, 110, 1_800_000_000), (110, -1_800_000_000, 120, -1_799_999_990)],
        ),
    ],
    ids=["within", "within, backwards", "column", "row, from the north", "corner", "three columns", "date line"],
)
def test_segments_are_cut_at_the_edges_of_tiles(
    segment: tuple[int, int, int, int], pieces: list[tuple[int, int, int, int]]
) -> None:
    assert aligned_segments(*segment) == pieces


def border_of(corners: list[tuple[int, int]]) -> Border:
    pieces = [
        piece
        for (lat1, lon1), (lat2, lon2) in zip(corners, corners[1:] + corners[:1], strict=True)
        for piece in aligned_segments(lat1, lon1, lat2, lon2)
    ]
    sides = np.array(pieces, dtype=np.int64)
    chain = np.arange(len(sides))
    blocks = Blocks(sides[:, 0], sides[:, 1], sides[:, 2], sides[:, 3], chain, np.zeros_like(chain))
    return Border(closed_by_southern_edges(blocks))


@pytest.mark.parametrize("seed", range(6))
def test_points_are_inside_by_parity(seed: int) -> None:
    random = np.random.default_rng(seed)
    corners = [
        (SOUTH + int(lat), WEST + int(lon)) for lat, lon in random.integers(-2 * TILE, 2 * TILE, (5 + seed, 2)).tolist()
    ]
    points = np.array([SOUTH, WEST]) + random.integers(-2 * TILE, 2 * TILE, (500, 2))
    states = point_states(border_of(corners), points[:, 0], points[:, 1])
    expected = [is_inside(corners, int(lat), int(lon)) for lat, lon in points]
    assert states.inside_or_border.tolist() == expected


def is_inside(corners: list[tuple[int, int]], lat: int, lon: int) -> bool:
    inside = False
    for (lat1, lon1), (lat2, lon2) in zip(corners, corners[1:] + corners[:1], strict=True):
        if (lon1 <= lon) != (lon2 <= lon):
            inside ^= lat1 + (lon - lon1) * (lat2 - lat1) / (lon2 - lon1) < lat
    return inside


def test_border_points_are_told_from_inside_points() -> None:
    border = border_of([(SOUTH, WEST), (SOUTH, WEST + 100), (SOUTH + 100, WEST + 100), (SOUTH + 100, WEST)])
    lat = SOUTH + np.array([0, 0, 50, 50, 50, 100, 101, -1])
    lon = WEST + np.array([0, 50, 0, 50, 100, 50, 50, 50])
    states = point_states(border, lat, lon)
    assert states.on_border.tolist() == [True, True, True, False, True, True, False, False]
    assert states.strictly_inside.tolist() == [False, False, False, True, False, False, False, False]
