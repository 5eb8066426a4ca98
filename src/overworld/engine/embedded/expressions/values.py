"""Values of expressions: every value is a text, and what a text means as a number decides what an operator does.

Operators try integers first, then doubles, then fall back on text. Numbers are read as the C library's ``strtoll``
(any base, clamped to 64 bits) and ``strtod`` (hexadecimal, ``inf`` and ``nan`` too) read them, and doubles are written
with 14 significant digits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Final

SPACE: Final = " \t\n\v\f\r"
INTEGER_MIN: Final = -(2**63)
INTEGER_MAX: Final = 2**63 - 1
NOT_A_NUMBER: Final = "NaN"

_INTEGER = re.compile(r"[ \t\n\v\f\r]*([+-]?)(?:0[xX]([0-9a-fA-F]+)|0([0-7]*)|([1-9][0-9]*))")
_DOUBLE = re.compile(
    r"[ \t\n\v\f\r]*([+-]?)(?:"
    r"(?P<hex>0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?)"
    r"|(?P<decimal>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<inf>[iI][nN][fF](?:[iI][nN][iI][tT][yY])?)"
    r"|(?P<nan>[nN][aA][nN](?:\([0-9A-Za-z_]*\))?)"
    r")"
)
_SMALLEST_NORMAL: Final = 2.2250738585072014e-308


def integer(text: str) -> int | None:
    """The integer that the whole text is, clamped to 64 bits; None if it is none."""
    match = _INTEGER.fullmatch(text)
    if match is None:
        return None
    sign, hexadecimal, octal, decimal = match.groups()
    number = int(hexadecimal, 16) if hexadecimal else int(decimal) if decimal else int(octal or "0", 8)
    return max(INTEGER_MIN, min(INTEGER_MAX, -number if sign == "-" else number))


def double(text: str) -> float | None:
    """The double that the whole text is; None if it is none."""
    match = _DOUBLE.fullmatch(text)
    return None if match is None else _value(match)


def leading_double(text: str) -> tuple[float, int] | None:
    """The double that the text begins with and where it ends; None without one, or if it is too large or too small."""
    match = _DOUBLE.match(text)
    if match is None:
        return None
    value = _value(match)
    digits = match["hex"] or match["decimal"]
    if digits is not None and (math.isinf(value) or (abs(value) < _SMALLEST_NORMAL and _has_value(digits))):
        return None
    return value, match.end()


def _value(match: re.Match[str]) -> float:
    if match["hex"]:
        try:
            value = float.fromhex(match["hex"])
        except OverflowError:
            value = math.inf
    elif match["decimal"]:
        value = float(match["decimal"])
    else:
        value = math.inf if match["inf"] else math.nan
    return -value if match[1] == "-" else value


def _has_value(digits: str) -> bool:
    """Whether the mantissa is other than zero."""
    hexadecimal = digits[:2].lower() == "0x"
    mantissa = re.split("[pP]" if hexadecimal else "[eE]", digits[2:] if hexadecimal else digits)[0]
    return mantissa.strip("0.") != ""


def wrapped(number: int) -> int:
    """An integer result reduced to 64 bits, as the machine does."""
    return (number - INTEGER_MIN) % 2**64 + INTEGER_MIN


def double_text(value: float) -> str:
    """A double as the engine writes it: 14 significant digits, ``inf``, ``nan`` and ``-nan``."""
    if value != value:
        return "-nan" if math.copysign(1.0, value) < 0 else "nan"
    return f"{value:.14g}"


def fixed_text(value: float, digits: int) -> str:
    """A double with a fixed number of decimals."""
    if value != value:
        return double_text(value)
    return f"{value:.{digits}f}"


def truth(text: str) -> bool:
    """Whether a value counts as true: a number unless it is zero, a text unless it is empty."""
    number = double(text)
    return text != "" if number is None else number != 0


def negated(text: str) -> str:
    """``-x``."""
    number = integer(text)
    if number is not None:
        return str(wrapped(-number))
    value = double(text)
    return NOT_A_NUMBER if value is None else double_text(-value)


def inverted(text: str) -> str:
    """``!x``."""
    return "0" if truth(text) else "1"


def number_of(text: str) -> str:
    """``number(x)``: the number that the text begins with."""
    whole = integer(text)
    if whole is not None:
        return str(whole)
    found = leading_double(text)
    return NOT_A_NUMBER if found is None else double_text(found[0])


def is_number(text: str) -> str:
    """``is_number(x)``."""
    return "1" if integer(text) is not None or leading_double(text) is not None else "0"


def suffix(text: str) -> str:
    """``suffix(x)``: what follows the number and white space after it; empty without a number."""
    found = leading_double(text)
    return "" if found is None else text[found[1] :].lstrip(SPACE)


def absolute(text: str) -> str:
    """``abs(x)``."""
    whole = integer(text)
    if whole is not None:
        return str(wrapped(abs(whole)))
    found = leading_double(text)
    return NOT_A_NUMBER if found is None else double_text(abs(found[0]))


Binary = Callable[[str, str], str]
"""An operator on two texts. Of two NaNs, whose signs show, sums and products keep the right one, others the left."""


def _comparison(compare: Callable[[int, int], bool]) -> Binary:
    """A comparison of integers, else of doubles, else of texts. ``compare`` works for all of them."""

    def compared(left: str, right: str) -> str:
        a, b = integer(left), integer(right)
        if a is not None and b is not None:
            return "1" if compare(a, b) else "0"
        x, y = double(left), double(right)
        if x is not None and y is not None:
            return "1" if compare(x, y) else "0"  # type: ignore[arg-type]
        return "1" if compare(left, right) else "0"  # type: ignore[arg-type]

    return compared


def plus(left: str, right: str) -> str:
    """``x + y``: a sum of numbers, else both texts one after the other."""
    a, b = integer(left), integer(right)
    if a is not None and b is not None:
        return str(wrapped(a + b))
    x, y = double(left), double(right)
    if x is None or y is None:
        return left + right
    return double_text(y if x != x and y != y else x + y)


def minus(left: str, right: str) -> str:
    """``x - y``."""
    a, b = integer(left), integer(right)
    if a is not None and b is not None:
        return str(wrapped(a - b))
    x, y = double(left), double(right)
    if x is None or y is None:
        return NOT_A_NUMBER
    return double_text(x if x != x and y != y else x - y)


def times(left: str, right: str) -> str:
    """``x * y``."""
    a, b = integer(left), integer(right)
    if a is not None and b is not None:
        return str(wrapped(a * b))
    x, y = double(left), double(right)
    if x is None or y is None:
        return NOT_A_NUMBER
    return double_text(y if x != x and y != y else x * y)


def divided(left: str, right: str) -> str:
    """``x / y``: always a quotient of doubles."""
    x, y = double(left), double(right)
    if x is None or y is None:
        return NOT_A_NUMBER
    if x != x:
        return double_text(x)
    if y != 0:
        return double_text(x / y)
    if x == 0:
        return "-nan"
    return double_text(math.copysign(math.inf, x) * math.copysign(1.0, y))


def both(left: str, right: str) -> str:
    """``x && y``."""
    return "1" if truth(left) and truth(right) else "0"


def either(left: str, right: str) -> str:
    """``x || y``."""
    return "1" if truth(left) or truth(right) else "0"


BINARY: Final[dict[str, Binary]] = {
    "&&": both,
    "||": either,
    "==": _comparison(lambda a, b: a == b),
    "!=": _comparison(lambda a, b: a != b),
    "<": _comparison(lambda a, b: a < b),
    "<=": _comparison(lambda a, b: a <= b),
    ">": _comparison(lambda a, b: a > b),
    ">=": _comparison(lambda a, b: a >= b),
    "+": plus,
    "-": minus,
    "*": times,
    "/": divided,
}
"""Binary operators by their sign."""
