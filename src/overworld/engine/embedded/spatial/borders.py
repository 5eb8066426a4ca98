"""Points against the border of an area: on it, or north of how many of its segments.

Source: the engine counts, within a tile, the segments that a line from the point to the tile's southern edge meets.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from overworld.engine.embedded.sets import Mask
from overworld.engine.embedded.spatial.joins import runs
from overworld.engine.embedded.spatial.segmentblocks import I64, Blocks

TOGGLE_EAST = 2
TOGGLE_WEST = 4
SLABS = (16, 4096)
"""At least and at most so many slabs of longitude are laid over a border."""
PAIRS_AT_ONCE = 1_000_000


@dataclass(frozen=True, slots=True)
class PointStates:
    """How points lie to the border of an area.

    ``on_border``: on some chain. ``hits_odd``: on an odd number of chains. ``toggled``: whether the count of segments
    to the south, on chains that the point is not on, is odd on the west or the east side.
    """

    on_border: Mask
    hits_odd: Mask
    toggled: Mask

    def columns(self) -> tuple[Mask, Mask, Mask]:
        """The three masks."""
        return self.on_border, self.hits_odd, self.toggled

    @property
    def inside_or_border(self) -> Mask:
        """Inside, or on the border."""
        return self.on_border | self.toggled

    @property
    def strictly_inside(self) -> Mask:
        """Inside and not on the border."""
        return ~self.on_border & self.toggled

    @property
    def inside_by_count(self) -> Mask:
        """Inside as the engine counts members of relations: being on a chain toggles, too."""
        return self.hits_odd | self.toggled


class Border:
    """The border of an area, its segments listed by slabs of longitude within rows of tiles."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks = blocks
        self.low_lat, self.high_lat = np.minimum(blocks.lat1, blocks.lat2), np.maximum(blocks.lat1, blocks.lat2)
        self.low_lon, self.high_lon = np.minimum(blocks.lon1, blocks.lon2), np.maximum(blocks.lon1, blocks.lon2)
        count = len(blocks.lat1)
        rows = blocks.lat1 >> 20
        self._row, self._west = (int(rows.min()), int(self.low_lon.min())) if count else (0, 0)
        self._rows = int(rows.max()) - self._row + 1 if count else 0
        self._slabs = int(np.clip(count, *SLABS))
        self._width = (int(self.high_lon.max()) - self._west) // self._slabs + 1 if count else 1
        first = (self.low_lon - self._west) // self._width
        spans = (self.high_lon - self._west) // self._width - first + 1
        segments = np.repeat(np.arange(count), spans)
        keys = (rows[segments] - self._row) * self._slabs + runs(first, spans)
        order = np.argsort(keys, kind="stable")
        self._segments = segments[order]
        self._offsets = np.searchsorted(keys[order], np.arange(self._rows * self._slabs + 2))

    def below(self, lat: I64, lon: I64) -> tuple[I64, I64]:
        """Pairs of a point and a segment of its tile that it may be on or north of (positions)."""
        row, slab = (lat >> 20) - self._row, (lon - self._west) // self._width
        nowhere = (row < 0) | (row >= self._rows) | (slab < 0) | (slab >= self._slabs)
        keys = np.where(nowhere, self._rows * self._slabs, row * self._slabs + slab)
        starts = self._offsets[keys]
        counts = self._offsets[keys + 1] - starts
        point = np.repeat(np.arange(len(lat)), counts)
        segment = self._segments[runs(starts, counts)]
        at = lon[point]
        kept = (self.low_lon[segment] <= at) & (at <= self.high_lon[segment]) & (self.low_lat[segment] <= lat[point])
        return point[kept], segment[kept]


def point_states(border: Border, lat: I64, lon: I64) -> PointStates:
    """Test points against the border of an area."""
    step = max(1, PAIRS_AT_ONCE // 16)
    parts = [
        _point_states(border, lat[start : start + step], lon[start : start + step])
        for start in range(0, len(lat), step)
    ]
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return PointStates(*(np.zeros(0, dtype=bool) for _ in range(3)))
    return PointStates(*(np.concatenate(column) for column in zip(*(part.columns() for part in parts), strict=True)))


def _point_states(border: Border, lat: I64, lon: I64) -> PointStates:
    count = len(lat)
    point, segment = border.below(lat, lon)
    state, hit = _states(border.blocks.at(segment), lat[point], lon[point])
    on_border, odd = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
    if hit.any():
        width = int(border.blocks.chain.max()) + 1
        of_chain = point * width + border.blocks.chain[segment]
        pairs = np.unique(of_chain[hit])
        on_border[point[hit]] = True
        odd = np.bincount(pairs // width, minlength=count) % 2 == 1
        # A chain that a point lies on toggles nothing.
        state[np.isin(of_chain, pairs)] = 0
    east = np.bincount(point[(state & TOGGLE_EAST) != 0], minlength=count)
    west = np.bincount(point[(state & TOGGLE_WEST) != 0], minlength=count)
    return PointStates(on_border, odd, ((east | west) & 1) == 1)


def _states(segments: Blocks, lat: I64, lon: I64) -> tuple[npt.NDArray[np.int8], Mask]:
    """For pairs of a segment and a point north of it: what the segment toggles, and whether the point is on it."""
    eastward = segments.lon1 <= segments.lon2
    west_lon, east_lon = np.minimum(segments.lon1, segments.lon2), np.maximum(segments.lon1, segments.lon2)
    west_lat = np.where(eastward, segments.lat1, segments.lat2)
    east_lat = np.where(eastward, segments.lat2, segments.lat1)
    upright = west_lon == east_lon
    at_west, at_east = (lon == west_lon) & ~upright, (lon == east_lon) & ~upright
    between = (lon > west_lon) & (lon < east_lon)
    run = np.where(upright, 1, segments.lon1 - segments.lon2)
    product = (lon - segments.lon2) * (segments.lat1 - segments.lat2)
    share = np.abs(product) // np.abs(run)
    crossing = segments.lat2 + np.where((product < 0) == (run < 0), share, -share)
    hit = (at_west & (west_lat == lat)) | (at_east & (east_lat == lat)) | (between & (crossing == lat))
    hit |= upright & (lon == west_lon) & (lat <= np.maximum(segments.lat1, segments.lat2))
    state = np.zeros(len(lat), dtype=np.int8)
    state[at_west & (west_lat < lat)] = TOGGLE_EAST
    state[at_east & (east_lat < lat)] = TOGGLE_WEST
    state[between & (crossing < lat)] = TOGGLE_EAST | TOGGLE_WEST
    return state, hit
