"""Dates in expressions: six numbers out of any text, packed into one double that compares like the date."""

from __future__ import annotations

import re
from typing import Final

from overworld.engine.embedded.expressions.values import double_text

_DIGITS = re.compile("[0-9]+")
_LIMITS: Final = (12, 31, 23, 59, 60)
"""Largest month, day, hour, minute and second."""
_UNITS: Final = (16.0, 16.0 * 32, 16.0 * 32 * 32, 16.0 * 32 * 32 * 64, 16.0 * 32 * 32 * 64 * 64)


def _fields(text: str) -> list[int] | None:
    """Year, month, day, hour, minute and second (0 where missing, modulo 2^32); None if this cannot be a date."""
    numbers = [int(digits) % 2**32 for digits in _DIGITS.findall(text)[:6]]
    numbers += [0] * (6 - len(numbers))
    possible = numbers[0] >= 1000 and all(number <= limit for number, limit in zip(numbers[1:], _LIMITS, strict=True))
    return numbers if possible else None


def date(text: str) -> str:
    """``date(x)``: the packed date, or ``NaD``."""
    fields = _fields(text)
    if fields is None:
        return "NaD"
    value = float(fields[0])
    for number, unit in zip(fields[1:], _UNITS, strict=True):
        value += number / unit
    return double_text(value)


def is_date(text: str) -> str:
    """``is_date(x)``."""
    return "0" if _fields(text) is None else "1"
