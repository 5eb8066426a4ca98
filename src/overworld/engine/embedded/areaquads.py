"""Where the engine files areas of relations: printing in quadtile order follows it."""

from __future__ import annotations

import numpy as np

from overworld.engine.embedded.context import Context
from overworld.engine.embedded.sets import Rows
from overworld.engine.embedded.spatial.areas import area_border
from overworld.engine.embedded.spatial.segmentblocks import TILE_COLUMNS
from overworld.world.quads import common_quads, interleave
from overworld.world.store import U32


def area_quads(context: Context, rows: Rows) -> U32:
    """The engine's indices of areas of relations: of all tiles that their borders pass."""
    return np.array([_area_quad(context, row) for row in rows.tolist()], dtype=np.uint32)


def _area_quad(context: Context, row: int) -> int:
    tiles = area_border(context, row).tiles
    lat, lon = np.divmod(tiles, TILE_COLUMNS)
    quads = interleave((lat << 4).astype(np.uint32), (lon << 4).astype(np.uint32))
    return int(common_quads(quads, np.array([0, len(quads)]))[0])
