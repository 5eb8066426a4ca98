"""Strings in quotes and in XML attributes, as the engine writes them."""

from __future__ import annotations

import re
from typing import Final

_QUOTED: Final = re.compile(r'["\\\x00-\x1f]')
_ESCAPED: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_MARKUP: Final = re.compile(r'[&"<>\x00-\x1f]')
_ENTITIES: Final = {
    "&": "&amp;",
    '"': "&quot;",
    "<": "&lt;",
    ">": "&gt;",
    "\n": "&#x0a;",
    "\t": "&#x09;",
    "\r": "&#x0d;",
}


def escape_quoted(text: str) -> str:
    """The inside of a quoted string; control characters that have no escape become ``?``."""
    return _QUOTED.sub(lambda match: _ESCAPED.get(match.group(), "?"), text)


def quote(text: str) -> str:
    """A quoted string."""
    return f'"{escape_quoted(text)}"'


def escape_markup(text: str) -> str:
    """The value of an XML attribute; control characters that have no entity become ``?``."""
    return _MARKUP.sub(lambda match: _ENTITIES.get(match.group(), "?"), text)
