"""What is refused before anything runs: looked for in the syntax tree, never by searching the text.

Not supported are the Overpass XML form, other shortcuts than ``{{geocodeArea:…}}``, ``{{bbox}}`` and ``{{center}}``, a
map view where the task has none, history and user filters. A query that cannot be parsed is left to the engine, which
says what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from overworld.core.boxes import Box
from overworld.core.errors import QueryError
from overworld.engine.protocol import Limits
from overworld.grade.overrides import override, setting_keys
from overworld.ql import tree
from overworld.ql.parser import parse_unchecked
from overworld.ql.shortcuts import Shortcut, UnsupportedShortcutError, fill

_XML = re.compile(r"\s*<[?!A-Za-z]")
_STRING_OR_COMMENT = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|//[^\n]*|/\*.*?\*/""", re.DOTALL)
_HISTORY_SETTINGS = frozenset({"date", "diff", "adiff"})
_STAND_INS = {"bbox": "1,1,2,2", "center": "1,1", "geocodeArea": "area(3600000001)"}


class RefusedQueryError(Exception):
    """Why a query is not run: the message of the verdict ``rejected``."""


def refuse(query: str, view: Box | None) -> None:
    """Raise ``RefusedQueryError`` if ``query`` holds what is not supported. ``view``: the task's map view."""
    text = without_comments(query)
    if _XML.match(text):
        raise RefusedQueryError("Overpass XML is not supported")

    def stand_in(shortcut: Shortcut) -> str:
        if shortcut.name != "geocodeArea":
            needed_view(shortcut, view)
        return _STAND_INS[shortcut.name]

    try:
        filled = fill(text, stand_in)
    except UnsupportedShortcutError as error:
        raise RefusedQueryError(error.message) from error
    unsupported = next(_unsupported(filled), None)
    if unsupported is not None:
        raise RefusedQueryError(f"{unsupported} is not supported: a world has no history and no users")


def needed_view(shortcut: Shortcut, view: Box | None) -> Box:
    """``view``, which ``shortcut`` asks for. Raises ``RefusedQueryError`` where the task has none."""
    if view is None:
        raise RefusedQueryError(f"line {shortcut.line}: {shortcut.text}: the task has no map view")
    return view


def without_comments(query: str) -> str:
    """``query`` with white space for its comments: what they mention is not asked for. Lines keep their numbers."""
    return _STRING_OR_COMMENT.sub(lambda found: found[1] or " " + "\n" * found[0].count("\n"), query)


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
