"""Making and changing lists of different lengths in CSR form."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from overworld.core.errors import InputError
from overworld.world.store import I32, I64, U32, Csr, IntArray

MAX_VALUES = np.iinfo(np.uint32).max


def offsets_of(lengths: IntArray) -> U32:
    """Offsets (n+1,) of lists with these lengths (n,)."""
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    if offsets[-1] > MAX_VALUES:
        raise InputError(f"{offsets[-1]} values in one column: a world holds at most {MAX_VALUES}")
    return offsets.astype(np.uint32)


def lengths_of(csr: Csr) -> I64:
    """How many values each row has, shape (n,)."""
    lengths: I64 = csr.offsets[1:].astype(np.int64) - csr.offsets[:-1]
    return lengths


def owners_of(csr: Csr) -> I64:
    """The row that each value belongs to, shape of ``csr.values``."""
    lengths = lengths_of(csr)
    return np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)


def take_rows(csr: Csr, rows: IntArray) -> Csr:
    """The lists of ``rows``, in that order."""
    return Csr(offsets_of(csr.lengths(rows)), csr.gather(rows))


def value_positions(csr: Csr, rows: IntArray) -> I64:
    """Where the values of ``rows`` stand in ``csr.values``, in the order of ``rows``."""
    return Csr(csr.offsets, np.arange(len(csr.values), dtype=np.int64)).gather(rows).astype(np.int64)


def group_sorted(groups: IntArray, values: IntArray, count: int) -> Csr:
    """Group (0..count-1) → its values, sorted and each once. The two arrays are parallel, without negative numbers."""
    if len(groups) == 0:
        return Csr(np.zeros(count + 1, dtype=np.uint32), np.empty(0, dtype=np.int32))
    width = int(values.max()) + 1
    packed = groups.astype(np.int64) * width + values
    packed.sort()
    fresh = np.empty(len(packed), dtype=bool)
    fresh[0] = True
    np.not_equal(packed[1:], packed[:-1], out=fresh[1:])
    packed = packed[fresh]
    owner = packed // width
    return Csr(offsets_of(np.bincount(owner, minlength=count)), (packed - owner * width).astype(np.int32))


def reduce_lists(operation: np.ufunc, values: npt.NDArray[Any], offsets: IntArray, empty: int) -> npt.NDArray[Any]:
    """``operation.reduce`` of each list; ``empty`` for lists without a value. Shape (n,), dtype of ``values``."""
    result = np.full(len(offsets) - 1, empty, dtype=values.dtype)
    filled = np.flatnonzero(offsets[1:] > offsets[:-1])
    if len(filled):
        result[filled] = operation.reduceat(values, offsets[filled].astype(np.int64))
    return result


def keep_values(csr: Csr, keep: npt.NDArray[np.bool_]) -> Csr:
    """The lists without the values where ``keep`` is false."""
    before = np.zeros(len(keep) + 1, dtype=np.int64)
    np.cumsum(keep, out=before[1:])
    return Csr(before[csr.offsets.astype(np.int64)].astype(np.uint32), csr.values[keep])


def rows_of_ids(table: I64, ids: IntArray) -> tuple[I32, I64]:
    """Rows of ``ids`` in the sorted ``table``; absent ids are ``-1 - k``, where k indexes the returned missing ids.

    Returns (rows, int32, parallel to ``ids``; missing ids, sorted, each once).
    """
    if len(table) == 0:
        missing = np.unique(ids).astype(np.int64)
        return (-1 - np.searchsorted(missing, ids)).astype(np.int32), missing
    rows = np.searchsorted(table, ids)
    rows[rows == len(table)] = 0
    absent = table[rows] != ids
    if not absent.any():
        return rows.astype(np.int32), np.empty(0, dtype=np.int64)
    missing = np.unique(ids[absent]).astype(np.int64)
    rows[absent] = -1 - np.searchsorted(missing, ids[absent])
    return rows.astype(np.int32), missing
