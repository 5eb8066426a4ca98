"""``make``: one derived element out of expressions."""

from __future__ import annotations

from overworld.engine.embedded.context import Context
from overworld.engine.embedded.expressions.evaluator import Evaluator
from overworld.engine.embedded.expressions.geometry_functions import geometries
from overworld.engine.embedded.expressions.scope import Scope
from overworld.engine.embedded.expressions.values import integer
from overworld.engine.embedded.geometries import Geometry
from overworld.engine.embedded.sets import Derived, ElementSet
from overworld.ql.tree import Assignment, Make

UNSIGNED = 2**64


def evaluate_make(context: Context, statement: Make) -> None:
    """Make an element of ``statement.type`` and put it as the only one of the output set.

    Without ``::id`` (or if that is no integer) it gets the next free id.
    """
    context.enter("make", statement.line)
    scope = Scope.of(context)
    declared = declared_keys(statement.assignments)
    tags: dict[str, str] = {}
    number: int | None = None
    geometry: Geometry | None = None
    for one in statement.assignments:
        if one.expression is None:
            continue
        if one.target == "geometry":
            found = geometries(Evaluator(scope), one.expression)
            geometry = None if found is None else found[0]
        elif one.target == "copy":
            for key in copied_keys(scope, one.set_name, declared):
                tags[key] = Evaluator(scope.for_key(key), key=key).text(one.expression).values[0]
        else:
            column = Evaluator(scope.for_key(one.key if one.target == "tag" else None)).column(one.expression)
            if column is not None and one.target == "tag":
                tags[one.key] = column.values[0]
            elif column is not None and one.target == "id":
                number = integer(column.values[0])
    made = Derived(statement.type, context.next_derived_id() if number is None else number % UNSIGNED, tags, geometry)
    context.put(statement.into, ElementSet(derived=(made,)))


def declared_keys(assignments: tuple[Assignment, ...]) -> frozenset[str]:
    """The keys that are set or dropped by name: copying leaves them out."""
    return frozenset(one.key for one in assignments if one.target == "tag")


def copied_keys(scope: Scope, set_name: str, declared: frozenset[str]) -> list[str]:
    """The keys of the elements of a set, sorted, without those that are declared."""
    elements = scope.find(set_name)
    if elements is None:
        return []
    found = {key for batch in scope.batches(elements) for key in batch.distinct_keys()}
    return sorted(found - declared)
