"""Lists in CSR form against plain Python lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overworld.core.errors import InputError
from overworld.world.csr import (
    group_sorted,
    keep_values,
    offsets_of,
    owners_of,
    reduce_lists,
    rows_of_ids,
    take_rows,
    value_positions,
)
from overworld.world.store import Csr

Lists = list[list[int]]
lists_of_numbers = st.lists(st.lists(st.integers(0, 50), max_size=6), max_size=12)


def csr_of(lists: Lists) -> Csr:
    values = np.array([value for one in lists for value in one], dtype=np.int32)
    return Csr(offsets_of(np.array([len(one) for one in lists], dtype=np.int64)), values)


def lists_of(csr: Csr) -> Lists:
    return [csr.row(i).tolist() for i in range(len(csr))]


@given(lists_of_numbers)
def test_owners(lists: Lists) -> None:
    assert owners_of(csr_of(lists)).tolist() == [row for row, one in enumerate(lists) for _ in one]


@given(lists_of_numbers, st.data())
def test_rows_are_taken_in_any_order(lists: Lists, data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, len(lists) - 1), max_size=20)) if lists else []
    chosen, csr = np.array(rows, dtype=np.int64), csr_of(lists)
    assert lists_of(take_rows(csr, chosen)) == [lists[row] for row in rows]
    assert csr.values[value_positions(csr, chosen)].tolist() == [value for row in rows for value in lists[row]]


@given(lists_of_numbers)
def test_grouping_is_the_sorted_inverse(lists: Lists) -> None:
    csr = csr_of(lists)
    inverse = group_sorted(csr.values, owners_of(csr), 51)
    assert lists_of(inverse) == [[row for row, one in enumerate(lists) if value in one] for value in range(51)]


@given(lists_of_numbers)
def test_values_are_left_out(lists: Lists) -> None:
    csr = csr_of(lists)
    assert lists_of(keep_values(csr, csr.values % 3 == 0)) == [
        [value for value in one if value % 3 == 0] for one in lists
    ]


@given(lists_of_numbers)
def test_reduction_of_each_list(lists: Lists) -> None:
    csr = csr_of(lists)
    largest = reduce_lists(np.maximum, csr.values, csr.offsets, -7)
    assert largest.tolist() == [max(one, default=-7) for one in lists]


@given(st.sets(st.integers(1, 40)), st.lists(st.integers(1, 40), max_size=30))
def test_rows_of_ids_and_what_is_missing(table: set[int], ids: list[int]) -> None:
    ordered = sorted(table)
    rows, missing = rows_of_ids(np.array(ordered, dtype=np.int64), np.array(ids, dtype=np.int64))
    assert missing.tolist() == sorted(set(ids) - table)
    found = [ordered[row] if row >= 0 else int(missing[-1 - row]) for row in rows.tolist()]
    assert found == ids
    assert [row >= 0 for row in rows.tolist()] == [id in table for id in ids]


def test_more_values_than_offsets_can_say() -> None:
    with pytest.raises(InputError, match="a world holds at most 4294967295"):
        offsets_of(np.array([2**31, 2**31], dtype=np.int64))
