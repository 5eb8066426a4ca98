"""Running a script: one evaluator function for each kind of statement, found by its type."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from overworld.core.errors import QueryError
from overworld.engine.embedded.context import Context
from overworld.engine.embedded.convert import evaluate_convert
from overworld.engine.embedded.isin import evaluate_is_in
from overworld.engine.embedded.loops import evaluate_complete, evaluate_for, evaluate_foreach, evaluate_if
from overworld.engine.embedded.make import evaluate_make
from overworld.engine.embedded.maptoarea import evaluate_map_to_area
from overworld.engine.embedded.printing import evaluate_print
from overworld.engine.embedded.query import evaluate_query
from overworld.engine.embedded.recurse import evaluate_recurse
from overworld.ql.tree import (
    Complete,
    Convert,
    Difference,
    For,
    Foreach,
    If,
    IsIn,
    Item,
    Localize,
    Make,
    MapToArea,
    Print,
    Query,
    Recurse,
    Script,
    Statement,
    Union,
)

Evaluator = Callable[[Context, Any], None]


def run_script(context: Context, script: Script) -> None:
    """Run the statements of a script. What it prints is in ``context.outputs``.

    Raises ``RunTroubleError`` when time or memory is over, and ``QueryError`` (``unsupported``) for a statement that is
    not evaluated.
    """
    run(context, script.statements)


def run(context: Context, statements: Sequence[Statement]) -> None:
    """Run statements one after the other."""
    for statement in statements:
        evaluate(context, statement)


def evaluate(context: Context, statement: Statement) -> None:
    """Run one statement."""
    evaluator = EVALUATORS.get(type(statement))
    if evaluator is None:
        word = "local" if isinstance(statement, Localize) else type(statement).__name__.lower()
        raise QueryError("unsupported", f"not supported yet: {word}", statement.line)
    context.check()
    evaluator(context, statement)


def evaluate_item(context: Context, statement: Item) -> None:
    """Copy a set."""
    context.enter("item", statement.line)
    if statement.set_name != statement.into:
        context.put(statement.into, context.get(statement.set_name))


def evaluate_union(context: Context, statement: Union) -> None:
    """Put what any of the statements gives. Each sees the sets that those before it have put."""
    scopes, into = context.scopes, statement.into
    scopes.open()
    scopes.move_outward(into)
    for one in statement.statements:
        evaluate(context, one)
        scopes.union_inward(_result_name(one), into)
    scopes.close(keep=into)
    _finish(context, "union", statement.line)


def evaluate_difference(context: Context, statement: Difference) -> None:
    """Put what the first statement gives and the second does not."""
    scopes, into = context.scopes, statement.into
    scopes.open()
    steps = (scopes.copy_inward, scopes.subtract_inward)
    for one, step in zip(statement.statements, steps, strict=False):
        evaluate(context, one)
        step(_result_name(one), into)
    scopes.close(keep=into)
    _finish(context, "difference", statement.line)


def _result_name(statement: Statement) -> str:
    return getattr(statement, "into", "_")


def _finish(context: Context, name: str, line: int) -> None:
    context.enter(name, line)
    context.check()
    context.check_memory()


EVALUATORS: Mapping[type, Evaluator] = {
    Query: evaluate_query,
    Item: evaluate_item,
    Recurse: evaluate_recurse,
    IsIn: evaluate_is_in,
    MapToArea: evaluate_map_to_area,
    Union: evaluate_union,
    Difference: evaluate_difference,
    Print: evaluate_print,
    Make: evaluate_make,
    Convert: evaluate_convert,
    Foreach: partial(evaluate_foreach, run=run),
    For: partial(evaluate_for, run=run),
    If: partial(evaluate_if, run=run),
    Complete: partial(evaluate_complete, run=run),
}
