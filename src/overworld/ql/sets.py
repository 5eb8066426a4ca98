"""Names of sets around a statement: ``.from`` before or behind its word, ``->.into`` behind it."""

from __future__ import annotations

from overworld.ql.tokens import Cursor


def read_into(cursor: Cursor) -> str:
    """``->.set``; ``_`` if there is none."""
    if not (cursor.good and cursor.token == "->"):
        return "_"
    cursor.advance()
    cursor.skip_past(".")
    return cursor.read_identifier("Variable") if cursor.good else "_"


def read_from(cursor: Cursor) -> str:
    """``.set`` behind a word; ``_`` if there is none."""
    if not (cursor.good and cursor.token == "."):
        return "_"
    cursor.advance()
    return cursor.read_identifier("Variable") if cursor.good else "_"


def read_before(cursor: Cursor) -> str:
    """``.set`` in front of a statement or behind a query type, where any token passes as a name; ``""`` if there is
    none."""
    name = ""
    if cursor.good and cursor.token == ".":
        cursor.advance()
        if cursor.good:
            name = cursor.token
            cursor.advance()
    return name
