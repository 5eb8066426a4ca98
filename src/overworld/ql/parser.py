"""Entry to the language: text in, typed tree out, or the engine's own errors."""

from __future__ import annotations

from overworld.core.errors import QueryError
from overworld.ql import posix
from overworld.ql.diagnostics import Diagnostics
from overworld.ql.settings import SettingsReader
from overworld.ql.statements import StatementReader, TooDeepError
from overworld.ql.tag_filters import RegexCheck
from overworld.ql.tokens import Cursor, tokenize
from overworld.ql.tree import Script

MAX_BYTES = 1_048_576
"""Longest query that the engine reads."""


def parse(text: str, valid_regex: RegexCheck = posix.is_valid) -> Script:
    """The syntax tree of a script, for evaluation.

    ``text`` is the query as a person wrote it; a line end is added to it, as programs do, so that an error at the end
    names the line after the last. ``valid_regex`` says whether a regular expression is one.

    Raises QueryError of kind ``parse`` or ``static`` for what the engine refuses, with the engine's first message and
    line, and in ``errors`` all its error lines in order; of kind ``unsupported`` for Overpass XML.
    """
    return _read(text, valid_regex, checks=True)


def parse_unchecked(text: str, valid_regex: RegexCheck = posix.is_valid) -> Script:
    """The syntax tree as the engine's converter to XML reads it: without the checks of statements and settings, and so
    without a global bounding box. Not for evaluation; errors are raised as by ``parse``."""
    return _read(text, valid_regex, checks=False)


def _read(text: str, valid_regex: RegexCheck, *, checks: bool) -> Script:
    _refuse_unreadable(text)
    diagnostics = Diagnostics(checks)
    cursor = Cursor(tokenize(text), diagnostics)
    settings = SettingsReader(cursor, diagnostics)
    script_settings = settings.read()
    try:
        statements = StatementReader(cursor, diagnostics, settings.box, valid_regex).read_all()
    except TooDeepError:
        statements = ()
    error = diagnostics.error()
    if error is not None:
        raise error
    return Script(script_settings, statements)


def _refuse_unreadable(text: str) -> None:
    start = text.lstrip(" \t\n\v\f\r")[:1]
    if start == "":
        message = "Your input contains only whitespace."
        raise QueryError("parse", message, 0, (f"encoding error: {message}",))
    size = len(text.encode("utf-8", "surrogatepass")) + 1
    if size > MAX_BYTES:
        message = f"Input Input too long (length: {size}). The maximum query length is 1 MB."
        raise QueryError("parse", message, 0, (f"encoding error: {message}",))
    if start == "<":
        message = "Overpass XML is not read: write the query in OverpassQL."
        raise QueryError("unsupported", message, 0, (message,))
