"""Where a probe goes: deterministic points inside, outside, on the border of or beside what the real world has."""

from __future__ import annotations

import math

import numpy as np

from overworld.core.boxes import Box
from overworld.core.errors import InputError
from overworld.witness.sphere import F64, Border, Plane, Point, destination

GRID = 32
"""Candidates in each direction of one round of the search for a point inside."""
ROUNDS = 4
RAY_STEPS = 512
CLEARANCE_M = 3.0
"""What is placed inside keeps at least this distance from the border, beyond its own half width."""


def border_of_box(box: Box) -> Border:
    """The four sides of a map view."""
    south, west = Point.of_degrees(box.south, box.west)
    north, east = Point.of_degrees(box.north, box.east)
    corners = [Point(south, west), Point(south, east), Point(north, east), Point(north, west), Point(south, west)]
    return Border.of_lines([corners])


def point_inside(border: Border, taken: list[Point], radius_m: float) -> Point:
    """The point inside ``border`` that is farthest from it and from the points of ``taken``.

    Found on a grid that is laid anew, finer, around the best candidate. Raises ``InputError`` where nothing of
    ``radius_m`` metres fits.
    """
    low, high = border.bounds
    best = border.middle
    for _ in range(ROUNDS):
        lat, lon = _grid(low, high)
        scores = np.minimum(border.depths_m(lat, lon), _distances_to(taken, lat, lon))
        winner = int(np.argmax(np.round(scores, 3)))
        best = Point(int(lat[winner]), int(lon[winner]))
        half_lat, half_lon = (high.lat - low.lat) // GRID, (high.lon - low.lon) // GRID
        low = Point(best.lat - half_lat, best.lon - half_lon)
        high = Point(best.lat + half_lat, best.lon + half_lon)
    depth = _depth(border, best)
    if depth < radius_m + CLEARANCE_M:
        raise InputError(
            f"no room inside: the best point is {depth:.1f} m from the border, and {radius_m + CLEARANCE_M:.1f} m are"
            " needed",
            remedy="make the probe smaller or place it elsewhere",
        )
    return best


def point_outside(border: Border, gap_m: float, taken: list[Point]) -> Point:
    """A point ``gap_m`` metres beyond ``border``, off the middle of a segment, away from the points of ``taken``."""
    lengths = _lengths(border)
    candidates = [
        destination(_midpoint(segment), gap_m, bearing)
        for segment, length in zip(border.segments, lengths, strict=True)
        if length > 0
        for bearing in _normals(segment)
    ]
    lat, lon = _columns(candidates)
    depths = border.depths_m(lat, lon)
    fits = (depths < -0.99 * gap_m) & (depths > -1.01 * gap_m)
    if not fits.any():
        raise InputError(f"there is no point {gap_m:g} m outside", remedy="choose another gap_m")
    reach = np.minimum(np.repeat(lengths[lengths > 0], 2), _distances_to(taken, lat, lon))
    return candidates[int(np.argmax(np.where(fits, np.round(reach, 3), -1.0)))]


def border_crossing(border: Border, taken: list[Point]) -> tuple[Point, float]:
    """The middle of the longest border segment that is away from ``taken``, and the bearing that crosses it."""
    lat = (border.segments[:, 0] + border.segments[:, 2]) / 2
    lon = (border.segments[:, 1] + border.segments[:, 3]) / 2
    reach = np.minimum(_lengths(border) / 2, _distances_to(taken, lat, lon))
    segment = border.segments[int(np.argmax(np.round(reach, 3)))]
    return _midpoint(segment), _normals(segment)[0]


def point_beyond(outline: Border, distance_m: float, bearing_deg: float) -> Point:
    """The point ``distance_m`` metres from ``outline``, seen from its middle in the direction ``bearing_deg``.

    The distance is to the outline, as ``around`` measures it; of a node it is the distance to the node.
    """
    start = outline.middle
    low, high = outline.bounds
    if low == high:
        return destination(start, distance_m, bearing_deg)
    # No point of the outline is farther from its middle than a corner of its box.
    reach = float(_distances_to([start], *_columns([low, high])).max()) + distance_m + 1.0
    steps = [reach * k / RAY_STEPS for k in range(RAY_STEPS + 1)]
    distances = outline.distances_m(*_columns([destination(start, step, bearing_deg) for step in steps]))
    last_near = max(np.flatnonzero(distances < distance_m), default=0)
    inner, outer = steps[last_near], steps[last_near + 1]
    while outer - inner > 0.001:
        middle = (inner + outer) / 2
        near = outline.distances_m(*_columns([destination(start, middle, bearing_deg)]))[0] < distance_m
        inner, outer = (middle, outer) if near else (inner, middle)
    return destination(start, outer, bearing_deg)


def _grid(low: Point, high: Point) -> tuple[F64, F64]:
    """Middles of GRID × GRID cells between two corners, flattened, in whole units of 1e-7 degree."""
    middles = (np.arange(GRID, dtype=np.float64) + 0.5) / GRID
    lat, lon = np.meshgrid(
        np.round(low.lat + middles * (high.lat - low.lat)),
        np.round(low.lon + middles * (high.lon - low.lon)),
        indexing="ij",
    )
    return lat.ravel(), lon.ravel()


def _distances_to(points: list[Point], lat: F64, lon: F64) -> F64:
    """Distance in metres of each position to the nearest of ``points``; infinite where there are none."""
    if not points:
        return np.full(len(lat), np.inf)
    plane = Plane(points[0])
    x, y = plane.project(lat, lon)
    px, py = plane.project(*_columns(points))
    dx, dy = x[:, None] - px, y[:, None] - py
    nearest: F64 = np.sqrt((dx * dx + dy * dy).min(axis=1))
    return nearest


def _columns(points: list[Point]) -> tuple[F64, F64]:
    table = np.array(points, dtype=np.float64).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def _depth(border: Border, point: Point) -> float:
    return float(border.depths_m(*_columns([point]))[0])


def _lengths(border: Border) -> F64:
    x1, y1 = Plane(border.middle).project(border.segments[:, 0], border.segments[:, 1])
    x2, y2 = Plane(border.middle).project(border.segments[:, 2], border.segments[:, 3])
    lengths: F64 = np.sqrt((x2 - x1) ** 2 + (y2 - y1) ** 2)
    return lengths


def _midpoint(segment: F64) -> Point:
    return Point(round((segment[0] + segment[2]) / 2), round((segment[1] + segment[3]) / 2))


def _normals(segment: F64) -> tuple[float, float]:
    """The two bearings, in degrees, at a right angle to a segment."""
    north, east = Plane(_midpoint(segment)).metres_per_unit
    bearing = math.degrees(math.atan2((segment[3] - segment[1]) * east, (segment[2] - segment[0]) * north))
    return (bearing + 90) % 360, (bearing + 270) % 360
