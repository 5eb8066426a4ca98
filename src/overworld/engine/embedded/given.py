"""Filters that list objects rather than test them: input sets, ids, recursions and pivots."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from overworld.core.elements import AREA_OF_RELATION_OFFSET, AREA_OF_WAY_OFFSET, ElementType
from overworld.engine.embedded.context import Context
from overworld.engine.embedded.recursefilter import recursed_rows, role_number
from overworld.engine.embedded.sets import EMPTY, ElementSet, Rows, intersect, unite
from overworld.ql.tree import Filter, IdFilter, PivotFilter, RecurseFilter, SetFilter
from overworld.world.store import I64, World


def rows_given(context: Context, filters: Sequence[Filter], kind: ElementType) -> Rows | None:
    """What all listing filters have in common, for nodes, ways or relations; None where there is no such filter.

    A recursion filter with a role that no member of the world has lists nothing, but is ignored where an input set or a
    filter before it has listed objects already.
    """
    world = context.world
    found: Rows | None = None
    listed = any(isinstance(one, SetFilter) for one in filters)
    for one in filters:
        if isinstance(one, SetFilter):
            rows = context.get(one.set_name).rows(kind)
        elif isinstance(one, IdFilter):
            rows = rows_of_ids(world.tables[kind].ids, one.ids)
        elif isinstance(one, RecurseFilter):
            if listed and role_number(world, one) == -1:
                continue
            rows, listed = recursed_rows(world, one, context.get(one.set_name), kind), True
        elif isinstance(one, PivotFilter):
            rows, listed = pivot_rows(world, context.get(one.set_name), kind), True
        else:
            continue
        found = rows if found is None else intersect(found, rows)
    return found


def area_rows_given(context: Context, filters: Sequence[Filter]) -> Rows | None:
    """The same for areas of relations. A pivot lists none; a recursion neither, but it is ignored beside a set."""
    found: Rows | None = None
    sets = any(isinstance(one, SetFilter) for one in filters)
    for one in filters:
        if isinstance(one, SetFilter):
            rows = context.get(one.set_name).areas
        elif isinstance(one, IdFilter):
            rows = rows_of_ids(context.world.areas.ids, one.ids)
        elif isinstance(one, PivotFilter) or (isinstance(one, RecurseFilter) and not sets):
            rows = EMPTY
        else:
            continue
        found = rows if found is None else intersect(found, rows)
    return found


def rows_of_ids(table: I64, ids: Sequence[int]) -> Rows:
    """The rows of those of ``ids`` that the sorted ``table`` has."""
    wanted = np.array(sorted({one for one in ids if 0 < one < 1 << 63}), dtype=np.int64)
    if len(table) == 0 or len(wanted) == 0:
        return EMPTY
    places = np.searchsorted(table, wanted)
    places[places == len(table)] = 0
    found: Rows = places[table[places] == wanted].astype(np.int32)
    return found


def pivot_rows(world: World, elements: ElementSet, kind: ElementType) -> Rows:
    """The objects that the areas of a set were made from; ways of the set are taken for areas of themselves."""
    ids = world.areas.ids[elements.areas]
    if kind is ElementType.RELATION:
        ids = ids[ids > AREA_OF_RELATION_OFFSET] - AREA_OF_RELATION_OFFSET
    elif kind is ElementType.WAY:
        ids = ids[(ids > AREA_OF_WAY_OFFSET) & (ids < AREA_OF_RELATION_OFFSET)] - AREA_OF_WAY_OFFSET
    else:
        ids = ids[ids < AREA_OF_WAY_OFFSET]
    rows = rows_of_ids(world.tables[kind].ids, ids.tolist())
    return unite(rows, elements.ways) if kind is ElementType.WAY else rows
