"""The memory estimate of a run and the engine's words when it is over."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from overworld.engine.embedded.engine import EmbeddedEngine

MEMORY = "runtime error: Query run out of memory"


@pytest.mark.parametrize(
    ("query", "remark"),
    [
        ("[maxsize:71];node(1);out;", f'{MEMORY} in "id-query" at line 1 using about 0 MB of RAM.'),
        ("[maxsize:72];node(1);out;", None),
        ("[maxsize:100];\nnode[place];out;", f'{MEMORY} in "query" at line 2 using about 0 MB of RAM.'),
        ("[maxsize:250];way(1)->.a;.a >;out;", f'{MEMORY} in "recurse" at line 1 using about 0 MB of RAM.'),
        ("[maxsize:191];(node(1);way(1););out;", f'{MEMORY} in "id-query" at line 1 using about 0 MB of RAM.'),
        ("[maxsize:264];(way(1););out;", None),
        ("[maxsize:8];node(123456789);out;", None),
        ("[maxsize:1];node(around:1000000,50,8);out;", f"{MEMORY} using about 1024 MB of RAM."),
        ("node(around:1000000000,50,8);out;", f"{MEMORY} using about 2048 MB of RAM."),
    ],
)
def test_a_query_ends_when_its_sets_take_too_much(
    tiny_engine: Callable[[str], EmbeddedEngine], query: str, remark: str | None
) -> None:
    assert tiny_engine("edge").run(query).remark == remark
