"""Where relations lie, as the engine prints it: the vertices of their members, bounds and centres.

A member node that the world lacks counts as a point at ``NOWHERE`` in bounds and centres (``out bb``, ``out center``)
and is left out of what is drawn (``out geom``), as in the engine. Relations that are members have no geometry.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from overworld.core.elements import ElementType
from overworld.engine.embedded.elementgeometry import (
    EASTMOST_START,
    F64,
    I64,
    NOWHERE,
    Clip,
    Lists,
    drawn_bounds,
    keeps_geometry,
    latitudes,
    list_bounds,
    longitudes,
    members_clipped,
    positions,
    way_bounds,
    way_vertices,
)
from overworld.engine.embedded.sets import Rows
from overworld.engine.embedded.tiles import ways_near
from overworld.world.store import World


@dataclass(frozen=True, slots=True)
class Members:
    """The members of some relations, concatenated: ``offsets`` (n+1,), then parallel arrays over all members.

    ``rows``: int32, negative for what the world lacks; ``types``: uint8 ElementType; ``roles``: uint32.
    """

    offsets: I64
    rows: npt.NDArray[np.int32]
    types: npt.NDArray[np.uint8]
    roles: npt.NDArray[np.uint32]

    def ids(self, world: World) -> I64:
        """The members' ids, also of those that the world lacks."""
        ids = np.empty(len(self.rows), dtype=np.int64)
        absent = self.rows < 0
        ids[absent] = world.relations.missing[-1 - self.rows[absent]]
        for kind in (ElementType.NODE, ElementType.WAY, ElementType.RELATION):
            chosen = (self.types == kind) & ~absent
            ids[chosen] = world.ids(kind)[self.rows[chosen]]
        return ids


def members_of(world: World, rows: Rows) -> Members:
    """The members of relations, in order."""
    table = world.relations
    offsets, places = positions(table.member_rows.offsets, rows)
    return Members(
        offsets,
        table.member_rows.values[places].astype(np.int32, copy=False),
        table.member_types[places],
        table.member_roles[places],
    )


def member_vertices(world: World, members: Members, clip: Clip | None) -> Lists:
    """The vertices of every member: one for a node, those of a way, none for a relation."""
    lengths = (members.types == ElementType.NODE).astype(np.int64)
    chosen = np.flatnonzero((members.types == ElementType.WAY) & (members.rows >= 0))
    lists = _way_members(world, members.rows[chosen], clip)
    lengths[chosen] = np.diff(lists.offsets)
    offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))
    vertices = np.empty(offsets[-1], dtype=np.int32)
    of_way = np.repeat(members.types == ElementType.WAY, lengths)
    vertices[of_way] = lists.vertices
    nodes = np.maximum(members.rows[members.types == ElementType.NODE], -1)
    if clip is not None and len(world.nodes.ids):
        inside = clip.holds(world.nodes.lat[np.maximum(nodes, 0)], world.nodes.lon[np.maximum(nodes, 0)])
        nodes = np.where(inside, nodes, -1)
    vertices[~of_way] = nodes
    return Lists(offsets, vertices)


def _way_members(world: World, rows: Rows, clip: Clip | None) -> Lists:
    if clip is None:
        return way_vertices(world, rows)
    near = ways_near(world, rows, clip.box)
    lists = members_clipped(world, way_vertices(world, rows[near]), clip)
    lengths = np.zeros(len(rows), dtype=np.int64)
    lengths[near] = np.diff(lists.offsets)
    return Lists(np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths))), lists.vertices)


def relation_bounds(world: World, rows: Rows, clip: Clip | None) -> F64:
    """Bounds of relations as ``out bb`` and ``out center`` take them (n, 4); west > east from a span of 180° on."""
    members = members_of(world, rows)
    if clip is not None:
        vertices = member_vertices(world, members, clip)
        parts = list_bounds(world, vertices, gaps_count=True)
    else:
        vertices = None
        parts = _member_bounds(world, members, gaps_count=True)
    bounds = _reduced(parts, members.offsets)
    for i in np.flatnonzero(bounds[:, 3] - bounds[:, 1] >= 180.0).tolist():
        span = Members(
            members.offsets[i : i + 2] - members.offsets[i],
            members.rows[members.offsets[i] : members.offsets[i + 1]],
            members.types[members.offsets[i] : members.offsets[i + 1]],
            members.roles[members.offsets[i] : members.offsets[i + 1]],
        )
        drawn = member_vertices(world, span, clip).vertices
        lon = np.where(drawn >= 0, longitudes(world.nodes.lon[np.maximum(drawn, 0)]), NOWHERE[1])
        bounds[i, 1] = lon[lon >= 0].min(initial=200.0)
        bounds[i, 3] = lon[lon < 0].max(initial=-200.0)
    return bounds


def relation_drawn_bounds(world: World, members: Members, vertices: Lists, clip: Clip | None) -> F64:
    """Bounds of relations as ``out geom`` gives them: over what is drawn of their members."""
    if clip is not None:
        parts = drawn_bounds(world, vertices)
        parts[np.diff(vertices.offsets) == 0] = np.nan
    else:
        parts = _member_bounds(world, members, gaps_count=False)
        wide = np.flatnonzero(parts[:, 3] - parts[:, 1] > 180.0)
        for i in wide.tolist():
            span = slice(vertices.offsets[i], vertices.offsets[i + 1])
            part = Lists(vertices.offsets[i : i + 2] - vertices.offsets[i], vertices.vertices[span])
            parts[i] = drawn_bounds(world, part)[0]
    bounds = _reduced(parts, members.offsets)
    wrapped = np.zeros(len(parts) + 1, dtype=bool)
    wrapped[:-1] = parts[:, 3] < parts[:, 1]
    turned = np.logical_or.reduceat(wrapped, members.offsets[:-1]) if len(bounds) else np.zeros(0, dtype=bool)
    turned &= np.diff(members.offsets) > 0
    for i in np.flatnonzero(turned | (bounds[:, 3] - bounds[:, 1] > 180.0)).tolist():
        bounds[i, 1], bounds[i, 3] = _turned(parts[members.offsets[i] : members.offsets[i + 1]])
    return bounds


def _turned(parts: F64) -> tuple[float, float]:
    """West and east of a relation around the 180th meridian, or the whole circle where members lie too far apart."""
    west, east = 200.0, -200.0
    for _, part_west, _, part_east in parts[~np.isnan(parts[:, 0])].tolist():
        if part_east <= 0:
            east = max(east, part_east)
            if part_west >= 0:
                west = min(west, part_west)
        elif part_west >= 0:
            west = min(west, part_west)
        else:
            return (-180.0, 180.0)
    return (west, east) if west - east > 180.0 else (-180.0, 180.0)


def _member_bounds(world: World, members: Members, *, gaps_count: bool) -> F64:
    """Bounds of each member (m, 4), nothing clipped; NaN for what has no geometry."""
    bounds = np.full((len(members.rows), 4), np.nan)
    nodes = members.types == ElementType.NODE
    here = nodes & (members.rows >= 0)
    rows = members.rows[here]
    bounds[here, 0] = bounds[here, 2] = latitudes(world.nodes.lat[rows])
    bounds[here, 1] = bounds[here, 3] = longitudes(world.nodes.lon[rows])
    if gaps_count:
        bounds[nodes & (members.rows < 0)] = (*NOWHERE, NOWHERE[0], EASTMOST_START)
    chosen = np.flatnonzero((members.types == ElementType.WAY) & (members.rows >= 0))
    rows = members.rows[chosen]
    bounds[chosen] = way_bounds(world, rows, None)
    if not gaps_count:
        odd = (world.ways.complete[rows] == 0) & keeps_geometry(world, rows)
        if odd.any():
            bounds[chosen[odd]] = list_bounds(world, way_vertices(world, rows[odd]), gaps_count=False)
    return bounds


def _reduced(parts: F64, offsets: I64) -> F64:
    """Bounds over the parts of each list, NaN where no part has any."""
    bounds = np.full((len(offsets) - 1, 4), np.nan)
    filled = np.flatnonzero(np.diff(offsets) > 0)
    if len(filled):
        at = offsets[filled]
        bounds[filled, :2] = np.fmin.reduceat(parts[:, :2], at, axis=0)
        bounds[filled, 2:] = np.fmax.reduceat(parts[:, 2:], at, axis=0)
    return bounds
