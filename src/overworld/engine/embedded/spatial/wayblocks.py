"""Ways against the border of an area, tile by tile, as the engine decides it.

A way is inside if a vertex is strictly inside, if a segment crosses the border between two vertices, or if the middles
of the segments of a chain say so. A segment that runs along the border decides for the polygon filter and against the
area. The arithmetic is the engine's: relative to the tile, with differences of unsigned 32-bit numbers.
"""

from __future__ import annotations

import numpy as np

from overworld.engine.embedded.elementgeometry import LAT_OFFSET_E7
from overworld.engine.embedded.sets import Mask
from overworld.engine.embedded.spatial.borders import Border, point_states
from overworld.engine.embedded.spatial.joins import overlapping_pairs
from overworld.engine.embedded.spatial.segmentblocks import I64, TILE, Blocks, blocks_of_shapes
from overworld.engine.embedded.spatial.shapes import F64, Shapes

ALONG = 1
CROSSES = 8
SLACK = 2
"""Units by which boxes may miss each other although the engine takes the segments for touching."""
LON_OFFSET = 1 << 31


def shapes_inside(border: Border, order: I64, shapes: Shapes, *, border_counts: bool) -> Mask:
    """Which ways are inside. ``order``: the rank of each segment's chain in its tile, as the engine walks them.

    ``border_counts``: a segment along the border, or a middle on it, decides for the way.
    """
    owners = shapes.owners()
    states = point_states(border, shapes.lat_e7 + LAT_OFFSET_E7, shapes.lon_e7)
    inside = np.zeros(len(shapes.rows), dtype=bool)
    inside[owners[states.strictly_inside]] = True
    if inside.all():
        return inside
    ways = blocks_of_shapes(shapes)
    ways = ways.at(np.flatnonzero(~inside[ways.owner]))
    inside[_owners_inside(border, order, ways, border_counts)] = True
    return inside


def _owners_inside(border: Border, order: I64, ways: Blocks, border_counts: bool) -> I64:
    """The owners of the chains of ``ways`` that are inside, repeats allowed."""
    first, second = _touching(border, ways)
    if len(first) == 0:
        return first
    codes = _intersections(ways.at(first), border.blocks.at(second))
    chains = np.unique(ways.chain[first])
    decided = np.flatnonzero(codes)
    # The engine takes the border's chains one after the other, and stops at the first that meets the way's chain.
    rank = np.lexsort((second[decided], first[decided], order[second[decided]], ways.chain[first[decided]]))
    decided = decided[rank]
    chain = ways.chain[first[decided]]
    leading = np.ones(len(chain), dtype=bool)
    leading[1:] = chain[1:] != chain[:-1]
    decided, chain = decided[leading], chain[leading]
    good = codes[decided] == CROSSES
    if border_counts:
        good |= codes[decided] == ALONG
    undecided = np.setdiff1d(chains, chain, assume_unique=True)
    open_ones = np.flatnonzero(np.isin(ways.chain, undecided))
    by_middle = _inside_by_middles(border, ways.at(open_ones), border_counts)
    return np.concatenate((ways.owner[first[decided[good]]], by_middle))


def _touching(border: Border, ways: Blocks) -> tuple[I64, I64]:
    """Segments of ways and of the border that lie in the same tile and might meet."""
    firsts, seconds = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    way_tiles, border_tiles = ways.tiles(), border.blocks.tiles()
    for first, second in overlapping_pairs(ways.boxes(SLACK), border.blocks.boxes()):
        same = way_tiles[first] == border_tiles[second]
        firsts.append(first[same])
        seconds.append(second[same])
    return np.concatenate(firsts), np.concatenate(seconds)


def _inside_by_middles(border: Border, ways: Blocks, border_counts: bool) -> I64:
    """Owners of chains of which an odd number of segments has its middle inside, and none on the border."""
    if len(ways.lat1) == 0:
        return ways.owner
    lat, lon = (ways.lat1 + ways.lat2) // 2, (ways.lon1 + ways.lon2) // 2
    states = point_states(border, lat, lon)
    chains, inverse = np.unique(ways.chain, return_inverse=True)
    hit = np.bincount(inverse[states.on_border], minlength=len(chains)) > 0
    odd = np.bincount(inverse[states.toggled], minlength=len(chains)) % 2 == 1
    good = (odd | hit) if border_counts else (odd & ~hit)
    owners: I64 = ways.owner[good[inverse]]
    return owners


# ------------------------------------------------------------------------------ segments


def _intersections(a: Blocks, b: Blocks) -> I64:
    """For pairs in one tile: ``CROSSES``, ``ALONG`` or 0."""
    a = _turned_east(_relative(a))
    b = _turned_east(_relative(b))
    codes = np.zeros(len(a.lat1), dtype=np.int64)
    a_level, b_level = a.lon1 != a.lon2, b.lon1 != b.lon2
    slanted = a_level & b_level & (a.lon1 < b.lon2) & (b.lon1 < a.lon2)
    for chosen, test in (
        (slanted, _both_slanted),
        (a_level & ~b_level & (a.lon1 < b.lon1) & (b.lon1 < a.lon2), _second_upright),
        (~a_level & b_level & (a.lon1 < b.lon2) & (b.lon1 < a.lon1), lambda a, b: _second_upright(b, a)),
        (~a_level & ~b_level & (a.lon1 == b.lon1), _both_upright),
    ):
        places = np.flatnonzero(chosen)
        if len(places):
            codes[places] = test(a.at(places), b.at(places))
    return codes


def _relative(blocks: Blocks) -> Blocks:
    """Coordinates within the tile; the engine's longitudes are 2**31 more."""
    mask = TILE - 1
    return Blocks(
        blocks.lat1 & mask,
        (blocks.lon1 & mask) + LON_OFFSET,
        blocks.lat2 & mask,
        (blocks.lon2 & mask) + LON_OFFSET,
        blocks.chain,
        blocks.owner,
    )


def _turned_east(blocks: Blocks) -> Blocks:
    turn = blocks.lon1 > blocks.lon2
    return Blocks(
        np.where(turn, blocks.lat2, blocks.lat1),
        np.where(turn, blocks.lon2, blocks.lon1),
        np.where(turn, blocks.lat1, blocks.lat2),
        np.where(turn, blocks.lon1, blocks.lon2),
        blocks.chain,
        blocks.owner,
    )


def _floats(blocks: Blocks) -> tuple[F64, F64, F64, F64]:
    sides = (blocks.lat1, blocks.lon1, blocks.lat2, blocks.lon2)
    lat1, lon1, lat2, lon2 = (side.astype(np.float64) for side in sides)
    return lat1, lon1, lat2, lon2


def _both_slanted(a: Blocks, b: Blocks) -> I64:
    a_lat1, a_lon1, a_lat2, a_lon2 = _floats(a)
    b_lat1, b_lon1, b_lat2, b_lon2 = _floats(b)
    a_run, a_rise, b_run, b_rise = a_lon2 - a_lon1, a_lat2 - a_lat1, b_lon2 - b_lon1, b_lat2 - b_lat1
    determinant = a_rise * b_run - b_rise * a_run
    # The engine subtracts the latitudes as unsigned numbers: a lower second one wraps around.
    difference = ((b.lat1 - a.lat1) % (1 << 32)).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        lon = (difference + a_lon1 / a_run * a_rise - b_lon1 / b_run * b_rise) / determinant * a_run * b_run
    met = (determinant != 0) & (a_lon1 < lon) & (lon < a_lon2) & (b_lon1 <= lon) & (lon <= b_lon2)
    met &= ((a.lat1 != b.lat1) | (a.lon1 != b.lon1)) & ((a.lat2 != b.lat2) | (a.lon2 != b.lon2))
    along = np.abs(a_lat1 - (a_lon1 - b_lon1) / b_run * b_rise - b_lat1) <= 1
    along |= np.abs(a_lat2 - (a_lon2 - b_lon1) / b_run * b_rise - b_lat1) <= 1
    return np.where(met, CROSSES, np.where((determinant == 0) & along, ALONG, 0))


def _second_upright(a: Blocks, b: Blocks) -> I64:
    a_lat1, a_lon1, a_lat2, a_lon2 = _floats(a)
    b_lat1, b_lon, b_lat2, _ = _floats(b)
    lat = (b_lon - a_lon1) / (a_lon2 - a_lon1) * (a_lat2 - a_lat1) + a_lat1
    met = ((b_lat1 < lat) & (lat < b_lat2)) | ((b_lat2 < lat) & (lat < b_lat1))
    return np.where(met, CROSSES, 0)


def _both_upright(a: Blocks, b: Blocks) -> I64:
    overlap = np.minimum(a.lat1, a.lat2) < np.maximum(b.lat1, b.lat2)
    overlap &= np.minimum(b.lat1, b.lat2) < np.maximum(a.lat1, a.lat2)
    return np.where(overlap, ALONG, 0)
