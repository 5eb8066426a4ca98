"""Task files: what a good one gives, and the one line that a bad one gets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from overworld.core.boxes import Box
from overworld.core.documents import read_document
from overworld.core.errors import CorruptFileError, ExitCode, InputError, UnknownNameError
from overworld.core.records import AnswerType, VerdictKind
from overworld.tasks.library import load_task
from overworld.tasks.vocabulary import Construct, Family, Frequency

BAD_FILES = read_document(Path(__file__).parent / "data" / "bad-files.yaml").values["cases"]


@pytest.mark.parametrize("case", BAD_FILES, ids=[case["id"] for case in BAD_FILES])
def test_a_bad_file_gets_one_line_with_field_and_line(tmp_path: Path, task_text: str, case):
    old, new, message = case["replace"], case["by"], case["message"]
    assert old in task_text
    bad = task_text.replace(old, new, 1)
    path = tmp_path / "benches.yaml"
    path.write_text(bad, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_task(path)
    assert caught.value.exit_code is ExitCode.USAGE
    found = re.fullmatch(rf"{re.escape(str(path))}:(\d+): {message}", str(caught.value))
    assert found, str(caught.value)
    first_changed = next(
        (i for i, (a, b) in enumerate(zip(task_text.split("\n"), bad.split("\n"), strict=False), 1) if a != b), 1
    )
    changed_lines = range(first_changed - 16, first_changed + new.count("\n") + 4)
    assert int(found[1]) == 1 or int(found[1]) in changed_lines


LINES = {
    "top": ("family: tag", "famliy: tag"),
    "in-a-list": ("why: nodes only", "whi: nodes only"),
    "deep": ("          like: node/1", "          lyke: node/1"),
    "in-braces": ("{inside: Park}", "{insides: Park}"),
    "value": ("[node/1, way/10]", "[node/1, way/0]"),
    "missing-in-a-list": ("why: nodes only\n    verdict: wrong_witness\n", "why: nodes only\n"),
}


@pytest.mark.parametrize(("old", "new"), LINES.values(), ids=LINES.keys())
def test_the_line_is_that_of_the_mistake(tmp_path: Path, task_text: str, old, new):
    path = tmp_path / "benches.yaml"
    path.write_text(task_text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_task(path)
    assert caught.value.line == task_text[: task_text.index(old)].count("\n") + 1


def test_a_misspelt_field_goes_before_other_mistakes(tmp_path: Path, task_text: str):
    path = tmp_path / "benches.yaml"
    path.write_text(
        task_text.replace("answer: objects", "answer: 7").replace("why: nodes", "whi: nodes"), encoding="utf-8"
    )
    with pytest.raises(InputError, match=r"unknown field mutants\.0\.whi"):
        load_task(path)


def test_a_task_without_an_accepted_reading(tmp_path: Path, task_text: str):
    path = tmp_path / "benches.yaml"
    path.write_text(task_text.replace("    query: nwr", "    accepted: false\n    query: nwr"), encoding="utf-8")
    with pytest.raises(InputError, match=r"benches\.yaml:1: no reading is accepted"):
        load_task(path)


def test_a_good_file(task):
    assert (task.id, task.world, task.answer) == ("benches", "small", AnswerType.OBJECTS)
    assert task.view == Box(50.0, 8.0, 50.01, 8.01)
    assert task.family is Family.TAG_GROUNDING
    assert task.constructs == (Construct.AREA, Construct.TAG_FILTER)
    assert [reading.name for reading in task.accepted] == ["benches", "seats"]
    assert task.mutants[0].verdict is VerdictKind.WRONG_WITNESS
    assert task.witness.worlds[0].probes[0].set == {"backrest": "no"}
    assert task.witness_names == ("benches-w1", "benches-w2")


def test_a_file_that_is_not_there(tmp_path: Path):
    with pytest.raises(UnknownNameError, match="no such file"):
        load_task(tmp_path / "benches.yaml")


def test_a_file_that_is_no_text(tmp_path: Path):
    path = tmp_path / "benches.yaml"
    path.write_bytes(b"id: \xff\xfe")
    with pytest.raises(CorruptFileError, match="not UTF-8"):
        load_task(path)


SAME = {
    "comment": ("split: dev", "split: dev  # a comment"),
    "quotes": ("world: small", 'world: "small"'),
    "order": ("split: dev\nfamily: tag-grounding\n", "family: tag-grounding\nsplit: dev\n"),
    "default-written-out": ("  - name: seats", "  - name: seats\n    accepted: true"),
    "flow-style": ("constructs: [area, tag-filter]", "constructs:\n  - area\n  - tag-filter"),
}
DIFFERENT = {
    "request": ("Benches in the park.", "Benches in this park."),
    "query": ("query: node[amenity=bench]", "query: node[amenity=benches]"),
    "view": ("50.01, 8.01]", "50.02, 8.01]"),
    "probe": ("distance_m: 5", "distance_m: 6"),
    "construct-order": ("[area, tag-filter]", "[tag-filter, area]"),
    "review": ("A test.", "Another test."),
}


@pytest.mark.parametrize(("old", "new"), SAME.values(), ids=SAME.keys())
def test_the_hash_does_not_depend_on_layout(tmp_path: Path, task, task_text: str, old, new):
    assert _hash_of(tmp_path, task_text, old, new) == task.hash


@pytest.mark.parametrize(("old", "new"), DIFFERENT.values(), ids=DIFFERENT.keys())
def test_the_hash_depends_on_all_that_is_said(tmp_path: Path, task, task_text: str, old, new):
    assert _hash_of(tmp_path, task_text, old, new) != task.hash


def _hash_of(directory: Path, text: str, old: str, new: str) -> str:
    assert old in text
    path = directory / "benches.yaml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return load_task(path).hash


@pytest.mark.parametrize(
    ("count", "band"), [(0, "rare"), (9, "rare"), (10, "uncommon"), (99, "uncommon"), (100, "common")]
)
def test_frequency_bands(count, band):
    assert Frequency.of_count(count).value == band


def test_there_are_eleven_families():
    assert len(Family) == 11
