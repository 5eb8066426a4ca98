"""Aggregates over the elements of a set: ``u``, ``set``, ``min``, ``max``, ``sum`` and ``count``.

Each takes the columns of an expression, with their lengths, in the engine's order of the elements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from overworld.engine.embedded.expressions.columns import Column
from overworld.engine.embedded.expressions.lists import extreme
from overworld.engine.embedded.expressions.values import NOT_A_NUMBER, double, double_text, integer, wrapped
from overworld.engine.embedded.sets import ElementSet

Columns = Sequence[tuple[Column, int]]

SEVERAL: Final = "< multiple values found >"
COUNTED: Final = {
    "nodes": ("nodes",),
    "ways": ("ways",),
    "relations": ("relations",),
    "deriveds": ("areas", "derived"),
    "nwr": ("nodes", "ways", "relations"),
    "nw": ("nodes", "ways"),
    "wr": ("ways", "relations"),
    "nr": ("nodes", "relations"),
}


def count_text(elements: ElementSet | None, what: str) -> str:
    """``set.count(what)``."""
    return "0" if elements is None else str(sum(len(getattr(elements, name)) for name in COUNTED[what]))


def _distinct(columns: Columns) -> dict[str, None]:
    return dict.fromkeys(value for column, count in columns if count for value in column.used())


def union(columns: Columns) -> str:
    """``u``: the one value other than the empty one, or a note that there are several."""
    found = [value for value in _distinct(columns) if value]
    return "" if not found else found[0] if len(found) == 1 else SEVERAL


def collected(columns: Columns) -> str:
    """``set``: all values other than the empty one, sorted."""
    return ";".join(sorted(value for value in _distinct(columns) if value))


def minimum(columns: Columns) -> str:
    """``min``."""
    return extreme(_distinct(columns), largest=False)


def maximum(columns: Columns) -> str:
    """``max``."""
    return extreme(_distinct(columns), largest=True)


def total(columns: Columns) -> str:
    """``sum``: of integers if all are, else of doubles if all are, added up in the order of the elements."""
    distinct = list(_distinct(columns))
    integers = {value: integer(value) for value in distinct}
    texts = (value for column, count in columns for value in column.texts(count))
    if None not in integers.values():
        return str(wrapped(sum(integers[value] or 0 for value in texts)))
    doubles = {value: double(value) for value in distinct}
    if None in doubles.values():
        return NOT_A_NUMBER
    result = 0.0
    for value in texts:
        result += doubles[value] or 0.0
    return double_text(result)


AGGREGATES: Final[dict[str, Callable[[Columns], str]]] = {
    "u": union,
    "set": collected,
    "min": minimum,
    "max": maximum,
    "sum": total,
}
