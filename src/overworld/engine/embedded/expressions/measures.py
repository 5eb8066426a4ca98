"""Lengths on the sphere: exact as the engine computes and rounds them, and fast with a bound of the error."""

from __future__ import annotations

import math
from collections.abc import Sequence
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


def approximate_lengths(world: World, lists: Lists) -> tuple[F64, F64]:
    """Lengths in metres of lists of vertices, and bounds of their errors."""
    lengths, errors = np.zeros(len(lists.offsets) - 1), np.zeros(len(lists.offsets) - 1)
    if len(lists.vertices) < 2 or len(world.nodes.ids) == 0:
        return lengths, errors
    rows = np.maximum(lists.vertices, 0)
    lat, lon = latitudes(world.nodes.lat[rows]) * RADIANS, longitudes(world.nodes.lon[rows]) * RADIANS
    cosine = np.cos(lat)
    product = np.cos(np.diff(lat)) + cosine[:-1] * cosine[1:] * (np.cos(np.diff(lon)) - 1)
    segments = np.arccos(np.clip(product, -1.0, 1.0)) * METRES
    owner = np.repeat(np.arange(len(lengths)), np.diff(lists.offsets))
    inner = (owner[:-1] == owner[1:]) & (lists.vertices[:-1] >= 0) & (lists.vertices[1:] >= 0)
    lengths += np.bincount(owner[:-1][inner], weights=segments[inner], minlength=len(lengths))
    errors += np.bincount(owner[:-1][inner], minlength=len(lengths)) * SEGMENT_ERROR_M
    return lengths, errors
