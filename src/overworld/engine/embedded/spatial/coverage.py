"""Which closed ways cover points, with the turns that the engine's walk through the fine tiles takes.

The engine walks through the tiles of the points and through those that some closed way is filed in, side by side. A
point whose tile has none is compared with the next tile that has; of a set, the points in that next tile are skipped.
"""

from __future__ import annotations

import numpy as np

from overworld.engine.embedded.context import Context
from overworld.engine.embedded.elementgeometry import LAT_OFFSET_E7
from overworld.engine.embedded.sets import EMPTY, Rows, distinct_rows
from overworld.engine.embedded.spatial.fineblocks import COLUMNS, ROWS, FineBlocks, point_relations
from overworld.engine.embedded.spatial.gaps import ways_with_gaps
from overworld.engine.embedded.spatial.segmentblocks import I64
from overworld.engine.embedded.spatial.shapes import closed_ways
from overworld.engine.embedded.spatial.wayareas import WayAreas
from overworld.world.boxindex import boxes_meeting
from overworld.world.quads import COMPOUND, LEVELS, WHOLE_WORLD, interleave, node_quads
from overworld.world.store import U32

TILE = 1 << 16
FEW_TILES = 32


def ways_covering(context: Context, lat_e7: I64, lon_e7: I64, *, of_set: bool) -> Rows:
    """The closed ways that cover one of the points, border included. ``of_set``: the points are nodes of a set."""
    if len(lat_e7) == 0:
        return EMPTY
    tiles = node_quads(lat_e7.astype(np.int32), lon_e7.astype(np.int32))
    filed = _filed_tiles(context, np.unique(tiles))
    bare = ~np.isin(tiles, filed)
    if bare.any():
        if not of_set:
            return _covering_from_next_tile(context, lat_e7, lon_e7)
        skipped = _skipped(context, np.unique(tiles), filed)
        kept = ~bare & ~np.isin(tiles, skipped)
        lat_e7, lon_e7 = lat_e7[kept], lon_e7[kept]
    rows = _closed_near(context, lat_e7, lon_e7)
    return WayAreas(context, rows).covering(lat_e7, lon_e7)


def _closed_near(context: Context, lat: I64, lon: I64) -> Rows:
    """The closed ways whose box holds one of the points, and those with gaps; of many points, the common box counts."""
    if len(lat) > FEW_TILES:
        return _closed_meeting(context, [(int(lat.min()), int(lon.min()), int(lat.max()), int(lon.max()))])
    return _closed_meeting(context, [(y, x, y, x) for y, x in zip(lat.tolist(), lon.tolist(), strict=True)])


def _closed_meeting(context: Context, boxes: list[tuple[int, int, int, int]]) -> Rows:
    world, ways = context.world, context.world.ways
    found = [boxes_meeting(ways.index, ways.boxes, s - 1, w - 1, n + 1, e + 1) for s, w, n, e in boxes]
    gapped = context.prepared.get("ways with gaps", ways_with_gaps)
    if len(found) == 1 and len(gapped) == 0:
        return closed_ways(world, found[0])
    rows = distinct_rows(np.concatenate([*found, gapped]), len(ways.ids)) if found else EMPTY
    return closed_ways(world, rows)


# ------------------------------------------------------------------------------ tiles with and without ways


def _filed_tiles(context: Context, tiles: U32) -> U32:
    """Those of ``tiles`` (distinct) that some closed way is filed in; a way within a tile is filed there."""
    ways = context.world.ways
    places = [_place(tile) for tile in tiles.tolist()]
    low, high = min(row for row, _ in places), max(row for row, _ in places)
    west, east = min(column for _, column in places), max(column for _, column in places)
    box = (low * TILE - LAT_OFFSET_E7, west * TILE, (high + 1) * TILE - 1 - LAT_OFFSET_E7, (east + 1) * TILE - 1)
    rows = _closed_meeting(context, [box])
    sides = ways.boxes[rows]
    first, last = node_quads(sides[:, 0], sides[:, 1]), node_quads(sides[:, 2], sides[:, 3])
    sure = (first == last) & (ways.complete[rows] == 1) & (ways.nodes.lengths(rows) > 1)
    filed = np.unique(first[sure])
    if not np.isin(tiles, filed).all():
        filed = np.union1d(filed, _known_tiles(WayAreas(context, rows[~sure]).blocks, low, high))
    return np.intersect1d(tiles, filed, assume_unique=True)


def _place(tile: int) -> tuple[int, int]:
    """Row and column of a quadtile index."""
    row = column = 0
    for bit in range(16):
        row |= (tile >> (2 * bit + 1) & 1) << bit
        column |= (tile >> (2 * bit) & 1) << bit
    return row, column - TILE // 2


def _candidates(context: Context, tiles: U32) -> Rows:
    """The closed ways that the engine reads for these tiles: those filed under the tiles or squares around them."""
    world = context.world
    found = np.flatnonzero(np.isin(world.ways.quad, _squares_around(tiles))).astype(np.int32)
    return closed_ways(world, found)


def _squares_around(tiles: U32) -> U32:
    lat, lon = (np.array(side) for side in zip(*(_place(tile) for tile in tiles.tolist()), strict=True))
    lon = lon + TILE // 2
    found = [tiles, np.array([WHOLE_WORLD], dtype=np.uint32)]
    for level in LEVELS:
        step = 1 << (2 * level - 1)
        for south in (lat & -step, (lat & -step) - step):
            for west in (lon & -step, (lon & -step) - step):
                corner = interleave((south & 0xFFFF).astype(np.uint32), (west & 0xFFFF).astype(np.uint32))
                found.append(corner | np.uint32(COMPOUND | 1 << (level - 1)))
    return np.unique(np.concatenate(found))


def _known_tiles(blocks: FineBlocks, low: int, high: int) -> U32:
    """The tiles that ways are filed in; the inside of a way is carried eastwards in rows ``low`` to ``high`` only."""
    row, column = blocks.keys // COLUMNS % ROWS, blocks.keys % COLUMNS
    found = [interleave(row.astype(np.uint32), column.astype(np.uint32))]
    for place in np.flatnonzero(blocks.east_inside & (row >= low) & (row <= high)).tolist():
        here = int(blocks.keys[place])
        following = int(blocks.keys[place + 1]) if place + 1 < len(blocks.keys) else here
        if following // COLUMNS == here // COLUMNS:
            columns = np.arange(here % COLUMNS + 1, following % COLUMNS)
            rows = np.full(len(columns), int(row[place]))
            found.append(interleave(rows.astype(np.uint32), columns.astype(np.uint32)))
    return np.unique(np.concatenate(found))


def _skipped(context: Context, tiles: U32, filed: U32) -> U32:
    """The tiles whose points the engine skips: the next one with ways after a tile of points without."""
    rows = [_place(tile)[0] for tile in tiles.tolist()]
    blocks = WayAreas(context, _candidates(context, tiles)).blocks
    known = _known_tiles(blocks, min(rows), max(rows))
    bare = np.setdiff1d(tiles, filed)
    following = np.searchsorted(known, bare)
    return known[following[following < len(known)]]


def _covering_from_next_tile(context: Context, lat_e7: I64, lon_e7: I64) -> Rows:
    """What the next tile with ways says about a point of another tile."""
    tile = node_quads(lat_e7.astype(np.int32), lon_e7.astype(np.int32))
    rows = _candidates(context, tile)
    blocks = WayAreas(context, rows).blocks
    own_row = int(lat_e7[0] + LAT_OFFSET_E7) >> 16
    known = _known_tiles(blocks, own_row, own_row)
    place = int(np.searchsorted(known, tile[0]))
    if place == len(known):
        return EMPTY
    next_row, next_column = _place(int(known[place]))
    owners = np.arange(len(rows))
    block, covered = blocks.find(owners, np.full(len(rows), next_row), np.full(len(rows), next_column))
    if next_row != own_row:
        covered[:] = False
    there = np.flatnonzero(block >= 0)
    lat, lon = np.full(len(there), lat_e7[0] + LAT_OFFSET_E7), np.full(len(there), lon_e7[0])
    inside, border = point_relations(blocks, block[there], lat, lon)
    if next_row != own_row:
        # The corners of the tiles in other rows have not been looked at: all are taken to be outside.
        inside = (inside ^ blocks.corner_inside[block[there]]) & ~border
    covered[there] = inside | border
    return rows[covered]
