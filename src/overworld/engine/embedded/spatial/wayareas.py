"""Closed ways of a set as areas: which points, ways and places they cover."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from overworld.engine.embedded.context import Context
from overworld.engine.embedded.elementgeometry import LAT_OFFSET_E7
from overworld.engine.embedded.sets import Mask, Rows
from overworld.engine.embedded.spatial.fineblocks import Entries, FineBlocks, entries_of, joined, point_relations
from overworld.engine.embedded.spatial.joins import Boxes, overlapping_pairs
from overworld.engine.embedded.spatial.segmentblocks import I64
from overworld.engine.embedded.spatial.shapes import F64, shapes_of
from overworld.world.store import World

SLACK = 2.0
"""Units by which a point may miss the box of a way and yet be on its border."""
PORTION = 100_000
"""So many pairs of a point and a way are looked at before the clock is."""
MANY_SEGMENTS = 10_000
"""From so many segments on, those in tiles without any way are left out first."""
Sides = tuple[int, int, int, int]


class WayAreas:
    """Closed ways, filed in tiles when they are first asked for."""

    def __init__(self, context: Context, rows: Rows) -> None:
        self._context = context
        self._world = context.world
        self.rows = rows
        self._filed: tuple[FineBlocks, Boxes] | None = None

    def __bool__(self) -> bool:
        return len(self.rows) > 0

    def boxes(self) -> list[Sides]:
        """The ways' boxes."""
        return [(south, west, north, east) for south, west, north, east in self._world.ways.boxes[self.rows].tolist()]

    @property
    def blocks(self) -> FineBlocks:
        """The tiles that the ways are filed in. Owners are positions of the ways."""
        return self._blocks()[0]

    def _blocks(self) -> tuple[FineBlocks, Boxes]:
        if self._filed is None:
            sides = self._world.ways.boxes[self.rows].astype(np.float64)
            sides[self._world.ways.complete[self.rows] == 0] = (-1e9, -2e9, 1e9, 2e9)
            blocks = FineBlocks(_filed_segments(self._context, self.rows))
            sides[blocks.leaking, 3] = 2e9
            boxes = Boxes(sides[:, 0] - SLACK, sides[:, 1] - SLACK, sides[:, 2] + SLACK, sides[:, 3] + SLACK)
            self._filed = blocks, boxes
        return self._filed

    def relations(self, lat_e7: I64, lon_e7: I64) -> tuple[I64, I64, Mask, Mask]:
        """Pairs of a point and a way (positions) that are close; whether inside, whether on the border."""
        nothing, never = np.empty(0, dtype=np.int64), np.empty(0, dtype=bool)
        parts = [(nothing, nothing, never, never), *self._relations(lat_e7, lon_e7, np.zeros(len(lat_e7), dtype=bool))]
        point, way, inside, border = (np.concatenate(column) for column in zip(*parts, strict=True))
        return point, way, inside, border

    def _relations(self, lat_e7: I64, lon_e7: I64, done: Mask) -> Iterator[tuple[I64, I64, Mask, Mask]]:
        """The same in portions, without the points that are ``done`` by then."""
        blocks, boxes = self._blocks()
        places = Boxes(*(side.astype(np.float64) for side in (lat_e7, lon_e7, lat_e7, lon_e7)))
        for ways, points in overlapping_pairs(boxes, places):
            for start in range(0, len(points), PORTION):
                way, point = ways[start : start + PORTION], points[start : start + PORTION]
                if done.any():
                    open_ones = ~done[point]
                    way, point = way[open_ones], point[open_ones]
                self._context.check()
                lat, lon = lat_e7[point] + LAT_OFFSET_E7, lon_e7[point]
                block, inside = blocks.find(way, lat >> 16, lon >> 16)
                border = np.zeros(len(point), dtype=bool)
                known = np.flatnonzero(block >= 0)
                inside[known], border[known] = point_relations(blocks, block[known], lat[known], lon[known])
                yield point, way, inside, border

    def covering(self, lat_e7: I64, lon_e7: I64) -> Rows:
        """The ways that cover one of the points, border included."""
        found = np.zeros(len(self.rows), dtype=bool)
        for _, way, inside, border in self._relations(lat_e7, lon_e7, np.zeros(len(lat_e7), dtype=bool)):
            found[way[inside | border]] = True
        return self.rows[found]

    def points_inside(self, lat_e7: I64, lon_e7: I64, *, border_counts: bool) -> Mask:
        """Which points are inside a way or, if it counts, on its border."""
        found = np.zeros(len(lat_e7), dtype=bool)
        if border_counts:
            for point, _, inside, border in self._relations(lat_e7, lon_e7, found):
                found[point[inside | border]] = True
            return found
        point, way, inside, border = self.relations(lat_e7, lon_e7)
        # The first way in the engine's order that a point has to do with decides: on its border is not inside.
        related = np.flatnonzero(inside | border)
        rank = np.lexsort((self._engine_order()[way[related]], point[related]))
        related = related[rank]
        leading = np.diff(point[related], prepend=-1) != 0
        found[point[related[leading]]] = inside[related[leading]]
        return found

    def _engine_order(self) -> I64:
        """The rank of each way in quadtile order."""
        quads = self._world.ways.quad[self.rows].astype(np.int64)
        order = np.lexsort((np.arange(len(quads)), quads >> 31, quads & 0x7FFFFFFF))
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        return rank

    def ways_inside(self, rows: Rows) -> Mask:
        """Which of ``rows`` have a part strictly inside."""
        found = np.zeros(len(rows), dtype=bool)
        near = np.flatnonzero(self._near(rows))
        if len(near) == 0:
            return found
        found[near] = self._have_parts_inside(rows[near])
        return found

    def _near(self, rows: Rows) -> Mask:
        sides = self._world.ways.boxes[rows].astype(np.float64)
        near: Mask = self._world.ways.complete[rows] == 0
        boxes = Boxes(sides[:, 0], sides[:, 1], sides[:, 2], sides[:, 3])
        for _, second in overlapping_pairs(self._blocks()[1], boxes):
            near[second] = True
        return near

    def _have_parts_inside(self, rows: Rows) -> Mask:
        entries = _filed_segments(self._context, rows)
        if len(entries.owner) > MANY_SEGMENTS:
            entries = entries.at(np.flatnonzero(self.blocks.concerned(entries.row, entries.column)))
        inside = np.zeros(len(rows), dtype=bool)
        for lat, lon in ((entries.west_lat, entries.west_lon), (entries.east_lat, entries.east_lon)):
            home = np.flatnonzero((lat >> 16 == entries.row) & (lon >> 16 == entries.column) & ~inside[entries.owner])
            done = np.zeros(len(home), dtype=bool)
            for point, _, within, _ in self._relations(lat[home] - LAT_OFFSET_E7, lon[home], done):
                inside[entries.owner[home[point[within]]]] = True
                done = inside[entries.owner[home]]
        rest = entries.at(np.flatnonzero(~inside[entries.owner]))
        if len(rest.owner):
            inside[rest.owner[self._crossing(rest)]] = True
        return inside

    def _crossing(self, entries: Entries) -> I64:
        """Which of the filed segments cross a way, or touch one and have a stretch between inside."""
        blocks, boxes = self._blocks()
        found = [np.empty(0, dtype=np.int64)]
        sides = Boxes(
            (np.minimum(entries.west_lat, entries.east_lat) - LAT_OFFSET_E7).astype(np.float64),
            entries.west_lon.astype(np.float64),
            (np.maximum(entries.west_lat, entries.east_lat) - LAT_OFFSET_E7).astype(np.float64),
            entries.east_lon.astype(np.float64),
        )
        for way, entry in overlapping_pairs(boxes, sides):
            self._context.check()
            block, _ = blocks.find(way, entries.row[entry], entries.column[entry])
            known = block >= 0
            found.append(_met(blocks, block[known], entries, entry[known]))
        return np.concatenate(found)


def _filed_segments(context: Context, rows: Rows) -> Entries:
    """The segments of all ways, by their positions. Those of a way with gaps go around the world: they are kept."""
    gaps = context.world.ways.complete[rows] == 0
    whole, gapped = np.flatnonzero(~gaps), np.flatnonzero(gaps)
    entries = entries_of(shapes_of(context.world, rows[whole]))
    parts = [replace(entries, owner=whole[entries.owner])]
    for place in gapped.tolist():
        key = ("entries", int(rows[place]))
        kept = context.prepared.get(key, partial(_entries_of_ways, rows=rows[place : place + 1]))
        parts.append(replace(kept, owner=np.full(len(kept.owner), place)))
    return joined(parts) if gapped.size else parts[0]


def _entries_of_ways(world: World, rows: Rows) -> Entries:
    return entries_of(shapes_of(world, rows))


def _met(blocks: FineBlocks, block: I64, entries: Entries, entry: I64) -> I64:
    pair, a = blocks.entries_of_blocks(block)
    s = entries.at(entry[pair])
    level = (a.west_lon <= s.east_lon) & (s.west_lon <= a.east_lon)
    pair, a, s = pair[level], a.at(np.flatnonzero(level)), s.at(np.flatnonzero(level))
    a_west, a_east = _sides(s, a.west_lat, a.west_lon), _sides(s, a.east_lat, a.east_lon)
    s_west, s_east = _sides(a, s.west_lat, s.west_lon), _sides(a, s.east_lat, s.east_lon)
    meets = ~((a_east * a_west > 0) | (s_east * s_west > 0))
    proper = meets & (a_west != 0) & (a_east != 0) & (s_west != 0) & (s_east != 0)
    found = [entry[pair[proper]]]
    touch_west = meets & (a_west == 0)
    touch_east = meets & (a_east == 0)
    touch_own = meets & (a_west != 0) & (a_east != 0) & (s_west == 0)
    points = np.concatenate(
        [
            np.column_stack((pair[mask], lat[mask], lon[mask]))
            for mask, lat, lon in (
                (touch_west, a.west_lat, a.west_lon),
                (touch_east, a.east_lat, a.east_lon),
                (touch_own, s.west_lat, s.west_lon),
            )
        ]
    )
    if len(points):
        found.append(entry[_stretch_inside(blocks, block, entries.at(entry), points)])
    return np.concatenate(found)


def _sides(line: Entries, lat: I64, lon: I64) -> F64:
    """On which side of a line points lie: positive, negative or zero."""
    product: F64 = (lat - line.west_lat).astype(np.float64) * (line.east_lon - line.west_lon) - (
        lon - line.west_lon
    ) * (line.east_lat - line.west_lat).astype(np.float64)
    return product


def _stretch_inside(blocks: FineBlocks, block: I64, segments: Entries, touching: I64) -> I64:
    """The pairs whose segment, cut at the points where it touches the way, has a middle of a stretch inside."""
    pairs = np.unique(touching[:, 0])
    ends = [
        np.column_stack((pairs, lat[pairs], lon[pairs]))
        for lat, lon in ((segments.west_lat, segments.west_lon), (segments.east_lat, segments.east_lon))
    ]
    points = np.unique(np.concatenate((touching, *ends)), axis=0)
    same = points[1:, 0] == points[:-1, 0]
    first, second = points[:-1][same], points[1:][same]
    total = first[:, 2] + second[:, 2]
    lat = (first[:, 1] + second[:, 1]) // 2
    # Halves are rounded towards Greenwich.
    lon = np.where(total < 0, -(-total // 2), total // 2)
    inside, _ = point_relations(blocks, block[first[:, 0]], lat, lon)
    found: I64 = first[inside, 0]
    return found
