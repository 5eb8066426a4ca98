"""Points along a great circle, so that a polygon drawn with straight lines follows the sphere.

A segment longer than a tile of the engine's index gets points in between, the closer together the nearer a pole it
passes.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Final

from overworld.engine.embedded.geometries import Vertex

RADIANS: Final = math.acos(0) / 90.0
TILE: Final = 0.0065536
"""Width of a tile of the index, in degrees."""
FINEST: Final = 1e-9
MAX_DIVISOR: Final = 65536
ANTIPODAL: Final = 179.999999
MOST_POINTS: Final = 1_000_000
"""An arc that touches a pole would get points without end; the engine's memory ends there, too."""


def follow(start: Vertex, end: Vertex, line: list[Vertex]) -> None:
    """Add to ``line`` the points from ``start`` (left out) to ``end`` along the great circle."""
    if abs(end.lat - start.lat) < TILE and abs(end.lon - start.lon) < TILE:
        line.append(end)
        return
    lon = end.lon
    if abs(lon - start.lon) > 180.0:
        lon = lon - 360.0 if start.lon < 0 else lon + 360.0
    if abs(lon - start.lon) > ANTIPODAL:
        _over_pole(start, Vertex(end.lat, lon), line)
    elif (end.lat, lon) != start:
        _Arc.between(start, Vertex(end.lat, lon), line).collect_all()
    line.append(Vertex(end.lat, _turned(lon)))


def _turned(lon: float) -> float:
    if lon < -180.0:
        return lon + 360.0
    return lon - 360.0 if lon > 180.0 else lon


def _over_pole(start: Vertex, end: Vertex, line: list[Vertex]) -> None:
    """Along one meridian to the pole, along the pole, and down the opposite meridian."""
    pole = 90.0 if start.lat + end.lat >= 0 else -90.0
    corners = (start, Vertex(pole, start.lon), Vertex(pole, end.lon), end)
    for before, after in itertools.pairwise(corners):
        span = max(abs(after.lat - before.lat), abs(after.lon - before.lon))
        count = int(span / TILE) + 1
        lat, lon = after.lat - before.lat, after.lon - before.lon
        line += [Vertex(before.lat + lat * step / count, before.lon + lon * step / count) for step in range(1, count)]
        if after is not end:
            line.append(after)


@dataclass
class _Arc:
    """A stretch of a great circle, measured in radians from its start.

    ``up`` and ``ahead`` are the start's coordinates; ``(x, y, z)`` is the direction in which the arc leaves it.
    """

    x: float
    y: float
    z: float
    up: float
    ahead: float
    lon: float
    length: float
    line: list[Vertex]

    @classmethod
    def between(cls, start: Vertex, end: Vertex, line: list[Vertex]) -> _Arc:
        ahead, up = math.cos(start.lat * RADIANS), math.sin(start.lat * RADIANS)
        cosine, end_x = math.cos(end.lat * RADIANS), math.sin(end.lat * RADIANS)
        end_y = math.sin((end.lon - start.lon) * RADIANS) * cosine
        end_z = math.cos((end.lon - start.lon) * RADIANS) * cosine
        product = up * end_x + ahead * end_z
        x, y, z = end_x - product * up, end_y, end_z - product * ahead
        norm = math.sqrt(x * x + y * y + z * z)
        length = math.acos(max(-1.0, min(1.0, product)))
        return cls(x / norm, y / norm, z / norm, up, ahead, start.lon, length, line)

    def at(self, distance: float) -> Vertex:
        """The point at this distance from the start."""
        sine, cosine = math.sin(distance), math.cos(distance)
        x, y, z = sine * self.x + cosine * self.up, sine * self.y, sine * self.z + cosine * self.ahead
        return Vertex(math.asin(max(-1.0, min(1.0, x))) / RADIANS, _turned(math.atan2(y, z) / RADIANS + self.lon))

    def collect_all(self) -> None:
        """Add the inner points of the whole arc."""
        top = self.length if self.up == 0 else math.atan(self.x / self.up)
        within = max(min(top, self.length), 0.0)
        steepest = self.at(within)
        acceptable = TILE * math.cos(steepest.lat * RADIANS)
        highest = self.at(top).lat if acceptable < TILE / 4 and top != within else steepest.lat
        self._around(0.0, self.length, within, 4, highest, acceptable)

    def _around(self, start: float, end: float, top: float, divisor: int, highest: float, acceptable: float) -> None:
        """Add the points from ``start`` to ``end`` around the arc's most northern or southern point ``top``."""
        threshold = TILE / divisor
        if not (acceptable < threshold and divisor < MAX_DIVISOR):
            step = max(acceptable, FINEST) * RADIANS
            self._evenly(start, top, step)
            if start < top < end:
                self.line.append(self.at(top))
            self._evenly(top, end, step)
            return
        ratio = math.sqrt(1 - 1.0 / divisor / divisor) / math.sin(highest * RADIANS)
        if not -1 <= ratio <= 1:
            return
        reach = math.acos(ratio)
        left = max(min(top - reach, end), start)
        right = max(min(top + reach, end), start)
        self._evenly(start, left, threshold * RADIANS)
        if 0 < left < end:
            self.line.append(self.at(left))
        self._around(left, right, top, divisor * 4, highest, acceptable)
        if 0 < right < end:
            self.line.append(self.at(right))
        self._evenly(right, end, threshold * RADIANS)

    def _evenly(self, start: float, end: float, longest: float) -> None:
        count = int((end - start) / longest) + 1
        if len(self.line) + count > MOST_POINTS:
            raise MemoryError
        self.line += [self.at(start + (end - start) * step / count) for step in range(1, count)]
