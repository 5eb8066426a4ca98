"""Set logic on sorted rows, against Python's sets."""

from __future__ import annotations

import numpy as np
import pytest

from overworld.engine.embedded.sets import Rows, contains, distinct_rows, intersect, subtract, unite

COUNT = 200


def some_rows(seed: int, size: int) -> Rows:
    return np.sort(np.random.default_rng(seed).choice(COUNT, size, replace=False)).astype(np.int32)


@pytest.mark.parametrize("sizes", [(0, 0), (0, 9), (9, 0), (1, 1), (3, 150), (150, 3), (120, 120), (200, 200)])
@pytest.mark.parametrize("seed", range(5))
def test_operations_are_those_of_sets(sizes: tuple[int, int], seed: int) -> None:
    left, right = some_rows(seed, sizes[0]), some_rows(seed + 100, sizes[1])
    one, other = set(left.tolist()), set(right.tolist())
    for result, expected in (
        (unite(left, right), one | other),
        (intersect(left, right), one & other),
        (subtract(left, right), one - other),
    ):
        assert result.dtype == np.int32
        assert result.tolist() == sorted(expected)
    assert contains(left, right).tolist() == [row in one for row in right.tolist()]


@pytest.mark.parametrize("count", [COUNT, 1 << 20])
def test_distinct_rows_leaves_out_what_is_missing(count: int) -> None:
    values = np.array([5, -1, 3, 5, 199, -7, 0, 3], dtype=np.int32)
    assert distinct_rows(values, count).tolist() == [0, 3, 5, 199]
    assert distinct_rows(values[:0], count).tolist() == []
    assert distinct_rows(values[[1, 5]], count).tolist() == []
    assert values.tolist() == [5, -1, 3, 5, 199, -7, 0, 3]
