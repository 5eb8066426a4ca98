"""The geometry of ways as the engine sees it, and relations judged by their members."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from overworld.core.elements import ElementType
from overworld.engine.embedded.elementgeometry import (
    LAT_OFFSET_E7,
    Lists,
    positions,
    way_vertices,
)
from overworld.engine.embedded.sets import Mask, Rows, contains, distinct_rows
from overworld.world.store import World

I64 = npt.NDArray[np.int64]
F64 = npt.NDArray[np.float64]

GAP_LON_E7 = -(1 << 31)
"""Where the engine puts a vertex that it keeps without coordinates: this longitude, 91 degrees south."""

RowTest = Callable[[Rows], Rows]


class Region(Protocol):
    """A part of the map that a filter selects. Rows go in and come out sorted.

    ``find_…``: a superset of the objects inside, at a cost that follows the result. ``keep_…``: which of some are
    inside.
    """

    def find_nodes(self) -> Rows:
        """Candidates among all nodes."""

    def find_ways(self) -> Rows:
        """Candidates among all ways."""

    def find_relations(self) -> Rows:
        """Candidates among all relations."""

    def keep_nodes(self, rows: Rows) -> Rows:
        """The nodes that are inside."""

    def keep_ways(self, rows: Rows) -> Rows:
        """The ways that are inside."""

    def keep_relations(self, rows: Rows) -> Rows:
        """The relations that are inside."""


@dataclass(frozen=True, slots=True)
class Shapes:
    """Ways as chains of vertices: way i has the vertices ``offsets[i]:offsets[i+1]``.

    ``lat_e7`` counts from the equator, ``lon_e7`` from Greenwich, both int64 in 1e-7 degree.
    """

    rows: Rows
    offsets: I64
    lat_e7: I64
    lon_e7: I64

    @property
    def lat(self) -> F64:
        """Latitudes in degrees, with the rounding that the engine's offset of 91 degrees brings."""
        return (self.lat_e7 + LAT_OFFSET_E7) / 1e7 - 91.0

    @property
    def lon(self) -> F64:
        """Longitudes in degrees."""
        return self.lon_e7 / 1e7

    def owners(self) -> I64:
        """For each vertex: the position of its way in ``rows``."""
        return np.repeat(np.arange(len(self.rows)), np.diff(self.offsets))

    def segment_starts(self) -> I64:
        """The vertices that a segment starts from; it ends at the next one."""
        starts = np.ones(len(self.lat_e7), dtype=bool)
        lengths = np.diff(self.offsets)
        starts[self.offsets[1:][lengths > 0] - 1] = False
        return np.flatnonzero(starts)

    def chosen(self, places: npt.NDArray[np.integer]) -> Rows:
        """The rows at these positions (repeats allowed), sorted."""
        marks = np.zeros(len(self.rows), dtype=bool)
        marks[places] = True
        return self.rows[marks]


def shapes_of(world: World, rows: Rows) -> Shapes:
    """The geometry of ways; ways with a missing node have none, or a gap where the engine stores their geometry."""
    lists: Lists = way_vertices(world, rows)
    vertices = lists.vertices
    lat_e7 = world.nodes.lat[vertices].astype(np.int64)
    lon_e7 = world.nodes.lon[vertices].astype(np.int64)
    if len(vertices) and int(vertices.min()) < 0:
        gaps = vertices < 0
        lat_e7[gaps] = -LAT_OFFSET_E7
        lon_e7[gaps] = GAP_LON_E7
    return Shapes(rows, lists.offsets, lat_e7, lon_e7)


def closed_ways(world: World, rows: Rows) -> Rows:
    """The ways that begin and end at the same node; one with a single node does."""
    closed: Rows = rows[(world.ways.closed[rows] == 1) | (world.ways.nodes.lengths(rows) == 1)]
    return closed


def relations_with(world: World, rows: Rows, keep_nodes: RowTest, keep_ways: RowTest) -> Rows:
    """The relations of ``rows`` with a direct node or way member that the tests keep."""
    if len(rows) == 0:
        return rows
    relations = world.relations
    offsets, places = positions(relations.member_rows.offsets, rows)
    members = relations.member_rows.values[places]
    types = relations.member_types[places]
    matched = np.zeros(len(members), dtype=bool)
    for kind, keep, count in (
        (ElementType.NODE, keep_nodes, len(world.nodes.ids)),
        (ElementType.WAY, keep_ways, len(world.ways.ids)),
    ):
        here = (types == kind) & (members >= 0)
        if here.any():
            kept = keep(distinct_rows(members[here], count))
            matched[here] = contains(kept, members[here])
    found: Rows = rows[_any_in_list(matched, offsets)]
    return found


def _any_in_list(marks: Mask, offsets: I64) -> Mask:
    counts = np.zeros(len(marks) + 1, dtype=np.int64)
    np.cumsum(marks, out=counts[1:])
    found: Mask = counts[offsets[1:]] > counts[offsets[:-1]]
    return found
