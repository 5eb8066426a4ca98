"""Bounding boxes. A node is compared in whole units; a way by its segments, in the engine's floating-point arithmetic.

Source: Overpass API/Overpass QL, "By bounding box"; a box with west > east crosses the 180th meridian.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from overworld.core.boxes import Box
from overworld.engine.embedded.elementgeometry import Clip, latitudes, longitudes
from overworld.engine.embedded.prepared import Prepared
from overworld.engine.embedded.sets import Mask, Rows, contains, unite
from overworld.engine.embedded.spatial.gaps import gapped_near, parents_of_gapped
from overworld.engine.embedded.spatial.joins import Boxes
from overworld.engine.embedded.spatial.shapes import F64, Shapes, relations_with, shapes_of
from overworld.world.boxindex import boxes_meeting, nodes_in_box
from overworld.world.store import World

Sides = npt.NDArray[np.int32]
HALF_TURN = 1_800_000_000


def is_valid(box: Box) -> bool:
    """Whether the engine takes the box for one; a global box that is none limits nothing."""
    return -90.0 <= box.south <= box.north <= 90.0 and -180.0 <= box.east <= 180.0 and -180.0 <= box.west <= 180.0


class BoxRegion:
    """What a bounding box selects."""

    def __init__(self, world: World, prepared: Prepared, box: Box) -> None:
        self._world = world
        self._prepared = prepared
        self._box = box
        clip = Clip.of(box)
        self._sides = (clip.south, clip.west, clip.north, clip.east)
        self._clip = clip
        self._gapped = gapped_near(prepared, lambda: _unwrapped(*self._sides))

    def find_nodes(self) -> Rows:
        """Exactly the nodes inside."""
        return nodes_in_box(self._world.nodes, *self._sides)

    def find_ways(self) -> Rows:
        """The ways whose box meets this one."""
        ways = self._world.ways
        return unite(boxes_meeting(ways.index, ways.boxes, *self._sides), self._gapped)

    def find_relations(self) -> Rows:
        """The relations whose box meets this one."""
        relations = self._world.relations
        found = boxes_meeting(relations.index, relations.boxes, *self._sides)
        return unite(found, parents_of_gapped(self._world, self._prepared))

    def keep_nodes(self, rows: Rows) -> Rows:
        """The nodes inside, border included."""
        nodes = self._world.nodes
        return rows[self._clip.holds(nodes.lat[rows], nodes.lon[rows])]

    def keep_ways(self, rows: Rows) -> Rows:
        """The ways with a node or segment inside."""
        return self._ways(rows, contains(self._gapped, rows))

    def _ways(self, rows: Rows, gapped: Mask) -> Rows:
        if len(rows) == 0:
            return rows
        ways = self._world.ways
        sides = ways.boxes[rows]
        surely = self._holds_boxes(sides) & (ways.complete[rows] == 1)
        doubtful = ~surely & (self._meets_boxes(sides) | gapped)
        if not doubtful.any():
            sure: Rows = rows[surely]
            return sure
        shapes = shapes_of(self._world, rows[doubtful])
        surely[doubtful] = _shapes_meeting(shapes, self._box)
        kept: Rows = rows[surely]
        return kept

    def keep_relations(self, rows: Rows) -> Rows:
        """The relations with a direct node or way member inside."""
        incomplete = self._world.ways.complete
        return relations_with(
            self._world, rows, self._member_nodes, lambda ways: self._ways(ways, incomplete[ways] == 0)
        )

    def _member_nodes(self, rows: Rows) -> Rows:
        """Nodes inside, compared in degrees: on the border, rounding decides."""
        nodes = self._world.nodes
        return rows[points_in(self._box, latitudes(nodes.lat[rows]), longitudes(nodes.lon[rows]))]

    def _holds_boxes(self, sides: Sides) -> Mask:
        """Boxes that lie inside with a unit to spare: rounding cannot put them outside."""
        south, west, north, east = self._sides
        if west > east:
            return np.zeros(len(sides), dtype=bool)
        held: Mask = (sides[:, 0] > south) & (sides[:, 2] < north) & (sides[:, 1] > west) & (sides[:, 3] < east)
        return held & (sides[:, 0] <= sides[:, 2])

    def _meets_boxes(self, sides: Sides) -> Mask:
        south, west, north, east = self._sides
        if west > east:
            return np.ones(len(sides), dtype=bool)
        meets: Mask = (sides[:, 0] <= north + 1) & (sides[:, 2] >= south - 1)
        return meets & (sides[:, 1] <= east + 1) & (sides[:, 3] >= west - 1)


def _unwrapped(south: int, west: int, north: int, east: int) -> Boxes:
    """The box, or the two that it is made of where it crosses the 180th meridian."""
    spans = [(west, east)] if west <= east else [(west, HALF_TURN), (-HALF_TURN, east)]
    sides = np.array([(south, low, north, high) for low, high in spans], dtype=np.float64)
    return Boxes(*sides.T)


def _shapes_meeting(shapes: Shapes, box: Box) -> Mask:
    """Which ways meet the box: the only node of a way with one, or a segment."""
    lat, lon = shapes.lat, shapes.lon
    starts = shapes.segment_starts()
    owners = shapes.owners()
    found = np.zeros(len(shapes.rows), dtype=bool)
    crossing = segments_meeting(box, lat[starts], lon[starts], lat[starts + 1], lon[starts + 1])
    found[owners[starts[crossing]]] = True
    single = np.flatnonzero(np.diff(shapes.offsets) == 1)
    if len(single):
        at = shapes.offsets[single]
        found[single] = points_in(box, lat[at], lon[at])
    return found


def points_in(box: Box, lat: F64, lon: F64) -> Mask:
    """Which points (degrees) lie in the box, border included."""
    inside: Mask = (lat >= box.south) & (lat <= box.north)
    if box.west <= box.east:
        return inside & (lon >= box.west) & (lon <= box.east)
    return inside & ((lon >= box.west) | (lon <= box.east))


def segments_meeting(box: Box, lat1: F64, lon1: F64, lat2: F64, lon2: F64) -> Mask:
    """Which segments (degrees) touch the box: cut to the box's latitudes, then compared in longitude."""
    out = ((lat1 < box.south) & (lat2 < box.south)) | ((lat1 > box.north) & (lat2 > box.north))
    kept = np.flatnonzero(~out)
    found = np.zeros(len(lat1), dtype=bool)
    if len(kept):
        found[kept] = _crossing(box, lat1[kept], lon1[kept], lat2[kept], lon2[kept])
    return found


def _crossing(box: Box, lat1: F64, lon1: F64, lat2: F64, lon2: F64) -> Mask:
    from1 = np.where((lon1 < 0) & (lon2 - lon1 > 180), lon1 + 360, lon1)
    to1 = np.where((lon2 < 0) & (lon1 - lon2 > 180), lon2 + 360, lon2)
    # A segment that a side cuts is not level there, so that no division by zero is used.
    with np.errstate(divide="ignore", invalid="ignore"):
        shift = np.zeros(len(lat1))
        for edge, beyond in ((box.south, lat1 < box.south), (box.north, lat1 > box.north)):
            shift = np.where(beyond, (to1 - from1) * (edge - lat1) / (lat2 - lat1), shift)
        end = to1
        for edge, beyond in ((box.south, lat2 < box.south), (box.north, lat2 > box.north)):
            end = np.where(beyond, to1 + (from1 - to1) * (edge - lat2) / (lat1 - lat2), end)
    start = from1 + shift
    low, high = np.minimum(start, end), np.maximum(start, end)
    turned = np.where(low > 180, low - 360, low)
    if box.west <= box.east:
        met: Mask = np.where(
            high < 180, (low <= box.east) & (high >= box.west), (turned <= box.east) & (high - 360 >= box.west)
        )
        return met
    over: Mask = np.where(
        high < 180,
        (low <= box.east) | (high >= box.west),
        (low <= 180) | (turned <= box.east) | (high - 360 >= box.west),
    )
    return over
