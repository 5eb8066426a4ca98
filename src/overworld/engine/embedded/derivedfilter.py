"""Queries for derived elements: those of an input set that pass the filters which concern them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from overworld.core.boxes import Box
from overworld.engine.embedded.context import Context
from overworld.engine.embedded.elementgeometry import crosses
from overworld.engine.embedded.expressions import filter_derived
from overworld.engine.embedded.geometries import Geometry, PointGeometry, PolygonGeometry, Vertex, center_of
from overworld.engine.embedded.regex import compile_regex
from overworld.engine.embedded.sets import Derived
from overworld.ql.tree import BoxFilter, Filter, IfFilter, PivotFilter, RecurseFilter, SetFilter, TagFilter


def keep_derived(context: Context, filters: Sequence[Filter]) -> tuple[Derived, ...]:
    """The derived elements that pass all filters. Without an input set there are none.

    Of filters on space, only boxes concern them.
    """
    sets = [context.get(one.set_name).derived for one in filters if isinstance(one, SetFilter)]
    if not sets or any(isinstance(one, PivotFilter) for one in filters):
        return ()
    if any(isinstance(one, RecurseFilter) and context.scopes.find(one.set_name) is None for one in filters):
        return ()
    found = sets[0]
    for other in sets[1:]:
        ids = {one.id for one in other}
        found = tuple(one for one in found if one.id in ids)
    for one in filters:
        if isinstance(one, TagFilter) and not one.key_is_regex and found:
            found = _having(context, one, found)
    for one in filters:
        if isinstance(one, BoxFilter):
            found = tuple(item for item in found if item.geometry is not None and _meets(item.geometry, one.box))
        elif isinstance(one, IfFilter):
            found = filter_derived(context, one.condition, found)
    return found


def _having(context: Context, wanted: TagFilter, elements: tuple[Derived, ...]) -> tuple[Derived, ...]:
    """The elements that one tag filter lets through."""
    passes = _test(context, wanted)
    kept = []
    for element in elements:
        value = element.tags.get(wanted.key)
        if (value is not None and passes(value)) != wanted.negated:
            kept.append(element)
        context.check()
    return tuple(kept)


def _test(context: Context, wanted: TagFilter) -> Callable[[str], bool]:
    if wanted.op == "=":
        return lambda value: value == wanted.value
    if wanted.op == "has":
        return lambda value: True
    return compile_regex(wanted.value, wanted.ignore_case, context.check).search


def _meets(geometry: Geometry, box: Box) -> bool:
    """Whether a geometry has something in the box: a vertex, a segment, or for a polygon the box's centre."""
    if geometry.components is not None:
        return any(_meets(one, box) for one in geometry.components)
    if isinstance(geometry, PointGeometry):
        return _holds(box, geometry.point)
    lines = geometry.rings if geometry.line is None else (geometry.line,)
    if lines is None:
        return False
    if any(_holds(box, point) for line in lines for point in line):
        return True
    if any(crosses(box, *first, *second) for line in lines for first, second in pairwise(line)):
        return True
    return isinstance(geometry, PolygonGeometry) and _covers(lines, center_of(box))


def _holds(box: Box, point: Vertex) -> bool:
    if not box.south <= point.lat <= box.north:
        return False
    if box.west <= box.east:
        return box.west <= point.lon <= box.east
    return point.lon >= box.west or point.lon <= box.east


def _covers(rings: Sequence[Sequence[Vertex]], point: Vertex) -> bool:
    """Whether the point is inside the rings: an odd number of segments lie south of it."""
    inside = False
    for ring in rings:
        for first, second in pairwise(ring):
            if (first.lon <= point.lon) != (second.lon <= point.lon):
                share = (point.lon - first.lon) / (second.lon - first.lon)
                inside ^= first.lat + share * (second.lat - first.lat) < point.lat
    return inside
