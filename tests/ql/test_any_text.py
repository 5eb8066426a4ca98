"""Whatever the text: a tree or a QueryError, and what was read can be written and read again."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from overworld.core.errors import QueryError
from overworld.ql.parser import parse
from overworld.ql.printing import convert, to_compact, to_pretty, to_xml
from overworld.ql.shortcuts import UnsupportedShortcutError, fill
from overworld.ql.tokens import tokenize
from overworld.ql.tree import Script
from overworld.ql.walk import rewrite, shape, unsupported, walk

ACCEPTED = [
    json.loads(line)["ql"]
    for line in (Path(__file__).parent / "cases" / "accepted.jsonl").read_text(encoding="utf-8").splitlines()
]
WORDS = sorted({token for query in ACCEPTED for token in tokenize(query).texts if "nan" not in token})
SOUP = [*WORDS, "é", "日本", "😀", "\x00", "\x01", "\x7f", "\ud800", "\n", "//", "/*", "*/", '"', "'", "\\", "{{", "}}"]


@st.composite
def mutated_queries(draw: st.DrawFn) -> str:
    tokens = tokenize(draw(st.sampled_from(ACCEPTED))).texts[:-1] or ["out"]
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(tokens) - 1))
        change = draw(st.sampled_from(["insert", "replace", "delete", "repeat", "cut"]))
        if change == "insert":
            tokens.insert(place, draw(st.sampled_from(SOUP)))
        elif change == "replace":
            tokens[place] = draw(st.sampled_from(SOUP))
        elif change == "repeat":
            tokens[place:place] = tokens[place : place + 3]
        elif change == "cut":
            tokens[place + 1 :] = []
        elif len(tokens) > 1:
            del tokens[place]
    return draw(st.sampled_from([" ", "\n", ""])).join(tokens)


def check(text: str) -> None:
    with contextlib.suppress(QueryError):
        convert(text)
    try:
        script = parse(text)
    except QueryError as error:
        assert error.errors
        assert error.kind in ("parse", "static", "unsupported")
    else:
        check_written(script)


def check_written(script: Script) -> None:
    to_xml(script)
    unsupported(script)
    assert rewrite(script, lambda node: node) is script
    assert sum(1 for _ in walk(script)) >= len(script.statements)
    for written in (to_pretty(script), to_compact(script)):
        again = parse(written)
        # Not a number is not equal to itself.
        assert shape(again) == shape(script) or "nan" in written


@given(st.text())
def test_text(text: str) -> None:
    check(text)


@given(st.text(st.characters(codec=None)))
def test_text_with_surrogates(text: str) -> None:
    check(text)


@given(st.lists(st.sampled_from(SOUP), max_size=30), st.sampled_from(["", " "]))
def test_token_soup(tokens: list[str], separator: str) -> None:
    check(separator.join(tokens))


@given(mutated_queries())
def test_mutated_query(text: str) -> None:
    check(text)


@given(st.text("()[]{}ab;.,:=!\"'\\\n ", max_size=60))
def test_unbalanced(text: str) -> None:
    check(text)


@given(st.text('{}:= "bboxgeocodeAr\n', max_size=40))
def test_shortcuts(text: str) -> None:
    try:
        filled = fill(text, lambda shortcut: "1,2")
    except UnsupportedShortcutError:
        return
    assert filled.count("\n") == text.count("\n")
