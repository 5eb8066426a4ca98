"""Quadtile order, and which ways the engine finds at all when it looks inside a box of tiles."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from overworld.core.boxes import Box
from overworld.engine.embedded.sets import Rows
from overworld.world.quads import COMPOUND, LEVELS, WHOLE_WORLD, separate
from overworld.world.store import U32, World

_TILE_E7 = 1 << 16
_LON_ORIGIN = 1 << 15


def quadtile_order(quads: U32) -> npt.NDArray[np.intp]:
    """The order of objects that have these indices and are sorted by id: by index, those of one index by id."""
    coarse = quads >> np.uint32(31)
    key = ((quads & np.uint32(0x7FFFFFFF)).astype(np.uint64) << np.uint64(1)) | coarse
    return np.argsort(key, kind="stable")


def ways_near(world: World, rows: Rows, box: Box) -> npt.NDArray[np.bool_]:
    """Which of the ways have an index square that shares a tile with the box: the engine reads only those."""
    quads = world.ways.quad[rows]
    lat, lon, reach = squares(quads)
    south, north = (int((value + 91.0) * 1e7 + 0.5) // _TILE_E7 for value in (box.south, box.north))
    west, east = (
        int(value * 1e7 + (0.5 if value > 0 else -0.5)) // _TILE_E7 + _LON_ORIGIN for value in (box.west, box.east)
    )
    rows_meet = (lat <= north) & (lat + reach >= south)
    if box.west <= box.east:
        columns_meet = (lon <= east) & (lon + reach >= west)
    else:
        columns_meet = (lon <= east) | (lon + reach >= west)
    near: npt.NDArray[np.bool_] = (rows_meet & columns_meet) | (quads == WHOLE_WORLD)
    return near


def squares(quads: U32) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The south-west tile of each index's square, and how many tiles it reaches further."""
    lat, lon = separate(quads & np.uint32(0x7FFFFFFF))
    reach = np.zeros(len(quads), dtype=np.int64)
    open_ones = (quads & np.uint32(COMPOUND)) != 0
    for level in LEVELS:
        here = open_ones & ((quads & np.uint32(1 << (level - 1))) != 0)
        aligned = ~((1 << (2 * level - 1)) - 1)
        lat[here] &= aligned
        lon[here] &= aligned
        reach[here] = 4**level - 1
        open_ones &= ~here
    return lat, lon, reach
