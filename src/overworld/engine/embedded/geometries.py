"""Geometry values of derived elements, and of elements where an expression asks for their geometry.

A value has exactly one shape, and writers ask in this order: ``components`` (a collection), ``line`` (a linestring),
``rings`` (a polygon), then ``center`` (a point). ``center`` and ``bounds`` are None where there is nothing to show.
Coordinates are degrees as doubles, computed from the stored integers by ``latitude`` and ``longitude`` just as the
engine does, so that halves of the last printed digit round alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from overworld.core.boxes import E7, Box

LATITUDE_SHIFT = 91
NO_BOUNDS = Box(100.0, 200.0, 100.0, 200.0)
"""What the engine prints as bounds of a line or polygon without any vertex."""


class Vertex(NamedTuple):
    """A coordinate in degrees; ordered by latitude, then longitude."""

    lat: float
    lon: float

    def near(self, other: Vertex) -> bool:
        """Whether both coordinates differ by less than one unit of the last stored digit."""
        return abs(self.lat - other.lat) < 1e-7 and abs(self.lon - other.lon) < 1e-7


def latitude(lat_e7: int) -> float:
    """A stored latitude as the double that the engine computes with."""
    return (lat_e7 + LATITUDE_SHIFT * E7) / E7 - LATITUDE_SHIFT


def longitude(lon_e7: int) -> float:
    """A stored longitude as the double that the engine computes with."""
    return lon_e7 / E7


class Geometry:
    """Base of all geometry values: without any shape."""

    @property
    def components(self) -> tuple[Geometry, ...] | None:
        """The members of a collection; None for anything else."""
        return None

    @property
    def line(self) -> tuple[Vertex, ...] | None:
        """The vertices of a linestring; None for anything else."""
        return None

    @property
    def rings(self) -> tuple[tuple[Vertex, ...], ...] | None:
        """The rings of a polygon; None for anything else."""
        return None

    @property
    def bounds(self) -> Box | None:
        """The bounding box in degrees, ``west > east`` across the 180th meridian."""
        return None

    @property
    def center(self) -> Vertex | None:
        """The centre of the bounding box."""
        box = self.bounds
        return None if box is None else center_of(box)

    @property
    def vertices(self) -> tuple[Vertex | None, ...]:
        """The vertices of a way's geometry in order, None where a node is missing; empty for other shapes."""
        return ()


@dataclass(frozen=True)
class NullGeometry(Geometry):
    """No geometry at all."""


@dataclass(frozen=True)
class PointGeometry(Geometry):
    """A point."""

    point: Vertex

    @property
    def bounds(self) -> Box:
        return Box(self.point.lat, self.point.lon, self.point.lat, self.point.lon)

    @property
    def center(self) -> Vertex:
        return self.point


@dataclass(frozen=True)
class LineGeometry(Geometry):
    """A linestring: a way whose nodes are all there, or one that an expression made. It may have no vertex."""

    points: tuple[Vertex, ...]

    @property
    def line(self) -> tuple[Vertex, ...]:
        return self.points

    @cached_property
    def bounds(self) -> Box:
        return bounds_of(self.points) or NO_BOUNDS

    @property
    def vertices(self) -> tuple[Vertex | None, ...]:
        return self.points


@dataclass(frozen=True)
class PartialWayGeometry(Geometry):
    """A way with missing nodes (None): its runs of present nodes are a line if there is one, else a polygon's rings.

    If the first node is missing, the first run is empty.
    """

    points: tuple[Vertex | None, ...]

    @cached_property
    def runs(self) -> tuple[tuple[Vertex, ...], ...]:
        """The stretches of present nodes."""
        if not any(self.points):
            return ()
        runs: list[list[Vertex]] = [[]]
        for position, point in enumerate(self.points):
            if point is None:
                continue
            if position > 0 and self.points[position - 1] is None:
                runs.append([])
            runs[-1].append(point)
        return tuple(map(tuple, runs))

    @property
    def line(self) -> tuple[Vertex, ...] | None:
        return self.runs[0] if len(self.runs) == 1 else None

    @property
    def rings(self) -> tuple[tuple[Vertex, ...], ...]:
        return self.runs

    @cached_property
    def bounds(self) -> Box | None:
        return bounds_of(point for point in self.points if point is not None)

    @property
    def vertices(self) -> tuple[Vertex | None, ...]:
        return self.points


@dataclass(frozen=True)
class PolygonGeometry(Geometry):
    """A polygon: closed rings that follow the right-hand rule."""

    outlines: tuple[tuple[Vertex, ...], ...]

    @property
    def rings(self) -> tuple[tuple[Vertex, ...], ...]:
        return self.outlines

    @cached_property
    def bounds(self) -> Box:
        return bounds_of(point for ring in self.outlines for point in ring) or NO_BOUNDS


@dataclass(frozen=True)
class CompoundGeometry(Geometry):
    """A collection: a relation's members in order (null where nothing is known of one), or what ``gcat`` gathers."""

    members: tuple[Geometry, ...]

    @property
    def components(self) -> tuple[Geometry, ...]:
        return self.members

    @cached_property
    def bounds(self) -> Box | None:
        box = bounds_of_boxes([member.bounds for member in self.members if member.bounds is not None])
        return box if box is not None and is_valid(box) else None


def center_of(box: Box) -> Vertex:
    """The centre of a box, which may cross the 180th meridian."""
    lat, lon = (box.south + box.north) / 2, (box.west + box.east) / 2
    if box.west <= box.east:
        return Vertex(lat, lon)
    return Vertex(lat, lon + 180.0 if lon <= 0 else lon - 180.0)


def is_valid(box: Box) -> bool:
    """Whether all four bounds are places on earth and south is not north of north."""
    return -90 <= box.south <= box.north <= 90 and -180 <= box.east <= 180 and -180 <= box.west <= 180


def bounds_of(points: Iterable[Vertex]) -> Box | None:
    """The smallest box around ``points``, across the 180th meridian where that is narrower; None without points.

    The centre of what has no vertex, at latitude 100, does not count.
    """
    known = [point for point in points if point.lat < NO_BOUNDS.south]
    if not known:
        return None
    lats, lons = [point.lat for point in known], [point.lon for point in known]
    south, north, west, east = min(lats), max(lats), min(lons), max(lons)
    if east - west <= 180:
        return Box(south, west, north, east)
    west = min((lon for lon in lons if lon > 0), default=180.0)
    east = max((lon for lon in lons if lon <= 0), default=-180.0)
    return Box(south, west, north, east) if west - east > 180 else Box(south, -180.0, north, 180.0)


def bounds_of_boxes(boxes: list[Box]) -> Box | None:
    """The smallest box around ``boxes``, each of which may cross the 180th meridian; None without boxes."""
    if not boxes:
        return None
    south, north = min(100.0, *(box.south for box in boxes)), max(-100.0, *(box.north for box in boxes))
    west, east = min(200.0, *(box.west for box in boxes)), max(-200.0, *(box.east for box in boxes))
    if all(box.west <= box.east for box in boxes) and east - west <= 180:
        return Box(south, west, north, east)
    west, east = 200.0, -200.0
    for box in boxes:
        if box.east <= 0:
            east = max(east, box.east)
            if box.west >= 0:
                west = min(west, box.west)
        elif box.west >= 0:
            west = min(west, box.west)
        else:
            return Box(south, -180.0, north, 180.0)
    return Box(south, west, north, east) if west - east > 180 else Box(south, -180.0, north, 180.0)
