"""How answers are compared with a corpus, and what a run comes to."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from overworld.cli import compare_engines, conformance
from overworld.core.errors import CorruptFileError, InputError, UnknownNameError
from overworld.engine.conformance.comparing import Judge, Level, Outcome
from overworld.engine.conformance.corpus import Case, CaseKind, canonical_hash, read_corpus
from overworld.engine.conformance.running import Choice, run_cases
from overworld.engine.conformance.sidebyside import Pair, Ratios, Timed, percentile, time_query
from overworld.engine.conformance.summary import Summary
from overworld.engine.conformance.worlds import build_worlds, find_extract
from overworld.engine.embedded.engine import EmbeddedEngine
from overworld.engine.protocol import Limits

Engines = Callable[[str], EmbeddedEngine]
NODES = [{"type": "node", "id": 1}, {"type": "node", "id": 2}]


def record(**changes: Any) -> dict[str, Any]:
    objects = [[one["type"], one["id"]] for one in NODES]
    return {
        "id": "case",
        "world": "rings",
        "feature": "feature",
        "ql": "[out:json];node(id:1,2);out ids;",
        "status": "ok",
        "error": None,
        "n": 2,
        "objects": objects,
        "objects_sha256": canonical_hash(objects),
        "counts": [],
        "derived": [],
        "sha256": canonical_hash(NODES),
        "elements": NODES,
        **changes,
    }


def outcome_of(engine: EmbeddedEngine, level: Level = Level.ELEMENTS, **changes: Any) -> Outcome:
    content = record(**changes)
    kind = CaseKind.CSV if "text" in content else CaseKind.ANSWER
    case = Case(content["id"], kind, content["world"], content["feature"], content["ql"], content)
    return Judge(level, Limits(), lambda query: query).compare(case, engine)


PARSE = 'line 1: parse error: Unknown type "foo"'


@pytest.mark.parametrize(
    ("changes", "difference"),
    [
        ({}, None),
        ({"ql": "[out:json];node(2);out ids;"}, "1 missing [node/1], 0 extra []"),
        ({"ql": "[out:json];node(id:1,2,3);out ids;"}, "0 missing [], 1 extra [node/3]"),
        ({"ql": "[out:json];node(id:1,2);out ids;out count;"}, "counts:"),
        ({"ql": "[out:json];node(id:1,2);out ids;make x a=1;out;"}, "derived elements: 1; expected 0"),
        ({"ql": "[out:json];node(id:1,2);out skel;"}, "element 0: lat: 49.0"),
        ({"ql": "[out:json];(node(1);node(2););out ids;"}, None),
        ({"ql": "[out:json];foo;"}, "refused: line 1: parse error"),
        ({"status": "runtime_error", "error": "runtime error: x"}, "remark: None; expected runtime error: x"),
        ({"status": "parse_error", "error": PARSE}, "not refused; expected line 1"),
        ({"objects_sha256": "0", "objects": None}, "objects: 2, not those expected"),
    ],
)
def test_differences(changes: dict[str, Any], difference: str | None, tiny_engine: Engines) -> None:
    outcome = outcome_of(tiny_engine("rings"), **changes)
    if difference is None:
        assert outcome.agrees
    else:
        assert any(difference in one for one in outcome.differences), outcome.differences


def test_elements_are_not_looked_at_on_the_level_of_objects(tiny_engine: Engines) -> None:
    query = "[out:json];node(id:1,2);out skel;"
    assert outcome_of(tiny_engine("rings"), Level.OBJECTS, ql=query).agrees


@pytest.mark.parametrize(
    ("error", "same_refusal", "same_message"),
    [
        (PARSE, True, True),
        ('line 1: parse error: Unknown type "bar"', True, False),
        ('line 2: parse error: Unknown type "foo"', False, False),
        ('line 1: static error: Unknown type "foo"', False, False),
    ],
)
def test_refusals(error: str, same_refusal: bool, same_message: bool, tiny_engine: Engines) -> None:
    status = "static_error" if "static" in error else "parse_error"
    outcome = outcome_of(tiny_engine("rings"), ql="foo(1);", status=status, error=error)
    assert (outcome.same_refusal, outcome.same_message) == (same_refusal, same_message)
    assert outcome.agrees is same_refusal


def test_what_is_not_supported_is_counted_apart(tiny_engine: Engines) -> None:
    outcome = outcome_of(tiny_engine("rings"), ql='[date:"2020-01-01T00:00:00Z"];node(1);out;')
    assert (outcome.supported, outcome.agrees) == (False, False)


class Broken:
    """An engine with a bug."""

    def run(self, query: str, limits: Limits) -> Any:
        raise ZeroDivisionError(query)


def test_a_crash_is_a_difference() -> None:
    content = record()
    case = Case("case", CaseKind.ANSWER, "rings", "feature", content["ql"], content)
    outcome = Judge(Level.OBJECTS, Limits(), lambda query: query).compare(case, Broken())  # type: ignore[arg-type]
    assert outcome.differences[0].startswith("crash: ZeroDivisionError")


def test_csv_and_xml_are_compared_as_text(tiny_engine: Engines) -> None:
    query = "[out:csv(::id;false)];node(id:1,2);out;"
    assert outcome_of(tiny_engine("rings"), ql=query, text="1\n2\n").agrees
    (difference,) = outcome_of(tiny_engine("rings"), ql=query, text="1\n3\n").differences
    assert difference.startswith("text at 2:")
    case = Case("xml", CaseKind.XML, "", "xml", "a", {"xml": "A"})
    judge = Judge(Level.OBJECTS, Limits(), str.upper)
    assert judge.compare(case, None).agrees


def test_summary_and_last_line(tiny_engine: Engines) -> None:
    outcomes = [
        outcome_of(tiny_engine("rings")),
        outcome_of(tiny_engine("rings"), feature="other", ql="foo(1);", status="parse_error", error=PARSE),
        outcome_of(tiny_engine("rings"), ql="[out:popup];out;"),
    ]
    summary = Summary.of(outcomes)
    lines = summary.lines()
    assert lines[0].split() == ["feature", "1", "of", "2", "agree", "(50.00", "%),", "1", "not", "supported"]
    assert lines[-2] == "errors: 1 of 1 of the same kind and line, 1 of 1 with the same message"
    assert lines[-1] == "conformance: 2 of 3 agree (66.67 %), 1 not supported"
    assert [one["supported"] for one in summary.document(outcomes)["differences"]] == [False]


def test_choice() -> None:
    cases = [Case(f"c{i}", CaseKind.ANSWER, "w", f"f.{'ab'[i % 2]}", "", {}) for i in range(10)]
    ids = [case.id for case in Choice(only=("f.a",), every=2, limit=2).of(cases)]
    assert ids == ["c0", "c4"]
    assert [case.id for case in Choice(only=("c[37]",)).of(cases)] == ["c3", "c7"]


def test_processes_share_the_work_and_keep_the_order(tiny_engine: Engines) -> None:
    contents = [record(id=f"case-{i}") for i in range(7)]
    cases = [Case(one["id"], CaseKind.ANSWER, "rings", "f", one["ql"], one) for one in contents]
    judge = Judge(Level.ELEMENTS, Limits(), lambda query: query)
    outcomes = run_cases(cases, {"rings": tiny_engine("rings")}, judge, processes=2)
    assert [one.case.id for one in outcomes] == [case.id for case in cases]
    assert all(one.agrees for one in outcomes)


# -------------------------------------------------------------------------------------- corpora and worlds


def test_corpora_plain_and_gzipped(tmp_path: Path) -> None:
    lines = [record(), {"id": "x", "ql": "a", "xml": "b"}, {"reference": "a", "output": "b"}]
    text = "".join(json.dumps(line) + "\n" for line in lines).encode()
    (tmp_path / "own.jsonl").write_bytes(text)
    (tmp_path / "own.jsonl.gz").write_bytes(gzip.compress(text))
    plain, packed = list(read_corpus(tmp_path / "own.jsonl")), list(read_corpus(tmp_path / "own.jsonl.gz"))
    assert plain == packed
    assert [case.kind for case in plain] == [CaseKind.ANSWER, CaseKind.XML, CaseKind.METRICS]
    assert plain[1].feature == "own"


@pytest.mark.parametrize(
    "content", [b"{", b"{}", b"\x1f\x8b\x08\x00broken"], ids=["no JSON", "no query", "broken archive"]
)
def test_broken_corpora(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / ("own.jsonl.gz" if content.startswith(b"\x1f") else "own.jsonl")
    path.write_bytes(content)
    with pytest.raises(CorruptFileError, match=r"own\.jsonl"):
        list(read_corpus(path))


def test_missing_corpus(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such corpus"):
        list(read_corpus(tmp_path / "none.jsonl"))


def test_extracts_are_found_in_order(tmp_path: Path) -> None:
    for place in ("one", "two"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "w.osm.bz2").touch()
    (tmp_path / "two" / "w.osm.pbf").touch()
    assert find_extract("w", [tmp_path / "one", tmp_path / "two"]) == tmp_path / "one" / "w.osm.bz2"
    assert find_extract("w", [tmp_path / "two"]).name == "w.osm.pbf"
    with pytest.raises(UnknownNameError, match="--extracts DIR"):
        build_worlds(["none"], [tmp_path])


# -------------------------------------------------------------------------------------- side by side


def test_ratios() -> None:
    case = Case("c", CaseKind.ANSWER, "w", "f", "", {})
    pairs = [Pair(case, Timed("a", i / 1000, i / 2000), Timed("a" if i else "b", 0.01, 0.01)) for i in range(1, 4)]
    ratios = Ratios.of([*pairs, Pair(case, Timed("a", 0.004, 0.002), Timed("b", 0.01, 0.01))])
    assert (ratios.queries, ratios.agree) == (4, 3)
    assert ratios.median == pytest.approx(0.25)
    assert ratios.slowest == pytest.approx(0.4)
    assert ratios.ids_median == pytest.approx(0.125)


def test_percentile() -> None:
    assert [percentile([3, 1, 2], percent) for percent in (0, 50, 99)] == [1, 2, 3]


def test_equal_answers_hash_alike(tiny_engine: Engines) -> None:
    engine, ticks = tiny_engine("rings"), iter(range(100))
    queries = ["[out:json];node(id:1,2);out;", "[out:json];(node(1);node(2););out ids qt;", "[out:json];node(1);out;"]
    answers = [time_query(engine, query, Limits(), lambda: float(next(ticks))).answer for query in queries]
    assert answers[0] == answers[1] != answers[2]


# -------------------------------------------------------------------------------------- commands


def command(main: Callable[[], int], monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr("sys.argv", ["command", *map(str, arguments)])
    return main()


WORLDS = Path(__file__).parents[2] / "conformance" / "worlds"


@pytest.mark.parametrize(("minimum", "code"), [(50, 0), (51, 1)])
def test_conformance_command(
    minimum: int, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = tmp_path / "own.jsonl"
    rows = [record(), record(id="apart", ql="[out:json];node(1);out ids;")]
    corpus.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    arguments = (corpus, "--extracts", WORLDS, "--min", minimum, "--verbose", "--level", "elements")
    assert command(conformance.main, monkeypatch, *arguments) == code
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "apart [feature] [out:json];node(1);out ids;"
    assert lines[1] == "    objects: 1 missing [node/2], 0 extra [], of 2"
    assert lines[-1] == "conformance: 1 of 2 agree (50.00 %), 0 not supported"


def test_conformance_command_as_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = tmp_path / "own.jsonl"
    corpus.write_text(json.dumps(record()) + "\n", encoding="utf-8")
    assert command(conformance.main, monkeypatch, corpus, "--extracts", WORLDS, "--json") == 0
    assert json.loads(capsys.readouterr().out)["total"]["percent"] == 100.0


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["none.jsonl"], "no such corpus"),
        (["--level", "words", "none.jsonl"], "unknown level 'words'"),
        ([], "Missing argument"),
    ],
)
def test_conformance_command_says_what_is_wrong(
    arguments: list[str], complaint: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(conformance.main, monkeypatch, *arguments) == 2
    assert complaint in capsys.readouterr().err


def test_compare_engines_needs_the_binaries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = tmp_path / "own.jsonl"
    corpus.write_text(json.dumps(record()) + "\n", encoding="utf-8")
    arguments = ("--osm3s", tmp_path, "--corpus", corpus, "--extracts", WORLDS)
    assert command(compare_engines.main, monkeypatch, *arguments) == 2
    assert "no program update_database" in capsys.readouterr().err
