"""Words, numbers and strings as QL text that reads back as the same."""

from __future__ import annotations

import re
from typing import Final

from overworld.ql.numbers import format_float, is_float, is_int
from overworld.ql.strings import quote

_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NUMBER: Final = re.compile(r"(?:[0-9]|-(?=[0-9]))[0-9]*(?:\.[0-9]*)?(?:e-?[0-9]*)?")


def is_word(text: str) -> bool:
    """Whether ``text`` is one token that needs no quotation marks where a text is expected."""
    return bool(_IDENTIFIER.fullmatch(text) or _NUMBER.fullmatch(text))


def word(text: str) -> str:
    """A text, in quotation marks only if it needs them."""
    return text if is_word(text) else quote(text)


def words(text: str) -> str:
    """A text of several words with spaces or commas between, such as ``1 Gi`` or ``1,2,3,4``; in quotation marks if its
    words need them."""
    separator = "," if "," in text else " "
    return text if all(is_word(part) for part in text.split(separator)) else quote(text)


def key(text: str) -> str:
    """The key of an assignment."""
    return text if _IDENTIFIER.fullmatch(text) else quote(text)


def constant(text: str) -> str:
    """A constant in an expression: numbers as they are, other texts in quotation marks."""
    return text if is_word(text) and (is_int(text) or is_float(text)) else quote(text)


def number(value: float) -> str:
    """A number as the engine writes it, with more digits if it would read back as another one."""
    text = format_float(value)
    if float(text) != value and value == value:
        text = repr(value)
    return text.replace("e+", "e")


def identifier(value: int) -> str:
    """An id: the engine keeps it unsigned and reads it signed."""
    return str(value - 2**64 if value >= 2**63 else value)


_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}


def is_plain(set_name: str) -> bool:
    """Whether the name of a set is a word: any token passes for one in an expression or a filter."""
    return bool(_IDENTIFIER.fullmatch(set_name))


def set_name(token: str) -> str:
    """The name of a set in an expression or a filter; an opening bracket is closed at once."""
    return token + _CLOSING.get(token, "")


def before_dot(token: str) -> str:
    """The name of a set with the dot behind it; a number must not swallow the dot."""
    return set_name(token) + (" ." if token[:1] in "-0123456789" else ".")
