"""Run files: strict reading, one message with file and line, and writing."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from overworld.core.errors import ExitCode, InputError, OverworldError
from overworld.core.files import sha256_of_file
from overworld.runs.runfile import RunFacts, RunSample, read_run, write_run

TASKS = ["monaco-cafes", "helsinki-view"]
GOOD = '{"task": "monaco-cafes", "epoch": 1, "reply": "x"}'
SECOND = '{"task": "helsinki-view", "epoch": 1, "reply": "y"}'
HEADER = '{"run": {"name": "mine", "model": "m", "date": "2025-01-31", "mode": "single-shot"}}'

BAD = [
    ("cut off in the middle of a line", f'{GOOD}\n{{"task": "helsinki-v', 2, "cut off"),
    ("cut off after a comma", f'{GOOD}\n{{"task": "helsinki-view",', 2, "cut off"),
    ("cut off in its only line", '{"task"', 1, "cut off"),
    ("cut off in a character", GOOD.encode() + b'\n{"task": "\xc3', 2, "not UTF-8"),
    ("broken line in the middle", f"{{broken\n{GOOD}\n", 1, "not a JSON object"),
    ("two objects on a line", f"{GOOD} {SECOND}\n", 1, "not a JSON object"),
    ("a list", f"{GOOD}\n[1, 2]\n", 2, "not a JSON object"),
    ("misspelt field", '{"task": "monaco-cafes", "epoch": 1, "repyl": "x"}\n', 1, "did you mean reply?"),
    ("misspelt task field", '{"taks": "monaco-cafes", "epoch": 1, "reply": "x"}\n', 1, "did you mean task?"),
    ("unknown field", '{"task": "monaco-cafes", "reply": "x", "zzz": 1}\n', 1, "unknown field 'zzz'"),
    ("misspelt field of the header", '{"run": {"name": "a", "modell": "b"}}\n' + GOOD, 1, "did you mean model?"),
    ("missing reply", '{"task": "monaco-cafes", "epoch": 1}\n', 1, "field 'reply' is missing"),
    ("reply that is no text", '{"task": "monaco-cafes", "epoch": 1, "reply": null}\n', 1, "field 'reply'"),
    ("epoch that is text", '{"task": "monaco-cafes", "epoch": "1", "reply": "x"}\n', 1, "field 'epoch'"),
    ("epoch 0", '{"task": "monaco-cafes", "epoch": 0, "reply": "x"}\n', 1, "field 'epoch'"),
    ("field that is there twice", '{"task": "monaco-cafes", "reply": "x", "reply": "y"}\n', 1, "twice"),
    ("unknown task", f'{GOOD}\n{{"task": "monaco-cafe", "reply": "x"}}\n', 2, "did you mean monaco-cafes?"),
    ("unknown task unlike any", '{"task": "zzz", "reply": "x"}\n', 1, "bench tasks lists the tasks"),
    ("sample that is there twice", f"{GOOD}\n{SECOND}\n{GOOD}\n", 3, "first in line 1"),
    ("second header", f"{HEADER}\n{HEADER}\n{GOOD}\n", 2, "only be the first line"),
    ("header after a sample", f"{GOOD}\n{HEADER}\n", 2, "only be the first line"),
    ("header without a name", '{"run": {"model": "m"}}\n' + GOOD, 1, "field 'name' is missing"),
    ("header that is no object", '{"run": "mine"}\n' + GOOD, 1, "object with the run's facts"),
    ("something beside the header", '{"run": {"name": "a"}, "task": "b"}\n' + GOOD, 1, "unknown field 'task'"),
    ("no sample", HEADER + "\n", None, "no samples"),
    ("empty file", "", None, "no samples"),
]


@pytest.mark.parametrize(("content", "line", "words"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_bad_file(tmp_path: Path, content: str | bytes, line: int | None, words: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(OverworldError) as caught:
        read_run(path, TASKS)
    message = str(caught.value)
    where = str(path) if line is None else f"{path}:{line}"
    assert message.startswith(f"{where}: ")
    assert words in message
    assert "\n" not in message
    assert caught.value.exit_code is ExitCode.USAGE


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(OverworldError, match="no such run file"):
        read_run(tmp_path / "none.jsonl")


def test_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    full = '{"task": "helsinki-view", "epoch": 2, "reply": "ü", "model": "n", "transcript": [{"tool": "run"}]}'
    path.write_text(f"{HEADER}\n{GOOD}\n\n{full}\n", encoding="utf-8")
    run = read_run(path, TASKS)
    assert run.facts == RunFacts(name="mine", model="m", date="2025-01-31", mode="single-shot")
    assert [(one.task, one.epoch, one.reply) for one in run.samples] == [
        ("monaco-cafes", 1, "x"),
        ("helsinki-view", 2, "ü"),
    ]
    assert run.samples[1].transcript == [{"tool": "run"}]
    assert run.lines == (2, 4)
    assert run.sha256 == sha256_of_file(path)


@pytest.mark.parametrize("ending", ["", "\n", "\r\n", "\n\n"])
def test_a_whole_last_line_needs_no_newline(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_bytes((GOOD + ending).encode())
    assert len(read_run(path, TASKS).samples) == 1


def test_facts_from_a_side_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(GOOD, encoding="utf-8")
    assert read_run(path).facts == RunFacts(name="mine")
    side = tmp_path / "mine.meta.json"
    side.write_text('{"name": "other", "settings": {"temperature": 0.5}}', encoding="utf-8")
    assert read_run(path).facts == RunFacts(name="other", settings={"temperature": 0.5})
    side.write_text('{"nmae": "other"}', encoding="utf-8")
    with pytest.raises(OverworldError, match=r"meta\.json: unknown field 'nmae' \(did you mean name\?\)"):
        read_run(path)
    side.write_text("{", encoding="utf-8")
    with pytest.raises(OverworldError, match=r"meta\.json: not a JSON object"):
        read_run(path)


def test_header_and_side_file_together(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(f"{HEADER}\n{GOOD}\n", encoding="utf-8")
    (tmp_path / "mine.meta.json").write_text('{"name": "other"}', encoding="utf-8")
    with pytest.raises(OverworldError, match="keep one"):
        read_run(path)


def test_written_run_reads_back_and_is_the_same_bytes(tmp_path: Path) -> None:
    facts = RunFacts(name="r", agent="a", settings={"seed": 1})
    samples = [
        RunSample(task="monaco-cafes", epoch=1, reply="```\nnode;\n```"),
        RunSample(task="helsinki-view", epoch=1, reply='Café\u2028"x"', model="m", transcript=[1]),
    ]
    first, second = tmp_path / "one" / "run.jsonl", tmp_path / "two" / "run.jsonl"
    write_run(first, facts, samples)
    write_run(second, facts, samples)
    assert first.read_bytes() == second.read_bytes()
    run = read_run(first, TASKS)
    assert (run.facts, list(run.samples)) == (facts, samples)
    assert json.loads(first.read_text(encoding="utf-8").split("\n")[0]) == {
        "run": {"name": "r", "agent": "a", "settings": {"seed": 1}}
    }


def test_hostile_lines_are_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    many = ",".join(f'"f{number}":1' for number in range(200_000))
    start = time.perf_counter()
    for text in (f'{{{many},"f199999":2}}\n', f'{{"{"k" * 1_000_000}":1}}\n', "[" * 200_000):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputError) as refusal:
            read_run(path)
        assert len(str(refusal.value).removeprefix(str(path))) < 400
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize("content", ["[" * 100_000, '{"name":"a","name":"b"}', "\0", ""])
def test_a_hostile_side_file_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text('{"task":"a","reply":"x"}\n', encoding="utf-8")
    path.with_suffix(".meta.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"r\.meta\.json"):
        read_run(path)
