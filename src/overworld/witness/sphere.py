"""Distances and directions on the engine's sphere, and borders of areas as sets of segments.

The engine measures on a sphere whose quarter of a great circle is 10,000 km. Whatever decides between candidates here
is made of sums, products, quotients and square roots alone, which give the same result on every machine; sines and
cosines enter only where the result is rounded to 1e-7 degree.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overworld.core.boxes import E7, to_e7

F64 = npt.NDArray[np.float64]

EARTH_RADIUS_M = 20_000_000 / math.pi
METRES_PER_DEGREE = 20_000_000 / 180


class Point(NamedTuple):
    """A position in units of 1e-7 degree."""

    lat: int
    lon: int

    @classmethod
    def of_degrees(cls, lat: float, lon: float) -> Point:
        """The nearest position."""
        return cls(to_e7(lat), to_e7(lon))


def destination(start: Point, distance_m: float, bearing_deg: float) -> Point:
    """The position ``distance_m`` metres from ``start`` along the great circle that leaves it at ``bearing_deg``."""
    lat, lon = math.radians(start.lat / E7), math.radians(start.lon / E7)
    angle, bearing = distance_m / EARTH_RADIUS_M, math.radians(bearing_deg)
    sine = math.sin(lat) * math.cos(angle) + math.cos(lat) * math.sin(angle) * math.cos(bearing)
    east = math.atan2(math.sin(bearing) * math.sin(angle) * math.cos(lat), math.cos(angle) - math.sin(lat) * sine)
    degrees = math.degrees(lon + east)
    return Point.of_degrees(math.degrees(math.asin(sine)), (degrees + 180) % 360 - 180)


@dataclass(frozen=True)
class Plane:
    """Metres east and north of ``origin``, true near it."""

    origin: Point

    @property
    def metres_per_unit(self) -> tuple[float, float]:
        """Metres of 1e-7 degree of latitude and of longitude."""
        north = METRES_PER_DEGREE / E7
        # Rounded, so that a last bit of the cosine that differs between machines cannot decide between candidates.
        return north, north * round(math.cos(math.radians(self.origin.lat / E7)), 9)

    def project(self, lat: F64, lon: F64) -> tuple[F64, F64]:
        """x (east) and y (north) in metres of positions in 1e-7 degree, any shape."""
        north, east = self.metres_per_unit
        return (lon - self.origin.lon) * east, (lat - self.origin.lat) * north


@dataclass(frozen=True)
class Border:
    """Segments as float64 (n, 4): lat, lon, lat, lon in 1e-7 degree. A lone point is a segment of length 0."""

    segments: F64

    @classmethod
    def of_lines(cls, lines: list[list[Point]]) -> Border:
        """The segments of ``lines``; a line of one point gives a segment of length 0."""
        ends = [(*a, *b) for line in lines for a, b in zip(line, line[1:] or line, strict=False)]
        return cls(np.array(ends, dtype=np.float64).reshape(-1, 4))

    @property
    def bounds(self) -> tuple[Point, Point]:
        """South-west and north-east corner."""
        lat, lon = self.segments[:, 0::2], self.segments[:, 1::2]
        return Point(int(lat.min()), int(lon.min())), Point(int(lat.max()), int(lon.max()))

    @property
    def middle(self) -> Point:
        """The middle of the bounding box."""
        low, high = self.bounds
        return Point((low.lat + high.lat) // 2, (low.lon + high.lon) // 2)

    @property
    def is_closed(self) -> bool:
        """Whether every end of a segment is the end of an even number of them, so that there is an inside."""
        ends = np.concatenate([self.segments[:, :2], self.segments[:, 2:]])
        _, counts = np.unique(ends, axis=0, return_counts=True)
        return bool((counts % 2 == 0).all())

    def distances_m(self, lat: F64, lon: F64) -> F64:
        """Distance in metres of each position (1e-7 degree, shape (k,)) to the nearest segment."""
        x, y, x1, y1, x2, y2 = self._projected(lat, lon)
        dx, dy = x2 - x1, y2 - y1
        square = dx * dx + dy * dy
        along = ((x - x1) * dx + (y - y1) * dy) / np.where(square == 0, 1.0, square)
        along = np.clip(along, 0.0, 1.0)
        off_x, off_y = x - (x1 + along * dx), y - (y1 + along * dy)
        nearest: F64 = np.sqrt((off_x * off_x + off_y * off_y).min(axis=1))
        return nearest

    def contains(self, lat: F64, lon: F64) -> npt.NDArray[np.bool_]:
        """Whether each position is inside: a ray to the east crosses the border an odd number of times."""
        x, y, x1, y1, x2, y2 = self._projected(lat, lon)
        spans = (y1 > y) != (y2 > y)
        slope = (x2 - x1) / np.where(y2 == y1, 1.0, y2 - y1)
        crossings = spans & (x < x1 + (y - y1) * slope)
        odd: npt.NDArray[np.bool_] = crossings.sum(axis=1) % 2 == 1
        return odd

    def depths_m(self, lat: F64, lon: F64) -> F64:
        """Distance to the border in metres, positive inside, negative outside."""
        distances = self.distances_m(lat, lon)
        return np.where(self.contains(lat, lon), distances, -distances)

    def _projected(self, lat: F64, lon: F64) -> tuple[F64, F64, F64, F64, F64, F64]:
        plane = Plane(self.middle)
        x, y = plane.project(lat[:, None], lon[:, None])
        x1, y1 = plane.project(self.segments[:, 0], self.segments[:, 1])
        x2, y2 = plane.project(self.segments[:, 2], self.segments[:, 3])
        return x, y, x1, y1, x2, y2
