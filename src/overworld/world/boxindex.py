"""Packed R-trees over points and boxes: what meets a bounding box, at a cost that follows the result.

Sort-tile-recursive packing (Leutenegger, Lopez, Edgington 1997): items sorted by longitude into slabs, by latitude
within a slab, and cut into leaves of ``fanout`` items.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from overworld.world.store import I32, I64, BoxIndex, IntArray, NodeTable

FANOUT = 32
SCANNED_AT_ONCE = 4096
"""A level of up to this many boxes is compared as a whole: cheaper than walking down to it."""

SOUTH, WEST, NORTH, EAST = range(4)


def index_points(lat_e7: I32, lon_e7: I32) -> BoxIndex:
    """An index over points, one item a row."""
    order = _tiled(lat_e7, lon_e7, np.arange(len(lat_e7)))
    lat, lon = lat_e7[order], lon_e7[order]
    return _packed(order, (lat, lon, lat, lon))


def index_boxes(boxes: I32) -> BoxIndex:
    """An index over boxes (n, 4): south, west, north, east; those with south > north are left out."""
    rows = np.flatnonzero(boxes[:, SOUTH] <= boxes[:, NORTH])
    # Halves first: sums of two coordinates overflow 32 bits.
    lat = boxes[rows, SOUTH] // 2 + boxes[rows, NORTH] // 2
    lon = boxes[rows, WEST] // 2 + boxes[rows, EAST] // 2
    order = rows[_tiled(lat, lon, np.arange(len(rows)))]
    sides = boxes[order]
    return _packed(order, (sides[:, SOUTH], sides[:, WEST], sides[:, NORTH], sides[:, EAST]))


def query(index: BoxIndex, south: int, west: int, north: int, east: int) -> I32:
    """Candidate rows (int32, sorted): all items that meet the box, and others of the same leaves.

    The box is in 1e-7 degree, its border belongs to it; west > east crosses the 180th meridian.
    """
    rows = _candidates(index, south, west, north, east)
    rows.sort()
    return rows


def nodes_in_box(nodes: NodeTable, south: int, west: int, north: int, east: int) -> I32:
    """Rows (int32, sorted) of exactly the nodes in the box, its border included. As ``query`` otherwise."""
    rows = _candidates(nodes.index, south, west, north, east)
    lat, lon = nodes.lat[rows], nodes.lon[rows]
    inside = (lat >= south) & (lat <= north)
    inside &= ((lon >= west) & (lon <= east)) if west <= east else ((lon >= west) | (lon <= east))
    rows = rows[inside]
    rows.sort()
    return rows


def boxes_meeting(index: BoxIndex, boxes: I32, south: int, west: int, north: int, east: int) -> I32:
    """Rows (int32, sorted) of exactly the items whose box meets the box, borders included.

    ``boxes`` (n, 4) are those that ``index`` was made of. As ``query`` otherwise.
    """
    rows = _candidates(index, south, west, north, east)
    sides = boxes[rows]
    rows = rows[_meets(sides[:, SOUTH], sides[:, WEST], sides[:, NORTH], sides[:, EAST], south, west, north, east)]
    rows.sort()
    return rows


def _candidates(index: BoxIndex, south: int, west: int, north: int, east: int) -> I32:
    """Items of the leaves that meet the box, in no order."""
    if len(index.order) == 0 or south > north:
        return np.empty(0, dtype=np.int32)
    starts = index.level_starts
    level = 0
    while starts[level + 1] - starts[level] > SCANNED_AT_ONCE:
        level += 1
    boxes = index.boxes[starts[level] : starts[level + 1]]
    hits = np.flatnonzero(
        _meets(boxes[:, SOUTH], boxes[:, WEST], boxes[:, NORTH], boxes[:, EAST], south, west, north, east)
    )
    while level:
        level -= 1
        below = _children(hits, index.fanout, int(starts[level + 1] - starts[level]))
        boxes = index.boxes[starts[level] + below]
        hits = below[_meets(boxes[:, SOUTH], boxes[:, WEST], boxes[:, NORTH], boxes[:, EAST], south, west, north, east)]
    return index.order[_children(hits, index.fanout, len(index.order))].astype(np.int32)


def _meets(
    box_south: I32, box_west: I32, box_north: I32, box_east: I32, south: int, west: int, north: int, east: int
) -> npt.NDArray[np.bool_]:
    hits: npt.NDArray[np.bool_] = (box_south <= north) & (box_north >= south)
    if west <= east:
        hits &= box_west <= east
        hits &= box_east >= west
    else:
        hits &= (box_west <= east) | (box_east >= west)
    return hits


def _children(parents: IntArray, fanout: int, count: int) -> I64:
    """Positions one level down: ``fanout`` for each parent, up to ``count``."""
    children = (parents[:, None] * fanout + np.arange(fanout)).ravel()
    if len(children) and children[-1] >= count:
        children = children[: np.searchsorted(children, count)]
    return children


def _tiled(lat: I32, lon: I32, rows: I64) -> I64:
    """The order of sort-tile-recursive packing. Ties keep the order of rows, so that equal input gives equal bytes."""
    count = len(rows)
    slabs = int(np.ceil(np.sqrt(max(1, count / FANOUT))))
    slab_size = -(-count // (slabs * FANOUT)) * FANOUT if count else 1
    by_lon = np.argsort(lon, kind="stable")
    slab = np.arange(count) // max(1, slab_size)
    return by_lon[np.lexsort((lat[by_lon], slab))]


def _packed(order: IntArray, sides: tuple[I32, I32, I32, I32]) -> BoxIndex:
    levels: list[npt.NDArray[np.int32]] = []
    operations = (np.minimum, np.minimum, np.maximum, np.maximum)
    while len(sides[0]):
        starts = np.arange(0, len(sides[0]), FANOUT)
        sides = tuple(op.reduceat(side, starts) for op, side in zip(operations, sides, strict=True))  # type: ignore[assignment]
        levels.append(np.stack(sides))
        if len(starts) == 1:
            break
    level_starts = np.zeros(len(levels) + 1, dtype=np.int64)
    np.cumsum([level.shape[1] for level in levels], out=level_starts[1:])
    columns = np.concatenate(levels, axis=1) if levels else np.empty((4, 0), dtype=np.int32)
    # Columns lie together in memory: a level is compared side by side.
    return BoxIndex(order.astype(np.uint32), np.ascontiguousarray(columns).T, level_starts, FANOUT)
