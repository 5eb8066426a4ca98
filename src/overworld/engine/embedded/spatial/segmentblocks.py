"""Borders and ways cut into the engine's area tiles.

The engine files the border of an area in tiles of 2**20 units (1e-7 degree). A segment that leaves its tile is cut at
the tiles' edges, in whole units; consecutive segments in one tile form a chain. Whether a point is inside is counted
along a line to the south within its tile, so that the southern edge of a tile carries segments where the area enters
from below.

Latitudes in here count from 91 degrees south, longitudes from Greenwich; int64.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from overworld.engine.embedded.elementgeometry import LAT_OFFSET_E7
from overworld.engine.embedded.sets import Mask
from overworld.engine.embedded.spatial.joins import Boxes
from overworld.engine.embedded.spatial.shapes import GAP_LON_E7, Shapes

I64 = npt.NDArray[np.int64]
Segment = tuple[int, int, int, int]

TILE = 1 << 20
TILE_MASK = ~(TILE - 1)
TILE_COLUMNS = 1 << 12
HALF_TURN = 1_800_000_000
NORTHERNMOST_ROW = (910_000_000 + 900_000_000) >> 20


@dataclass(frozen=True, slots=True)
class Blocks:
    """Segments within tiles: ``lat1, lon1`` to ``lat2, lon2``, in the order of their chains.

    ``chain``: a number for each chain; ``owner``: whatever the chain belongs to (the position of a way).
    """

    lat1: I64
    lon1: I64
    lat2: I64
    lon2: I64
    chain: I64
    owner: I64

    def tiles(self) -> I64:
        """The tile of each segment."""
        return tiles_of(self.lat1, self.lon1)

    def at(self, places: npt.NDArray[np.integer]) -> Blocks:
        """Some of the segments."""
        return Blocks(
            self.lat1[places],
            self.lon1[places],
            self.lat2[places],
            self.lon2[places],
            self.chain[places],
            self.owner[places],
        )

    def boxes(self, margin: int = 0) -> Boxes:
        """The segments' boxes, grown by a margin."""
        return Boxes(
            (np.minimum(self.lat1, self.lat2) - margin).astype(np.float64),
            (np.minimum(self.lon1, self.lon2) - margin).astype(np.float64),
            (np.maximum(self.lat1, self.lat2) + margin).astype(np.float64),
            (np.maximum(self.lon1, self.lon2) + margin).astype(np.float64),
        )


def tiles_of(lat: I64, lon: I64) -> I64:
    """The tiles that points lie in, numbered row by row from the south-west."""
    return (lat >> 20) * TILE_COLUMNS + (lon >> 20) + TILE_COLUMNS // 2


def boxes_of_tiles(tiles: I64) -> Boxes:
    """The tiles as boxes, in 1e-7 degree; latitudes from the equator."""
    south = (tiles // TILE_COLUMNS) * TILE - LAT_OFFSET_E7
    west = (tiles % TILE_COLUMNS - TILE_COLUMNS // 2) * TILE
    return Boxes(*(side.astype(np.float64) for side in (south, west, south + TILE - 1, west + TILE - 1)))


def blocks_of_shapes(shapes: Shapes) -> Blocks:
    """The segments of ways, cut at the edges of tiles. ``owner`` is the position of the way."""
    lat, lon = shapes.lat_e7 + LAT_OFFSET_E7, shapes.lon_e7
    owners, starts = shapes.owners(), shapes.segment_starts()
    tile = tiles_of(lat, lon)
    # A chain ends with its way and where the next vertex lies in another tile.
    breaks = np.ones(len(lat), dtype=bool)
    breaks[1:] = (owners[1:] != owners[:-1]) | (tile[1:] != tile[:-1])
    chain = np.cumsum(breaks)
    lead: I64 = np.empty((0, 6), dtype=np.int64)
    gaps = lon == GAP_LON_E7
    if gaps.any():
        lead = _led_by_gaps(lat, lon, owners, chain, gaps)
        starts = starts[~gaps[starts]]
    within = tile[starts] == tile[starts + 1]
    plain, cut = starts[within], starts[~within]
    pieces, piece_owner = _cut(lat, lon, owners, cut)
    chain_after = int(chain[-1]) + 1 if len(chain) else 0
    return Blocks(
        np.concatenate((lead[:, 0], lat[plain], pieces[:, 0])),
        np.concatenate((lead[:, 1], lon[plain], pieces[:, 1])),
        np.concatenate((lead[:, 2], lat[plain + 1], pieces[:, 2])),
        np.concatenate((lead[:, 3], lon[plain + 1], pieces[:, 3])),
        np.concatenate((lead[:, 4], chain[plain], chain_after + np.arange(len(pieces)))),
        np.concatenate((lead[:, 5], owners[plain], piece_owner)),
    )


def _led_by_gaps(lat: I64, lon: I64, owners: I64, chain: I64, gaps: Mask) -> I64:
    """Segments that start at a vertex without a place: both ends, chain, owner.

    The engine puts such vertices in front of the chain that follows, and there they are the corner of its tile.
    """
    found: list[tuple[int, ...]] = []
    for place in np.flatnonzero(gaps).tolist():
        following = place + 1
        while following < len(lat) and gaps[following] and owners[following] == owners[place]:
            following += 1
        if following == len(lat) or owners[following] != owners[place]:
            continue
        corner = int(lat[following]) & TILE_MASK, int(lon[following]) & TILE_MASK
        end = corner if gaps[place + 1] else (int(lat[following]), int(lon[following]))
        found.append((*corner, *end, int(chain[following]), int(owners[place])))
    return np.array(found, dtype=np.int64).reshape(-1, 6)


def _cut(lat: I64, lon: I64, owners: I64, starts: I64) -> tuple[I64, I64]:
    pieces: list[Segment] = []
    owner: list[int] = []
    ends = np.column_stack((lat[starts], lon[starts], lat[starts + 1], lon[starts + 1])).tolist()
    for (lat1, lon1, lat2, lon2), of in zip(ends, owners[starts].tolist(), strict=True):
        found = aligned_segments(lat1, lon1, lat2, lon2)
        pieces += found
        owner += [of] * len(found)
    return np.array(pieces, dtype=np.int64).reshape(-1, 4), np.array(owner, dtype=np.int64)


# ------------------------------------------------------------------------------ cutting at the tiles' edges


def aligned_segments(lat1: int, lon1: int, lat2: int, lon2: int) -> list[Segment]:
    """A segment as pieces that each lie in one tile. One from over 90° W to over 90° E crosses the 180th meridian."""
    if lon1 < -900_000_000 and lon2 > 900_000_000:
        return _across_date_line(lat2, lon2, lat1, lon1)
    if lon2 < -900_000_000 and lon1 > 900_000_000:
        return _across_date_line(lat1, lon1, lat2, lon2)
    return list(_by_columns(lat1, lon1, lat2, lon2))


def _across_date_line(lat1: int, lon1: int, lat2: int, lon2: int) -> list[Segment]:
    """From the east side to the west side; longitudes beyond a turn wrap around as 32-bit numbers do."""
    turn = 2 * HALF_TURN
    east = _proportion(lon1, HALF_TURN, _int32(lon2 + turn), lat1, lat2)
    west = _proportion(_int32(lon1 - turn), -HALF_TURN, lon2, lat1, lat2)
    return [*_by_columns(lat1, lon1, east, HALF_TURN), *_by_columns(west, -HALF_TURN, lat2, lon2)]


def _int32(value: int) -> int:
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


def _proportion(low: int, middle: int, high: int, at_low: int, at_high: int) -> int:
    if low == high:
        return at_low
    product = (at_high - at_low) * (middle - low)
    share = abs(product) // abs(high - low)
    return at_low + (share if (product < 0) == (high - low < 0) else -share)


def _by_columns(lat1: int, lon1: int, lat2: int, lon2: int) -> Iterator[Segment]:
    if lon1 & TILE_MASK == lon2 & TILE_MASK:
        yield from _by_rows(lat1, lon1, lat2, lon2)
        return
    if lon1 > lon2:
        lat1, lon1, lat2, lon2 = lat2, lon2, lat1, lon1
    edge = (lon1 & TILE_MASK) + TILE
    yield from _by_rows(lat1, lon1, _proportion(lon1, edge - 1, lon2, lat1, lat2), edge - 1)
    while edge < lon2 & TILE_MASK:
        last = edge + TILE - 1
        yield from _by_rows(
            _proportion(lon1, edge, lon2, lat1, lat2), edge, _proportion(lon1, last, lon2, lat1, lat2), last
        )
        edge += TILE
    yield from _by_rows(_proportion(lon1, edge, lon2, lat1, lat2), edge, lat2, lon2)


def _by_rows(lat1: int, lon1: int, lat2: int, lon2: int) -> Iterator[Segment]:
    if lat1 & TILE_MASK == lat2 & TILE_MASK:
        yield lat1, lon1, lat2, lon2
        return
    if lat1 > lat2:
        lat1, lon1, lat2, lon2 = lat2, lon2, lat1, lon1
    edge = (lat1 & TILE_MASK) + TILE
    yield lat1, lon1, edge - 1, _proportion(lat1, edge, lat2, lon1, lon2)
    while edge < lat2 & TILE_MASK:
        upper = edge + TILE
        yield edge, _proportion(lat1, edge, lat2, lon1, lon2), upper - 1, _proportion(lat1, upper, lat2, lon1, lon2)
        edge = upper
    yield edge, _proportion(lat1, edge, lat2, lon1, lon2), lat2, lon2


# ------------------------------------------------------------------------------ areas


def closed_by_southern_edges(blocks: Blocks) -> Blocks:
    """The border of an area, with segments on the southern edge of each tile that the area enters from the south."""
    first, last = _chain_ends(blocks)
    lat = np.concatenate((blocks.lat1[first], blocks.lat2[last]))
    lon = np.concatenate((blocks.lon1[first], blocks.lon2[last]))
    ends: dict[tuple[int, int], set[int]] = {}
    for row, column, at in zip((lat >> 20).tolist(), (lon >> 20).tolist(), lon.tolist(), strict=True):
        ends.setdefault((column, row), set()).symmetric_difference_update((at,))
    added: list[Segment] = []
    for column, row in sorted(ends):
        entered, above = ends[column, row], row + 1
        while entered and above <= NORTHERNMOST_ROW:
            lons = sorted(entered)
            south = above << 20
            added += [(south, west, south, east) for west, east in zip(lons[::2], lons[1::2], strict=False)]
            # An end without a partner closes nothing; pairs cancel out with the ends of the tile above.
            entered = set(lons[: len(lons) // 2 * 2])
            if (column, above) in ends:
                ends[column, above] ^= entered
                break
            above += 1
    if not added:
        return blocks
    extra = np.array(added, dtype=np.int64)
    after = int(blocks.chain.max()) + 1 if len(blocks.chain) else 0
    return Blocks(
        np.concatenate((blocks.lat1, extra[:, 0])),
        np.concatenate((blocks.lon1, extra[:, 1])),
        np.concatenate((blocks.lat2, extra[:, 2])),
        np.concatenate((blocks.lon2, extra[:, 3])),
        np.concatenate((blocks.chain, after + np.arange(len(extra)))),
        np.concatenate((blocks.owner, np.zeros(len(extra), dtype=np.int64))),
    )


def _chain_ends(blocks: Blocks) -> tuple[I64, I64]:
    """The first and the last segment of each chain; segments of a chain follow each other."""
    changes = np.flatnonzero(np.diff(blocks.chain)) + 1
    bounds = np.concatenate(([0], changes, [len(blocks.chain)])) if len(blocks.chain) else np.zeros(1, dtype=np.int64)
    return bounds[:-1].astype(np.int64), (bounds[1:] - 1).astype(np.int64)
