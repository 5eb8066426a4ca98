"""On which side of a ring the polygon lies, so that the ring can be turned around to follow the right-hand rule.

The engine goes from the south-west corner of a vertex's tile east along the tile's border, then north to the vertex,
and counts the segments on its way. What it does with segments that end exactly there is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from overworld.engine.embedded.geometries import Vertex

NEAR_DATE_LINE = 179.9


def tile_row(lat: float) -> int:
    """The row of the index's tiles that a latitude lies in."""
    return int((lat + 91.0) * 10_000_000 + 0.5) >> 16


def tile_column(lon: float) -> int:
    """The column of tiles that a longitude lies in, as an unsigned number of 16 bits."""
    return (int(lon * 10_000_000 + (0.5 if lon > 0 else -0.5)) >> 16) & 0xFFFF


def tile(point: Vertex) -> int:
    """The tile of a place: rows of tiles follow each other from south to north."""
    return tile_row(point.lat) << 16 | tile_column(point.lon)


def corner(key: int) -> Vertex:
    """The south-west corner of a tile."""
    column = key & 0xFFFF
    lon = ((column - 0x10000 if column >= 0x8000 else column) << 16) / 10_000_000
    return Vertex(((key >> 16) << 16) / 10_000_000 - 91.0, max(lon, -180.0))


class Sides:
    """Says whether places lie inside the polygon whose border are the segments in ``tiles``."""

    def __init__(self, points: Sequence[Vertex], tiles: Mapping[int, Sequence[int]]) -> None:
        self.points = points
        self.tiles = tiles
        segments = sorted({segment for held in tiles.values() for segment in held})
        ends = np.array([(*points[one], *points[one + 1]) for one in segments], dtype=np.float64).reshape(-1, 4)
        self._ends = _unrolled(ends)
        self._corners: dict[int, bool] = {}

    def oriented(self, ring: list[Vertex]) -> list[Vertex]:
        """The ring with the polygon on the side that the right-hand rule asks for."""
        before, here, after = ring[:3]
        inside = self.inside(here)
        if _west_of(before.lon, here.lon, strictly=True):
            turned = inside if _west_of(here.lon, after.lon) else inside ^ _steeper_after(before, here, after)
        elif _west_of(after.lon, here.lon, strictly=True):
            turned = not inside
        elif before.lon == here.lon:
            turned = inside ^ (before.lat < here.lat)
        elif after.lon == here.lon:
            turned = inside ^ (here.lat < after.lat)
        else:
            turned = inside ^ _steeper_after(before, here, after)
        return ring[::-1] if turned else ring

    def inside(self, place: Vertex) -> bool:
        """Whether the polygon lies right below a vertex of it."""
        key = tile(place)
        if key not in self._corners:
            self._corners[key] = self._parity_below(corner(key))
        inside = self._corners[key]
        for segment in self.tiles.get(key, ()):
            inside ^= crosses_way(place, corner(key), self.points[segment], self.points[segment + 1])
        return inside

    def _parity_below(self, place: Vertex) -> bool:
        """Whether an odd number of segments passes below a place."""
        lat1, lon1, lat2, lon2 = self._ends.T
        spanned = (np.minimum(lon1, lon2) < place.lon) & (place.lon <= np.maximum(lon1, lon2))
        lat1, lon1, lat2, lon2 = self._ends[spanned].T
        below = lat1 + (lat2 - lat1) * (place.lon - lon1) / (lon2 - lon1) < place.lat
        return bool(np.count_nonzero(below) % 2)


def _unrolled(ends: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Segments across the 180th meridian appear on both sides of the map."""
    over = np.abs(ends[:, 3] - ends[:, 1]) > 180.0
    east, west = ends[over].copy(), ends[over].copy()
    for column in (1, 3):
        east[:, column] += np.where(east[:, column] < 0, 360.0, 0.0)
        west[:, column] -= np.where(west[:, column] > 0, 360.0, 0.0)
    return np.concatenate((ends[~over], east, west))


def _west_of(left: float, right: float, *, strictly: bool = False) -> bool:
    if left - right > 180.0:
        left -= 360.0
    return left < right if strictly else left <= right


def _steeper_after(before: Vertex, here: Vertex, after: Vertex) -> bool:
    first = (here.lat - before.lat) / (here.lon - before.lon)
    return first < (after.lat - here.lat) / (after.lon - here.lon)


def crosses_way(place: Vertex, origin: Vertex, a: Vertex, b: Vertex) -> bool:
    """Whether the segment ab counts on the way from ``origin`` east, then north to ``place``."""
    a, b = _beside(place.lon, a), _beside(place.lon, b)
    at_end = place in (a, b)
    between = (a.lon - place.lon) * (b.lon - place.lon) < 0
    if a.lat == b.lat:
        return a.lat < place.lat and between
    if a.lon == b.lon:
        on_it = at_end or (place.lon == a.lon and (place.lat - a.lat) * (place.lat - b.lat) < 0)
        return not on_it and a.lon < place.lon and min(a.lat, b.lat) < origin.lat
    over_border = (origin.lat - a.lat) * (origin.lat - b.lat) < 0
    border_lon = a.lon + (b.lon - a.lon) * (origin.lat - a.lat) / (b.lat - a.lat)
    if (a.lat - b.lat) * (a.lon - b.lon) > 0:
        on_border = over_border and min(a.lon, b.lon) <= place.lon and origin.lon < border_lon
        return on_border if at_end else on_border ^ bool(_below(place, a, b, between=between))
    if at_end:
        return False
    below = _below(place, a, b, between=between)
    return below if below is not None else over_border and origin.lon < border_lon < place.lon


def _below(place: Vertex, a: Vertex, b: Vertex, *, between: bool) -> bool | None:
    """Whether the segment passes below the place, its eastern end included; None if it lies beside."""
    if between:
        return a.lat + (b.lat - a.lat) * (place.lon - a.lon) / (b.lon - a.lon) < place.lat
    if place.lon == a.lon and b.lon < place.lon:
        return a.lat < place.lat
    if place.lon == b.lon and a.lon < place.lon:
        return b.lat < place.lat
    return None


def _beside(lon: float, point: Vertex) -> Vertex:
    """The point on the same side of the 180th meridian as a longitude next to it."""
    if lon < -NEAR_DATE_LINE and point.lon > 0:
        return Vertex(point.lat, point.lon - 360.0)
    if lon > NEAR_DATE_LINE and point.lon < 0:
        return Vertex(point.lat, point.lon + 360.0)
    return point
