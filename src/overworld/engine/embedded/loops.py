"""Block statements: ``foreach``, ``for``, ``if`` and ``complete``.

``run`` runs a block of statements. Sets follow the rules of ``Scopes``: a loop takes its set out of the scope around
it, which holds the empty set afterwards, and all other sets that the block fills are seen after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from overworld.core.elements import ElementType
from overworld.engine.embedded.context import Context
from overworld.engine.embedded.expressions import evaluate_value
from overworld.engine.embedded.expressions.batches import Batch, DerivedBatch, ElementBatch, batches_of
from overworld.engine.embedded.expressions.evaluator import Evaluator
from overworld.engine.embedded.expressions.scope import Scope
from overworld.engine.embedded.expressions.values import truth
from overworld.engine.embedded.sets import EMPTY_SET, Derived, ElementSet, union_of_all
from overworld.ql.tree import Call, Complete, Expression, For, Foreach, If, Statement

Run = Callable[[Context, Sequence[Statement]], None]


def evaluate_foreach(context: Context, statement: Foreach, run: Run) -> None:
    """Run the block for each element of a set, nodes first, each type in quadtile order."""
    context.enter("foreach", statement.line)
    base = _begin(context, statement.set_name, statement.into)
    for single in _singles(context, base):
        context.check()
        context.scopes.put(statement.into, single)
        run(context, statement.statements)
    _end(context, "foreach", statement.line, statement.into)


def evaluate_for(context: Context, statement: For, run: Run) -> None:
    """Run the block for each value of an expression, in ascending order, with the elements that have it.

    ``keys()`` puts an element in as many groups as it has keys. The value is the property ``val`` of the loop's set.
    """
    context.enter("for", statement.line)
    scope = Scope(context, _find_before(context, statement.into))
    base = _begin(context, statement.set_name, statement.into)
    for value, group in sorted(_groups(scope, base, statement.key).items()):
        context.check()
        context.scopes.put(statement.into, group.in_order())
        context.scopes.set_property(statement.into, "val", value)
        run(context, statement.statements)
    _end(context, "for", statement.line, statement.into)


def evaluate_if(context: Context, statement: If, run: Run) -> None:
    """Run one of two blocks."""
    context.enter("if", statement.line)
    holds = truth(evaluate_value(context, statement.condition))
    run(context, statement.statements if holds else statement.otherwise)
    context.check()


def evaluate_complete(context: Context, statement: Complete, run: Run) -> None:
    """Run the block again and again until the input set does not grow any more.

    The set grows by what the block leaves in a set of its name.
    """
    context.enter("complete", statement.line)
    scopes = context.scopes
    scopes.open()
    for _ in range(statement.limit + 1):
        context.check()
        scopes.copy_outward(statement.set_name, statement.into)
        run(context, statement.statements)
        if not scopes.union_inward(statement.set_name, statement.set_name):
            break
    scopes.copy_outward(statement.set_name, statement.into)
    scopes.close()
    context.enter("complete", statement.line)
    context.check()


def _begin(context: Context, set_name: str, into: str) -> ElementSet:
    """Open the loop's scope; the set to loop over."""
    taken = context.scopes.take(into)
    context.scopes.open()
    if set_name == into:
        return taken
    found = context.scopes.find(set_name)
    return taken if found is None else found


def _end(context: Context, name: str, line: int, into: str) -> None:
    context.scopes.close(keep=into)
    context.enter(name, line)
    context.check()


def _find_before(context: Context, into: str) -> Callable[[str], ElementSet | None]:
    """How the loop's expression finds sets: as they stand before the loop, but the loop's own set is already taken."""
    visible = EMPTY_SET if into in context.scopes.top.sets else context.scopes.find(into)

    def find(name: str) -> ElementSet | None:
        return visible if name == into else context.scopes.find(name)

    return find


def _singles(context: Context, elements: ElementSet) -> Iterator[ElementSet]:
    for batch in batches_of(context.world, elements):
        for place in range(batch.count):
            yield _part(batch, [place])


def _part(batch: Batch, places: list[int]) -> ElementSet:
    """Some elements of a batch as a set."""
    if isinstance(batch, ElementBatch):
        return EMPTY_SET.with_rows(ElementType(batch.kind), np.sort(batch.rows[places]))
    assert isinstance(batch, DerivedBatch)
    derived: tuple[Derived, ...] = tuple(batch.items[place] for place in places)
    return ElementSet(derived=derived)


def _groups(scope: Scope, elements: ElementSet, key: Expression) -> dict[str, ElementSet]:
    """The elements by the value of the expression."""
    parts: dict[str, list[ElementSet]] = {}
    for batch in batches_of(scope.context.world, elements):
        places: dict[str, list[int]] = {}
        for place, values in enumerate(_values(scope, batch, key)):
            for value in values:
                places.setdefault(value, []).append(place)
        for value, here in places.items():
            parts.setdefault(value, []).append(_part(batch, here))
        scope.context.check()
    return {value: union_of_all(sets) for value, sets in parts.items()}


def _values(scope: Scope, batch: Batch, key: Expression) -> list[list[str]]:
    if isinstance(key, Call) and key.name == "keys":
        return batch.keys()
    return [[text] for text in Evaluator(scope, batch).text(key).texts(batch.count)]
