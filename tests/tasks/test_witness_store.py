"""Witness worlds in the folder of worlds: checked before they are written, written as a whole, built once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from overworld.core.elements import ElementType, ObjectId
from overworld.core.errors import CheckError, InputError
from overworld.core.records import Answer
from overworld.tasks.library import load_task
from overworld.tasks.witness_worlds import REPORT_FILE, WitnessBuilder, read_report
from overworld.world.open import ARRAYS_FILE, INFO_FILE, open_world
from overworld.world.store import World
from overworld.world.tagindex import rows_with_tag

PARK = ObjectId(ElementType.WAY, 10)


def benches(world: World, query: str, view: object) -> Answer:
    """What both readings mean."""
    found = [
        ObjectId(kind, int(world.ids(kind)[row]))
        for kind in (ElementType.NODE, ElementType.WAY)
        for row in rows_with_tag(world.tags, world.tables[kind].tagged, "amenity", "bench").tolist()
    ]
    return Answer(frozenset(found))


def nothing(world: World, query: str, view: object) -> Answer:
    """Finds nothing."""
    return Answer(frozenset())


def nodes_for_one_reading(world: World, query: str, view: object) -> Answer:
    """The readings differ by what is a way."""
    found = benches(world, query, view).objects
    return Answer(frozenset(one for one in found if "~" in query or one.type is ElementType.NODE))


@pytest.fixture
def builder(task, real, tmp_path: Path):
    """Builds into a new folder with a given way of answering."""

    def make(answer=benches, task=task) -> WitnessBuilder:
        return WitnessBuilder(task, real, tmp_path / "worlds", lambda name: PARK, answer)

    return make


def names_in(folder: Path) -> list[str]:
    """The worlds in a folder; locks, which stay, are none."""
    return sorted(path.name for path in folder.glob("*") if not path.name.endswith(".lock"))


def test_worlds_are_stored_with_their_report_and_sources(builder, task, real, tmp_path: Path):
    first, second = builder().build_all()
    assert (first.info.name, first.info.kind, first.info.snapshot) == ("benches-w1", "witness", "2024-01-01")
    assert first.info.sources["world small"] == real.info.content_hash
    assert list(first.info.sources) == ["witness spec benches/w1", "world small"]
    assert names_in(tmp_path / "worlds") == ["benches-w1", "benches-w2"]
    assert sorted(path.name for path in first.directory.iterdir()) == sorted([ARRAYS_FILE, INFO_FILE, REPORT_FILE])
    world = open_world(first.directory, verify=True)
    assert benches(world, "", None).objects == {ObjectId.parse("node/1"), ObjectId.parse("way/1800000000")}
    assert read_report(second.directory) == second.report
    assert [(one.id, str(one.object)) for one in second.report.probes] == [("table", "node/13000000000")]
    assert [str(one) for one in second.report.changed] == ["node/1"]


def test_nothing_is_built_again_without_a_change(builder):
    before = builder().build_all()
    stamps = [(path, path.stat().st_mtime_ns) for one in before for path in one.directory.iterdir()]
    after = builder().build_all()
    assert [one.built for one in before] == [True, True]
    assert [one.built for one in after] == [False, False]
    assert [one.info for one in after] == [one.info for one in before]
    assert [(path, path.stat().st_mtime_ns) for path, _ in stamps] == stamps


def test_only_the_world_whose_spec_changed_is_built_again(builder, task_text: str, tmp_path: Path):
    builder().build_all()
    (tmp_path / "benches.yaml").write_text(task_text.replace("distance_m: 5", "distance_m: 7"), encoding="utf-8")
    again = builder(task=load_task(tmp_path / "benches.yaml")).build_all()
    assert [one.built for one in again] == [False, True]


DAMAGE = {
    "arrays-cut-off": (ARRAYS_FILE, lambda data: data[:-1]),
    "arrays-changed": (ARRAYS_FILE, lambda data: data[:-1] + b"\xff"),
    "no-report": (REPORT_FILE, lambda data: b""),
    "report-of-another-form": (REPORT_FILE, lambda data: json.dumps({"world": 1}).encode()),
    "info-cut-off": (INFO_FILE, lambda data: data[: len(data) // 2]),
}


@pytest.mark.parametrize(("file", "damage"), DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_world_is_built_again(builder, file, damage):
    before = builder().build_all()
    path = before[0].directory / file
    path.write_bytes(damage(path.read_bytes()))
    after = builder().build_all()
    assert [one.built for one in after] == [True, False]
    assert after[0].info == before[0].info
    assert not [one for one in after[0].directory.parent.iterdir() if one.suffix in (".tmp", ".old")]


REFUSED = {
    "readings-differ": (nodes_for_one_reading, "readings benches and seats differ: .*only the second way/1800000000"),
    "gold-is-empty": (nothing, "world benches-w1: reading benches finds nothing"),
}


@pytest.mark.parametrize(("answer", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_readings_are_run_before_anything_is_written(builder, tmp_path: Path, answer, message):
    with pytest.raises(CheckError, match=message):
        builder(answer).build_all()
    assert names_in(tmp_path / "worlds") == []


def test_readings_are_run_on_stored_worlds_too(builder):
    builder().build_all()
    with pytest.raises(CheckError, match="finds nothing"):
        builder(nothing).build_all()


def test_an_empty_gold_needs_its_reason(builder, task_text: str, tmp_path: Path):
    text = task_text.replace(
        "      why: a query that", "      empty: true\n      reason: a test\n      why: a query that"
    )
    path = tmp_path / "benches.yaml"
    path.write_text(text.replace("set: {material: wood}", "drop: [amenity]\n          set: {material: wood}"))
    assert [one.built for one in builder(task=load_task(path)).build_all()] == [True, True]
    path.write_text(text.replace("distance_m: 5", "distance_m: 6"))
    with pytest.raises(CheckError, match=r"world benches-w2: reading benches finds node/1 \(leave out empty: true\)"):
        builder(task=load_task(path)).build_all()


def test_what_the_spec_asks_in_vain_leaves_nothing(builder, task_text: str, tmp_path: Path):
    path = tmp_path / "benches.yaml"
    path.write_text(task_text.replace("like: node/1", "like: node/77"))
    with pytest.raises(InputError, match="witness world w1: probe long-bench: world small has no node/77"):
        builder(task=load_task(path)).build_all()
    assert names_in(tmp_path / "worlds") == []


def test_equal_bytes_in_another_folder(task, real, tmp_path: Path):
    stored = [
        WitnessBuilder(task, real, tmp_path / folder, lambda name: PARK, benches).build_all() for folder in ("a", "b")
    ]
    for one, other in zip(*stored, strict=True):
        for path in one.directory.iterdir():
            assert path.read_bytes() == (other.directory / path.name).read_bytes()
