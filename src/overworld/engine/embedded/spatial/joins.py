"""Which boxes of one list overlap which of another, without comparing every two."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

I64 = npt.NDArray[np.int64]
F64 = npt.NDArray[np.float64]

COMPARED_AT_ONCE = 200_000
"""Up to so many pairs are simply compared."""
PAIRS_AT_ONCE = 1_000_000
"""Pairs are handed out in portions of about this many."""
CELLS_ACROSS = 1 << 20
TYPICAL = 0.75
"""Cells have about the size of the box that so many boxes do not exceed: a few huge ones must not make them coarse."""
LARGE = 64
"""Boxes over more grid cells than this are put in a coarser grid of their own."""


class Boxes(NamedTuple):
    """Parallel arrays of sides; any unit, closed boxes. A point is a box without extent."""

    south: F64
    west: F64
    north: F64
    east: F64

    def at(self, places: npt.NDArray[np.integer]) -> Boxes:
        """Some of the boxes."""
        return Boxes(self.south[places], self.west[places], self.north[places], self.east[places])


def boxes_of_points(lat: F64, lon: F64) -> Boxes:
    """Points as boxes."""
    return Boxes(lat, lon, lat, lon)


def overlapping_pairs(left: Boxes, right: Boxes) -> Iterator[tuple[I64, I64]]:
    """Positions of overlapping boxes, in portions; a pair may come twice."""
    if len(left.south) == 0 or len(right.south) == 0:
        return
    if len(left.south) * len(right.south) <= COMPARED_AT_ONCE:
        yield _compared(left, right)
    else:
        yield from _by_grid(left, right)


def _compared(left: Boxes, right: Boxes) -> tuple[I64, I64]:
    meets = left.south[:, None] <= right.north
    meets &= left.north[:, None] >= right.south
    meets &= left.west[:, None] <= right.east
    meets &= left.east[:, None] >= right.west
    first, second = np.nonzero(meets)
    return first, second


def _by_grid(left: Boxes, right: Boxes) -> Iterator[tuple[I64, I64]]:
    south = min(left.south.min(), right.south.min())
    west = min(left.west.min(), right.west.min())
    height = _cell(left.north - left.south, right.north - right.south, max(left.north.max(), right.north.max()) - south)
    width = _cell(left.east - left.west, right.east - right.west, max(left.east.max(), right.east.max()) - west)
    grid = (south, west, height, width)
    left_cells, left_owners, left_large = _cells(left, grid)
    right_cells, right_owners, right_large = _cells(right, grid)
    if len(left_large):
        for first, second in overlapping_pairs(left.at(left_large), right):
            yield left_large[first], second
    if len(right_large):
        rest = np.setdiff1d(np.arange(len(left.south)), left_large, assume_unique=True)
        for first, second in overlapping_pairs(left.at(rest), right.at(right_large)):
            yield rest[first], right_large[second]
    order = np.argsort(right_cells, kind="stable")
    right_cells, right_owners = right_cells[order], right_owners[order]
    lows = np.searchsorted(right_cells, left_cells, side="left")
    counts = np.searchsorted(right_cells, left_cells, side="right") - lows
    filled = np.flatnonzero(counts)
    lows, counts, left_owners = lows[filled], counts[filled], left_owners[filled]
    for start, end in _portions(counts):
        first = np.repeat(left_owners[start:end], counts[start:end])
        second = right_owners[runs(lows[start:end], counts[start:end])]
        meets = left.south[first] <= right.north[second]
        meets &= left.north[first] >= right.south[second]
        meets &= left.west[first] <= right.east[second]
        meets &= left.east[first] >= right.west[second]
        yield first[meets], second[meets]


def _cell(left: F64, right: F64, span: float) -> float:
    typical = float(np.quantile(left, TYPICAL)) + float(np.quantile(right, TYPICAL))
    return max(typical, float(span) / CELLS_ACROSS, 1e-9)


def _cells(boxes: Boxes, grid: tuple[float, float, float, float]) -> tuple[I64, I64, I64]:
    """Grid cells of boxes, the box of each cell, and the boxes that are too large for this."""
    south, west, height, width = grid
    row = ((boxes.south - south) / height).astype(np.int64)
    column = ((boxes.west - west) / width).astype(np.int64)
    rows = ((boxes.north - south) / height).astype(np.int64) - row + 1
    columns = ((boxes.east - west) / width).astype(np.int64) - column + 1
    cells = rows * columns
    owners = np.arange(len(boxes.south))
    large = owners[cells > LARGE]
    if len(large):
        kept = cells <= LARGE
        owners, row, column, columns, cells = owners[kept], row[kept], column[kept], columns[kept], cells[kept]
    if len(cells) and int(cells.max()) > 1:
        steps = runs(np.zeros(len(cells), dtype=np.int64), cells)
        wide = np.repeat(columns, cells)
        row, column = np.repeat(row, cells) + steps // wide, np.repeat(column, cells) + steps % wide
        owners = np.repeat(owners, cells)
    return row * (4 * CELLS_ACROSS) + column, owners, large


def runs(starts: I64, lengths: I64) -> I64:
    """start, start+1, … for each start and length, concatenated."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    found: I64 = np.arange(total, dtype=np.int64) + np.repeat(starts - (ends - lengths), lengths)
    return found


def _portions(counts: I64) -> Iterator[tuple[int, int]]:
    """Cuts a list of counts where about ``PAIRS_AT_ONCE`` have come together."""
    ends = np.cumsum(counts)
    start, total = 0, int(ends[-1]) if len(ends) else 0
    done = 0
    while done < total:
        end = max(start + 1, int(np.searchsorted(ends, done + PAIRS_AT_ONCE)))
        yield start, end
        start, done = end, int(ends[end - 1])
