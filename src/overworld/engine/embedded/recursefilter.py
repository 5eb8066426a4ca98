"""Recursion filters: ``node(w)``, ``way(bn)``, ``rel(br.a:"role")``, ``node(way_cnt:2-)``, ``nwr(>>)``, …

Source: Overpass API/Overpass QL, "Recurse (n, w, r, bn, bw, br)" and "Recurse up and down". ``node(>)`` is nodes of the
relations of the set and of their member ways, not of the ways of the set.
"""

from __future__ import annotations

from overworld.core.elements import ElementType
from overworld.engine.embedded.recursion import (
    NODE,
    RELATION,
    WAY,
    members,
    nodes_counted,
    nodes_linked,
    nodes_of_ways,
    parents,
    relations_above,
    relations_below,
    ways_of_nodes,
)
from overworld.engine.embedded.sets import EMPTY, ElementSet, Rows, unite
from overworld.ql.tree import RecurseFilter
from overworld.world.store import World

UNLIMITED = 1 << 62


def role_number(world: World, wanted: RecurseFilter) -> int | None:
    """The number of the role that the filter asks for; None: it asks for none; -1: no member has that role."""
    return None if wanted.role is None else world.relations.roles.find(wanted.role)


def recursed_rows(world: World, wanted: RecurseFilter, elements: ElementSet, kind: ElementType) -> Rows:
    """The objects of one type that the filter selects, starting from the set ``elements``."""
    role = role_number(world, wanted)
    if role == -1:
        return EMPTY
    if wanted.kind in (">", ">>"):
        return _below(world, elements, kind, deep=wanted.kind == ">>")
    if wanted.kind in ("<", "<<"):
        return _above(world, elements, kind, deep=wanted.kind == "<<")
    if wanted.kind == "r":
        return members(world, elements.relations, kind, role)
    if kind is NODE:
        return _nodes(world, wanted, elements)
    if kind is WAY:
        return ways_of_nodes(world, elements.nodes, wanted.positions) if wanted.kind == "bn" else EMPTY
    child = {"bn": NODE, "bw": WAY, "br": RELATION}.get(wanted.kind)
    return EMPTY if child is None else parents(world, child, elements.rows(child), role)


def _nodes(world: World, wanted: RecurseFilter, elements: ElementSet) -> Rows:
    if wanted.kind == "w":
        return nodes_of_ways(world, elements.ways, wanted.positions)
    if wanted.kind not in ("way_cnt", "way_link") or wanted.lower is None or len(elements.ways) == 0:
        return EMPTY
    upper = UNLIMITED if wanted.upper is None else wanted.upper
    select = nodes_counted if wanted.kind == "way_cnt" else nodes_linked
    return select(world, elements.ways, wanted.lower, upper)


def _below(world: World, elements: ElementSet, kind: ElementType, deep: bool) -> Rows:
    relations = relations_below(world, elements.relations) if deep else elements.relations
    if kind is RELATION:
        return relations if deep else EMPTY
    ways = members(world, relations, WAY)
    return ways if kind is WAY else unite(members(world, relations, NODE), nodes_of_ways(world, ways))


def _above(world: World, elements: ElementSet, kind: ElementType, deep: bool) -> Rows:
    if kind is NODE:
        return EMPTY
    ways = ways_of_nodes(world, elements.nodes)
    if kind is WAY:
        return ways
    found = unite(parents(world, WAY, unite(elements.ways, ways)), parents(world, NODE, elements.nodes))
    return relations_above(world, unite(elements.relations, found)) if deep else found
