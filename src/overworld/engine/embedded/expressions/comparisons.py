"""Comparisons of element functions with a number, on number arrays: no text is made except where it is close."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from overworld.core.elements import ElementType
from overworld.engine.embedded.elementgeometry import way_vertices
from overworld.engine.embedded.expressions.batches import Batch, ElementBatch
from overworld.engine.embedded.expressions.columns import Mask
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
ROUNDING: Final = 0.001
"""Lengths are rounded to millimetres before they are compared."""


def compared(expression: Binary, batch: Batch | None) -> Mask | None:
    """The truth of the comparison of ``id()`` or ``length()`` with a number for each element.

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
        return _lengths(batch, op, fixed.value)
    return None


def _ids(batch: ElementBatch, op: str, text: str) -> Mask | None:
    number = integer(text)
    if number is None or abs(number) >= INTEGER_MAX:
        return None
    return COMPARED[op](batch.world.ids(batch.kind)[batch.rows], number)


def _lengths(batch: ElementBatch, op: str, text: str) -> Mask | None:
    number = double(text)
    if number is None or not np.isfinite(number):
        return None
    lengths, errors = approximate_lengths(batch.world, way_vertices(batch.world, batch.rows))
    mask = COMPARED[op](lengths, number)
    close = np.flatnonzero(np.abs(lengths - number) <= errors + ROUNDING)
    if len(close):
        exact = ElementBatch(batch.world, batch.kind, batch.rows[close]).lengths().texts(len(close))
        mask[close] = [BINARY[op](length, text) == "1" for length in exact]
    return mask
