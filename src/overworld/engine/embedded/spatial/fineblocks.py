"""Closed ways as areas: their segments filed in the engine's fine tiles, and the tests of points against them.

The tiles are those of the quadtile index, 2**16 units (1e-7 degree) wide. A segment is filed as a whole in the tiles of
both ends and one between; one that is longer is cut along its great circle. Each tile of a way knows whether its
south-west corner is inside; that follows from the tile to the west.

Latitudes in here count from 91 degrees south, longitudes from Greenwich; int64.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from overworld.engine.embedded.elementgeometry import LAT_OFFSET_E7
from overworld.engine.embedded.sets import Mask
from overworld.engine.embedded.spatial.joins import runs
from overworld.engine.embedded.spatial.shapes import F64, Shapes

I64 = npt.NDArray[np.int64]
Entry = tuple[int, int, int, int, int, int]

TILE = 1 << 16
TILE_MASK = ~(TILE - 1)
COLUMNS = 1 << 16
ROWS = 1 << 16
HALF_TURN = 1_800_000_000
ANTIMERIDIAN_W = -HALF_TURN
DATE_LINE_COLUMN = (ANTIMERIDIAN_W >> 16) + COLUMNS // 2
"""The column that the 180th meridian lies in, counted from the west."""
SOUTH_POLE = 10_000_000
NORTH_POLE = SOUTH_POLE + HALF_TURN


@dataclass(frozen=True, slots=True)
class Entries:
    """Segments filed in tiles. ``west`` is the western end, the second one where both have the same longitude.

    ``owner``: the position of the way. ``cut``: whether the segment is a piece of a longer one.
    """

    owner: I64
    row: I64
    column: I64
    west_lat: I64
    west_lon: I64
    east_lat: I64
    east_lon: I64
    cut: Mask

    def at(self, places: npt.NDArray[np.integer]) -> Entries:
        """Some of the entries."""
        return Entries(
            self.owner[places],
            self.row[places],
            self.column[places],
            self.west_lat[places],
            self.west_lon[places],
            self.east_lat[places],
            self.east_lon[places],
            self.cut[places],
        )


def entries_of(shapes: Shapes) -> Entries:
    """File the segments of ways."""
    lat, lon = shapes.lat_e7 + LAT_OFFSET_E7, shapes.lon_e7
    owners, starts = shapes.owners(), shapes.segment_starts()
    ends = starts + 1
    row, column = lat >> 16, lon >> 16
    rows_apart = np.abs(row[ends] - row[starts])
    columns_apart = np.abs(column[ends] - column[starts])
    far = (rows_apart > 1) | (columns_apart > 1)
    near = np.flatnonzero(~far)
    moved = near[(rows_apart[near] > 0) | (columns_apart[near] > 0)]
    slanting = near[(rows_apart[near] > 0) & (columns_apart[near] > 0)]
    between_row, between_column = _tile_between(lat, lon, starts[slanting])
    segments = np.concatenate((near, moved, slanting))
    rows = np.concatenate((row[ends[near]], row[starts[moved]], between_row))
    columns = np.concatenate((column[ends[near]], column[starts[moved]], between_column))
    lat1, lon1, lat2, lon2 = lat[starts[segments]], lon[starts[segments]], lat[ends[segments]], lon[ends[segments]]
    pieces = np.array(
        [
            (owner, *piece)
            for owner, start in zip(owners[starts[far]].tolist(), starts[far].tolist(), strict=True)
            for piece in _pieces(int(lat[start]), int(lon[start]), int(lat[start + 1]), int(lon[start + 1]))
        ],
        dtype=np.int64,
    ).reshape(-1, 7)
    forward = np.concatenate((lon1, pieces[:, 4])) < np.concatenate((lon2, pieces[:, 6]))
    first_lat, first_lon = np.concatenate((lat1, pieces[:, 3])), np.concatenate((lon1, pieces[:, 4]))
    second_lat, second_lon = np.concatenate((lat2, pieces[:, 5])), np.concatenate((lon2, pieces[:, 6]))
    return Entries(
        np.concatenate((owners[starts[segments]], pieces[:, 0])),
        np.concatenate((rows, pieces[:, 1])),
        np.concatenate((columns, pieces[:, 2])),
        np.where(forward, first_lat, second_lat),
        np.where(forward, first_lon, second_lon),
        np.where(forward, second_lat, first_lat),
        np.where(forward, second_lon, first_lon),
        np.arange(len(forward)) >= len(segments),
    )


def _tile_between(lat: I64, lon: I64, starts: I64) -> tuple[I64, I64]:
    """The third tile that a segment to a diagonal neighbour is filed in."""
    lat1, lon1, lat2, lon2 = lat[starts], lon[starts], lat[starts + 1], lon[starts + 1]
    edge = np.maximum(lon1, lon2) & TILE_MASK
    at_edge = ((lat2 - lat1).astype(np.float64) * (edge - lon1) / (lon2 - lon1) + lat1).astype(np.int64)
    upper = np.maximum(lat1, lat2) & TILE_MASK
    upper_lon, lower_lon = np.where(lat1 < lat2, lon2, lon1), np.where(lat1 < lat2, lon1, lon2)
    return at_edge >> 16, np.where(at_edge < upper, upper_lon, lower_lon) >> 16


# ------------------------------------------------------------------------------ long segments


class _GreatCircle:
    """The great circle through two points in degrees, in the engine's arithmetic."""

    def __init__(self, lat1: float, lon1: float, lat2: float, lon2: float) -> None:
        s1, c1 = math.sin(lat1 / 180.0 * math.pi), math.cos(lat1 / 180.0 * math.pi)
        s2, c2 = math.sin(lat2 / 180.0 * math.pi), math.cos(lat2 / 180.0 * math.pi)
        cs1, cc1 = c1 * math.sin(lon1 / 180.0 * math.pi), c1 * math.cos(lon1 / 180.0 * math.pi)
        cs2, cc2 = c2 * math.sin(lon2 / 180.0 * math.pi), c2 * math.cos(lon2 / 180.0 * math.pi)
        s, cs, cc = cs1 * cc2 - cc1 * cs2, cc1 * s2 - s1 * cc2, s1 * cs2 - cs1 * s2
        if (lon1 < lon2 and lon2 - lon1 > 180.0) or (lon2 < lon1 and lon1 - lon2 < 180.0):
            s, cs, cc = -s, -cs, -cc
        norm = math.sqrt(s * s + cs * cs + cc * cc)
        self._s, self._cs, self._cc = (s / norm, cs / norm, cc / norm) if norm > 0 else (s, cs, cc)

    def lat_at(self, lon: float) -> int:
        """The latitude at a longitude, in units."""
        across = self._cc * math.cos(lon / 180.0 * math.pi) + self._cs * math.sin(lon / 180.0 * math.pi)
        norm = math.sqrt(across * across + self._s * self._s)
        lat = 90.0 if across > norm or norm == 0 else math.asin(across / norm) / math.pi * 180.0
        return int((lat + 91.0) * 10_000_000 + 0.5)


def _pieces(lat1: int, lon1: int, lat2: int, lon2: int) -> Iterator[Entry]:
    """A long segment in pieces that each lie in one tile: row, column, first and second end."""
    if lon1 & TILE_MASK == lon2 & TILE_MASK:
        yield from _upward(lat1, lon1, lat2, lon2)
        return
    circle = _GreatCircle(lat1 / 1e7 - 91.0, lon1 / 1e7, lat2 / 1e7 - 91.0, lon2 / 1e7)
    if lon1 >= lon2:
        lat1, lon1, lat2, lon2 = lat2, lon2, lat1, lon1
    if lon2 - lon1 < HALF_TURN:
        yield from _eastward(circle, lat1, lon1, lat2, lon2)
    elif lon2 - lon1 == HALF_TURN:
        yield from _over_a_pole(lat1, lon1, lat2, lon2)
    else:
        yield from _from_date_line(circle, lat1, lon1)
        yield from _to_date_line(circle, lat2, lon2)


def _eastward(circle: _GreatCircle, lat1: int, lon1: int, lat2: int, lon2: int) -> Iterator[Entry]:
    edge = (lon1 & TILE_MASK) + TILE
    at_edge = circle.lat_at(edge / 1e7)
    yield from _upward(lat1, lon1, at_edge, edge)
    while edge + TILE < lon2:
        next_lat = circle.lat_at((edge + TILE) / 1e7)
        yield from _upward(at_edge, edge, next_lat, edge + TILE)
        at_edge, edge = next_lat, edge + TILE
    yield from _upward(at_edge, edge, lat2, lon2)


def _over_a_pole(lat1: int, lon1: int, lat2: int, lon2: int) -> Iterator[Entry]:
    if lat1 + lat2 > 2 * LAT_OFFSET_E7:
        yield from _upward(lat1, lon1, NORTH_POLE, lon1)
        yield from _upward(lat2, lon2, NORTH_POLE, lon2)
    else:
        yield from _upward(SOUTH_POLE, lon1, lat1, lon1)
        yield from _upward(SOUTH_POLE, lon2, lat2, lon2)


def _from_date_line(circle: _GreatCircle, lat: int, lon: int) -> Iterator[Entry]:
    """The part of a segment over the 180th meridian that lies east of it, up to its end at ``lat``, ``lon``."""
    at_line = circle.lat_at(-180.0)
    if lon & TILE_MASK == ANTIMERIDIAN_W & TILE_MASK:
        yield from _upward(at_line, ANTIMERIDIAN_W, lat, lon)
        return
    edge = (ANTIMERIDIAN_W & TILE_MASK) + TILE
    # The engine starts from the latitude of the end, not from where the segment meets the line.
    yield from _upward(lat, ANTIMERIDIAN_W, at_line, edge)
    at_edge = at_line
    while edge + TILE < lon:
        next_lat = circle.lat_at((edge + TILE) / 1e7)
        yield from _upward(at_edge, edge, next_lat, edge + TILE)
        at_edge, edge = next_lat, edge + TILE
    yield from _upward(at_edge, edge, lat, lon)


def _to_date_line(circle: _GreatCircle, lat: int, lon: int) -> Iterator[Entry]:
    """The part that lies west of it, from its end at ``lat``, ``lon``."""
    at_line = circle.lat_at(180.0)
    if lon & TILE_MASK == HALF_TURN & TILE_MASK:
        yield from _upward(lat, lon, at_line, HALF_TURN)
    else:
        yield from _eastward(circle, lat, lon, at_line, HALF_TURN)
    yield at_line >> 16, HALF_TURN >> 16, at_line, HALF_TURN, at_line, HALF_TURN + 1


def _upward(lat1: int, lon1: int, lat2: int, lon2: int) -> Iterator[Entry]:
    """A piece within one column, cut at the rows."""
    if lat1 & TILE_MASK == lat2 & TILE_MASK:
        yield lat1 >> 16, lon1 >> 16, lat1, lon1, lat2, lon2
        return
    if lat2 < lat1:
        lat1, lon1, lat2, lon2 = lat2, lon2, lat1, lon1
    column = min(lon1, lon2) >> 16
    lat, lon = lat1, lon1
    edge = (lat1 & TILE_MASK) + TILE
    while True:
        at_edge = int(lon1 + (float(edge) - lat1) / (lat2 - lat1) * (lon2 - lon1))
        yield lat >> 16, column, lat, lon, edge, at_edge
        lat, lon = edge, at_edge
        if edge + TILE >= lat2:
            break
        edge += TILE
    yield lat >> 16, column, lat, lon, lat2, lon2


def joined(parts: Sequence[Entries]) -> Entries:
    """The entries of several lists."""
    return Entries(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Entries)))


# ------------------------------------------------------------------------------ blocks


class FineBlocks:
    """The tiles of closed ways, sorted by way, row and column.

    ``keys``: way, row and column in one number. Block i has the entries ``starts[i]:starts[i] + counts[i]``.
    ``corner_inside``: whether its south-west corner is inside; ``east_inside``: the same for the tile to the east.
    ``leaking``: ways whose inside does not end, in some row, where the way does: a vertex on the edge of a tile, and a
    long segment that bulges over it, can bring that about.
    """

    def __init__(self, entries: Entries) -> None:
        keys = (entries.owner * ROWS + entries.row) * COLUMNS + entries.column + COLUMNS // 2
        order = np.argsort(keys, kind="stable")
        self.entries = entries.at(order)
        keys = keys[order]
        self.starts = np.flatnonzero(np.diff(keys, prepend=-1))
        self.keys = keys[self.starts]
        self.counts = np.diff(np.append(self.starts, len(keys)))
        parity = _sum_blocks(_crosses_south(self.entries), self.starts) % 2
        first = np.zeros(len(self.keys), dtype=np.int64)
        if len(keys) and ((self.keys % COLUMNS) == DATE_LINE_COLUMN).any():
            parity, first = self._started_at_date_line(parity)
        # What is inside at the corner of a tile follows from the tiles west of it in the same row.
        total = np.cumsum(parity)
        new_row = np.diff(self.keys // COLUMNS, prepend=-1) != 0
        row_starts = np.flatnonzero(new_row)
        base = np.repeat((total - parity - first)[row_starts], np.diff(np.append(row_starts, len(total))))
        self.corner_inside = (total - parity - base) % 2 == 1
        self.east_inside = (total - base) % 2 == 1
        ends_row = np.diff(self.keys // COLUMNS, append=-1) != 0
        self.leaking = np.unique(self.keys[ends_row & self.east_inside] // (ROWS * COLUMNS))

    def _started_at_date_line(self, parity: I64) -> tuple[I64, I64]:
        """Adds the blocks without entries where the inside is carried north along the 180th meridian.

        Returns the parity of all blocks, and for the first of each row whether its corner is inside.
        """
        entries = self.entries
        toggling = (entries.west_lon == ANTIMERIDIAN_W) & (entries.east_lon != ANTIMERIDIAN_W)
        toggles = _sum_blocks(toggling.astype(np.int64), self.starts) % 2
        at_line = self.keys % COLUMNS == DATE_LINE_COLUMN
        known = dict(zip(self.keys[at_line].tolist(), toggles[at_line].tolist(), strict=True))
        inside: set[int] = set()
        for key in sorted(known):
            carried, toggled = key in inside, known[key]
            while carried != bool(toggled):
                key += COLUMNS
                inside.add(key)
                if key in known:
                    break
                carried, toggled = True, 0
        added = np.array(sorted(inside.difference(known)), dtype=np.int64)
        order = np.argsort(np.concatenate((self.keys, added)), kind="stable")
        nothing = np.zeros(len(added), dtype=np.int64)
        self.starts = np.concatenate((self.starts, nothing))[order]
        self.counts = np.concatenate((self.counts, nothing))[order]
        self.keys = np.concatenate((self.keys, added))[order]
        first = np.isin(self.keys, list(inside)).astype(np.int64)
        return np.concatenate((parity, nothing))[order], first

    def entries_of_blocks(self, blocks: I64) -> tuple[I64, Entries]:
        """The entries of blocks, and for each the position in ``blocks``."""
        counts = self.counts[blocks]
        return np.repeat(np.arange(len(blocks)), counts), self.entries.at(runs(self.starts[blocks], counts))

    def concerned(self, row: I64, column: I64) -> Mask:
        """Which tiles may have something to do with a way: a block of one, or its inside carried along the row."""
        with_blocks = np.isin(row * COLUMNS + column + COLUMNS // 2, self.keys % (ROWS * COLUMNS))
        return with_blocks | np.isin(row, self.keys[self.east_inside] // COLUMNS % ROWS)

    def find(self, owner: I64, row: I64, column: I64) -> tuple[I64, Mask]:
        """For ways and tiles: the block or -1, and whether the whole tile is inside where there is no block."""
        wanted = (owner * ROWS + row) * COLUMNS + column + COLUMNS // 2
        place = np.searchsorted(self.keys, wanted, side="right") - 1
        if len(self.keys) == 0:
            return np.full(len(wanted), -1, dtype=np.int64), np.zeros(len(wanted), dtype=bool)
        known = np.maximum(place, 0)
        exact = (place >= 0) & (self.keys[known] == wanted)
        same_row = (place >= 0) & (self.keys[known] // COLUMNS == wanted // COLUMNS)
        return np.where(exact, known, -1), same_row & ~exact & self.east_inside[known]


def _sum_blocks(values: I64, starts: I64) -> I64:
    return np.add.reduceat(values, starts) if len(starts) else np.zeros(0, dtype=np.int64)


def _crosses_south(entries: Entries) -> I64:
    """Which segments cross the southern edge of their tile."""
    south, west = entries.row << 16, entries.column << 16
    crossing = (entries.west_lat <= south) ^ (entries.east_lat <= south)
    at = _lon_at(entries, south.astype(np.float64))
    counted: I64 = (crossing & (west <= at) & (at < west + TILE)).astype(np.int64)
    return counted


def _lon_at(entries: Entries, lat: F64) -> F64:
    with np.errstate(divide="ignore", invalid="ignore"):
        rise = entries.east_lat - entries.west_lat
        lon: F64 = entries.west_lon + (lat - entries.west_lat) * (entries.east_lon - entries.west_lon) / rise
    return lon


def point_relations(blocks: FineBlocks, block: I64, lat: I64, lon: I64) -> tuple[Mask, Mask]:
    """For pairs of a block and a point: whether the point is inside, and whether it is on the border."""
    pair, entries = blocks.entries_of_blocks(block)
    south = entries.row << 16
    # Segments east of the point say nothing, nor do those west of it that do not cross the southern edge.
    over = (entries.west_lat <= south) ^ (entries.east_lat <= south)
    kept = np.flatnonzero((entries.west_lon <= lon[pair]) & (over | (entries.east_lon >= lon[pair])))
    pair = pair[kept]
    toggles, borders = _relations(entries.at(kept), lat[pair], lon[pair])
    border = np.zeros(len(block), dtype=bool)
    border[pair[borders]] = True
    odd = np.bincount(pair[toggles], minlength=len(block)) % 2 == 1
    inside: Mask = (blocks.corner_inside[block] ^ odd) & ~border
    return inside, border


def _relations(segments: Entries, lat: I64, lon: I64) -> tuple[Mask, Mask]:
    """For pairs of a segment and a point: whether it toggles the inside, and whether the point is on it."""
    s, south, west = segments, segments.row << 16, segments.column << 16
    at_west, at_east = s.west_lon == lon, s.east_lon == lon
    between = (s.west_lon < lon) & (lon < s.east_lon)
    upright = s.west_lon == s.east_lon
    with np.errstate(divide="ignore", invalid="ignore"):
        run = s.east_lon - s.west_lon
        crossing_lat = s.west_lat + (lon - s.west_lon).astype(np.float64) * (s.east_lat - s.west_lat) / run
    below = crossing_lat - 0.5 < lat
    above = lat < crossing_lat + 0.5
    # A segment that has no part in the southern edge of the tile.
    low, high = np.minimum(s.west_lat, s.east_lat), np.maximum(s.west_lat, s.east_lat)
    border = (at_west & (s.west_lat == lat)) | (at_east & ~at_west & (s.east_lat == lat))
    border |= at_west & upright & (low <= lat) & (lat <= high)
    border |= between & below & above
    toggle = (at_west & ~upright & (s.west_lat < lat)) | (between & below)
    # One that crosses it.
    at_south = _lon_at(s, south.astype(np.float64))
    through = ((s.west_lat <= south) ^ (s.east_lat <= south)) & (west <= at_south) & (at_south < west + TILE)
    rising = s.west_lat <= south
    past = np.where(rising, s.east_lon <= lon, at_south <= lon)
    end_border = at_east & ((s.east_lat == lat) | (upright & (lat <= s.east_lat)))
    start_border = (at_south == lon) & ((lat == south) | ((at_south == s.west_lon) & (lat <= s.west_lat)))
    beside = ~past & np.where(rising, at_south < lon, s.west_lon <= lon)
    through_border = np.where(past, np.where(rising, end_border, start_border), beside & above & below)
    through_toggle = past | (beside & np.where(rising, above, below))
    # One that lies on it, and one that lies south of it.
    flat = (s.west_lat == south) & (s.east_lat == south)
    flat_border = (lat == south) & (s.west_lon <= lon) & (lon <= s.east_lon)
    outside = (high <= south) & ~flat
    border = np.where(through, through_border, np.where(flat, flat_border, border & ~outside))
    toggle = np.where(through, through_toggle, np.where(flat, s.west_lon == ANTIMERIDIAN_W, toggle & ~outside))
    return toggle & ~border, border
