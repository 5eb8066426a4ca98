"""Replies that would keep a careless pattern busy for minutes."""

from __future__ import annotations

import contextlib
import random
import time

import pytest

from overworld.engine.protocol import Limits
from overworld.grade.extraction import query_of
from overworld.grade.overrides import listing_form, override
from overworld.grade.refusals import RefusedQueryError, refuse, without_comments

N = 20_000
LONGEST_S = 5.0
HOSTILE = {
    "backticks": "`" * N,
    "fences on one line": "``` " * N,
    "fences": "```\n" * N,
    "parentheses": "(" * N,
    "white space": " " * N,
    "open comments": "/*" * N,
    "open strings": '[out:"' + '\\"' * N,
    "settings": "[out:json]" * N,
    "open shortcuts": "{{" * N,
    "outs": "out " * N,
    "lines": "node[a];\n" * N,
}
PIECES = ["`", "```", "~~~", "\n", " ", "[out:", "json]", ";", "node[a]", "(", '"', "'", "//", "/*", "*/", "{{", "}}"]
PIECES += ["bbox", "geocodeArea:x", "<", "A", "\\", "\ud800", "é", "foreach", "[date:", "out"]


def all_of_it(reply: str) -> None:
    query = query_of(reply)
    for text in (reply, query or ""):
        without_comments(text)
        override(text, Limits())
        listing_form(text)
    with contextlib.suppress(RefusedQueryError):
        refuse(query or "", None)


@pytest.mark.parametrize("reply", HOSTILE.values(), ids=HOSTILE)
def test_ends_soon(reply: str) -> None:
    started = time.process_time()
    all_of_it(reply)
    assert time.process_time() - started < LONGEST_S


@pytest.mark.parametrize("seed", range(20))
def test_any_reply_is_taken(seed: int) -> None:
    pick = random.Random(seed)
    for _ in range(100):
        all_of_it("".join(pick.choice(PIECES) for _ in range(pick.randrange(30))))
