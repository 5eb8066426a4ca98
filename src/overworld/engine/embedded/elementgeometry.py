"""Where elements lie, as the engine prints it: vertices, bounds and centres of ways and relations.

Vertices are node rows, -1 where the engine prints none (a node that the world lacks, or one clipped away). Bounds are
float64 (n, 4): south, west, north, east in degrees, NaN where there are none. Degrees are computed in the engine's own
arithmetic (latitudes are offset by 91 degrees), so that rounded halves come out alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overworld.core.boxes import Box
from overworld.engine.embedded.sets import Rows
from overworld.world.store import World

F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

LAT_OFFSET_E7 = 910_000_000
NOWHERE = (-91.0, -214.7483648)
"""Latitude and longitude of a vertex without coordinates, where the engine takes it for one that has some."""

EASTMOST_START = -200.0
"""Where the engine's search for the easternmost longitude starts: a vertex at ``NOWHERE`` lies west of it."""

_COMPOUND = 0x8000_0000


class Lists(NamedTuple):
    """Lists of vertices: list i is ``vertices[offsets[i]:offsets[i+1]]``."""

    offsets: I64
    vertices: npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Clip:
    """A clip box in 1e-7 degree, rounded as the engine rounds it, and in degrees; ``west > east`` crosses 180°."""

    south: int
    west: int
    north: int
    east: int
    box: Box

    @classmethod
    def of(cls, box: Box) -> Clip:
        """The clip box of ``out geom(south,west,north,east)``."""
        half = [0.5 if value > 0 else -0.5 for value in box]
        return cls(
            int((box.south + 91.0) * 1e7 + 0.5) - LAT_OFFSET_E7,
            int(box.west * 1e7 + half[1]),
            int((box.north + 91.0) * 1e7 + 0.5) - LAT_OFFSET_E7,
            int(box.east * 1e7 + half[3]),
            box,
        )

    def holds(self, lat_e7: npt.NDArray[np.int32], lon_e7: npt.NDArray[np.int32]) -> Mask:
        """Which of the points are in the box, border included."""
        rows: Mask = (lat_e7 >= self.south) & (lat_e7 <= self.north)
        if self.west <= self.east:
            columns: Mask = (lon_e7 >= self.west) & (lon_e7 <= self.east)
        else:
            columns = (lon_e7 >= self.west) | (lon_e7 <= self.east)
        inside: Mask = rows & columns
        return inside


def latitudes(lat_e7: npt.NDArray[np.int32]) -> F64:
    """Degrees of latitudes in 1e-7 degree, through the engine's offset."""
    return (lat_e7.astype(np.int64) + LAT_OFFSET_E7) / 1e7 - 91.0


def longitudes(lon_e7: npt.NDArray[np.int32]) -> F64:
    """Degrees of longitudes in 1e-7 degree."""
    return lon_e7 / 1e7


def positions(offsets: npt.NDArray[np.uint32], rows: Rows) -> tuple[I64, I64]:
    """Where the values of ``rows`` stand in a CSR table: list offsets (n+1,) and positions, concatenated."""
    starts = offsets[rows].astype(np.int64)
    lengths = offsets[rows + 1].astype(np.int64) - starts
    bounds = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(lengths, out=bounds[1:])
    places = np.arange(bounds[-1], dtype=np.int64) + np.repeat(starts - bounds[:-1], lengths)
    return bounds, places


def keeps_geometry(world: World, rows: Rows) -> Mask:
    """Ways of a coarse index: the engine stores their geometry, so a missing node leaves a gap, not an empty way."""
    quad = world.ways.quad[rows]
    kept: Mask = ((quad & _COMPOUND) != 0) & ((quad & 1) == 0)
    return kept


def way_vertices(world: World, rows: Rows) -> Lists:
    """The vertices of ways. A way that lacks a node has none, unless the engine keeps its geometry (then a gap)."""
    ways = world.ways
    offsets, places = positions(ways.nodes.offsets, rows)
    vertices = ways.nodes.values[places].astype(np.int32, copy=False)
    complete = ways.complete[rows].astype(bool)
    if complete.all():
        return Lists(offsets, vertices)
    vertices = np.maximum(vertices, -1)
    hidden = ~complete & ~keeps_geometry(world, rows)
    lengths = np.diff(offsets)
    kept = np.repeat(~hidden, lengths)
    lengths = np.where(hidden, 0, lengths)
    return Lists(np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths))), vertices[kept])


def ways_clipped(world: World, lists: Lists, clip: Clip) -> Lists:
    """The vertices of printed ways, with those outside the clip box dropped as the engine drops them."""
    inside = _inside(world, lists, clip)
    vertices = lists.vertices.copy()
    lat, lon = _degrees(world, lists.vertices)
    starts = lists.offsets.tolist()
    inside_before = np.concatenate((np.zeros(1, np.int64), np.cumsum(inside)))[lists.offsets].tolist()
    for row, (start, end) in enumerate(pairwise(starts)):
        if inside_before[row + 1] - inside_before[row] < end - start:
            span = slice(start, end)
            dropped = _dropped(inside[span].tolist(), lat[span].tolist(), lon[span].tolist(), clip.box)
            vertices[[start + i for i in dropped]] = -1
    return Lists(lists.offsets, vertices)


def members_clipped(world: World, lists: Lists, clip: Clip) -> Lists:
    """The vertices of member ways: kept where the vertex or a neighbour is inside the clip box."""
    inside = _inside(world, lists, clip)
    near = inside.copy()
    if len(near) > 1:
        same = np.ones(len(near) - 1, dtype=bool)
        cuts = lists.offsets[1:-1]
        cuts = cuts[(cuts > 0) & (cuts < len(near))]
        same[cuts - 1] = False
        near[:-1] |= inside[1:] & same
        near[1:] |= inside[:-1] & same
    return Lists(lists.offsets, np.where(near, lists.vertices, -1).astype(np.int32))


def _inside(world: World, lists: Lists, clip: Clip) -> Mask:
    known = lists.vertices >= 0
    rows = np.where(known, lists.vertices, 0)
    if len(world.nodes.ids) == 0:
        return known
    inside: Mask = known & clip.holds(world.nodes.lat[rows], world.nodes.lon[rows])
    return inside


def _degrees(world: World, vertices: npt.NDArray[np.int32]) -> tuple[F64, F64]:
    """Latitudes and longitudes of vertices; a missing one lies at ``NOWHERE``."""
    lat = np.full(len(vertices), NOWHERE[0])
    lon = np.full(len(vertices), NOWHERE[1])
    known = vertices >= 0
    rows = vertices[known]
    lat[known] = latitudes(world.nodes.lat[rows])
    lon[known] = longitudes(world.nodes.lon[rows])
    return lat, lon


def _dropped(inside: list[bool], lat: list[float], lon: list[float], box: Box) -> list[int]:
    """Which vertices of one way are clipped: those with no segment that touches the box.

    The walk skips vertices that are known to stay, and so keeps the vertex after a crossing segment.
    """
    dropped: list[int] = []
    last, count, i = False, len(inside), 0
    while i < count:
        skip = _kept(i, last, inside, lat, lon, box)
        if skip:
            last = False
            i += skip
        else:
            dropped.append(i)
            last = True
            i += 1
    return dropped


def _kept(i: int, last_dropped: bool, inside: list[bool], lat: list[float], lon: list[float], box: Box) -> int:
    """How many vertices from ``i`` on are certain to stay: 0 if ``i`` itself does not."""
    more = i < len(inside) - 1
    if more and inside[i + 1]:
        return 3
    if not last_dropped:
        if inside[i]:
            return 2
        if i > 0 and inside[i - 1]:
            return 1
    if more and crosses(box, lat[i], lon[i], lat[i + 1], lon[i + 1]):
        return 2
    if not last_dropped and i > 0 and crosses(box, lat[i - 1], lon[i - 1], lat[i], lon[i]):
        return 1
    return 0


def crosses(box: Box, lat1: float, lon1: float, lat2: float, lon2: float) -> bool:
    """Whether a segment touches the box: cut to its latitudes, then compared in longitude, as the engine does it."""
    if lon1 < 0 and lon2 - lon1 > 180:
        lon1 += 360
    if lon2 < 0 and lon1 - lon2 > 180:
        lon2 += 360
    if (lat1 < box.south and lat2 < box.south) or (lat1 > box.north and lat2 > box.north):
        return False
    shift = 0.0
    if lat1 < box.south:
        shift = (lon2 - lon1) * (box.south - lat1) / (lat2 - lat1)
    elif lat1 > box.north:
        shift = (lon2 - lon1) * (box.north - lat1) / (lat2 - lat1)
    if lat2 < box.south:
        lon2 += (lon1 - lon2) * (box.south - lat2) / (lat1 - lat2)
    elif lat2 > box.north:
        lon2 += (lon1 - lon2) * (box.north - lat2) / (lat1 - lat2)
    low, high = sorted((lon1 + shift, lon2))
    if box.west <= box.east:
        if high < 180:
            return low <= box.east and high >= box.west
        low -= 360 if low > 180 else 0
        return low <= box.east and high - 360 >= box.west
    if high < 180:
        return low <= box.east or high >= box.west
    return low <= 180 or low - 360 <= box.east or high - 360 >= box.west


def list_bounds(world: World, lists: Lists, *, gaps_count: bool) -> F64:
    """Bounds over the vertices of each list. ``gaps_count``: a missing vertex counts as one at ``NOWHERE``."""
    bounds = np.full((len(lists.offsets) - 1, 4), np.nan)
    lat, lon = _degrees(world, lists.vertices)
    offsets: I64 = lists.offsets
    if not gaps_count:
        known = lists.vertices >= 0
        if not known.all():
            offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(known, dtype=np.int64)))[offsets]
            lat, lon = lat[known], lon[known]
    filled = np.flatnonzero(np.diff(offsets) > 0)
    if len(filled):
        at = offsets[filled]
        bounds[filled, 0] = np.minimum.reduceat(lat, at)
        bounds[filled, 1] = np.minimum.reduceat(lon, at)
        bounds[filled, 2] = np.maximum.reduceat(lat, at)
        bounds[filled, 3] = np.maximum.reduceat(lon, at)
    if gaps_count:
        bounds[filled, 3] = np.maximum(bounds[filled, 3], EASTMOST_START)
    return bounds


def way_bounds(world: World, rows: Rows, clip: Clip | None) -> F64:
    """Bounds of ways as ``out bb`` and ``out center`` take them: from the world's table where nothing is clipped."""
    table = world.ways.boxes[rows]
    bounds = np.empty((len(rows), 4))
    bounds[:, 0], bounds[:, 2] = latitudes(table[:, 0]), latitudes(table[:, 2])
    bounds[:, 1], bounds[:, 3] = longitudes(table[:, 1]), longitudes(table[:, 3])
    bounds[table[:, 0] > table[:, 2]] = np.nan
    # The table's boxes span the date line; the engine's bounds go from the smallest to the largest longitude.
    odd_ones = (world.ways.complete[rows] == 0) | (bounds[:, 3] - bounds[:, 1] >= 180.0)
    odd = np.arange(len(rows)) if clip else np.flatnonzero(odd_ones)
    if len(odd):
        lists = way_vertices(world, rows[odd])
        bounds[odd] = list_bounds(world, ways_clipped(world, lists, clip) if clip else lists, gaps_count=True)
    return bounds


def drawn_bounds(world: World, lists: Lists) -> F64:
    """Bounds of ways as ``out geom`` gives them: over what is drawn, turned around where that spans the date line.

    A way that cannot be drawn at all has the engine's invalid box (100, 200, 100, 200); one whose vertices were all
    clipped away has none.
    """
    bounds = list_bounds(world, lists, gaps_count=False)
    bounds[np.diff(lists.offsets) == 0] = (100.0, 200.0, 100.0, 200.0)
    for row in np.flatnonzero(bounds[:, 3] - bounds[:, 1] > 180.0).tolist():
        vertices = lists.vertices[lists.offsets[row] : lists.offsets[row + 1]]
        lon = longitudes(world.nodes.lon[vertices[vertices >= 0]])
        west = float(lon[lon > 0].min(initial=180.0))
        east = float(lon[lon <= 0].max(initial=-180.0))
        bounds[row, 1], bounds[row, 3] = (west, east) if west - east > 180.0 else (-180.0, 180.0)
    return bounds


def centers(bounds: F64, *, turned: bool = False) -> F64:
    """Centres (n, 2): latitude and longitude. ``turned``: bounds with west > east cross the date line."""
    middle = np.column_stack(((bounds[:, 0] + bounds[:, 2]) / 2.0, (bounds[:, 1] + bounds[:, 3]) / 2.0))
    if turned:
        over = bounds[:, 1] > bounds[:, 3]
        middle[over, 1] += np.where(middle[over, 1] <= 0, 180.0, -180.0)
    return middle
