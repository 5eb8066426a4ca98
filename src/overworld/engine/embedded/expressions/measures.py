"""Lengths on the sphere: exact as the engine computes and rounds them, and fast with a bound of the error."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from overworld.engine.embedded.elementgeometry import Lists, latitudes, longitudes
from overworld.engine.embedded.geometries import Geometry, Vertex
from overworld.world.store import World

RADIANS: Final = math.acos(0) / 90.0
METRES: Final = 10_000_000 / math.acos(0)
"""Metres for one radian: a quarter of the meridian has 10,000 km."""
SEGMENT_ERROR_M: Final = 0.25
"""How far a segment's length may be off if its cosines are off by a unit in the last place or two."""

F64 = npt.NDArray[np.float64]


def distance(lat1: float, lon1: float, lat2: float, lon2: float) -> float:
    """The great-circle distance of two points in metres."""
    if lat1 == lat2 and lon1 == lon2:
        return 0.0
    product = math.cos((lat2 - lat1) * RADIANS) + math.cos(lat1 * RADIANS) * math.cos(lat2 * RADIANS) * (
        math.cos((lon2 - lon1) * RADIANS) - 1
    )
    return math.acos(min(product, 1.0)) * METRES


def line_length(points: Sequence[Vertex | None]) -> float:
    """The length of a line in metres, segments with a missing end left out."""
    total = 0.0
    before = points[0] if points else None
    for point in points[1:]:
        if point is not None and before is not None:
            total += distance(before.lat, before.lon, point.lat, point.lon)
        before = point
    return total


def geometry_length(geometry: Geometry) -> float:
    """The length of a geometry in metres: of a line, or of all components of a collection."""
    if geometry.components is not None:
        total = 0.0
        for component in geometry.components:
            total += geometry_length(component)
        return total
    return line_length(geometry.vertices)


def way_lengths(world: World, lists: Lists) -> F64:
    """Lengths in metres of lists of vertices, exactly as ``line_length`` has them."""
    return _lengths(world, lists, _cosines, _arccosines)


def approximate_lengths(world: World, lists: Lists) -> tuple[F64, F64]:
    """Lengths in metres of lists of vertices by numpy's functions, and bounds of their errors."""
    errors = np.maximum(np.diff(lists.offsets) - 1, 0) * SEGMENT_ERROR_M
    return _lengths(world, lists, np.cos, np.arccos), errors


Function = Callable[[F64], F64]


def _lengths(world: World, lists: Lists, cosines: Function, arccosines: Function) -> F64:
    count = len(lists.offsets) - 1
    if len(lists.vertices) < 2 or len(world.nodes.ids) == 0:
        return np.zeros(count)
    rows = np.maximum(lists.vertices, 0)
    lat, lon = latitudes(world.nodes.lat[rows]), longitudes(world.nodes.lon[rows])
    owner = np.repeat(np.arange(count), np.diff(lists.offsets))
    drawn = (owner[:-1] == owner[1:]) & (lists.vertices[:-1] >= 0) & (lists.vertices[1:] >= 0)
    drawn &= (lat[:-1] != lat[1:]) | (lon[:-1] != lon[1:])
    cosine = cosines(lat * RADIANS)
    product = cosines(np.diff(lat) * RADIANS) + cosine[:-1] * cosine[1:] * (cosines(np.diff(lon) * RADIANS) - 1)
    segments = arccosines(np.clip(product[drawn], -1.0, 1.0)) * METRES
    # Adds up in order, as the engine does.
    return np.bincount(owner[:-1][drawn], weights=segments, minlength=count).astype(np.float64, copy=False)


def _cosines(angles: F64) -> F64:
    return np.fromiter(map(math.cos, angles.tolist()), dtype=np.float64, count=len(angles))


def _arccosines(cosines: F64) -> F64:
    return np.fromiter(map(math.acos, cosines.tolist()), dtype=np.float64, count=len(cosines))
