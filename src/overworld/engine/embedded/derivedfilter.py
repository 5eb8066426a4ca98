"""Queries for derived elements: those of an input set that pass the filters which concern them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from overworld.engine.embedded.context import Context
from overworld.engine.embedded.regex import compile_regex
from overworld.engine.embedded.sets import Derived
from overworld.ql.tree import Filter, PivotFilter, RecurseFilter, SetFilter, TagFilter


def keep_derived(context: Context, filters: Sequence[Filter]) -> tuple[Derived, ...]:
    """The derived elements that pass all filters but conditions and boxes. Without an input set there are none."""
    sets = [context.get(one.set_name).derived for one in filters if isinstance(one, SetFilter)]
    if not sets or any(isinstance(one, PivotFilter) for one in filters):
        return ()
    if any(isinstance(one, RecurseFilter) and context.scopes.find(one.set_name) is None for one in filters):
        return ()
    found = sets[0]
    for other in sets[1:]:
        ids = {one.id for one in other}
        found = tuple(one for one in found if one.id in ids)
    tags = [one for one in filters if isinstance(one, TagFilter) and not (one.key_is_regex)]
    return tuple(one for one in found if all(_passes(one.tags, wanted) for wanted in tags))


def _passes(tags: Mapping[str, str], wanted: TagFilter) -> bool:
    value = tags.get(wanted.key)
    if value is None:
        return wanted.negated
    if wanted.op == "=":
        matched = value == wanted.value
    else:
        matched = wanted.op == "has" or compile_regex(wanted.value, wanted.ignore_case).search(value)
    return matched != wanted.negated
