"""Gold answers: what the accepted readings of a task answer, by the same engine on the same world."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from overworld.core.errors import EngineUnavailableError
from overworld.core.files import sha256_of_bytes
from overworld.core.records import Answer
from overworld.engine.protocol import EngineIdentity, Limits
from overworld.grade.execution import Failed, execute
from overworld.grade.preparation import prepare
from overworld.grade.refusals import RefusedQueryError
from overworld.grade.worlds import GradedTask, GradedWorld
from overworld.tasks.task import Reading

Key = tuple[str, EngineIdentity, str]
"""Content hash of the world, engine, query as it ran."""


@dataclass
class GoldAnswers:
    """Gold answers under ``limits``, each computed once."""

    limits: Limits
    known: dict[Key, Answer] = field(default_factory=dict)

    def answer(self, task: GradedTask, reading: Reading, world: GradedWorld) -> Answer:
        """What ``reading`` answers on ``world``.

        Raises ``EngineUnavailableError`` where it does not run: that is no fault of a model.
        """
        query = self.prepared(task, reading, world)
        key = (world.world.info.content_hash, world.engine.identity, query)
        if key not in self.known:
            outcome = execute(query, world, self.limits)
            if isinstance(outcome, Failed):
                raise EngineUnavailableError(f"{_where(task, reading, world)}: {outcome.message}")
            self.known[key] = outcome.answer
        return self.known[key]

    def prepared(self, task: GradedTask, reading: Reading, world: GradedWorld) -> str:
        """The query of ``reading`` as it runs on ``world``. Raises ``EngineUnavailableError`` where it cannot."""
        try:
            return prepare(reading.query, world.gazetteer, task.task.view, self.limits)
        except RefusedQueryError as error:
            raise EngineUnavailableError(f"{_where(task, reading, world)}: {error}") from error

    def hash(self, task: GradedTask) -> str:
        """SHA-256 over the answers of all accepted readings on all worlds of a task."""
        answers = [
            [world.name, reading.name, _plain(self.answer(task, reading, world))]
            for world in task.worlds
            for reading in task.task.accepted
        ]
        return sha256_of_bytes(json.dumps(answers, separators=(",", ":")).encode())


def _where(task: GradedTask, reading: Reading, world: GradedWorld) -> str:
    return f"task {task.task.id}, reading {reading.name}, world {world.name}"


def _plain(answer: Answer) -> dict[str, object]:
    return {"objects": [str(one) for one in sorted(answer.objects)], "count": answer.count}
