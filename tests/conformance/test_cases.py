"""The project's own conformance cases: queries with the answers that the real engine (0.7.62) gave on these worlds."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from overworld.core.errors import QueryError
from overworld.engine.conformance.comparing import Judge, Level
from overworld.engine.conformance.corpus import Case, CaseKind, read_corpus
from overworld.engine.conformance.worlds import build_worlds
from overworld.engine.embedded.engine import EmbeddedEngine
from overworld.engine.protocol import Limits
from overworld.ql.parser import parse_unchecked
from overworld.ql.printing.xml import to_xml

HERE = Path(__file__).parent
EXTRACTS = (HERE / "worlds", HERE.parents[1] / "extracts")
CASES = [case for path in sorted((HERE / "cases").glob("*.jsonl")) for case in read_corpus(path)]


@pytest.fixture(scope="session")
def engine_of() -> Callable[[str], EmbeddedEngine]:
    """The engine of a world by its name: built in memory when it is first asked for."""

    @cache
    def engine(name: str) -> EmbeddedEngine:
        return EmbeddedEngine(build_worlds([name], EXTRACTS)[name])

    return engine


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_answer_is_the_real_engines(case: Case, engine_of: Callable[[str], EmbeddedEngine]) -> None:
    judge = Judge(Level.ELEMENTS, Limits(), lambda query: to_xml(parse_unchecked(query)))
    outcome = judge.compare(case, None if case.kind is CaseKind.XML else engine_of(case.world))
    assert outcome.agrees, "\n".join((case.query, *outcome.differences))
    assert outcome.same_message is not False, f"{case.query}\nanother message than {case.error}"


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 400
    assert len({case.id for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", [case for case in CASES if len(case.errors) > 1], ids=lambda case: case.id)
def test_all_error_lines_are_the_real_engines(case: Case, engine_of: Callable[[str], EmbeddedEngine]) -> None:
    if case.status == "runtime_error":
        assert engine_of(case.world).run(case.query).remark == "".join(case.errors)
        return
    with pytest.raises(QueryError) as refusal:
        parse_unchecked(case.query) if case.kind is CaseKind.XML else engine_of(case.world).run(case.query)
    assert refusal.value.errors == case.errors
