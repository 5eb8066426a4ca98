"""The witness worlds of tasks, built for a command."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from overworld.core.errors import InputError
from overworld.core.settings import Settings

if TYPE_CHECKING:
    from overworld.engine.protocol import Limits
    from overworld.grade.worlds import GradedTask, GradedWorld
    from overworld.tasks.task import Task
    from overworld.tasks.witness_worlds import WitnessWorld
    from overworld.witness.report import BuildReport
    from overworld.world.store import World


def build_task_worlds(settings: Settings, task_ids: Sequence[str], say: Callable[[str], None]) -> list[dict[str, Any]]:
    """Build the witness worlds of these tasks, and the real worlds that they need.

    ``say`` is told one line a world. Returns one row a world: ``name``, ``built``, ``seconds``, ``directory``,
    ``content_hash``, ``counts``, ``sources``, ``report``.
    """
    from overworld.engine.protocol import Limits
    from overworld.tasks.library import load_tasks, select_tasks

    rows = []
    worlds = TaskWorlds(settings, Limits())
    for task in select_tasks(load_tasks(settings.task_specs_dir), task_ids):
        started = time.monotonic()
        for stored in worlds.witnesses(task):
            seconds = time.monotonic() - started
            rows.append(_row(stored, seconds))
            say(_line(stored, seconds))
            started = time.monotonic()
    return rows


def graded_tasks(settings: Settings, tasks: Iterable[Task], limits: Limits) -> dict[str, GradedTask]:
    """Tasks by id with their worlds opened, each world once; those that are not there yet are built."""
    worlds = TaskWorlds(settings, limits)
    return {task.id: worlds.graded(task) for task in tasks}


@dataclass
class TaskWorlds:
    """The worlds of tasks, built where they are not there yet, and opened once each with the embedded engine.

    ``limits`` hold for the readings that are run to check a witness world.
    """

    settings: Settings
    limits: Limits
    opened: dict[str, GradedWorld] = field(default_factory=dict)

    def graded(self, task: Task) -> GradedTask:
        """A task with its worlds."""
        from overworld.grade.worlds import GradedTask
        from overworld.world.open import open_world

        stored = list(self.witnesses(task))
        witnesses = tuple(self._graded(open_world(one.directory), one.report) for one in stored)
        return GradedTask(task, self.real(task.world), witnesses)

    def witnesses(self, task: Task) -> Iterator[WitnessWorld]:
        """The stored witness worlds of ``task``, one after the other. Their readings are checked."""
        from overworld.grade.asking import Asker
        from overworld.tasks.library import task_path
        from overworld.tasks.witness_worlds import WitnessBuilder

        with _in_file(task_path(self.settings.task_specs_dir, task)):
            real = self.real(task.world)
        builder = WitnessBuilder(
            task,
            real.world,
            self.settings.worlds_dir,
            find_area=lambda name: real.gazetteer.resolve(name).id,
            answer=Asker(lambda world: real if world is real.world else _graded_world(world), self.limits),
        )
        for spec in task.witness.worlds:
            with _in_file(task_path(self.settings.task_specs_dir, task)):
                stored = builder.build(spec)
            yield stored

    def real(self, name: str) -> GradedWorld:
        """The real world of that name."""
        from overworld.extracts.registry import load_registry
        from overworld.world.open import open_world
        from overworld.world.realworlds import ensure_world
        from overworld.world.specs import load_specs, select_specs

        if name not in self.opened:
            specs = load_specs(self.settings.world_specs_dir, load_registry(self.settings.registry_path))
            (spec,) = select_specs(specs, [name])
            stored = ensure_world(spec.extract, self.settings.extracts_dir, self.settings.worlds_dir, verify=True)
            self.opened[name] = _graded_world(open_world(stored.directory))
        return self.opened[name]

    def _graded(self, world: World, report: BuildReport) -> GradedWorld:
        if world.info.name not in self.opened:
            self.opened[world.info.name] = _graded_world(world, report)
        return self.opened[world.info.name]


def _graded_world(world: World, report: BuildReport | None = None) -> GradedWorld:
    """A world with the embedded engine and its place names."""
    from overworld.engine.embedded.engine import EmbeddedEngine
    from overworld.grade.worlds import GradedWorld
    from overworld.world.gazetteer import Gazetteer

    return GradedWorld(world, EmbeddedEngine(world), Gazetteer(world), report)


@contextmanager
def _in_file(path: Path) -> Iterator[None]:
    """Name the task's file in what is wrong with its spec."""
    try:
        yield
    except InputError as error:
        if error.path is not None:
            raise
        raise type(error)(error.message, remedy=error.remedy, path=path, line=error.line) from None


def _line(stored: WitnessWorld, seconds: float) -> str:
    info, report = stored.info, stored.report
    if not stored.built:
        return f"{info.name}: up to date, nothing to do; content hash {info.content_hash}"
    counts = ", ".join(f"{info.counts[what]:,} {what}" for what in ("nodes", "ways", "relations", "areas"))
    lacking = f", {len(report.lacking)} members not in the extract" if report.lacking else ""
    return f"{info.name}: built in {seconds:.1f} s, {counts}{lacking}; content hash {info.content_hash}"


def _row(stored: WitnessWorld, seconds: float) -> dict[str, Any]:
    return {
        "name": stored.info.name,
        "built": stored.built,
        "seconds": round(seconds, 3),
        "directory": str(stored.directory),
        "content_hash": stored.info.content_hash,
        "counts": stored.info.counts,
        "sources": stored.info.sources,
        "report": stored.report.to_json(),
    }
