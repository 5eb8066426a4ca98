"""Regular expressions that are large or take long: each ends soon after the limit, with the engine's own remark."""

from __future__ import annotations

import re
import time

import pytest

from overworld.engine.embedded.engine import EmbeddedEngine
from overworld.engine.embedded.regex import compile_regex
from overworld.engine.protocol import Limits
from overworld.world.build import Origin, build_world
from overworld.world.objects import ObjectCollector

LIMIT_S = 0.3
OVER_S = 1.0
"""In seconds of the process, so that a busy machine fails no test."""
REMARK = re.compile(
    r'runtime error: Query (timed out in "[a-z-]+" at line [01] after 1 seconds'
    r"|run out of memory using about \d+ MB of RAM)\."
)
PATTERNS = {
    "repetition of a repetition": "^(a+)+$",
    "of anything, said again": r"^(.*)(.*)(.*)(.*)\\1\\2\\3\\4x?$",
    "empty group said again": r"(a*)*\\1b",
    "nested intervals": "((a{1,255}){1,255}){1,255}",
    "nested widest intervals": "((((((a{32767}){32767}){32767}){32767}){32767}){32767})",
    "intervals of nothing": r"\\ba{0}{32767}{32767}{32767}",
    "interval of a class": r"\\b[[:alnum:]]{30000}",
    "classes": "[[:alpha:]]" * 3000,
    "wide bracket": "[" + "aÄ" * 20_000 + "]",
    "wide bracket many times": r"\\b[" + "aÄ" * 2_000 + "]{20000}",
    "alternation": "|".join(f"x{number}y" for number in range(8000)),
    "deep": "(" * 5000 + "a" + ")" * 5000,
    "stars": "a" + "*" * 20_000,
    "ends of words": r"\\b" * 5000,
    "options": "a?" * 2000 + "a" * 2000,
}
FORMS = {
    "value": 'node[name~"{}"];out ids;',
    "key": 'node[~"{}"~"."];out ids;',
    "ignoring case": 'node[name~"{}",i];out ids;',
    "derived": 'node[name];convert x ::=::;nwr._[name~"{}"];out ids;',
}


@pytest.fixture(scope="module")
def engine() -> EmbeddedEngine:
    collector = ObjectCollector()
    for number in range(1, 400):
        collector.node(
            number, number, number, {"name": f"a{number}b " * 20, f"a:{number}": "aaaaaaaaaaaaaaaaaaaaaaaaac"}
        )
    return EmbeddedEngine(build_world(collector.objects(), Origin("names")))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_ends_soon_after_the_limit(engine: EmbeddedEngine, pattern: str, form: str) -> None:
    start = time.process_time()
    remark = engine.run("[out:json];" + FORMS[form].replace("{}", PATTERNS[pattern]), Limits(LIMIT_S)).remark
    assert time.process_time() - start < LIMIT_S + OVER_S
    assert remark is None or REMARK.fullmatch(remark)


def test_serves_after_trouble(engine: EmbeddedEngine) -> None:
    for pattern in PATTERNS.values():
        engine.run(f'node[name~"{pattern}"];out ids;', Limits(0.01))
    assert len(engine.run('node[name~"^a1b"];out ids;').printed[0].ids) == 1


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        (r"\ba{0}{5}{7}b", "b", True),
        (r"\b[ab]{3}\b", "xx aba", True),
        (r"\b[ab]{3}\b", "xx abx", False),
        (r"\b[" + "ab" * 100 + "]{3}c", "abac", True),
        (r"\b[" + "ab" * 100 + "]{3}c", "abc", False),
        ("[b-da-c]", "d", True),
        ("[^b-da-ce]", "e", False),
        ("[" + "az" * 200 + "]", "y", False),
    ],
)
def test_kept_and_merged_characters_match_as_before(pattern: str, text: str, matches: bool) -> None:
    assert compile_regex(pattern, ignore_case=False).search(text) is matches
