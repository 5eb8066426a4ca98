"""What is refused before anything runs: looked for in the syntax tree, never by searching the text.

Not supported are the Overpass XML form, other shortcuts than ``{{geocodeArea:…}}``, ``{{bbox}}`` and ``{{center}}``, a
map view where the task has none, history and user filters. A query that cannot be parsed is left to the engine, which
says what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from overworld.core.boxes import Box
from overworld.core.errors import QueryError
from overworld.engine.protocol import Limits
from overworld.grade.overrides import override, setting_keys
from overworld.ql import tree
from overworld.ql.parser import parse_unchecked
from overworld.ql.shortcuts import Shortcut, UnsupportedShortcutError, fill

_XML = re.compile(r"\s*<[?!A-Za-z]")
_STRING_OR_COMMENT = re.compile(
    r"""(?P<string>"(?:[^"\\]|\\.)*(?:"|\Z)|'(?:[^'\\]|\\.)*(?:'|\Z))|//[^\n]*|/\*(?:.*?\*/|(?P<open>.*\Z))""",
    re.DOTALL,
)
_HISTORY_SETTINGS = frozenset({"date", "diff", "adiff"})
_STAND_INS = {"bbox": "1,1,2,2", "center": "1,1", "geocodeArea": "area(3600000001)"}


class RefusedQueryError(Exception):
    """Why a query is not run: the message of the verdict ``rejected``."""


def refuse(query: str, view: Box | None) -> None:
    """Raise ``RefusedQueryError`` if ``query`` holds what is not supported. ``view``: the task's map view."""
    if _XML.match(without_comments(query)):
        raise RefusedQueryError("Overpass XML is not supported")

    def stand_in(shortcut: Shortcut) -> str:
        if shortcut.name != "geocodeArea":
            needed_view(shortcut, view)
        return _STAND_INS[shortcut.name]

    unsupported = next(_unsupported(filled(query, stand_in)), None)
    if unsupported is not None:
        raise RefusedQueryError(f"{unsupported} is not supported: a world has no history and no users")


def needed_view(shortcut: Shortcut, view: Box | None) -> Box:
    """``view``, which ``shortcut`` asks for. Raises ``RefusedQueryError`` where the task has none."""
    if view is None:
        raise RefusedQueryError(f"line {shortcut.line}: {shortcut.text}: the task has no map view")
    return view


def without_comments(query: str) -> str:
    """``query`` with white space for its comments: what they mention is not asked for. Lines keep their numbers."""

    def replacement(found: re.Match[str]) -> str:
        if found["string"] is not None or found["open"] is not None:
            return found[0]
        return " " + "\n" * found[0].count("\n")

    return _STRING_OR_COMMENT.sub(replacement, query)


def filled(query: str, value: Callable[[Shortcut], str]) -> str:
    """``query`` with its shortcuts replaced by what ``value`` gives, comments left out."""
    text = without_comments(query)
    # Behind the last end of a shortcut no other can begin: looking there would take long where many seem to.
    end = text.rfind("}}") + 2 if "}}" in text else 0
    try:
        return fill(text[:end], value) + text[end:]
    except UnsupportedShortcutError as error:
        raise RefusedQueryError(error.message) from error


def _unsupported(query: str) -> Iterator[str]:
    """What a query asks of history and users, in its order; only the settings of one that cannot be parsed."""
    yield from (f"[{key}:…]" for key in setting_keys(query) if key in _HISTORY_SETTINGS)
    try:
        script = parse_unchecked(override(query, Limits()))
    except QueryError:
        return
    for statement in _statements(script.statements):
        if isinstance(statement, tree.HistoryStatement):
            yield f"line {statement.line}: {statement.kind}"
        elif isinstance(statement, tree.Query):
            for one in statement.filters:
                if isinstance(one, tree.HistoryFilter):
                    yield f"line {one.line}: ({one.kind}:…)"


def _statements(statements: tuple[tree.Statement, ...]) -> Iterator[tree.Statement]:
    """Every statement, those inside of blocks included."""
    for statement in statements:
        yield statement
        yield from _statements(getattr(statement, "statements", ()))
        yield from _statements(getattr(statement, "otherwise", ()))
