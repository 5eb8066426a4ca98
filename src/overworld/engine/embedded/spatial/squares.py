"""The squares of index tiles that the engine's quadtile indices stand for."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from overworld.world.quads import COMPOUND, LEVELS, separate
from overworld.world.store import U32

I64 = npt.NDArray[np.int64]


def squares(quads: U32) -> tuple[I64, I64, I64]:
    """The south-west tile (row, column) of each index's square, and how many tiles it reaches further.

    The index of the whole world is taken for a single tile.
    """
    lat, lon = separate(quads & np.uint32(COMPOUND - 1))
    reach = np.zeros(len(quads), dtype=np.int64)
    compound = (quads & np.uint32(COMPOUND)) != 0
    for level in LEVELS:
        here = compound & ((quads & np.uint32(1 << (level - 1))) != 0)
        aligned = -(1 << (2 * level - 1))
        lat[here] &= aligned
        lon[here] &= aligned
        reach[here] = 4**level - 1
        compound &= ~here
    return lat, lon, reach
