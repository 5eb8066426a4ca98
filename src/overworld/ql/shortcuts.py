"""``{{shortcuts}}`` of overpass-turbo: found in a query's text and replaced before it is parsed.

``{{bbox}}``, ``{{center}}`` and ``{{geocodeArea:name}}`` exist; whoever fills them in says what they stand for. As in
overpass-turbo the text is searched as it is, so that a shortcut in a comment or a string is replaced, too, and the
line ends inside a shortcut are kept behind its replacement. Other shortcuts (dates, other geocoding, styles, constants
as in ``{{name=value}}``) are refused, where overpass-turbo would evaluate or silently drop them.
Source: OpenStreetMap wiki, Overpass turbo/Extended Overpass Turbo Queries.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from overworld.core.errors import InputError

SUPPORTED: Final = frozenset({"bbox", "center", "geocodeArea"})

_BODY: Final = re.compile(r"\s*(?P<name>\w+)\s*(?::(?P<argument>.*))?", re.DOTALL | re.ASCII)


@dataclass(frozen=True, slots=True)
class Shortcut:
    """One ``{{name:argument}}``.

    ``argument`` is without white space and quotation marks around it, ``""`` if there is none. ``text`` is the whole
    as written, from ``start`` to ``end`` in the query, on ``line``. ``name`` is ``""`` for what has no name.
    """

    name: str
    argument: str
    text: str
    start: int
    end: int
    line: int

    @property
    def is_supported(self) -> bool:
        return self.name in SUPPORTED and (self.argument != "") == (self.name == "geocodeArea")


class UnsupportedShortcutError(InputError):
    """A shortcut that is none of the three, or that lacks or has an argument where it should not."""

    def __init__(self, shortcut: Shortcut) -> None:
        self.shortcut = shortcut
        super().__init__(
            f"line {shortcut.line}: unsupported shortcut {shortcut.text}",
            remedy='only {{bbox}}, {{center}} and {{geocodeArea:"name"}} are filled in',
        )


def find(text: str) -> Iterator[Shortcut]:
    """All shortcuts of a query in order, supported or not. Takes time linear in its length."""
    end, line = 0, 1
    while (start := text.find("{{", end)) >= 0 and (close := text.find("}}", start + 2)) >= 0:
        line += text.count("\n", end, start)
        body = _BODY.fullmatch(text, start + 2, close)
        name, argument = ("", None) if body is None else (body["name"], body["argument"])
        end = close + 2
        shortcut = Shortcut(name, _bare(argument or ""), text[start:end], start, end, line)
        yield shortcut
        line += shortcut.text.count("\n")


def fill(text: str, value: Callable[[Shortcut], str]) -> str:
    """``text`` with each shortcut replaced by what ``value`` gives for it.

    ``{{geocodeArea:X}}->.a`` with ``area(3600000001)`` for X becomes ``area(3600000001)->.a``; ``{{bbox}}`` and
    ``{{center}}`` are replaced by ``south,west,north,east`` and ``lat,lon``. Line numbers stay as they are.

    Raises UnsupportedShortcutError for a shortcut that does not exist here; what ``value`` raises passes.
    """
    pieces = []
    position = 0
    for shortcut in find(text):
        if not shortcut.is_supported:
            raise UnsupportedShortcutError(shortcut)
        pieces.append(text[position : shortcut.start])
        pieces.append(value(shortcut))
        pieces.append("\n" * shortcut.text.count("\n"))
        position = shortcut.end
    return "".join(pieces) + text[position:]


def _bare(argument: str) -> str:
    """Search engines for places ignore quotation marks around a name."""
    argument = argument.strip()
    for mark in ('"', "'"):
        if len(argument) >= 2 and argument[0] == argument[-1] == mark:
            return argument[1:-1].strip()
    return argument
