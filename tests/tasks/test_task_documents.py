"""The documents about tasks and witness worlds say what the models take."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from pydantic import TypeAdapter
from ruamel.yaml import YAML

from overworld.tasks.task import CANARY, Task
from overworld.tasks.vocabulary import Construct, Decision, Difficulty, Family, Frequency, Split
from overworld.witness.spec import Shape, WitnessSpec

PROJECT = Path(__file__).parents[2]
TASKS_TEXT = (PROJECT / "docs" / "tasks.md").read_text(encoding="utf-8")
WITNESS_TEXT = (PROJECT / "docs" / "witness.md").read_text(encoding="utf-8")


def test_the_example_of_a_spec_is_one():
    (example,) = re.findall(r"```yaml\n(.*?)```", WITNESS_TEXT, re.DOTALL)
    spec = TypeAdapter(WitnessSpec).validate_python(YAML(typ="safe", pure=True).load(example)["witness"])
    assert [str(one) for one in spec.worlds[0].remove] == ["way/627162483"]


def test_every_field_of_a_task_is_told():
    told = re.findall(r"^\| `(\w+)` \|", TASKS_TEXT, re.MULTILINE)
    assert sorted(told) == sorted(one.name for one in fields(Task))


@pytest.mark.parametrize(
    "words", [Family, Construct, Difficulty, Frequency, Split, Decision], ids=lambda kind: kind.__name__
)
def test_every_word_of_the_checklist_is_told(words):
    assert [word.value for word in words if f"`{word.value}`" not in TASKS_TEXT] == []


def test_every_shape_is_told():
    assert [shape.value for shape in Shape if shape.value not in WITNESS_TEXT] == []


def test_the_canary_stands_in_every_task_file():
    files = sorted((PROJECT / "specs" / "tasks").glob("*.yaml"))
    assert [path.name for path in files if str(CANARY) not in path.read_text(encoding="utf-8")] == []
