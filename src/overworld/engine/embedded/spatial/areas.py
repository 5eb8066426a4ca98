"""``area``: what lies in areas of relations, given by a set or an id, and in closed ways of the set.

The border belongs to it for nodes; a way needs a part strictly inside; of relations, direct members count.
Source: Overpass API/Overpass QL, "By area (area)". With an id the closed ways of the default set count as well, as far
as the tiles of the area reach: the engine does so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from overworld.engine.embedded.context import Context
from overworld.engine.embedded.elementgeometry import LAT_OFFSET_E7
from overworld.engine.embedded.given import rows_of_ids
from overworld.engine.embedded.recursion import WAY, members
from overworld.engine.embedded.sets import EMPTY, Mask, Rows, contains, distinct_rows, unite
from overworld.engine.embedded.spatial.borders import Border, PointStates, point_states
from overworld.engine.embedded.spatial.gaps import gapped_near, grown_to_tiles, parents_of_gapped, ways_read
from overworld.engine.embedded.spatial.joins import Boxes
from overworld.engine.embedded.spatial.polygons import near_box
from overworld.engine.embedded.spatial.segmentblocks import (
    HALF_TURN,
    I64,
    TILE,
    Blocks,
    blocks_of_shapes,
    boxes_of_tiles,
    closed_by_southern_edges,
    tiles_of,
)
from overworld.engine.embedded.spatial.shapes import closed_ways, relations_with, shapes_of
from overworld.engine.embedded.spatial.wayareas import WayAreas
from overworld.engine.embedded.spatial.wayblocks import shapes_inside
from overworld.ql.tree import AreaFilter
from overworld.world.boxindex import boxes_meeting, nodes_in_box
from overworld.world.store import World

SEARCHED_SINGLY = 64
Sides = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class AreaBorder:
    """The border of one area of a relation.

    ``order``: the rank of each segment's chain in the engine's storage. ``tiles``: the tiles that it has segments in.
    ``box``: south, west, north, east in 1e-7 degree.
    """

    line: Border
    order: I64
    tiles: I64
    box: Sides


def area_border(context: Context, row: int) -> AreaBorder:
    """The border of an area, kept for the next time."""
    context.check()
    border: AreaBorder = context.prepared.get(("area", row), lambda world: _border(world, row))
    return border


def _border(world: World, row: int) -> AreaBorder:
    relation = world.areas.relations[row : row + 1]
    ways = members(world, relation, WAY)
    shapes = shapes_of(world, ways[world.ways.complete[ways] == 1])
    blocks = closed_by_southern_edges(blocks_of_shapes(shapes))
    blocks, order = _as_stored(blocks)
    south, west, north, east = world.areas.boxes[row].tolist()
    if east - west > HALF_TURN:
        west, east = -HALF_TURN, HALF_TURN
    return AreaBorder(Border(blocks), order, np.unique(blocks.tiles()), (south, west, north, east))


def area_boxes(world: World) -> Boxes:
    """The boxes of all areas, with a unit to spare; one over the 180th meridian goes all around."""
    sides = world.areas.boxes.astype(np.float64)
    around = sides[:, 3] - sides[:, 1] > HALF_TURN
    west, east = np.where(around, -HALF_TURN, sides[:, 1]), np.where(around, HALF_TURN, sides[:, 3])
    return Boxes(sides[:, 0] - 1, west - 1, sides[:, 2] + 1, east + 1)


def _as_stored(blocks: Blocks) -> tuple[Blocks, I64]:
    """Without chains that equal another one in their tile, and the rank of each chain: they are kept sorted."""
    starts = np.flatnonzero(np.diff(blocks.chain, prepend=-1))
    first, second = _interleaved(blocks.lat1, blocks.lon1), _interleaved(blocks.lat2, blocks.lon2)
    bounds = [*starts.tolist(), len(blocks.chain)]
    keys = [(first[low], *second[low:high]) for low, high in pairwise(bounds)]
    tiles = blocks.tiles()[starts].tolist()
    rank = {key: place for place, key in enumerate(sorted(set(keys)))}
    seen: set[tuple[int, int]] = set()
    order, kept = np.empty(len(blocks.chain), dtype=np.int64), np.ones(len(blocks.chain), dtype=bool)
    for low, high, key, tile in zip(bounds[:-1], bounds[1:], keys, tiles, strict=True):
        order[low:high] = rank[key]
        kept[low:high] = (tile, rank[key]) not in seen
        seen.add((tile, rank[key]))
    return blocks.at(np.flatnonzero(kept)), order[kept]


def _interleaved(lat: I64, lon: I64) -> list[int]:
    """Places within the tile as the engine writes them: bits of latitude and longitude in turn."""
    places = np.zeros(len(lat), dtype=np.int64)
    for bit in range(TILE.bit_length() - 1):
        places |= ((lat >> bit) & 1) << (2 * bit + 1) | ((lon >> bit) & 1) << (2 * bit)
    found: list[int] = places.tolist()
    return found


class AreaRegion:
    """What areas select."""

    def __init__(self, context: Context, wanted: AreaFilter) -> None:
        self._context = context
        self._world = context.world
        elements = context.get(wanted.set_name)
        areas = elements.areas
        self._tiles: I64 | None = None
        if wanted.area_id is not None:
            areas = rows_of_ids(self._world.areas.ids, (wanted.area_id,))
        self._borders = [area_border(context, row) for row in areas.tolist()]
        if wanted.area_id is not None:
            self._tiles = np.unique(
                np.concatenate([border.tiles for border in self._borders] or [np.empty(0, np.int64)])
            )
        self._ways = WayAreas(context, closed_ways(self._world, elements.ways))
        self._gapped = self._find_gapped()

    def _find_gapped(self) -> Rows:
        prepared, tiles = self._context.prepared, [border.tiles for border in self._borders]
        found = gapped_near(prepared, lambda: boxes_of_tiles(np.concatenate(tiles))) if tiles else EMPTY
        if self._ways and self._tiles is None:
            sides = self._world.ways.boxes[self._ways.rows].astype(np.float64)
            found = unite(found, gapped_near(prepared, lambda: grown_to_tiles(Boxes(*sides.T))))
        return found

    # ------------------------------------------------------------------------------ candidates

    def _boxes(self) -> Sequence[Sides]:
        boxes = [*(border.box for border in self._borders), *self._ways.boxes()]
        if len(boxes) <= SEARCHED_SINGLY:
            return boxes
        sides = np.array(boxes)
        low, high = sides[:, :2].min(axis=0).tolist(), sides[:, 2:].max(axis=0).tolist()
        return [(low[0], low[1], high[0], high[1])]

    def find_nodes(self) -> Rows:
        """The nodes in the areas' boxes."""
        nodes = self._world.nodes
        return _joined([nodes_in_box(nodes, *box) for box in self._boxes()], len(nodes.ids))

    def find_ways(self) -> Rows:
        """The ways whose box meets an area's."""
        ways = self._world.ways
        found = _joined([boxes_meeting(ways.index, ways.boxes, *box) for box in self._boxes()], len(ways.ids))
        return unite(found, self._gapped)

    def find_relations(self) -> Rows:
        """The relations whose box meets an area's."""
        table = self._world.relations
        found = _joined([boxes_meeting(table.index, table.boxes, *box) for box in self._boxes()], len(table.ids))
        return unite(found, parents_of_gapped(self._world, self._context.prepared))

    # ------------------------------------------------------------------------------ exact tests

    def keep_nodes(self, rows: Rows) -> Rows:
        """The nodes inside or on the border."""
        return self._nodes(rows, border_counts=True)

    def keep_ways(self, rows: Rows) -> Rows:
        """The ways with a part inside."""
        kept = np.zeros(len(rows), dtype=bool)
        for border in self._borders:
            self._context.check()
            near = near_box(self._world, rows, border.box) | contains(self._gapped, rows)
            places = np.flatnonzero(~kept & near)
            if len(places):
                shapes = shapes_of(self._world, rows[places])
                kept[places] = shapes_inside(border.line, border.order, shapes, border_counts=False)
        if self._ways:
            places = np.flatnonzero(~kept)
            if self._tiles is not None:
                places = places[ways_read(self._world, rows[places], boxes_of_tiles(self._tiles))]
            kept[places] = self._ways.ways_inside(rows[places])
        return rows[kept]

    def keep_relations(self, rows: Rows) -> Rows:
        """The relations with a direct member inside."""
        return relations_with(self._world, rows, lambda nodes: self._nodes(nodes, border_counts=False), self.keep_ways)

    def _nodes(self, rows: Rows, *, border_counts: bool) -> Rows:
        nodes = self._world.nodes
        lat, lon = nodes.lat[rows].astype(np.int64), nodes.lon[rows].astype(np.int64)
        kept = np.zeros(len(rows), dtype=bool)
        for border in self._borders:
            self._context.check()
            places = np.flatnonzero(~kept & _in_box(lat, lon, border.box))
            if len(places):
                states: PointStates = point_states(border.line, lat[places] + LAT_OFFSET_E7, lon[places])
                kept[places] = states.inside_or_border if border_counts else states.inside_by_count
        if self._ways:
            places = np.flatnonzero(~kept)
            if self._tiles is not None:
                places = places[np.isin(tiles_of(lat[places] + LAT_OFFSET_E7, lon[places]), self._tiles)]
            kept[places] = self._ways.points_inside(lat[places], lon[places], border_counts=border_counts)
        return rows[kept]


def _in_box(lat: I64, lon: I64, box: Sides) -> Mask:
    south, west, north, east = box
    inside: Mask = (lat >= south - 1) & (lat <= north + 1) & (lon >= west - 1) & (lon <= east + 1)
    return inside


def _joined(parts: list[npt.NDArray[np.int32]], count: int) -> Rows:
    if len(parts) <= 1:
        return parts[0] if parts else EMPTY
    return distinct_rows(np.concatenate(parts), count)
