"""The values of an expression for many elements at once.

A column holds the distinct values and, for each element, which of them it has: an operator runs once for each value, or
for each pair of values that occurs, however many elements there are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from overworld.engine.embedded.expressions.values import truth

Codes = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Column:
    """``values``: texts, not necessarily distinct. ``codes`` (int64): for each element an index into ``values``.

    ``codes`` None: every element has ``values[0]``.
    """

    values: Sequence[str]
    codes: Codes | None = None

    def texts(self, count: int) -> list[str]:
        """The value of each of ``count`` elements."""
        if self.codes is None:
            return [self.values[0]] * count
        values = self.values
        return [values[code] for code in self.codes.tolist()]

    def used(self) -> list[str]:
        """The distinct values that elements have."""
        if self.codes is None:
            return [self.values[0]]
        return list(dict.fromkeys(self.values[code] for code in np.unique(self.codes).tolist()))

    def take(self, positions: npt.NDArray[Any]) -> Column:
        """The values of the elements at ``positions``."""
        return self if self.codes is None else Column(self.values, self.codes[positions])

    def map(self, function: Callable[[str], str]) -> Column:
        """A function of each value."""
        return Column([function(value) for value in self.values], self.codes)

    def true(self, count: int) -> Mask:
        """Which of ``count`` elements have a value that counts as true."""
        if self.codes is None:
            return np.full(count, truth(self.values[0]))
        return np.fromiter(map(truth, self.values), dtype=bool, count=len(self.values))[self.codes]


def constant(value: str) -> Column:
    """The same value for every element."""
    return Column((value,))


def column_of(texts: Sequence[str]) -> Column:
    """A column of one text for each element."""
    return Column(texts, np.arange(len(texts), dtype=np.int64))


def column_of_numbers(numbers: npt.NDArray[np.integer[Any]]) -> Column:
    """A column of integers."""
    if len(numbers) == 1:
        return constant(str(int(numbers[0])))
    distinct, codes = np.unique(numbers, return_inverse=True)
    return Column([str(number) for number in distinct.tolist()], codes.astype(np.int64, copy=False))


def combined(function: Callable[[str, str], str], left: Column, right: Column) -> Column:
    """A function of two columns' values."""
    if left.codes is None:
        first = left.values[0]
        return Column([function(first, value) for value in right.values], right.codes)
    if right.codes is None:
        second = right.values[0]
        return Column([function(value, second) for value in left.values], left.codes)
    pairs, codes = np.unique(left.codes * len(right.values) + right.codes, return_inverse=True)
    firsts, seconds = np.divmod(pairs, len(right.values))
    values = [
        function(left.values[first], right.values[second])
        for first, second in zip(firsts.tolist(), seconds.tolist(), strict=True)
    ]
    return Column(values, codes.astype(np.int64, copy=False))


def chosen(mask: Mask, yes: Column, no: Column) -> Column:
    """``yes`` where ``mask`` is true, ``no`` elsewhere."""
    first = np.zeros(len(mask), dtype=np.int64) if yes.codes is None else yes.codes
    second = np.zeros(len(mask), dtype=np.int64) if no.codes is None else no.codes
    return Column([*yes.values, *no.values], np.where(mask, first, second + len(yes.values)))
