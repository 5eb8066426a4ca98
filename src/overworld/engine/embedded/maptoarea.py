"""``map_to_area``: from ways and relations to the areas that they make.

Source: Overpass API/Overpass QL, "Map way/relation to their area counterparts". Closed ways stay ways.
"""

from __future__ import annotations

import numpy as np

from overworld.core.elements import AREA_OF_RELATION_OFFSET
from overworld.engine.embedded.context import Context
from overworld.engine.embedded.given import rows_of_ids
from overworld.engine.embedded.sets import ElementSet
from overworld.ql.tree import MapToArea
from overworld.world.areas import AREA_ID_MODULUS


def evaluate_map_to_area(context: Context, statement: MapToArea) -> None:
    """Put the areas of the relations and the closed ways of a set."""
    context.enter("map-to-area", statement.line)
    world, elements = context.world, context.get(statement.set_name)
    ids = (world.relations.ids[elements.relations].astype(np.int64) + AREA_OF_RELATION_OFFSET) % AREA_ID_MODULUS
    ways = elements.ways[world.ways.closed[elements.ways] == 1]
    context.put(statement.into, ElementSet(ways=ways, areas=rows_of_ids(world.areas.ids, ids.tolist())))
