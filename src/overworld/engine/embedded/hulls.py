"""``hull``: the convex hull of a geometry on the sphere."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Final

from overworld.engine.embedded.geometries import Geometry, LineGeometry, NullGeometry, PointGeometry, Vertex
from overworld.engine.embedded.polygons import polygon
from overworld.engine.embedded.traces import Line, collect

Vector = tuple[float, float, float]

RADIANS: Final = math.acos(0) / 90.0
OUTSIDE: Final = 1e-8
"""How far beyond an edge a point must lie to count as outside, on the unit sphere."""


def hull(geometry: Geometry) -> Geometry:
    """The convex hull: a polygon, a line for two places, a point for one, nothing for none."""
    points: list[Vertex] = []
    lines: list[Line] = []
    collect(geometry, points, lines)
    places = sorted({*points, *(vertex for line in lines for vertex in line)}, key=_by_longitude)
    if not places:
        return NullGeometry()
    if len(places) == 1:
        return PointGeometry(places[0])
    if len(places) == 2:
        return LineGeometry((*places, places[0]))
    outline = _outline(places)
    return LineGeometry(outline) if len(outline) < 3 else polygon([outline])


def _by_longitude(place: Vertex) -> tuple[float, float]:
    return place.lon, place.lat


def _outline(places: Sequence[Vertex]) -> Line:
    """The corners of the hull of at least three places that are sorted by longitude."""
    corners = _Corners(*_first_edge(places))
    for place in places:
        corners.enhance(place)
    return tuple(corners.places)


def _first_edge(places: Sequence[Vertex]) -> tuple[Vertex, Vertex]:
    """From the west end to the east end, which lie either side of the widest gap; along one meridian south to north."""
    gap = places[0].lon + 360.0 - places[-1].lon
    west, east = places[0], places[-1]
    for before, place in itertools.pairwise(places):
        if gap < place.lon - before.lon:
            gap, west, east = place.lon - before.lon, place, before
    if west.lon != east.lon:
        return west, east
    return min(places, key=lambda place: place.lat), max(places, key=lambda place: place.lat)


def _vector(place: Vertex) -> Vector:
    cosine = math.cos(place.lat * RADIANS)
    return (
        math.sin(place.lat * RADIANS),
        cosine * math.sin(place.lon * RADIANS),
        cosine * math.cos(place.lon * RADIANS),
    )


def _normal(a: Vector, b: Vector) -> Vector:
    """The unit normal of the plane through two places."""
    x, y, z = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    length = math.sqrt(x * x + y * y + z * z)
    return (x / length, y / length, z / length) if length else (math.nan, math.nan, math.nan)


class _Corners:
    """The corners found so far. ``edges[i]`` is the normal of the edge from the corner before to corner i."""

    def __init__(self, first: Vertex, second: Vertex) -> None:
        self.places = [first, second]
        self.vectors = [_vector(first), _vector(second)]
        self.edges = [_normal(self.vectors[1], self.vectors[0]), _normal(self.vectors[0], self.vectors[1])]

    def _beyond(self, corner: int, vector: Vector) -> float:
        edge = self.edges[corner]
        return edge[0] * vector[0] + edge[1] * vector[1] + edge[2] * vector[2]

    def enhance(self, place: Vertex) -> None:
        """Take a place in if it lies beyond an edge; the corners between the edges that it is beyond drop out."""
        vector = _vector(place)
        count = len(self.places)
        first = next((corner for corner in range(count) if self._beyond(corner, vector) >= OUTSIDE), None)
        if first is None:
            return
        if self._beyond(0, vector) >= 0:
            kept = count - 1
            while kept > 0 and self._beyond(kept, vector) >= 0:
                kept -= 1
            self._cut(kept + 1, count)
            first = 0
            last = self._last_beyond(0, vector)
        else:
            last = self._last_beyond(first, vector)
            while first > 0 and self._beyond(first, vector) >= 0:
                first -= 1
            first += 1
        self._replace(first, last, place, vector)

    def _last_beyond(self, corner: int, vector: Vector) -> int:
        while corner < len(self.places) and self._beyond(corner, vector) >= 0:
            corner += 1
        return corner - 1

    def _cut(self, start: int, end: int) -> None:
        del self.places[start:end], self.vectors[start:end], self.edges[start:end]

    def _replace(self, first: int, last: int, place: Vertex, vector: Vector) -> None:
        """Put the place before corner ``last``, instead of the corners from ``first`` on."""
        self.edges[last] = _normal(vector, self.vectors[last])
        self._cut(first, last)
        self.places.insert(first, place)
        self.vectors.insert(first, vector)
        self.edges.insert(first, _normal(self.vectors[first - 1], vector))
