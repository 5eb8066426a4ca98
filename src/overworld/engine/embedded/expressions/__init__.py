"""Expressions of OverpassQL: what ``(if:…)``, ``if``, ``for``, ``make`` and ``convert`` evaluate."""

from __future__ import annotations

import numpy as np

from overworld.core.elements import ElementType
from overworld.engine.embedded.context import Context
from overworld.engine.embedded.expressions.batches import Batch, DerivedBatch, ElementBatch, portions
from overworld.engine.embedded.expressions.columns import Mask
from overworld.engine.embedded.expressions.evaluator import Evaluator
from overworld.engine.embedded.expressions.scope import Scope
from overworld.engine.embedded.sets import Derived, Rows
from overworld.ql.tree import Expression

__all__ = ["evaluate_value", "filter_derived", "filter_mask"]


def filter_mask(context: Context, condition: Expression, kind: ElementType, rows: Rows) -> Mask:
    """Which elements ``(if:condition)`` keeps. Shape (len(rows),).

    ``rows``: rows of the table of ``kind``, in any order.
    """
    scope = Scope.of(context)
    parts = [_true(scope, condition, ElementBatch(context.world, kind, part)) for part in portions(kind, rows)]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=bool)


def filter_derived(context: Context, condition: Expression, items: tuple[Derived, ...]) -> tuple[Derived, ...]:
    """The derived elements that ``(if:condition)`` keeps."""
    mask = _true(Scope.of(context), condition, DerivedBatch(items))
    return tuple(item for item, kept in zip(items, mask.tolist(), strict=True) if kept)


def _true(scope: Scope, condition: Expression, batch: Batch) -> Mask:
    column = Evaluator(scope, batch).column(condition)
    # An aggregate over a set that was never filled is no condition at all.
    return np.ones(batch.count, dtype=bool) if column is None else column.true(batch.count)


def evaluate_value(context: Context, expression: Expression) -> str:
    """The value of an expression outside of any element: ``if (expression)``."""
    return Evaluator(Scope.of(context)).text(expression).values[0]
