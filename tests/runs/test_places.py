"""Where runs and their results lie."""

from __future__ import annotations

from pathlib import Path

import pytest

from overworld.core.errors import OverworldError
from overworld.runs.places import ResultPaths, find_runs, result_paths, run_name

FILES = [
    "runs/reference/empty/run.jsonl",
    "runs/reference/empty/scores.json",
    "runs/reference/empty/verdicts.jsonl",
    "runs/reference/copy-ids/run.jsonl",
    "runs/model-a/run.jsonl",
    "loose/mine.jsonl",
    "loose/mine.scores.json",
    "loose/mine.verdicts.jsonl",
    "loose/mine.meta.json",
    "loose/nothing.txt",
]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


FOUND = [
    ("a file", ["loose/mine.jsonl"], ["loose/mine.jsonl"]),
    ("the folder of a run", ["runs/reference/empty"], ["runs/reference/empty/run.jsonl"]),
    ("a folder of runs", ["runs/reference"], ["runs/reference/copy-ids/run.jsonl", "runs/reference/empty/run.jsonl"]),
    ("the name of a reference run", ["copy-ids"], ["runs/reference/copy-ids/run.jsonl"]),
    ("the name of another stored run", ["model-a"], ["runs/model-a/run.jsonl"]),
    ("one run twice", ["empty", "runs/reference/empty"], ["runs/reference/empty/run.jsonl"]),
    (
        "what a pattern gives",
        ["loose/mine.jsonl", "loose/mine.meta.json", "loose/mine.scores.json", "loose/mine.verdicts.jsonl"],
        ["loose/mine.jsonl"],
    ),
]


@pytest.mark.parametrize(("arguments", "runs"), [row[1:] for row in FOUND], ids=[row[0] for row in FOUND])
def test_find(home: Path, arguments: list[str], runs: list[str]) -> None:
    found = [path.absolute() for path in find_runs(arguments, home / "runs")]
    assert found == [home / run for run in runs]


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("copy-id", "did you mean copy-ids?"),
        ("zzz", "no run 'zzz'"),
        ("runs", None),
        ("loose", "no run in the folder"),
        ("loose/mine.scores.json", "is a result, not a run"),
    ],
)
def test_what_is_no_run(home: Path, argument: str, words: str | None) -> None:
    if words is None:
        assert [run_name(path) for path in find_runs([argument], None)] == ["model-a"]
        return
    with pytest.raises(OverworldError) as caught:
        find_runs([argument], home / "runs")
    assert words in str(caught.value)


def test_results_lie_beside_the_run() -> None:
    assert ResultPaths.beside(Path("runs/a/run.jsonl")).scores == Path("runs/a/scores.json")
    assert ResultPaths.beside(Path("x/mine.jsonl")).scores == Path("x/mine.scores.json")
    assert ResultPaths.beside(Path("x/mine.jsonl")).verdicts == Path("x/mine.verdicts.jsonl")


def test_results_in_a_folder_of_their_own() -> None:
    one, two = Path("runs/a/run.jsonl"), Path("x/b.jsonl")
    assert result_paths([one], Path("out"))[0].report == Path("out/report.html")
    assert [paths.scores for paths in result_paths([one, two], Path("out"))] == [
        Path("out/a/scores.json"),
        Path("out/b/scores.json"),
    ]
    with pytest.raises(OverworldError, match="two of the runs are called 'b'"):
        result_paths([two, Path("y/b.jsonl")], Path("out"))
