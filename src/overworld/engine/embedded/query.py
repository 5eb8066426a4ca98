"""The query statement: the objects of some types that pass every filter.

For each type the sharpest filter gives the candidates (an input set, ids, a recursion, a tag, a part of the map), and
the others are applied to them, cheap ones first. Source: Overpass API/Overpass QL, "The Query Statement".
"""

from __future__ import annotations

import numpy as np

from overworld.core.elements import ElementType
from overworld.engine.embedded.context import WEAK_FILTERS, Context
from overworld.engine.embedded.derivedfilter import keep_derived
from overworld.engine.embedded.expressions import filter_mask
from overworld.engine.embedded.given import area_rows_given, pivot_rows, rows_given
from overworld.engine.embedded.sets import EMPTY, ElementSet, Rows, contains, intersect
from overworld.engine.embedded.spatial.regions import region_of
from overworld.engine.embedded.spatial.shapes import Region, closed_ways
from overworld.engine.embedded.tagfilter import TagFilters
from overworld.ql.tree import (
    AreaFilter,
    AroundFilter,
    BoxFilter,
    Filter,
    IdFilter,
    IfFilter,
    PivotFilter,
    PolygonFilter,
    Query,
    RecurseFilter,
    SetFilter,
    TagFilter,
)

NODE, WAY, RELATION, AREA = ElementType
TYPES: dict[str, tuple[ElementType, ...]] = {
    "node": (NODE,),
    "way": (WAY,),
    "relation": (RELATION,),
    "nwr": (NODE, WAY, RELATION),
    "nw": (NODE, WAY),
    "wr": (WAY, RELATION),
    "nr": (NODE, RELATION),
    "area": (WAY, AREA),
    "derived": (),
    "": (),
}
STANDALONE_NAMES: dict[type, str] = {
    IdFilter: "id-query",
    BoxFilter: "bbox-query",
    AroundFilter: "around",
    PolygonFilter: "polygon-query",
    RecurseFilter: "recurse",
    PivotFilter: "pivot",
    SetFilter: "item",
}
SPATIAL = (BoxFilter, AroundFilter, PolygonFilter, AreaFilter)
FEW = 256
"""So few objects with a tag are looked at rather than those in a part of the map."""
SMALL_SHARE = 16
"""The same for 1/16 of all objects of a type, unless they are many and the part of the map holds few of them."""
MANY = 4096
SAMPLE = 128
PORTION = 100_000


def evaluate_query(context: Context, statement: Query) -> None:
    """Put what passes every filter of the query."""
    name = STANDALONE_NAMES.get(type(statement.filters[0])) if statement.standalone else None
    context.enter(name or "query", statement.line)
    context.put(statement.into, _Query(context, statement).result())


class _Query:
    """One query on its way: its filters by kind, and what several types share."""

    def __init__(self, context: Context, statement: Query) -> None:
        self._context = context
        self._world = context.world
        self._statement = statement
        filters = statement.filters
        if context.box is not None and not statement.standalone:
            filters = (BoxFilter(context.box), *filters)
        self._filters: tuple[Filter, ...] = filters
        self._conditions = [one.condition for one in filters if isinstance(one, IfFilter)]
        tag_filters = [one for one in filters if isinstance(one, TagFilter)]
        self._tags = TagFilters(context, tag_filters)
        self._regions: list[Region] = [region_of(context, one) for one in filters if isinstance(one, SPATIAL)]

    def result(self) -> ElementSet:
        """What passes."""
        statement = self._statement
        if statement.standalone and isinstance(statement.filters[0], PivotFilter):
            areas = self._context.get(statement.filters[0].set_name)
            nodes, ways, relations = (pivot_rows(self._world, areas, kind) for kind in (NODE, WAY, RELATION))
            return ElementSet(nodes, ways, relations)
        if statement.type == "derived":
            return ElementSet(derived=keep_derived(self._context, self._filters))
        found = [EMPTY] * len(ElementType)
        kinds = TYPES[statement.type]
        if statement.type == "area" and self._recursion_adds_relations():
            kinds = (*kinds, RELATION)
        for kind in kinds:
            found[kind] = self._fulfilling(kind, self._areas() if kind is AREA else self._objects(kind))
        return ElementSet(found[NODE], found[WAY], found[RELATION], found[AREA])

    def _recursion_adds_relations(self) -> bool:
        """Whether a recursion puts relations into a query for areas: the engine does where it collects the objects."""
        if any(isinstance(one, SetFilter) for one in self._filters):
            return False
        listers = [one for one in self._filters if isinstance(one, PivotFilter | RecurseFilter)]
        return bool(listers) and isinstance(listers[0], RecurseFilter) and listers[0].kind in (">>", "<", "<<")

    def _objects(self, kind: ElementType) -> Rows:
        """Nodes, ways or relations that pass all filters but conditions."""
        tagged, count = self._world.tables[kind].tagged, len(self._world.tables[kind].ids)
        rows = rows_given(self._context, self._filters, kind)
        size, sharpest = self._tags.estimate(tagged)
        used = None
        if sharpest is not None and (self._starts_with_tags(size, count) if rows is None else size < len(rows)):
            with_tag = self._tags.rows(tagged, count, sharpest)
            if rows is not None:
                rows, used = intersect(rows, with_tag), sharpest
            elif not self._regions or self._holds_many(kind, with_tag):
                rows, used = with_tag, sharpest
        if rows is None:
            rows = _find(self._regions[0], kind) if self._regions else self._everything(kind, count)
        if self._statement.type == "area" and kind is WAY and not self._statement.standalone:
            rows = closed_ways(self._world, rows)
        rows = self._tags.keep(tagged, count, rows, used)
        for region in self._regions:
            if len(rows):
                rows = self._kept(region, kind, rows)
        return rows

    def _kept(self, region: Region, kind: ElementType, rows: Rows) -> Rows:
        """The objects in a part of the map: looked at in portions, so that the clock is seen in between."""
        parts = []
        for start in range(0, len(rows), PORTION):
            parts.append(_keep(region, kind, rows[start : start + PORTION]))
            self._context.check()
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _starts_with_tags(self, size: int, count: int) -> bool:
        return not self._regions or size <= max(FEW, count // SMALL_SHARE)

    def _holds_many(self, kind: ElementType, rows: Rows) -> bool:
        """Whether rows are few, or the first part of the map holds more than an eighth of them, by a sample."""
        if len(rows) <= MANY:
            return True
        sample = rows[:: len(rows) // SAMPLE]
        return len(_keep(self._regions[0], kind, sample)) * 8 > len(sample)

    def _everything(self, kind: ElementType, count: int) -> Rows:
        """All objects of the type. The engine does so too, but remarks on it."""
        if kind is not RELATION and not self._tags.excluded(self._world.tables[kind].tagged, count):
            self._context.remark(WEAK_FILTERS)
        return np.arange(count, dtype=np.int32)

    def _areas(self) -> Rows:
        """Areas of relations that pass all filters but conditions: those on space and recursion do not concern them."""
        areas, relations = self._world.areas, self._world.relations
        rows = area_rows_given(self._context, self._filters)
        if rows is None:
            rows = np.arange(len(areas.ids), dtype=np.int32)
        if not self._tags.conditions or len(rows) == 0:
            return rows
        owners = areas.relations[rows]
        kept = self._tags.keep(relations.tagged, len(relations.ids), np.sort(owners))
        return rows[contains(kept, owners)]

    def _fulfilling(self, kind: ElementType, rows: Rows) -> Rows:
        for condition in self._conditions:
            if len(rows):
                rows = rows[filter_mask(self._context, condition, kind, rows)]
        return rows


def _find(region: Region, kind: ElementType) -> Rows:
    if kind is NODE:
        return region.find_nodes()
    return region.find_ways() if kind is WAY else region.find_relations()


def _keep(region: Region, kind: ElementType, rows: Rows) -> Rows:
    if kind is NODE:
        return region.keep_nodes(rows)
    return region.keep_ways(rows) if kind is WAY else region.keep_relations(rows)
