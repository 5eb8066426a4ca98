"""Overlapping boxes are found as by comparing every two, whatever way is taken."""

from __future__ import annotations

import numpy as np
import pytest

from overworld.engine.embedded.spatial.joins import Boxes, overlapping_pairs


def boxes(seed: int, count: int, size: float, large: int = 0) -> Boxes:
    random = np.random.default_rng(seed)
    south, west = random.uniform(0, 1000, count), random.uniform(0, 1000, count)
    sizes = np.where(np.arange(count) < large, 500.0, size)
    return Boxes(south, west, south + random.uniform(0, 1, count) * sizes, west + random.uniform(0, 1, count) * sizes)


def all_pairs(left: Boxes, right: Boxes) -> set[tuple[int, int]]:
    meets = (left.south[:, None] <= right.north) & (left.north[:, None] >= right.south)
    meets &= (left.west[:, None] <= right.east) & (left.east[:, None] >= right.west)
    return set(zip(*(side.tolist() for side in np.nonzero(meets)), strict=True))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (boxes(1, 0, 5), boxes(2, 10, 5)),
        (boxes(1, 20, 50), boxes(2, 30, 0)),
        (boxes(3, 800, 5), boxes(4, 900, 3)),
        (boxes(5, 3000, 0), boxes(6, 400, 30)),
        (boxes(7, 900, 2, large=20), boxes(8, 1500, 1, large=10)),
        (boxes(9, 1500, 1000), boxes(10, 1500, 0)),
    ],
    ids=["none", "few", "many small", "points", "some large", "all large"],
)
def test_pairs_are_all_pairs(left: Boxes, right: Boxes) -> None:
    found = [
        pair
        for first, second in overlapping_pairs(left, right)
        for pair in zip(first.tolist(), second.tolist(), strict=True)
    ]
    assert set(found) == all_pairs(left, right)


def test_points_come_once_for_each_box() -> None:
    left, right = boxes(7, 900, 2, large=20), boxes(11, 4000, 0)
    found = [
        pair
        for first, second in overlapping_pairs(left, right)
        for pair in zip(first.tolist(), second.tolist(), strict=True)
    ]
    assert len(found) == len(set(found))
