"""A directory of task files: ids, near names, pairs."""

from __future__ import annotations

from pathlib import Path

import pytest

from overworld.core.errors import ExitCode, InputError, UnknownNameError
from overworld.tasks.library import find_task, load_tasks, select_tasks

NAMES = ["benches-in-monaco", "benches-in-vaduz", "cafes"]


def write(directory: Path, text: str, name: str, *edits: tuple[str, str]) -> None:
    """Write the task under another id, edited."""
    for old, new in (("id: benches", f"id: {name}"), *edits):
        text = text.replace(old, new, 1)
    (directory / f"{name}.yaml").write_text(text, encoding="utf-8")


@pytest.fixture
def directory(tmp_path: Path, task_text: str) -> Path:
    """Three tasks, and a file that is none."""
    for name in reversed(NAMES):
        write(tmp_path, task_text, name)
    (tmp_path / "README.md").write_text("not a task", encoding="utf-8")
    return tmp_path


def test_tasks_come_in_order_of_their_ids(directory: Path):
    assert list(load_tasks(directory)) == NAMES


def test_a_directory_that_is_not_there_has_no_tasks(tmp_path: Path):
    assert load_tasks(tmp_path / "none") == {}


UNKNOWN = {
    "misspelt": ("benches-in-monako", r"unknown task: benches-in-monako \(did you mean benches-in-monaco or .*\?\)"),
    "shortened": ("benches", r"unknown task: benches \(did you mean benches-in-.*"),
    "nothing-like-it": ("zoo", r"unknown task: zoo \(there are: benches-in-monaco, benches-in-vaduz, cafes\)"),
    "a-path": ("../cafes", r"unknown task: \.\./cafes \(did you mean cafes\?\)"),
}


@pytest.mark.parametrize(("name", "message"), UNKNOWN.values(), ids=UNKNOWN.keys())
def test_an_unknown_name_lists_near_ones(directory: Path, name, message):
    with pytest.raises(UnknownNameError, match=f"^{message}$") as caught:
        find_task(load_tasks(directory), name)
    assert caught.value.exit_code is ExitCode.USAGE


def test_tasks_are_selected_in_the_order_asked_for(directory: Path):
    chosen = select_tasks(load_tasks(directory), ["cafes", "benches-in-monaco"])
    assert [task.id for task in chosen] == ["cafes", "benches-in-monaco"]


PAIR = ("split: dev", "pair: twins\nsplit: dev")
PAIRS = {
    "one-alone": ([("a", [PAIR])], "pair twins is not two tasks with one intent: it has a"),
    "three": ([("a", [PAIR]), ("b", [PAIR]), ("c", [PAIR])], "it has a, b, c"),
    "two-intents": ([("a", [PAIR]), ("b", [PAIR, ("intent: benches", "intent: tables")])], "it has a, b"),
}


@pytest.mark.parametrize(("tasks", "message"), PAIRS.values(), ids=PAIRS.keys())
def test_a_pair_is_two_tasks_with_one_intent(tmp_path: Path, task_text: str, tasks, message):
    for name, edits in tasks:
        write(tmp_path, task_text, name, *edits)
    with pytest.raises(InputError, match=message):
        load_tasks(tmp_path)


def test_a_good_pair(tmp_path: Path, task_text: str):
    for name in ("a", "b"):
        write(tmp_path, task_text, name, PAIR)
    assert [task.pair for task in load_tasks(tmp_path).values()] == ["twins", "twins"]


def test_all_missing_fields_are_named(tmp_path: Path, task_text: str):
    lines = [line for line in task_text.split("\n") if not line.startswith(("request:", "intent:"))]
    (tmp_path / "benches.yaml").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(InputError, match="fields request and intent are missing"):
        load_tasks(tmp_path)
