"""Numbers as the C library reads and C++ streams write them.

The engine keeps most numbers as text and converts them late and leniently (``"12abc"`` is 12, ``"abc"`` is 0); whoever
wants its results has to convert the same way.
"""

from __future__ import annotations

import re
from typing import Final

_SPACE: Final = r"[ \t\n\v\f\r]*"
_FLOAT: Final = re.compile(
    rf"{_SPACE}([+-]?)(?:0[xX]((?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?)"
    r"|((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(inf(?:inity)?)|(nan(?:\([0-9a-zA-Z_]*\))?))",
    re.IGNORECASE,
)
_PLAIN: Final = re.compile(r"-?[0-9]+(?:\.[0-9]*)?")
_INTEGER: Final = re.compile(rf"{_SPACE}([+-]?)(?:0[xX]([0-9a-fA-F]+)|(0[0-7]*)|([1-9][0-9]*))")
_DECIMAL: Final = re.compile(rf"{_SPACE}([+-]?[0-9]+)")
_STREAMED: Final = re.compile(rf"{_SPACE}([+-]?(?:[0-9]*\.?[0-9]*)(?:(?<=[0-9.])[eE][+-]?[0-9]*)?)")

INT64_MAX: Final = 2**63 - 1
UINT32_MAX: Final = 2**32 - 1
_UINT64: Final = 2**64


def float_prefix(text: str) -> tuple[float, int]:
    """The number that ``text`` starts with (0 if none) and how many characters it takes (``strtod``)."""
    match = _FLOAT.match(text.split("\0", 1)[0])
    if match is None:
        return 0.0, 0
    sign, hexadecimal, decimal, infinite, _ = match.groups()
    if decimal is not None:
        value = float(decimal)
    elif hexadecimal is not None:
        value = float.fromhex(hexadecimal) if _fits(hexadecimal) else float("inf")
    else:
        value = float("inf") if infinite else float("nan")
    return (-value if sign == "-" else value), match.end()


def _fits(hexadecimal: str) -> bool:
    try:
        float.fromhex(hexadecimal)
    except OverflowError:
        return False
    return True


def to_float(text: str) -> float:
    """``atof``: the number that ``text`` starts with, else 0."""
    return float(text) if _PLAIN.fullmatch(text) else float_prefix(text)[0]


def is_float(text: str) -> bool:
    """Whether all of ``text`` is a number to the engine."""
    return text != "" and float_prefix(text)[1] == len(text)


def int_prefix(text: str) -> tuple[int, int, bool]:
    """The integer that ``text`` starts with, how many characters it takes, and whether it fits into 64 bits
    (``strtoll`` with base 0: ``0x…`` is hexadecimal, ``0…`` octal)."""
    match = _INTEGER.match(text.split("\0", 1)[0])
    if match is None:
        return 0, 0, True
    sign, hexadecimal, octal, decimal = match.groups()
    if decimal is not None:
        value = _digits(decimal, 10)
    elif octal is not None:
        value = _digits(octal, 8)
    else:
        value = _digits(hexadecimal, 16)
    value = -value if sign == "-" else value
    clamped = min(max(value, -INT64_MAX - 1), INT64_MAX)
    return clamped, match.end(), clamped == value


def _digits(digits: str, base: int) -> int:
    """Any number of digits: what is beyond 64 bits only has to stay beyond."""
    significant = digits.lstrip("0")
    return int(significant or "0", base) if len(significant) <= 64 else INT64_MAX + 2


def is_int(text: str) -> bool:
    """Whether all of ``text`` is an integer to the engine (decimal, octal or hexadecimal)."""
    return text != "" and int_prefix(text)[1] == len(text)


def to_int(text: str) -> int:
    """``atoll``: the decimal integer that ``text`` starts with, else 0, kept within 64 bits."""
    match = _DECIMAL.match(text)
    if match is None:
        return 0
    number = match.group(1)
    value = _digits(number.lstrip("+-"), 10)
    return min(max(-value if number.startswith("-") else value, -INT64_MAX - 1), INT64_MAX)


def to_unsigned(text: str) -> int:
    """``atoll`` kept as an unsigned number: -1 is 2^64 - 1."""
    return to_int(text) % _UINT64


def to_int32(text: str) -> int:
    """``atoi``: the lowest 32 bits, signed."""
    value = to_int(text) & UINT32_MAX
    return value - 2**32 if value > UINT32_MAX // 2 else value


def format_float(value: float) -> str:
    """A number as the engine writes it: 14 significant digits."""
    return format(value, ".14g")


def read_pairs(text: str) -> tuple[list[tuple[float, float]], bool]:
    """Pairs of numbers between white space, as C++ streams read them, and whether the text ended after a pair.

    A pair whose second number cannot be read ends the reading, with 0 in its place.
    """
    pairs: list[tuple[float, float]] = []
    at = 0
    while True:
        first, at, good = _streamed(text, at)
        if not good:
            return pairs, False
        second, at, good = _streamed(text, at)
        pairs.append((first, second))
        if not good:
            return pairs, True


def _streamed(text: str, at: int) -> tuple[float, int, bool]:
    """One number, where it ends, and whether it was read and something follows it."""
    match = _STREAMED.match(text, at)
    assert match is not None, "the pattern matches the empty string"
    try:
        value = float(match.group(1))
    except ValueError:
        return 0.0, match.end(), False
    return value, match.end(), match.end() < len(text)
