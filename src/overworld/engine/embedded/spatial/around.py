"""``around``: what is within a distance of points, of a polyline, or of the elements of a set.

Distances are to outlines: a point inside a closed way is as far as its border is. Of relations, the direct node and way
members count, on both sides. Source: Overpass API/Overpass QL, "Relative to other elements (around)".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overworld.core.elements import ElementType
from overworld.engine.embedded.context import Context
from overworld.engine.embedded.elementgeometry import latitudes, longitudes
from overworld.engine.embedded.recursion import NODE, WAY, members
from overworld.engine.embedded.sets import EMPTY, ElementSet, Mask, Rows, contains, distinct_rows, unite
from overworld.engine.embedded.spatial.gaps import gapped_near, parents_of_gapped, squares_of
from overworld.engine.embedded.spatial.joins import Boxes, boxes_of_points, overlapping_pairs
from overworld.engine.embedded.spatial.shapes import F64, I64, relations_with, shapes_of
from overworld.engine.embedded.spatial.sphere import (
    DEGREES_PER_METRE,
    QUARTER,
    Segments,
    Vectors,
    crossing,
    distances,
    joined,
    near_segments,
    segments_between,
    unit_vectors,
)
from overworld.ql.tree import AroundFilter
from overworld.world.boxindex import boxes_meeting, nodes_in_box
from overworld.world.quads import common_quads, node_quads
from overworld.world.store import World

SAME_PLACE = 1e-7
"""Degrees; points that are closer than this in both directions are one, whatever the radius."""
SLACK = 2e-6
"""Degrees added to boxes so that no candidate is lost to rounding."""
BULGE = 0.03
"""How far a great circle strays from a straight line in degrees, at most, per square degree of its length."""
LONG = 5.0
"""Degrees; a longer segment is taken to reach anywhere."""
INDEX_TILE = 1 << 16
BYTES_PER_TILE = 112
"""What the engine needs for each index tile around a point: it lists them all."""
PORTION = 1 << 18
"""How many segments are made at once."""
SEARCHED_SINGLY = 128
"""Up to so many surroundings are looked up in the index one by one, more as one box."""


class Outline:
    """Points and segments that distances are measured from."""

    def __init__(self, lat: F64, lon: F64, segments: Segments) -> None:
        self.lat = lat
        self.lon = lon
        self.vectors = unit_vectors(lat, lon)
        self.segments = segments


class Starts(NamedTuple):
    """What an outline is made of: its points, and the ends of its segments; degrees."""

    lat: F64
    lon: F64
    lat1: F64
    lon1: F64
    lat2: F64
    lon2: F64


class AroundRegion:
    """What is near."""

    def __init__(self, context: Context, wanted: AroundFilter) -> None:
        self._context = context
        self._world = context.world
        self._radius = wanted.radius_m
        starts = _starts(context.world, wanted, context.get(wanted.set_name))
        context.check()
        self._outline_tiles = _Tiles(starts.lat, starts.lon, self._radius)
        context.check_space(BYTES_PER_TILE * self._outline_tiles.count())
        self._outline = Outline(starts.lat, starts.lon, _segments(context, starts))
        self._centres = _around(boxes_of_points(self._outline.lat, self._outline.lon), self._radius)
        self._stretches = _around(_segment_boxes(self._outline.segments), self._radius)
        elements = context.get(wanted.set_name)
        self._gapped = gapped_near(context.prepared, lambda: _tiles(self._world, wanted, elements, self._radius))

    # ------------------------------------------------------------------------------ candidates

    def find_nodes(self) -> Rows:
        """The nodes in the boxes around."""
        nodes = self._world.nodes
        return self._found([nodes_in_box(nodes, *box) for box in self._searched()], len(nodes.ids))

    def find_ways(self) -> Rows:
        """The ways whose box meets a box around."""
        ways = self._world.ways
        found = self._found([boxes_meeting(ways.index, ways.boxes, *box) for box in self._searched()], len(ways.ids))
        return unite(found, self._gapped)

    def find_relations(self) -> Rows:
        """The relations whose box meets a box around."""
        table = self._world.relations
        found = self._found([boxes_meeting(table.index, table.boxes, *box) for box in self._searched()], len(table.ids))
        return unite(found, parents_of_gapped(self._world, self._context.prepared))

    def _found(self, parts: list[Rows], count: int) -> Rows:
        if len(parts) <= 1:
            return parts[0] if parts else EMPTY
        return distinct_rows(np.concatenate(parts), count)

    def _searched(self) -> Iterator[tuple[int, int, int, int]]:
        """Boxes around everything, in 1e-7 degree."""
        parts = [np.concatenate(pair) for pair in zip(self._centres, self._stretches, strict=True)]
        boxes = Boxes(*parts)
        if len(boxes.south) > SEARCHED_SINGLY:
            boxes = Boxes(
                *(np.array([side]) for side in (parts[0].min(), parts[1].min(), parts[2].max(), parts[3].max()))
            )
        south, north = np.maximum(boxes.south, -90.0), np.minimum(boxes.north, 90.0)
        west, east = np.maximum(boxes.west, -180.0), np.minimum(boxes.east, 180.0)
        sides = (np.floor(south * 1e7), np.floor(west * 1e7), np.ceil(north * 1e7), np.ceil(east * 1e7))
        return zip(*(side.astype(np.int64).tolist() for side in sides), strict=True)

    # ------------------------------------------------------------------------------ exact tests

    def keep_nodes(self, rows: Rows) -> Rows:
        """The nodes within the radius."""
        nodes = self._world.nodes
        lat, lon = latitudes(nodes.lat[rows]), longitudes(nodes.lon[rows])
        return rows[self._points_near(lat, lon)]

    def keep_ways(self, rows: Rows) -> Rows:
        """The ways with a vertex within the radius, a segment that passes by, or one that crosses the outline."""
        rows = self._ways_nearby(rows)
        if len(rows) == 0:
            return rows
        shapes = shapes_of(self._world, rows)
        owners, lat, lon = shapes.owners(), shapes.lat, shapes.lon
        near = np.zeros(len(rows), dtype=bool)
        near[owners[self._points_near(lat, lon)]] = True
        starts = shapes.segment_starts()
        starts = starts[~near[owners[starts]]]
        if len(starts):
            segments = segments_between(lat[starts], lon[starts], lat[starts + 1], lon[starts + 1])
            near[owners[starts[self._segments_near(segments)]]] = True
        return rows[near]

    def keep_relations(self, rows: Rows) -> Rows:
        """The relations with such a direct node or way member."""
        return relations_with(self._world, rows, self.keep_nodes, self.keep_ways)

    def _ways_nearby(self, rows: Rows) -> Rows:
        """Those of ``rows`` whose box overlaps a box around, and those with gaps."""
        ways = self._world.ways
        sides = ways.boxes[rows]
        boxes = Boxes(sides[:, 0] / 1e7, sides[:, 1] / 1e7, sides[:, 2] / 1e7, sides[:, 3] / 1e7)
        kept = contains(self._gapped, rows)
        for around in (self._centres, self._stretches):
            for _, second in self._pairs(around, boxes, kept):
                kept[second] = True
        return rows[kept]

    def _points_near(self, lat: F64, lon: F64) -> Mask:
        """Points within the radius of a point or a segment of the outline."""
        outline, radius = self._outline, self._radius
        near = np.zeros(len(lat), dtype=bool)
        row, column = _tile(lat + 91.0), _tile(lon)
        for first, second in self._pairs(self._centres, boxes_of_points(lat, lon), near):
            kept = self._outline_tiles.hold(first, row[second], column[second])
            first, second = first[kept], second[kept]
            from_lat, from_lon, to_lat, to_lon = outline.lat[first], outline.lon[first], lat[second], lon[second]
            hit = (np.abs(from_lat - to_lat) < SAME_PLACE) & (np.abs(from_lon - to_lon) < SAME_PLACE)
            if radius > 0:
                hit |= distances(from_lat, from_lon, to_lat, to_lon) <= radius
            near[second[hit]] = True
        if len(outline.segments.lat1) == 0:
            return near
        rest = np.flatnonzero(~near)
        lat, lon = lat[rest], lon[rest]
        vectors, found = unit_vectors(lat, lon), np.zeros(len(rest), dtype=bool)
        for first, second in self._pairs(_around_the_world(self._stretches), boxes_of_points(lat, lon), found):
            some = outline.segments.at(first % len(outline.segments.lat1))
            hit = near_segments(some, lat[second], lon[second], vectors.at(second), radius)
            found[second[hit]] = True
        near[rest[found]] = True
        return near

    def _segments_near(self, segments: Segments) -> Mask:
        outline = self._outline
        near = np.zeros(len(segments.lat1), dtype=bool)
        boxes = _segment_boxes(segments)
        for first, second in self._pairs(_around_the_world(self._centres), boxes, near):
            first = first % max(1, len(outline.lat))
            points: Vectors = outline.vectors.at(first)
            hit = near_segments(segments.at(second), outline.lat[first], outline.lon[first], points, self._radius)
            near[second[hit]] = True
        for first, second in self._pairs(_around_the_world(self._stretches), boxes, near):
            hit = crossing(outline.segments.at(first % len(outline.segments.lat1)), segments.at(second))
            near[second[hit]] = True
        return near

    def _pairs(
        self, around: Boxes, boxes: Boxes, done: Mask
    ) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
        """Overlapping pairs, without those whose second one is ``done`` by now."""
        for first, second in overlapping_pairs(around, boxes):
            self._context.check()
            open_ones = ~done[second]
            yield first[open_ones], second[open_ones]
            if done.all():
                return


def _starts(world: World, wanted: AroundFilter, elements: ElementSet) -> Starts:
    if wanted.points:
        lat = np.array([point[0] for point in wanted.points])
        lon = np.array([point[1] for point in wanted.points])
        return Starts(lat, lon, lat[:-1], lon[:-1], lat[1:], lon[1:])
    nodes = unite(elements.nodes, members(world, elements.relations, NODE))
    shapes = shapes_of(world, unite(elements.ways, members(world, elements.relations, WAY)))
    lat, lon, first = shapes.lat, shapes.lon, shapes.segment_starts()
    return Starts(
        np.concatenate((latitudes(world.nodes.lat[nodes]), lat)),
        np.concatenate((longitudes(world.nodes.lon[nodes]), lon)),
        lat[first],
        lon[first],
        lat[first + 1],
        lon[first + 1],
    )


def _segments(context: Context, starts: Starts) -> Segments:
    """The segments of an outline: in portions, so that the clock is seen in between."""
    parts = []
    for start in range(0, max(1, len(starts.lat1)), PORTION):
        parts.append(segments_between(*(side[start : start + PORTION] for side in starts[2:])))
        context.check()
    return joined(parts)


def _tiles(world: World, wanted: AroundFilter, elements: ElementSet, radius: float) -> Boxes:
    """Where the engine looks for ways: the index squares of what to measure from, grown by the radius (1e-7 degree)."""
    if wanted.points:
        lat, lon = (np.array(side) * 1e7 for side in zip(*wanted.points, strict=True))
        quads = node_quads(np.rint(lat).astype(np.int32), np.rint(lon).astype(np.int32))
        quads = common_quads(quads, np.array([0, len(quads)]))
    else:
        kinds = (ElementType.NODE, ElementType.WAY, ElementType.RELATION)
        quads = np.concatenate([world.tables[kind].quad[elements.rows(kind)] for kind in kinds])
    degrees = _around(Boxes(*(side / 1e7 for side in squares_of(np.unique(quads)))), radius)
    return Boxes(*(side * 1e7 for side in degrees))


def _segment_boxes(segments: Segments) -> Boxes:
    """Boxes that hold the segments' great circles. One that crosses the 180th meridian reaches beyond it."""
    lat_low, lat_high = np.minimum(segments.lat1, segments.lat2), np.maximum(segments.lat1, segments.lat2)
    lon_low, lon_high = np.minimum(segments.lon1, segments.lon2), np.maximum(segments.lon1, segments.lon2)
    over = lon_high - lon_low > 180.0
    if over.any():
        lon_low, lon_high = np.where(over, lon_high, lon_low), np.where(over, lon_low + 360.0, lon_high)
    bulge = BULGE * np.square(lon_high - lon_low)
    boxes = Boxes(lat_low - bulge, lon_low, lat_high + bulge, lon_high)
    long = (lon_high - lon_low > LONG) | (lat_high - lat_low > LONG)
    if long.any():
        whole = (-90.0, -180.0, 90.0, 180.0)
        boxes = Boxes(*(np.where(long, edge, side) for edge, side in zip(whole, boxes, strict=True)))
    return boxes


def _around(boxes: Boxes, radius: float) -> Boxes:
    """Boxes grown by a radius."""
    reach = radius * DEGREES_PER_METRE + SLACK
    south, north = boxes.south - reach, boxes.north + reach
    highest = np.minimum(np.maximum(np.abs(south), np.abs(north)), 89.9)
    across = np.where(highest < 89.9, reach / np.cos(np.radians(highest)), 360.0)
    return Boxes(south, boxes.west - across, north, boxes.east + across)


def _around_the_world(boxes: Boxes) -> Boxes:
    """Each box also one turn to the east and west, if some reach over the 180th meridian.

    Position i of the result belongs to box ``i % len(boxes)``.
    """
    if len(boxes.west) == 0 or (boxes.west.min() >= -180.0 and boxes.east.max() <= 180.0):
        return boxes
    turns = (0.0, 360.0, -360.0)
    west, east = (np.concatenate([side + turn for turn in turns]) for side in (boxes.west, boxes.east))
    return Boxes(np.tile(boxes.south, 3), west, np.tile(boxes.north, 3), east)


class _Tiles:
    """The index tiles around points, as far as the radius reaches: only there the engine compares with a point.

    Matters for distances below what it can tell apart (a decimetre), and at the 180th meridian.
    """

    def __init__(self, lat: F64, lon: F64, radius: float) -> None:
        reach = radius * DEGREES_PER_METRE
        south, north = lat - reach, lat + reach
        highest = np.minimum(np.abs(np.where(lat > 0.0, north, south)), 89.9)
        across = reach / np.cos(highest / 90.0 * QUARTER)
        self._south, self._north = _tile(south + 91.0), _tile(north + 91.0)
        self._west, self._east = _tile(lon - across), _tile(lon + across)

    def hold(self, point: I64, row: I64, column: I64) -> Mask:
        """For pairs of a point of the outline and a tile: whether the tile is around the point."""
        held: Mask = (self._south[point] <= row) & (row <= self._north[point])
        return held & (self._west[point] <= column) & (column <= self._east[point])

    def count(self) -> int:
        """How many tiles there are around all points, each counted for each point."""
        tall, wide = self._north - self._south + 1.0, self._east - self._west + 1.0
        return int(min(float((tall * wide).sum()), 1e18))


def _tile(degrees: F64) -> I64:
    """The index tile (row or column) that lies at these degrees."""
    clipped = np.clip(degrees, -1e6, 1e6)
    found: I64 = np.floor(np.trunc(clipped * 10_000_000 + np.where(clipped > 0, 0.5, -0.5)) / INDEX_TILE).astype(
        np.int64
    )
    return found
