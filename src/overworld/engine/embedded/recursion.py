"""From objects to their members and back: the steps that recurse statements and filters are made of.

Sets of rows in, sorted rows out. Members that the world lacks are left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from overworld.core.elements import ElementType
from overworld.engine.embedded.elementgeometry import positions
from overworld.engine.embedded.sets import EMPTY, Mask, Rows, contains, distinct_rows, subtract, unite
from overworld.world.store import World

NODE, WAY, RELATION = ElementType.NODE, ElementType.WAY, ElementType.RELATION


def nodes_of_ways(world: World, ways: Rows, places: Sequence[int] = ()) -> Rows:
    """The nodes of ways; only those at ``places`` (1-based, negative from the end) if there are any."""
    if len(ways) == 0:
        return EMPTY
    nodes = world.ways.nodes
    if not places:
        return distinct_rows(nodes.gather(ways), len(world.nodes.ids))
    starts = nodes.offsets[ways].astype(np.int64)
    lengths = nodes.lengths(ways)
    found = [nodes.values[_at(starts, lengths, place)] for place in places]
    return distinct_rows(np.concatenate(found), len(world.nodes.ids))


def _at(starts: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64], place: int) -> npt.NDArray[np.int64]:
    """Where the entries at one place stand, for the lists that have it."""
    if place > 0:
        return (starts + place - 1)[lengths >= place]
    return (starts + lengths + place)[lengths >= -place] if place else starts[:0]


def ways_of_nodes(world: World, nodes: Rows, places: Sequence[int] = ()) -> Rows:
    """The ways that have one of the nodes; at one of ``places`` if there are any."""
    if len(nodes) == 0:
        return EMPTY
    ways = distinct_rows(world.nodes.ways.gather(nodes), len(world.ways.ids))
    if not places or len(ways) == 0:
        return ways
    starts = world.ways.nodes.offsets[ways].astype(np.int64)
    lengths = world.ways.nodes.lengths(ways)
    matched = np.zeros(len(ways), dtype=bool)
    for place in places:
        there = (lengths >= place) if place > 0 else (lengths >= -place)
        entries = world.ways.nodes.values[_at(starts, lengths, place)]
        matched[np.flatnonzero(there)] |= contains(nodes, entries)
    return ways[matched]


def members(world: World, relations: Rows, kind: ElementType, role: int | None = None) -> Rows:
    """The direct members of one type; ``role``: a number of the role table that they must have."""
    if len(relations) == 0:
        return EMPTY
    table = world.relations
    _, places = positions(table.member_rows.offsets, relations)
    wanted = table.member_types[places] == kind
    if role is not None:
        wanted &= table.member_roles[places] == role
    return distinct_rows(table.member_rows.values[places[wanted]], len(world.tables[kind].ids))


def parents(world: World, kind: ElementType, rows: Rows, role: int | None = None) -> Rows:
    """The relations that have one of the objects as a direct member; in that role if there is one."""
    if len(rows) == 0:
        return EMPTY
    table = world.relations
    found = distinct_rows(world.tables[kind].relations.gather(rows), len(table.ids))
    if role is None or len(found) == 0:
        return found
    offsets, places = positions(table.member_rows.offsets, found)
    matched: Mask = (table.member_types[places] == kind) & (table.member_roles[places] == role)
    matched[matched] = contains(rows, table.member_rows.values[places[matched]])
    return found[np.logical_or.reduceat(matched, offsets[:-1])]


def relations_below(world: World, relations: Rows) -> Rows:
    """The relations themselves and all that are members of them, however deep."""
    found, new = relations, relations
    while len(new):
        new = subtract(members(world, new, RELATION), found)
        found = unite(found, new)
    return found


def relations_above(world: World, relations: Rows) -> Rows:
    """The relations themselves and all that they are members of, however far up."""
    found, new = relations, relations
    while len(new):
        new = subtract(parents(world, RELATION, new), found)
        found = unite(found, new)
    return found


def nodes_counted(world: World, ways: Rows, lower: int, upper: int) -> Rows:
    """The nodes that at least ``lower`` and at most ``upper`` of the ways have."""
    values, owners = _node_entries(world, ways)
    pairs = np.unique(values * len(ways) + owners)
    nodes, counts = np.unique(pairs // max(1, len(ways)), return_counts=True)
    return nodes[(counts >= lower) & (counts <= upper)].astype(np.int32)


def nodes_linked(world: World, ways: Rows, lower: int, upper: int) -> Rows:
    """The nodes where at least ``lower`` and at most ``upper`` segments of the ways end, ends of ways counted once."""
    values, _ = _node_entries(world, ways)
    nodes, counts = np.unique(values, return_counts=True)
    lengths = world.ways.nodes.lengths(ways)
    starts = world.ways.nodes.offsets[ways].astype(np.int64)[lengths > 0]
    ends = starts + lengths[lengths > 0] - 1
    tips = world.ways.nodes.values[np.concatenate((starts, ends))]
    tips = tips[tips >= 0]
    links = 2 * counts
    np.subtract.at(links, np.searchsorted(nodes, tips), 1)
    return nodes[(links >= lower) & (links <= upper)].astype(np.int32)


def _node_entries(world: World, ways: Rows) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """All entries of node lists that the world has nodes for, and the position of the way of each."""
    values = world.ways.nodes.gather(ways).astype(np.int64)
    owners = np.repeat(np.arange(len(ways)), world.ways.nodes.lengths(ways))
    there = values >= 0
    return values[there], owners[there]
