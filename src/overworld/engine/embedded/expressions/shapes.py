"""The geometry values of ways and relations, as ``geom()`` gives them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from overworld.engine.embedded.elementgeometry import Lists, latitudes, longitudes, way_vertices
from overworld.engine.embedded.geometries import (
    CompoundGeometry,
    Geometry,
    LineGeometry,
    NullGeometry,
    PartialWayGeometry,
    PointGeometry,
    Vertex,
)
from overworld.engine.embedded.relationgeometry import member_vertices, members_of
from overworld.engine.embedded.sets import Rows
from overworld.world.store import World

Points = list[Vertex | None]


def vertex_lists(world: World, lists: Lists) -> list[Points]:
    """The coordinates of each list's vertices; None for a node that the world lacks."""
    known = lists.vertices >= 0
    if len(world.nodes.ids) == 0:
        return [[None] * int(length) for length in np.diff(lists.offsets)]
    rows = np.where(known, lists.vertices, 0)
    lats = latitudes(world.nodes.lat[rows]).tolist()
    lons = longitudes(world.nodes.lon[rows]).tolist()
    points: Points = list(map(Vertex, lats, lons))
    for position in np.flatnonzero(~known).tolist():
        points[position] = None
    offsets = lists.offsets.tolist()
    return [points[start:end] for start, end in pairwise(offsets)]


def node_geometries(world: World, rows: Rows) -> list[Geometry]:
    """The points of nodes."""
    lats = latitudes(world.nodes.lat[rows]).tolist()
    lons = longitudes(world.nodes.lon[rows]).tolist()
    return [PointGeometry(Vertex(lat, lon)) for lat, lon in zip(lats, lons, strict=True)]


def way_geometries(world: World, rows: Rows) -> list[Geometry]:
    """The lines of ways."""
    return [_way(points) for points in vertex_lists(world, way_vertices(world, rows))]


def relation_geometries(world: World, rows: Rows) -> list[Geometry]:
    """Collections of the members of relations."""
    members = members_of(world, rows)
    points = vertex_lists(world, member_vertices(world, members, None))
    offsets = members.offsets.tolist()
    return [_relation(points[start:end]) for start, end in pairwise(offsets)]


def _way(points: Points) -> Geometry:
    known = tuple(point for point in points if point is not None)
    return LineGeometry(known) if len(known) == len(points) else PartialWayGeometry(tuple(points))


def _relation(members: list[Points]) -> Geometry:
    complete = all(points and None not in points for points in members)
    return CompoundGeometry(tuple(_member(points, complete=complete) for points in members))


def _member(points: Points, *, complete: bool) -> Geometry:
    """One member: a single vertex is a point. If anything is missing in the relation, every way counts as partial."""
    if not points:
        return NullGeometry()
    if len(points) == 1 and points[0] is not None:
        return PointGeometry(points[0])
    return _way(points) if complete else PartialWayGeometry(tuple(points))
