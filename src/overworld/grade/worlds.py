"""The worlds that one task is graded on: each with its engine, its place names, and its probes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from overworld.core.elements import ElementType, ObjectId
from overworld.engine.protocol import Engine
from overworld.tasks.task import Task
from overworld.witness.report import BuildReport
from overworld.world.gazetteer import Gazetteer
from overworld.world.store import World

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True)
class GradedWorld:
    """A world and what a grade asks of it.

    ``gazetteer``: what place names mean in this world. ``report``: how a witness world was built; None for a real one.
    """

    world: World
    engine: Engine
    gazetteer: Gazetteer
    report: BuildReport | None = None

    @property
    def name(self) -> str:
        """The world's name."""
        return self.world.info.name

    def tagged(self, kind: ElementType, ids: Ids) -> Ids:
        """Those of ``ids`` (any order) whose object has a tag in this world: sorted, each once."""
        table = self.world.tables[kind]
        rows = self.world.rows_of(kind, ids)
        tagged: Ids = table.ids[rows[table.tagged.tags.lengths(rows) > 0]]
        return tagged

    def tags(self, one: ObjectId) -> dict[str, str]:
        """The tags of an object; empty where the world lacks it."""
        rows = self.world.rows_of(one.type, np.array([one.id], dtype=np.int64))
        if len(rows) == 0:
            return {}
        words = self.world.tags
        pairs = self.world.tables[one.type].tagged.tags.row(int(rows[0]))
        return {words.keys[int(words.pair_keys[pair])]: words.values[int(words.pair_values[pair])] for pair in pairs}


@dataclass(frozen=True)
class GradedTask:
    """A task with its worlds: the real one, then its witness worlds in the order of its spec."""

    task: Task
    real: GradedWorld
    witnesses: tuple[GradedWorld, ...]

    @property
    def worlds(self) -> tuple[GradedWorld, ...]:
        """All worlds, in the order in which they are graded."""
        return (self.real, *self.witnesses)


def all_worlds(tasks: Iterable[GradedTask]) -> list[GradedWorld]:
    """The worlds of several tasks, each once, sorted by name."""
    by_name = {world.name: world for task in tasks for world in task.worlds}
    return [by_name[name] for name in sorted(by_name)]
