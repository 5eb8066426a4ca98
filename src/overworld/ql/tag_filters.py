"""The filters of a query in brackets: tags."""

from __future__ import annotations

from collections.abc import Callable

from overworld.ql.diagnostics import Diagnostics
from overworld.ql.tokens import Cursor
from overworld.ql.tree import TagFilter

RegexCheck = Callable[[str], bool]
"""Whether a regular expression is one."""


def read_tag_filter(cursor: Cursor) -> TagFilter | None:
    """``[…]``: the cursor is on the bracket. None: the filter asks for nothing (``[key=]``)."""
    cursor.advance()
    key_is_regex = cursor.token == "~"
    if key_is_regex:
        cursor.advance()
    if cursor.token == "!":
        cursor.advance()
        key = cursor.read_text("Key")
        cursor.skip_past("]")
        return TagFilter(key, "~", ".*", negated=True, line=cursor.line)
    key = cursor.read_text("Key")
    cursor.skip_to("!", "~", "=", "!=", "]")
    negated = cursor.token == "!"
    if negated:
        cursor.advance()
        cursor.skip_to("~", "=", "]")
    if cursor.token == "]":
        _refuse_key_regex(cursor, key_is_regex)
        found = TagFilter(key, "has", written="!" if negated else "", line=cursor.line)
        cursor.advance()
        return found
    if cursor.token in ("=", "!="):
        _refuse_key_regex(cursor, key_is_regex)
        return _read_value(cursor, key, negated=cursor.token == "!=")
    return _read_regex(cursor, key, key_is_regex=key_is_regex, negated=negated)


def _refuse_key_regex(cursor: Cursor, key_is_regex: bool) -> None:
    if key_is_regex:
        cursor.report(
            "A regular expression for a key can only be combined with a regular expression as value criterion"
        )


def _read_value(cursor: Cursor, key: str, *, negated: bool) -> TagFilter | None:
    cursor.advance()
    if cursor.good and cursor.token == "]":
        cursor.advance()
        return None
    line = cursor.line
    value = cursor.read_text("Value")
    cursor.skip_past("]")
    return TagFilter(key, "=", value, negated=negated, line=line) if value else None


def _read_regex(cursor: Cursor, key: str, *, key_is_regex: bool, negated: bool) -> TagFilter:
    cursor.advance()
    line = cursor.line
    value = cursor.read_text("Value")
    cursor.skip_to(",", "]")
    ignore_case = cursor.token == ","
    if ignore_case:
        cursor.advance()
        cursor.skip_past("i")
        cursor.skip_to("]")
    cursor.advance()
    if value == "" and not key_is_regex:
        return TagFilter(key, "has", ignore_case=ignore_case, written="!~" if negated else "~", line=line)
    return TagFilter(key, "~", value, negated, key_is_regex, ignore_case, line)


def check_tag_filter(found: TagFilter, diagnostics: Diagnostics, valid_regex: RegexCheck) -> None:
    """The checks that wait until the query is complete: keys, regular expressions, negation of key expressions."""
    report = diagnostics.attribute
    if found.key == "":
        report(
            'For the attribute "k" of the element "has-kv" the only allowed values are non-empty strings.', found.line
        )
    elif found.key_is_regex and not valid_regex(found.key):
        report(f'Invalid regular expression: "{found.key}"', found.line)
    if found.op == "~" and found.value and not valid_regex(found.value):
        report(f'Invalid regular expression: "{found.value}"', found.line)
    if found.key_is_regex and found.key and found.negated:
        report('In the element "has-kv" regular expressions on keys cannot be combined with negation.', found.line)
