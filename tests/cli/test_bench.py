"""The command ``bench`` on the shipped tasks: the bars of the benchmark, its files, and bad input in one line."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from overworld.cli.bench import app
from overworld.cli.frame import run
from overworld.core.records import VerdictKind
from overworld.runs.reference import AGENTS
from overworld.tasks.library import load_tasks

PROJECT = Path(__file__).parents[2]
REFERENCE = PROJECT / "runs" / "reference"
NINE = PROJECT / "runs" / "examples" / "nine-verdicts"
TASKS = load_tasks(PROJECT / "specs" / "tasks")
VIEWED = "helsinki-accessible-cinemas"

Bench = Callable[..., int]


@pytest.fixture(scope="session")
def shared_worlds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of worlds for all tests here: each world is built once."""
    return tmp_path_factory.mktemp("worlds")


@pytest.fixture
def bench(shared_worlds: Path) -> Bench:
    """Run ``bench`` on the project with some arguments; gives the exit code."""
    shared = ("--worlds-dir", str(shared_worlds), "--project", str(PROJECT))
    return lambda *arguments: run(app(), "bench", [*map(str, arguments), *shared])


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory, shared_worlds: Path) -> Path:
    """The reference runs, made now."""
    out = tmp_path_factory.mktemp("reference")
    arguments = ["reference", "--out", str(out), "--worlds-dir", str(shared_worlds), "--project", str(PROJECT)]
    assert run(app(), "bench", arguments) == 0
    return out


def scores(path: Path) -> Any:
    return json.loads((path / "scores.json").read_text(encoding="utf-8"))


def rows(path: Path) -> list[dict[str, Any]]:
    lines = (path / "verdicts.jsonl").read_text(encoding="utf-8").split("\n")
    return [row for line in lines if line and "task" in (row := json.loads(line))]


def write_run(path: Path, *samples: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(sample) + "\n" for sample in samples), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("agent", "accuracy", "real", "verdict"),
    [
        ("empty", 0.0, 0.0, "no_query"),
        ("everything", 0.0, 0.0, "wrong_real"),
        ("copy-ids", 0.0, 1.0, "wrong_witness"),
    ],
)
def test_reference_runs(made: Path, agent: str, accuracy: float, real: float, verdict: str) -> None:
    found = scores(made / agent)
    assert found["accuracy"]["share"] == accuracy
    assert found["real_world_only_accuracy"]["share"] == real
    assert found["inflation"]["value"] == real - accuracy
    assert found["verdicts"][verdict]["samples"] == len(TASKS)
    assert found["counts"]["unscored"] == 0
    assert {row["task"] for row in rows(made / agent)} == set(TASKS)


def test_stored_reference_runs_are_those_that_are_made(made: Path) -> None:
    for agent in AGENTS:
        stored = (REFERENCE / agent / "run.jsonl").read_bytes()
        assert (made / agent / "run.jsonl").read_bytes() == stored


def test_stored_numbers_are_reproduced(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("reproduce") == 0
    assert "nothing moved" in capsys.readouterr().out


def test_every_moved_number_is_named(
    bench: Bench, made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(made, tmp_path / "stored")
    path = tmp_path / "stored" / "copy-ids" / "scores.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    content["accuracy"]["share"] = 0.2
    content["provenance"]["worlds"]["monaco"] = "0"
    content["provenance"]["source_revision"] = "another"
    path.write_text(json.dumps(content), encoding="utf-8")
    assert bench("reproduce", "--runs", tmp_path / "stored") == 1
    moved = [line for line in capsys.readouterr().out.split("\n") if line.startswith("moved: ")]
    assert [line.split(": ")[2] for line in moved] == ["accuracy.share", "provenance.worlds.monaco"]
    assert "0.2 -> 0.0" in moved[0]


def test_nine_replies_get_the_nine_verdicts(bench: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("grade", NINE, "--out", tmp_path, "--timeout", "1", "--details") == 0
    assert [row["verdict"] for row in rows(tmp_path)] == [kind.value for kind in VerdictKind]
    printed = capsys.readouterr().out
    assert f"report in {tmp_path / 'report.html'}" in printed
    assert "wrong_witness" in printed
    assert "no sample for" in printed


def test_verdict_names_world_objects_and_probe(bench: Bench, tmp_path: Path) -> None:
    assert bench("grade", NINE, "--out", tmp_path, "--timeout", "1") == 0
    caught = rows(tmp_path)[-1]
    assert caught["world"] == f"{VIEWED}-w1"
    assert "probe limited-access" in [one["what"] for one in caught["caught_by"]]
    assert caught["difference"]["extra"]["shown"][0]["tags"]["amenity"] == "cinema"
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "probe limited-access" in page
    assert "<script" not in page


def test_same_input_same_bytes(bench: Bench, tmp_path: Path) -> None:
    samples = [{"task": name, "epoch": epoch, "reply": "out;"} for name in TASKS for epoch in (1, 2)]
    mine = write_run(tmp_path / "mine.jsonl", *samples)
    results = []
    for name in ("one", "two"):
        assert bench("grade", mine, "--out", tmp_path / name) == 0
        results.append({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()})
    assert results[0] == results[1]
    assert set(results[0]) == {"scores.json", "verdicts.jsonl", "report.html"}
    assert str(tmp_path).encode() not in b"".join(results[0].values())


def test_provenance(bench: Bench, tmp_path: Path) -> None:
    mine = write_run(tmp_path / "mine.jsonl", {"task": VIEWED, "reply": "no"})
    assert bench("grade", mine) == 0
    found = json.loads((tmp_path / "mine.scores.json").read_text(encoding="utf-8"))
    provenance = found["provenance"]
    assert set(provenance["worlds"]) == {"helsinki", *TASKS[VIEWED].witness_names}
    assert provenance["tasks"] == {VIEWED: TASKS[VIEWED].hash}
    assert len(provenance["gold"][VIEWED]) == len(provenance["run_file"]) == 64
    assert provenance["engines"][0]["name"] == "embedded"
    assert provenance["canary"] == found["canary"] == str(TASKS[VIEWED].canary)


def test_json_of_several_runs(bench: Bench, made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("grade", made / "empty", made / "copy-ids", "--out", tmp_path, "--json") == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.strip().split("\n")]
    assert [one["run"]["name"] for one in printed] == ["empty", "copy-ids"]
    assert (tmp_path / "empty" / "scores.json").is_file()
    assert (tmp_path / "copy-ids" / "report.html").is_file()


def test_explain(bench: Bench, made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("explain", made / "copy-ids", VIEWED) == 0
    printed = capsys.readouterr().out
    assert f"decided by world {VIEWED}-w1" in printed
    assert "caught by probe" in printed


def test_tasks(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("tasks") == 0
    table = capsys.readouterr().out
    assert all(name in table for name in TASKS)
    assert bench("tasks", "--json") == 0
    listed = [json.loads(line) for line in capsys.readouterr().out.strip().split("\n")]
    assert [one["id"] for one in listed] == list(TASKS)


GOOD = json.dumps({"task": VIEWED, "epoch": 1, "reply": "x"})
BAD_RUNS = [
    ("cut off in the middle of a line", f'{GOOD}\n{{"task": "hels', ":2: the last line is cut off"),
    ("unknown task", '{"task": "helsinki-cinemas", "reply": "x"}\n', ":1: unknown task"),
    ("misspelt field", f'{GOOD}\n{{"task": "{VIEWED}", "epoch": 2, "replay": "x"}}\n', "did you mean reply?"),
    ("sample twice", f"{GOOD}\n{GOOD}\n", ":2: task"),
]


@pytest.mark.parametrize(("content", "words"), [row[1:] for row in BAD_RUNS], ids=[row[0] for row in BAD_RUNS])
def test_bad_run_is_one_line_and_leaves_nothing(
    bench: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, words: str
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(content, encoding="utf-8")
    fine = write_run(tmp_path / "fine.jsonl", json.loads(GOOD))
    assert bench("grade", fine, path) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert words in printed.err
    assert str(path) in printed.err
    assert sorted(one.name for one in tmp_path.iterdir()) == ["bad.jsonl", "fine.jsonl"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["grade", "no-such-run"],
        ["grade", "/no/such/run.jsonl"],
        ["grade", "copy-id"],
        ["explain", "copy-ids", "no-such-task"],
        ["reproduce", "--runs", "/no/such/folder"],
        ["grade"],
        ["grade", "empty", "--timeout", "soon"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_one_line(bench: Bench, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert bench(*arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: ")
    assert printed.err.count("\n") == 1
