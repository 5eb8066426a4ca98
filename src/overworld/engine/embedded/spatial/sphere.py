"""Distances on the sphere in the engine's arithmetic: 40,000 km around, unit vectors, great circles.

Points are degrees. Vectors are triples of parallel arrays. Sums and products are taken in the engine's order, so that
results on the edge of a radius come out alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

F64 = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

QUARTER = 1.5707963267948966
"""A right angle."""
DEGREE = QUARTER / 90.0
METRES_PER_RADIAN = 10_000_000 / QUARTER
DEGREES_PER_METRE = 90.0 / 10_000_000


class Vectors(NamedTuple):
    """Parallel components of vectors."""

    x: F64
    y: F64
    z: F64

    def at(self, places: npt.NDArray[np.integer]) -> Vectors:
        """Some of the vectors."""
        return Vectors(self.x[places], self.y[places], self.z[places])


class Segments(NamedTuple):
    """Segments by their ends in degrees, the ends' unit vectors and the normals of the planes through them."""

    lat1: F64
    lon1: F64
    lat2: F64
    lon2: F64
    first: Vectors
    second: Vectors
    normal: Vectors

    def at(self, places: npt.NDArray[np.integer]) -> Segments:
        """Some of the segments."""
        return Segments(
            self.lat1[places],
            self.lon1[places],
            self.lat2[places],
            self.lon2[places],
            self.first.at(places),
            self.second.at(places),
            self.normal.at(places),
        )


def unit_vectors(lat: F64, lon: F64) -> Vectors:
    """Points as unit vectors."""
    parallel = np.cos(lat / 90.0 * QUARTER)
    meridian = lon / 90.0 * QUARTER
    return Vectors(np.sin(lat / 90.0 * QUARTER), parallel * np.sin(meridian), parallel * np.cos(meridian))


def segments_between(lat1: F64, lon1: F64, lat2: F64, lon2: F64) -> Segments:
    """Segments from their ends."""
    first, second = unit_vectors(lat1, lon1), unit_vectors(lat2, lon2)
    return Segments(lat1, lon1, lat2, lon2, first, second, cross(first, second))


def joined(parts: Sequence[Segments]) -> Segments:
    """All segments of the parts."""
    if len(parts) == 1:
        return parts[0]
    columns = [[*one[:4], *one.first, *one.second, *one.normal] for one in parts]
    lat1, lon1, lat2, lon2, *vectors = (np.concatenate(column) for column in zip(*columns, strict=True))
    return Segments(lat1, lon1, lat2, lon2, Vectors(*vectors[:3]), Vectors(*vectors[3:6]), Vectors(*vectors[6:]))


def dot(v: Vectors, w: Vectors) -> F64:
    """Scalar products."""
    product: F64 = v.x * w.x + v.y * w.y + v.z * w.z
    return product


def cross(v: Vectors, w: Vectors) -> Vectors:
    """Vector products."""
    return Vectors(v.y * w.z - v.z * w.y, v.z * w.x - v.x * w.z, v.x * w.y - v.y * w.x)


def distances(lat1: F64, lon1: F64, lat2: F64, lon2: F64) -> F64:
    """Great-circle distances in metres."""
    cosine = np.cos((lat2 - lat1) * DEGREE) + np.cos(lat1 * DEGREE) * np.cos(lat2 * DEGREE) * (
        np.cos((lon2 - lon1) * DEGREE) - 1
    )
    metres: F64 = np.arccos(np.minimum(cosine, 1.0)) * METRES_PER_RADIAN
    metres[(lat1 == lat2) & (lon1 == lon2)] = 0.0
    return metres


def line_distances(segments: Segments, points: Vectors) -> F64:
    """Distances in metres from the great circles of the segments; NaN for a segment without length."""
    with np.errstate(divide="ignore", invalid="ignore"):
        sine = np.abs(dot(points, segments.normal)) / np.sqrt(dot(segments.normal, segments.normal))
        metres: F64 = np.arcsin(np.minimum(sine, 1.0)) * METRES_PER_RADIAN
    return metres


def near_segments(segments: Segments, lat: F64, lon: F64, points: Vectors, radius: float) -> Mask:
    """Which points are within ``radius`` metres of their segments, seen at a right angle."""
    near: Mask = line_distances(segments, points) <= radius
    kept = np.flatnonzero(near)
    if len(kept):
        some, lat, lon = segments.at(kept), lat[kept], lon[kept]
        length = distances(some.lat1, some.lon1, some.lat2, some.lon2)
        limit = np.sqrt(length * length + radius * radius)
        near[kept] = (distances(lat, lon, some.lat1, some.lon1) <= limit) & (
            distances(lat, lon, some.lat2, some.lon2) <= limit
        )
    return near


def crossing(left: Segments, right: Segments) -> Mask:
    """Which segments cross each other: the great circles' point of intersection lies on both."""
    point = cross(left.normal, right.normal)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = 1.0 / np.sqrt(dot(point, point))
        point = Vectors(point.x * scale, point.y * scale, point.z * scale)
        met: Mask = _between(left, point) & _between(right, point)
    return met


def _between(segments: Segments, point: Vectors) -> Mask:
    first, second = segments.first, segments.second
    middle = Vectors(first.x + second.x, first.y + second.y, first.z + second.z)
    inside: Mask = np.abs(dot(middle, point)) >= dot(middle, first)
    return inside
