"""The recurse statements ``>``, ``>>``, ``<`` and ``<<``.

Source: Overpass API/Overpass QL, "Recurse". The input itself is not in the result, but its relations are for ``>>``,
``<`` and ``<<``.
"""

from __future__ import annotations

from overworld.engine.embedded.context import Context
from overworld.engine.embedded.recursion import (
    NODE,
    WAY,
    members,
    nodes_of_ways,
    parents,
    relations_above,
    relations_below,
    ways_of_nodes,
)
from overworld.engine.embedded.sets import ElementSet, unite
from overworld.ql.tree import Recurse
from overworld.world.store import World


def evaluate_recurse(context: Context, statement: Recurse) -> None:
    """Put the members or parents of a set."""
    context.enter("recurse", statement.line)
    world, elements = context.world, context.get(statement.set_name)
    if statement.direction in (">", ">>"):
        result = _down(world, elements, deep=statement.direction == ">>")
    else:
        result = _up(world, elements, deep=statement.direction == "<<")
    context.put(statement.into, result)


def _down(world: World, elements: ElementSet, deep: bool) -> ElementSet:
    relations = relations_below(world, elements.relations) if deep else elements.relations
    ways = members(world, relations, WAY)
    nodes = unite(members(world, relations, NODE), nodes_of_ways(world, unite(ways, elements.ways)))
    return ElementSet(nodes=nodes, ways=ways, relations=relations if deep else ElementSet().relations)


def _up(world: World, elements: ElementSet, deep: bool) -> ElementSet:
    ways = ways_of_nodes(world, elements.nodes)
    relations = unite(elements.relations, parents(world, WAY, unite(elements.ways, ways)))
    relations = unite(relations, parents(world, NODE, elements.nodes))
    return ElementSet(ways=ways, relations=relations_above(world, relations) if deep else relations)
