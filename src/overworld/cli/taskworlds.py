"""The witness worlds of tasks, built for a command."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from overworld.core.errors import InputError
from overworld.core.settings import Settings

if TYPE_CHECKING:
    from overworld.engine.protocol import Limits
    from overworld.grade.worlds import GradedWorld
    from overworld.tasks.task import Task
    from overworld.tasks.witness_worlds import WitnessWorld
    from overworld.witness.report import BuildReport
    from overworld.world.store import World


def build_task_worlds(settings: Settings, task_ids: Sequence[str], say: Callable[[str], None]) -> list[dict[str, Any]]:
    """Build the witness worlds of these tasks, and the real worlds that they need.

    ``say`` is told one line a world. Returns one row a world: ``name``, ``built``, ``seconds``, ``directory``,
    ``content_hash``, ``counts``, ``sources``, ``report``.
    """
    from overworld.tasks.library import load_tasks, select_tasks

    rows = []
    for task in select_tasks(load_tasks(settings.task_specs_dir), task_ids):
        started = time.monotonic()
        for stored in witness_worlds(settings, task):
            seconds = time.monotonic() - started
            rows.append(_row(stored, seconds))
            say(_line(stored, seconds))
            started = time.monotonic()
    return rows


def witness_worlds(settings: Settings, task: Task, limits: Limits | None = None) -> Iterator[WitnessWorld]:
    """The witness worlds of ``task``, built where they are not yet, its real world too. Their readings are checked."""
    from overworld.engine.protocol import Limits
    from overworld.grade.asking import Asker
    from overworld.tasks.library import task_path
    from overworld.tasks.witness_worlds import WitnessBuilder

    real = graded_world(real_world(settings, task.world))
    opened = {real.world.info.content_hash: real}

    def open_once(world: World) -> GradedWorld:
        key = world.info.content_hash
        if key not in opened:
            opened[key] = graded_world(world)
        return opened[key]

    builder = WitnessBuilder(
        task,
        real.world,
        settings.worlds_dir,
        find_area=lambda name: real.gazetteer.resolve(name).id,
        answer=Asker(open_once, limits or Limits()),
    )
    for spec in task.witness.worlds:
        with _in_file(task_path(settings.task_specs_dir, task)):
            stored = builder.build(spec)
        yield stored


def real_world(settings: Settings, name: str) -> World:
    """The real world of that name, built where it is not yet."""
    from overworld.extracts.registry import load_registry
    from overworld.world.open import open_world
    from overworld.world.realworlds import ensure_world
    from overworld.world.specs import load_specs, select_specs

    (spec,) = select_specs(load_specs(settings.world_specs_dir, load_registry(settings.registry_path)), [name])
    return open_world(ensure_world(spec.extract, settings.extracts_dir, settings.worlds_dir).directory)


def graded_world(world: World, report: BuildReport | None = None) -> GradedWorld:
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
