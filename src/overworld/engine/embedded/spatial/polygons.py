"""``poly``: what lies in a polygon. Its border belongs to it; of relations, direct members strictly inside count.

Source: Overpass API/Overpass QL, "By polygon".
"""

from __future__ import annotations

import numpy as np

from overworld.engine.embedded.context import Context
from overworld.engine.embedded.elementgeometry import LAT_OFFSET_E7
from overworld.engine.embedded.sets import Mask, Rows, contains, unite
from overworld.engine.embedded.spatial.borders import Border, point_states
from overworld.engine.embedded.spatial.gaps import gapped_near, parents_of_gapped
from overworld.engine.embedded.spatial.segmentblocks import (
    Blocks,
    aligned_segments,
    boxes_of_tiles,
    closed_by_southern_edges,
)
from overworld.engine.embedded.spatial.shapes import relations_with, shapes_of
from overworld.engine.embedded.spatial.wayblocks import shapes_inside
from overworld.ql.tree import PolygonFilter
from overworld.world.boxindex import boxes_meeting, nodes_in_box
from overworld.world.store import World


class PolygonRegion:
    """What a polygon selects."""

    def __init__(self, context: Context, wanted: PolygonFilter) -> None:
        self._context = context
        self._world: World = context.world
        self._border = Border(_border(wanted.points))
        sides = self._border.blocks.boxes()
        south, north = int(sides.south.min()) - LAT_OFFSET_E7, int(sides.north.max()) - LAT_OFFSET_E7
        self._box = (south, int(sides.west.min()), north, int(sides.east.max()))
        self._gapped = gapped_near(context.prepared, lambda: boxes_of_tiles(np.unique(self._border.blocks.tiles())))

    def find_nodes(self) -> Rows:
        """The nodes in the polygon's box."""
        return nodes_in_box(self._world.nodes, *self._box)

    def find_ways(self) -> Rows:
        """The ways whose box meets the polygon's."""
        ways = self._world.ways
        found = boxes_meeting(ways.index, ways.boxes, *self._box)
        return unite(found, self._gapped)

    def find_relations(self) -> Rows:
        """The relations whose box meets the polygon's."""
        relations = self._world.relations
        found = boxes_meeting(relations.index, relations.boxes, *self._box)
        return unite(found, parents_of_gapped(self._world, self._context.prepared))

    def keep_nodes(self, rows: Rows) -> Rows:
        """The nodes inside or on the border."""
        return self._nodes(rows, border_counts=True)

    def keep_ways(self, rows: Rows) -> Rows:
        """The ways that reach inside or run along the border."""
        return self._ways(rows, border_counts=True)

    def keep_relations(self, rows: Rows) -> Rows:
        """The relations with a direct member inside."""
        return relations_with(
            self._world,
            rows,
            lambda nodes: self._nodes(nodes, border_counts=False),
            lambda ways: self._ways(ways, border_counts=False),
        )

    def _nodes(self, rows: Rows, *, border_counts: bool) -> Rows:
        nodes = self._world.nodes
        states = point_states(
            self._border, nodes.lat[rows].astype(np.int64) + LAT_OFFSET_E7, nodes.lon[rows].astype(np.int64)
        )
        return rows[states.inside_or_border if border_counts else states.inside_by_count]

    def _ways(self, rows: Rows, *, border_counts: bool) -> Rows:
        gapped = contains(self._gapped, rows) if border_counts else self._world.ways.complete[rows] == 0
        rows = rows[near_box(self._world, rows, self._box) | gapped]
        if len(rows) == 0:
            return rows
        shapes = shapes_of(self._world, rows)
        return rows[shapes_inside(self._border, self._border.blocks.chain, shapes, border_counts=border_counts)]


def near_box(world: World, rows: Rows, box: tuple[int, int, int, int]) -> Mask:
    """Which ways have a box that meets the box, a unit to spare."""
    sides, (south, west, north, east) = world.ways.boxes[rows], box
    near: Mask = (sides[:, 0] <= north + 1) & (sides[:, 2] >= south - 1)
    near &= (sides[:, 1] <= east + 1) & (sides[:, 3] >= west - 1)
    return near


def _border(points: tuple[tuple[float, float], ...]) -> Blocks:
    """The closed ring of the points, rounded to units, cut into tiles."""
    corners = [
        (int((lat + 91.0) * 10_000_000 + 0.5), int(lon * 10_000_000 + (0.5 if lon > 0 else -0.5)))
        for lat, lon in points
    ]
    pieces = [
        piece
        for (lat1, lon1), (lat2, lon2) in zip(corners, corners[1:] + corners[:1], strict=True)
        for piece in aligned_segments(lat1, lon1, lat2, lon2)
    ]
    sides = np.array(pieces, dtype=np.int64)
    chain = np.arange(len(sides))
    blocks = Blocks(sides[:, 0], sides[:, 1], sides[:, 2], sides[:, 3], chain, np.zeros_like(chain))
    return closed_by_southern_edges(blocks)
