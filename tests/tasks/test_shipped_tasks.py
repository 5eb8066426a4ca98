"""The tasks of the repository: what a good set has, and that each tells right from wrong on its worlds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from overworld.cli.taskworlds import TaskWorlds, build_task_worlds
from overworld.core.records import VerdictKind
from overworld.core.settings import Settings
from overworld.engine.protocol import Limits
from overworld.grade.asking import Asker
from overworld.grade.gold import GoldAnswers
from overworld.grade.grader import Grader
from overworld.tasks.library import load_tasks
from overworld.tasks.task import Task
from overworld.tasks.validation import validate
from overworld.tasks.vocabulary import Frequency, Split
from overworld.world.tagindex import rows_with_tag

PROJECT = Path(__file__).parents[2]
TASKS = load_tasks(PROJECT / "specs" / "tasks")
LIMITS = Limits(timeout_s=30.0)
MOST_OBJECTS = 600

each_task = pytest.mark.parametrize("task", TASKS.values(), ids=TASKS.keys())


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The project, with a new folder of worlds."""
    return Settings(project_dir=PROJECT, worlds_dir=tmp_path_factory.mktemp("worlds"))


@pytest.fixture(scope="session")
def worlds(settings: Settings) -> TaskWorlds:
    """Worlds of tasks, each built and opened once."""
    return TaskWorlds(settings, LIMITS)


@pytest.fixture(scope="session")
def grader() -> Grader:
    """The grader that a run gets."""
    return Grader(GoldAnswers(LIMITS))


def test_the_set_covers_what_it_must():
    dev = [task for task in TASKS.values() if task.split is Split.DEV]
    assert len(dev) >= 5
    assert len({task.world for task in dev}) >= 3
    assert len({task.family for task in dev}) >= 4
    assert any(task.answer.value == "count" for task in dev)
    assert any(task.view is not None for task in dev)
    assert any(task.pair is not None for task in dev)


@each_task
def test_every_task_has_programs_and_worlds_enough(task: Task):
    assert len(task.rewrites) >= 2
    assert len(task.mutants) >= 4
    assert len(task.witness.worlds) == 3
    assert Counter(mutant.verdict for mutant in task.mutants)[VerdictKind.WRONG_WITNESS] >= 3
    assert task.view is None or any("{{bbox}}" in reading.query for reading in task.readings)


@each_task
def test_readings_and_rewrites_pass_and_mutants_get_their_verdicts(task: Task, worlds: TaskWorlds, grader: Grader):
    with_worlds = worlds.graded(task)

    def judge(_: Task, query: str) -> VerdictKind | None:
        return grader.grade(with_worlds, f"```overpassql\n{query}\n```").kind

    assert [str(failure) for failure in validate(task, judge)] == []


@each_task
def test_objects_listed_by_their_ids_are_right_on_the_real_world_alone(task: Task, worlds: TaskWorlds, grader: Grader):
    with_worlds = worlds.graded(task)
    query = task.accepted[0].query.replace("out count;", "out ids;")
    gold = Asker(lambda _: with_worlds.real, LIMITS)(with_worlds.real.world, query, task.view).objects
    listing = "".join(f"{one.type.word}({one.id});" for one in sorted(gold))
    verdict = grader.grade(with_worlds, f"({listing});out ids;")
    assert (verdict.kind, verdict.real_pass) == (VerdictKind.WRONG_WITNESS, True)


@each_task
def test_witness_worlds_are_small_and_whole(task: Task, worlds: TaskWorlds):
    for witness in worlds.graded(task).witnesses:
        world, report = witness.world, witness.report
        assert report is not None
        assert report.objects == len(world.nodes.ids) + len(world.ways.ids) + len(world.relations.ids) <= MOST_OBJECTS
        assert len(world.ways.missing) + len(world.relations.missing) == len(report.lacking) == 0


@each_task
def test_frequency_is_the_band_of_the_concept_in_the_world(task: Task, worlds: TaskWorlds):
    key, value = task.concept.split("/")
    world = worlds.real(task.world).world
    count = sum(len(rows_with_tag(world.tags, table.tagged, key, value)) for table in world.tables)
    assert task.frequency is Frequency.of_count(count)


def test_the_command_builds_once(settings: Settings):
    said: list[str] = []
    name = next(iter(TASKS))
    build_task_worlds(settings, [name], said.append)
    rows = build_task_worlds(settings, [name], said.append)
    assert [row["built"] for row in rows] == [False, False, False]
    assert [row["name"] for row in rows] == list(TASKS[name].witness_names)
    assert all("up to date, nothing to do" in line for line in said[-3:])
