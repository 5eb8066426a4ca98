"""Comparisons of element functions with a number, on number arrays: no text is made except where it is close."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from overworld.core.elements import ElementType
from overworld.engine.embedded.expressions.batches import Batch, ElementBatch
from overworld.engine.embedded.expressions.columns import Column, Mask
from overworld.engine.embedded.expressions.measures import approximate_lengths
from overworld.engine.embedded.expressions.values import BINARY, INTEGER_MAX, double, integer
from overworld.ql.tree import Binary, Call, Expression, Fixed

Numbers = npt.NDArray[Any]

COMPARED: Final[dict[str, Callable[[Numbers, float], Mask]]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
MIRRORED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
LENGTH_STEP: Final = 0.001
COORDINATE_STEP: Final = 1e-7
"""Lengths and coordinates are rounded to these steps before they are compared."""


def compared(expression: Binary, batch: Batch | None) -> Mask | None:
    """The truth of the comparison of ``id()``, ``length()``, ``lat()`` or ``lon()`` with a number, for each element.

    None if the expression is no such comparison.
    """
    if expression.op not in COMPARED or not isinstance(batch, ElementBatch):
        return None
    sides: tuple[Expression, Expression] = (expression.left, expression.right)
    op = expression.op
    if isinstance(sides[0], Fixed):
        sides, op = sides[::-1], MIRRORED[op]
    call, fixed = sides
    if not isinstance(call, Call) or not isinstance(fixed, Fixed):
        return None
    if call.name == "id":
        return _ids(batch, op, fixed.value)
    if call.name == "length" and batch.kind is ElementType.WAY:
        return _near(batch, op, fixed.value, *_lengths(batch), lambda some: some.lengths())
    if call.name in ("lat", "lon") and batch.kind in (ElementType.NODE, ElementType.WAY):
        index = 0 if call.name == "lat" else 1
        numbers = batch.centres()[:, index]
        errors = np.full(batch.count, COORDINATE_STEP)
        return _near(batch, op, fixed.value, numbers, errors, lambda some: some.coordinate(index))
    return None


def _ids(batch: ElementBatch, op: str, text: str) -> Mask | None:
    number = integer(text)
    if number is None or abs(number) >= INTEGER_MAX:
        return None
    return COMPARED[op](batch.world.ids(batch.kind)[batch.rows], number)


def _lengths(batch: ElementBatch) -> tuple[Numbers, Numbers]:
    lengths, errors = approximate_lengths(batch.world, batch.lines())
    return lengths, errors + LENGTH_STEP


def _near(
    batch: ElementBatch, op: str, text: str, numbers: Numbers, errors: Numbers, exact: Callable[[Batch], Column]
) -> Mask | None:
    """Compares numbers that may be wrong by ``errors``; where that matters, the exact texts."""
    number = double(text)
    if number is None or not np.isfinite(number):
        return None
    mask = COMPARED[op](numbers, number)
    close = np.flatnonzero(~(np.abs(numbers - number) > errors))
    if len(close):
        texts = exact(ElementBatch(batch.world, batch.kind, batch.rows[close])).texts(len(close))
        mask[close] = [BINARY[op](one, text) == "1" for one in texts]
    return mask
