"""``poly``: a polygon out of lines, without crossings, its rings along the right-hand rule.

Lines are closed and follow great circles; where segments cross they are cut; at each place the segments are joined to
rings again so that rings touch but do not cross. Segments are kept by the tiles of the engine's index that they touch:
the order of work follows the tiles, and shows in where rings begin.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from overworld.engine.embedded.derivedorder import sorted_positions
from overworld.engine.embedded.geometries import Geometry, PolygonGeometry, Vertex
from overworld.engine.embedded.greatcircles import follow
from overworld.engine.embedded.ringsides import Sides, tile

Line = Sequence[Vertex]

MAX_STEPS_PER_VERTEX = 64
"""Joining rings visits each direction of each segment once; what takes more steps can never end."""


def polygon(lines: Sequence[Line]) -> Geometry:
    """The polygon whose border the lines are; each with less than two vertices is left out."""
    network = Network()
    for line in lines:
        if len(line) >= 2:
            network.add(line)
    network.cut_crossings()
    sides = Sides(network.points, network.tiles)
    return PolygonGeometry(tuple(tuple(sides.oriented(ring)) for ring in network.rings()))


class Turn(NamedTuple):
    """Where a border goes on: at the end ``at`` of a segment towards its other end ``towards``."""

    at: int
    towards: int


class End(NamedTuple):
    """One end of a segment: the number of the point there and of the one at the other end."""

    at: int
    towards: int


@dataclass
class Network:
    """Segments from ``points[i]`` to ``points[i + 1]``; ``tiles``: tile → the segments i that touch it."""

    points: list[Vertex] = field(default_factory=list)
    tiles: dict[int, list[int]] = field(default_factory=dict)
    homes: list[int] = field(default_factory=list)
    """The tile of each point."""

    def add(self, line: Line) -> None:
        """Add a line, closed if it is not."""
        begin = len(self.points)
        closed = list(line) if line[0] == line[-1] else [*line, line[0]]
        self.points.append(closed[0])
        for before, after in itertools.pairwise(closed):
            follow(before, after, self.points)
        self.homes += map(tile, self.points[begin:])
        for segment in range(begin, len(self.points) - 1):
            for one in dict.fromkeys(_corners(self.homes[segment], self.homes[segment + 1])):
                self.tiles.setdefault(one, []).append(segment)

    # ------------------------------------------------------------------------------------ crossings

    def cut_crossings(self) -> None:
        """Cut segments where they cross, tile by tile."""
        keys = sorted(self.tiles)
        place = 0
        while place < len(keys):
            here = keys[place]
            self._cut_in(here)
            if len(keys) != len(self.tiles):
                keys = sorted(self.tiles)
            place = bisect_right(keys, here)

    def _cut_in(self, here: int) -> None:
        segments = self.tiles[here]
        last = 1
        while last < len(segments):
            for first in range(last):
                crossing = self._crossing(segments[first], segments[last])
                if crossing is not None and tile(crossing) == here:
                    crossing = self._snapped(crossing, segments)
                    self._cut(segments, first, crossing)
                    self._cut(segments, last, crossing)
            last += 1

    def _crossing(self, first: int, second: int) -> Vertex | None:
        points = self.points
        return crossing(points[first], points[first + 1], points[second], points[second + 1])

    def _snapped(self, place: Vertex, segments: list[int]) -> Vertex:
        """The end of a segment that is as good as there, else the place itself."""
        for segment in segments:
            for end in (self.points[segment], self.points[segment + 1]):
                if place.near(end):
                    place = end
        return place

    def _cut(self, segments: list[int], which: int, place: Vertex) -> None:
        """Cut a segment at a place that is not one of its ends: it leaves, two others come."""
        old = segments[which]
        start, end = self.points[old], self.points[old + 1]
        if place in (start, end):
            return
        new = len(self.points)
        self.points += (start, place, end)
        self.homes += (self.homes[old], tile(place), self.homes[old + 1])
        self._replace(old, new)

    def _replace(self, old: int, new: int) -> None:
        """In the tiles of a segment put the first or the second part of it in its place."""
        first, via, last = self.homes[new : new + 3]
        if via == first:
            new += 1
        corners = _corners(first, last)
        apart = len(set(corners)) == 4 and via not in (first, last)
        for corner in dict.fromkeys(corners[:-1] if apart else corners):
            self._rename(corner, old, new)
        if apart:
            self.tiles.setdefault(corners[1], []).append(new + 1)
            self.tiles.setdefault(corners[2], []).append(new + 1)
            self._rename(last, old, new + 1)
        if via == first:
            self.tiles[first].append(new - 1)
        elif via == last:
            self.tiles[last].append(new + 1)

    def _rename(self, key: int, old: int, new: int) -> None:
        segments = self.tiles.setdefault(key, [])
        for place, segment in enumerate(segments):
            if segment == old:
                segments[place] = new

    # ------------------------------------------------------------------------------------ rings

    def rings(self) -> list[list[Vertex]]:
        """The rings, each closed, in the order in which the engine meets them."""
        turns: list[Turn | None] = [None] * (2 * len(self.points))
        for key in sorted(self.tiles):
            self._join(key, turns)
        return list(_Walk(self.points, turns).rings())

    def _join(self, key: int, turns: list[Turn | None]) -> None:
        """At each place in a tile say which segment follows on which."""
        ends = [
            End(at, to)
            for segment in self.tiles[key]
            for at, to in ((segment, segment + 1), (segment + 1, segment))
            if self.homes[at] == key
        ]
        places = self._by_place(ends)
        if any(len(here) > 2 for here in places.values()):
            # Where several meet, their order among all ends of the tile decides between equal directions.
            keys = [(self.points[end.at], end.at) for end in ends]
            ranks = {value: rank for rank, value in enumerate(sorted(set(keys)))}
            places = self._by_place([ends[place] for place in sorted_positions([ranks[one] for one in keys])])
        for here in places.values():
            self._join_place(here, turns)

    def _by_place(self, ends: list[End]) -> dict[Vertex, list[End]]:
        places: dict[Vertex, list[End]] = {}
        for end in ends:
            places.setdefault(self.points[end.at], []).append(end)
        return places

    def _join_place(self, ends: list[End], turns: list[Turn | None]) -> None:
        """Join the segments that end at one place: neighbours by direction, two that lie on two others crosswise."""
        if len(ends) == 2:
            _pair(turns, ends[0], ends[1])
            return
        around = sorted((self._direction(end), number) for number, end in enumerate(ends))
        place = 0
        while place + 1 < len(around):
            group = [ends[number] for _, number in around[place : place + 4]]
            if len(group) == 4 and around[place + 1][0] == around[place + 2][0]:
                _pair(turns, group[0], group[3])
                _pair(turns, group[1], group[2])
                place += 4
            else:
                _pair(turns, group[0], group[1])
                place += 2

    def _direction(self, end: End) -> float:
        other, here = self.points[end.towards], self.points[end.at]
        return math.atan2(other.lon - here.lon, other.lat - here.lat)


def _corners(first: int, last: int) -> tuple[int, int, int, int]:
    """The tiles that a segment between two tiles can touch: its first, the one beside it, above it, its last."""
    row, column = 0xFFFF << 16, 0xFFFF
    return first, first & row | last & column, last & row | first & column, last


def _slot(end: End) -> int:
    """The place among all turns of the one at this end: each point has two, for the segment before it and after it."""
    return 2 * end.at + (0 if end.towards > end.at else -1)


def _pair(turns: list[Turn | None], first: End, second: End) -> None:
    turns[_slot(first)] = Turn(second.at, second.towards)
    turns[_slot(second)] = Turn(first.at, first.towards)


class _Walk:
    """Follows turns from segment to segment; every turn is used once."""

    def __init__(self, points: list[Vertex], turns: list[Turn | None]) -> None:
        self.points = points
        self.turns = turns
        self.position = 0

    def rings(self) -> list[list[Vertex]]:
        """All rings with more than two vertices."""
        rings = []
        left = sum(turn is not None for turn in self.turns[1::2])
        start = 0
        for _ in range(MAX_STEPS_PER_VERTEX * len(self.points)):
            if left <= 0:
                break
            if self.turns[2 * start] is None:
                start = self._next(start)
                continue
            ring, used = self._ring(start)
            left -= used
            start = self._next(self.position)
            if len(ring) > 2:
                rings.append([*ring, ring[0]])
        return rings

    def _next(self, position: int) -> int:
        return 0 if position + 1 == len(self.points) - 1 else position + 1

    def _ring(self, start: int) -> tuple[list[Vertex], int]:
        ring: list[Vertex] = []
        position, direction, used = start, 1, 0
        while self.turns[2 * position + direction] is not None:
            here = self.points[position]
            if len(ring) >= 2 and here.near(ring[-2]):
                ring.pop()
            elif not ring or not here.near(ring[-1]):
                ring.append(here)
            slot = 2 * position + direction
            turn = self.turns[2 * position + (1 if direction == 1 else -2)]
            self.turns[slot] = None
            used += 1
            if turn is None:
                break
            direction = turn.towards - turn.at
            position = turn.at
        self.position = position
        return ring, used


def crossing(a: Vertex, b: Vertex, c: Vertex, d: Vertex) -> Vertex | None:
    """Where the segments ab and cd meet other than at a common end; on one line, where the overlap begins."""
    if c == b or a in (d, c) or b == d:
        return None
    to_lat, to_lon = c.lat - b.lat, c.lon - b.lon
    first_lat, first_lon = a.lat - b.lat, a.lon - b.lon
    second_lat, second_lon = c.lat - d.lat, c.lon - d.lon
    determinant = first_lat * second_lon - second_lat * first_lon
    if determinant == 0:
        if first_lat * to_lon - first_lon * to_lat != 0:
            return None
        return _overlap(a, b, c, d, 0 if abs(to_lat) > abs(to_lon) else 1)
    x = (second_lon * to_lat - second_lat * to_lon) / determinant
    y = (first_lat * to_lon - first_lon * to_lat) / determinant
    if x <= -1e-7 or x >= 1 + 1e-7 or y <= -1e-7 or y >= 1 + 1e-7:
        return None
    return Vertex(b.lat + x * first_lat, b.lon + x * first_lon)


def _overlap(a: Vertex, b: Vertex, c: Vertex, d: Vertex, axis: int) -> Vertex | None:
    """Where the overlap of two segments on one line begins along an axis (0: latitude, 1: longitude)."""
    first = (a, b) if a[axis] < b[axis] else (b, a)
    second = (c, d) if c[axis] < d[axis] else (d, c)
    if first[1][axis] < second[0][axis] or second[1][axis] < first[0][axis]:
        return None
    return second[0] if first[0][axis] < second[0][axis] else first[0]
