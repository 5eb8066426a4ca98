"""The quadtile index that the engine files objects under; printing and looping in quadtile order follow it.

A node's index interleaves the upper 16 bits of its latitude (from 91° S) and longitude, both in 1e-7 degree. A way's or
relation's index is that of its nodes or direct members if they all share one, else the smallest of seven levels of
overlapping squares that holds them all, marked with bit 31 and one bit for the level; without any member it is 0xfe.
Members that the world lacks and members that are relations do not count.
"""

from __future__ import annotations

import numpy as np

from overworld.world.csr import reduce_lists
from overworld.world.store import I32, I64, U32, IntArray

EVEN_BITS = np.uint32(0x55555555)
LON_SIGN = np.uint32(0x40000000)
COMPOUND = 0x80000000
WHOLE_WORLD = 0x80000080
NO_PLACE = 0xFE
LATITUDE_ORIGIN_E7 = 910_000_000
LEVELS = range(1, 8)


def node_quads(lat_e7: I32, lon_e7: I32) -> U32:
    """The index of nodes at these places."""
    lat = (lat_e7.astype(np.int64) + LATITUDE_ORIGIN_E7).astype(np.uint32) >> np.uint32(16)
    lon = lon_e7.astype(np.uint32) >> np.uint32(16)
    return interleave(lat, lon) ^ LON_SIGN


def interleave(lat: U32, lon: U32) -> U32:
    """16 bits of each: latitude to the odd bits, longitude to the even ones."""
    quads: U32 = (_spread(lat) << np.uint32(1)) | _spread(lon)
    return quads


def separate(quads: U32) -> tuple[I64, I64]:
    """The inverse of ``interleave``."""
    return _squeeze(quads >> np.uint32(1)).astype(np.int64), _squeeze(quads).astype(np.int64)


def common_quads(quads: U32, offsets: IntArray) -> U32:
    """The index of objects whose nodes or members have the indices ``quads[offsets[i]:offsets[i+1]]``."""
    if len(quads) == 0:
        return np.full(len(offsets) - 1, NO_PLACE, dtype=np.uint32)
    lat, lon, reach, everywhere = _squares(quads)
    lat_low = reduce_lists(np.minimum, lat, offsets, 0)
    lon_low = reduce_lists(np.minimum, lon, offsets, 0)
    lat_high = reduce_lists(np.maximum, lat + reach, offsets, 0)
    # The engine adds in 16 bits: squares over the far end of longitude wrap, and then no level fits.
    lon_high = reduce_lists(np.maximum, (lon + reach) & 0xFFFF, offsets, 0)
    result = np.full(len(offsets) - 1, WHOLE_WORLD, dtype=np.uint32)
    corner = interleave(lat_low.astype(np.uint32), lon_low.astype(np.uint32))
    for level in reversed(LEVELS):
        aligned = ~((1 << (2 * level - 1)) - 1)
        height, width = (lat_high & aligned) - (lat_low & aligned), (lon_high & aligned) - (lon_low & aligned)
        fits = (height < 4**level) & (width < 4**level) & (width >= 0)
        square = (corner & np.uint32(~(4 ** (2 * level - 1) - 1) & 0xFFFFFFFF)) | np.uint32(COMPOUND | 1 << (level - 1))
        result[fits] = square[fits]
    single = (lat_low == lat_high) & (lon_low == lon_high)
    result[single] = corner[single]
    result[reduce_lists(np.maximum, everywhere, offsets, 0) > 0] = WHOLE_WORLD
    result[offsets[1:] == offsets[:-1]] = NO_PLACE
    return result


def quad_order(quads: U32) -> I64:
    """Positions in quadtile order: as 31-bit numbers, marked ones after unmarked ones, ties as they stand."""
    plain = quads.astype(np.int64)
    return np.argsort(((plain & 0x7FFFFFFF) << 1) | (plain >> 31), kind="stable")


def _squares(quads: U32) -> tuple[I64, I64, I64, I64]:
    """South-west corner and reach (in 1/65536 units of the index) of each index, and 1 where it is the whole world."""
    lat, lon = separate(quads & np.uint32(0x7FFFFFFF))
    compound = quads >= COMPOUND
    reach = np.zeros(len(quads), dtype=np.int64)
    everywhere = compound.astype(np.int64)
    if not compound.any():
        return lat, lon, reach, everywhere
    for level in reversed(LEVELS):
        here = compound & ((quads & np.uint32(1 << (level - 1))) != 0)
        # Lower levels come last and win where the corner's own bits look like a mark.
        reach[here] = 4**level - 1
        everywhere[here] = 0
    for level in LEVELS:
        here = reach == 4**level - 1
        lat[here] &= ~((1 << (2 * level - 1)) - 1)
        lon[here] &= ~((1 << (2 * level - 1)) - 1)
    return lat, lon, reach, everywhere


def _spread(values: U32) -> U32:
    spread = values & np.uint32(0xFFFF)
    for shift, mask in ((8, 0x00FF00FF), (4, 0x0F0F0F0F), (2, 0x33333333), (1, 0x55555555)):
        spread = (spread | (spread << np.uint32(shift))) & np.uint32(mask)
    return spread


def _squeeze(values: U32) -> U32:
    squeezed = values & EVEN_BITS
    for shift, mask in ((1, 0x33333333), (2, 0x0F0F0F0F), (4, 0x00FF00FF), (8, 0x0000FFFF)):
        squeezed = (squeezed | (squeezed >> np.uint32(shift))) & np.uint32(mask)
    return squeezed
