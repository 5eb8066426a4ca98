"""Verdicts: one row for each way to one, on an engine that answers as it is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from overworld.core.boxes import Box
from overworld.core.errors import EngineUnavailableError, QueryError
from overworld.core.records import AnswerType, VerdictKind
from overworld.engine.protocol import Limits
from overworld.grade.gold import GoldAnswers
from overworld.grade.grader import Grader
from overworld.grade.verdicts import Verdict
from overworld.grade.worlds import GradedTask

PROBE = "n13000000000"
RIGHT = "```\nnode[q=mine];out;\n```"
LIMITS = Limits(timeout_s=7, memory_bytes=4096)
MakeBench = Callable[..., GradedTask]
Listed = Callable[..., Any]


def grade(task: GradedTask, reply: str = RIGHT) -> Verdict:
    return Grader(GoldAnswers(LIMITS)).grade(task, reply)


@pytest.fixture
def script(listed_: Listed, counted_: Listed) -> Callable[..., dict[str, Any]]:
    """``script(gold="n1", mine="n1 n2")``: what each query prints; numbers are counts, ``runtime …`` a remark."""

    def make(**answers: Any) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for name, answer in answers.items():
            outs = answer if isinstance(answer, list) else [answer]
            if isinstance(answer, Exception) or (isinstance(answer, str) and answer.startswith("runtime")):
                result[f"q={name}"] = answer
                continue
            result[f"q={name}"] = [
                listed_(out) if isinstance(out, str) else counted_(out) if isinstance(out, int) else out for out in outs
            ]
        return result

    return make


def test_pass(bench: MakeBench, script: Callable[..., Any]) -> None:
    verdict = grade(bench(script(gold="n1 n2 w10", mine="w10 n2 n1 n4")))
    assert (verdict.kind, verdict.reading, verdict.world, verdict.real_pass) == (VerdictKind.PASS, "gold", None, True)
    assert verdict.query == "node[q=mine];out;"


@pytest.mark.parametrize("reply", ["", "I cannot.", "```\n```"])
def test_no_query(bench: MakeBench, reply: str) -> None:
    task = bench({})
    assert grade(task, reply).kind is VerdictKind.NO_QUERY
    assert task.real.engine.asked == []  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "query",
    ["<osm-script/>", "node[a](user:x);out;", '{{geocodeArea:"Nowhere"}}->.a;out;', "node({{bbox}});out;", "{{date}}"],
)
def test_rejected(bench: MakeBench, query: str) -> None:
    task = bench({})
    verdict = grade(task, f"```\n{query}\n```")
    assert verdict.kind is VerdictKind.REJECTED
    assert verdict.query == query
    assert not verdict.real_pass
    assert task.real.engine.asked == []  # type: ignore[attr-defined]


FAILURES: list[tuple[str, Exception | str, VerdictKind]] = [
    ("syntax", QueryError("parse", 'Unknown type "x"', 1), VerdictKind.QUERY_ERROR),
    ("static", QueryError("static", "bbox", 2), VerdictKind.QUERY_ERROR),
    ("time ran out", 'runtime error: Query timed out in "query" at line 1 after 8 seconds.', VerdictKind.TIMEOUT),
    ("memory ran out", "runtime error: Query run out of memory using about 1 MB of RAM.", VerdictKind.RUNTIME_ERROR),
    ("filters too weak", "runtime error: Filters too weak in query statement: …", VerdictKind.RUNTIME_ERROR),
    ("raised while running", QueryError("runtime", "trouble"), VerdictKind.RUNTIME_ERROR),
    ("raised when time ran out", QueryError("timeout", "too slow"), VerdictKind.TIMEOUT),
    ("raised when memory ran out", QueryError("memory", "too much"), VerdictKind.RUNTIME_ERROR),
]


@pytest.mark.parametrize(("trouble", "kind"), [row[1:] for row in FAILURES], ids=[row[0] for row in FAILURES])
def test_failures(bench: MakeBench, script: Callable[..., Any], trouble: Exception | str, kind: VerdictKind) -> None:
    on_real = grade(bench(script(gold="n1", mine=trouble)))
    assert (on_real.kind, on_real.world, on_real.real_pass) == (kind, "real", False)
    good, bad = script(gold="n1", mine="n1"), script(gold="n1", mine=trouble)
    on_witness = grade(bench(good, good, bad))
    assert (on_witness.kind, on_witness.world, on_witness.real_pass) == (kind, "cafes-w2", True)


UNSCORED: list[tuple[str, Exception]] = [
    ("engine gone", EngineUnavailableError("container gone")),
    ("not evaluated yet", QueryError("unsupported", "not supported yet: complete")),
    ("a fault in the engine", ZeroDivisionError("division by zero")),
]


@pytest.mark.parametrize("trouble", [row[1] for row in UNSCORED], ids=[row[0] for row in UNSCORED])
@pytest.mark.parametrize("whose", ["mine", "gold"])
def test_trouble_of_the_engine_is_no_verdict(
    bench: MakeBench, script: Callable[..., Any], trouble: Exception, whose: str
) -> None:
    verdict = grade(bench(script(**{"gold": "n1", "mine": "n1", whose: trouble})))
    assert verdict.kind is None
    assert verdict.world == "real"
    assert str(trouble).split(":")[0] in verdict.message


def test_a_reading_that_fails_is_held_against_nobody(bench: MakeBench, script: Callable[..., Any]) -> None:
    verdict = grade(bench(script(gold=QueryError("parse", "typo", 1), mine="n1")))
    assert verdict.kind is None
    assert "task cafes, reading gold, world real" in verdict.message


def test_only_a_count_where_objects_are_asked_for(bench: MakeBench, script: Callable[..., Any]) -> None:
    assert grade(bench(script(gold="n1", mine=[1]))).kind is VerdictKind.WRONG_ANSWER_TYPE
    assert grade(bench(script(gold="n1", mine=[1, "n1"]))).kind is VerdictKind.PASS
    assert grade(bench(script(gold="n1", mine=[1, ""]))).kind is VerdictKind.WRONG_REAL


@pytest.mark.parametrize(
    ("gold", "mine", "kind"),
    [
        ([2], [2], VerdictKind.PASS),
        ([2], "n1 n2 n4", VerdictKind.PASS),
        ("n1 n2", [2], VerdictKind.PASS),
        ("n1 n2", "n1 n3", VerdictKind.PASS),
        ([3], [1, 2], VerdictKind.PASS),
        ([2], [3], VerdictKind.WRONG_REAL),
        ([2], "n1", VerdictKind.WRONG_REAL),
        ([1], [1, "n1 n2"], VerdictKind.PASS),
    ],
)
def test_count_tasks(bench: MakeBench, script: Callable[..., Any], gold: Any, mine: Any, kind: VerdictKind) -> None:
    assert grade(bench(script(gold=gold, mine=mine), answer=AnswerType.COUNT)).kind is kind


def test_wrong_on_the_real_world_with_details(bench: MakeBench, script: Callable[..., Any]) -> None:
    verdict = grade(bench(script(gold="n1 n2", mine="n2 n3")))
    assert (verdict.kind, verdict.world, verdict.real_pass) == (VerdictKind.WRONG_REAL, "real", False)
    difference = verdict.difference
    assert difference and difference.missing and difference.extra
    assert [(str(one.object), dict(one.tags)) for one in difference.missing.shown] == [
        ("node/1", {"amenity": "cafe", "name": "One"})
    ]
    assert [(str(one.object), dict(one.tags)) for one in difference.extra.shown] == [("node/3", {"amenity": "bench"})]
    assert (difference.missing.total, difference.extra.total) == (1, 1)
    assert verdict.caught_by == ()


def test_wrong_on_a_witness_world_with_the_probe_that_caught_it(bench: MakeBench, script: Callable[..., Any]) -> None:
    right, wrong = script(gold="n1 n2", mine="n1 n2"), script(gold="n1", mine=f"n1 n2 {PROBE}")
    verdict = grade(bench(right, right, wrong))
    assert (verdict.kind, verdict.world, verdict.real_pass) == (VerdictKind.WRONG_WITNESS, "cafes-w2", True)
    assert [one.what for one in verdict.caught_by] == ["probe disused-cafe", "changed node/2"]
    assert verdict.caught_by[0].why == "a cafe that is no more"
    assert verdict.world_why == "a query that forgets disused cafes"


def test_count_on_a_witness_world_is_told_by_its_objects(bench: MakeBench, listed_: Listed, counted_: Listed) -> None:
    same = {"q=gold": [counted_(2)], "q=mine": [counted_(2)]}
    reply = "```\nnode[q=mine];out count;\n```"
    other = {
        "q=gold": [listed_("n1 n2")],
        "q=mine];out count": [counted_(3)],
        "q=mine];out ids": [listed_(f"n1 n2 {PROBE}")],
    }
    verdict = grade(bench(same, other, same, answer=AnswerType.COUNT), reply)
    assert verdict.kind is VerdictKind.WRONG_WITNESS
    assert verdict.difference and (verdict.difference.expected, verdict.difference.got) == (2, 3)
    assert [one.what for one in verdict.caught_by] == ["probe disused-cafe"]


def test_one_and_the_same_reading_must_be_equal(bench: MakeBench, script: Callable[..., Any]) -> None:
    both = script(narrow="n1", wide="n1 n2", mine="n1 n2")
    only_narrow = script(narrow="n1", wide="n1 n3", mine="n1")
    readings = ("narrow", "wide")
    verdict = grade(bench(both, only_narrow, both, readings=readings))
    assert verdict.kind is VerdictKind.WRONG_WITNESS
    assert verdict.difference is not None
    assert verdict.difference.reading == "wide"
    assert grade(bench(both, both, both, readings=readings)).reading == "wide"
    agreeing = script(narrow="n1", wide="n1", mine="n1")
    assert grade(bench(agreeing, only_narrow, agreeing, readings=readings)).reading == "narrow"


def test_the_nearest_reading_is_told(bench: MakeBench, script: Callable[..., Any]) -> None:
    verdict = grade(bench(script(narrow="n1", wide="n1 n2 n3", mine="n2 n3"), readings=("narrow", "wide")))
    assert verdict.difference is not None
    assert verdict.difference.reading == "wide"


def test_worlds_after_the_deciding_one_are_not_asked(bench: MakeBench, script: Callable[..., Any]) -> None:
    wrong = script(gold="n1", mine="n2")
    task = bench(wrong, script(), script())
    grade(task)
    assert [query.split(";", 1)[1] for query, _ in task.real.engine.asked] == [  # type: ignore[attr-defined]
        "node[q=mine];out;",
        "node[q=gold];out;",
    ]
    assert all(world.engine.asked == [] for world in task.witnesses)  # type: ignore[attr-defined]


def test_limits_and_settings_reach_the_engine(bench: MakeBench, script: Callable[..., Any]) -> None:
    task = bench(script(gold="n1", mine="n1"))
    grade(task, "```\n[out:xml][timeout:900][bbox:1,2,3,4];node[q=mine];out;\n```")
    query, limits = task.real.engine.asked[0]  # type: ignore[attr-defined]
    assert query == "[out:json][timeout:7][maxsize:4096][bbox:1,2,3,4];node[q=mine];out;"
    assert limits == LIMITS


def test_gold_answers_are_asked_for_once(bench: MakeBench, script: Callable[..., Any]) -> None:
    task = bench(script(gold="n1", mine="n1"))
    grader = Grader(GoldAnswers(LIMITS))
    first = grader.gold.hash(task)
    for _ in range(3):
        grader.grade(task, RIGHT)
    asked = [query for query, _ in task.real.engine.asked]  # type: ignore[attr-defined]
    assert sum("q=gold" in query for query in asked) == 1
    assert grader.gold.hash(task) == first


def test_gold_hash_follows_the_answers(bench: MakeBench, script: Callable[..., Any]) -> None:
    hashes = {GoldAnswers(LIMITS).hash(bench(script(gold=gold))) for gold in ("n1", "n1 n2", [1], [2])}
    assert len(hashes) == 4


def test_view_is_filled_in(bench: MakeBench, script: Callable[..., Any]) -> None:
    task = bench(script(gold="n1", mine="n1"), view=Box(1, 2, 3, 4))
    assert grade(task, "```\nnode[q=mine]({{bbox}});out;\n```").kind is VerdictKind.PASS
    assert "(1,2,3,4)" in task.real.engine.asked[0][0]  # type: ignore[attr-defined]
