"""Answers of single queries, prepared and reduced as a grade does it: for the building and the checking of tasks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from overworld.core.boxes import Box
from overworld.core.errors import InputError
from overworld.core.records import Answer
from overworld.engine.protocol import Limits
from overworld.grade.execution import Failed, execute
from overworld.grade.preparation import prepare
from overworld.grade.refusals import RefusedQueryError
from overworld.grade.worlds import GradedWorld
from overworld.world.store import World


@dataclass(frozen=True)
class Asker:
    """Runs queries with shortcuts. ``open_graded`` gives a world its engine and its place names."""

    open_graded: Callable[[World], GradedWorld]
    limits: Limits

    def __call__(self, world: World, query: str, view: Box | None) -> Answer:
        """What ``query`` answers on ``world``. Raises ``InputError`` for a query that is refused or fails."""
        graded = self.open_graded(world)
        try:
            outcome = execute(prepare(query, graded.gazetteer, view, self.limits), graded, self.limits)
        except RefusedQueryError as error:
            raise InputError(f"{error} (world {world.info.name})") from error
        if isinstance(outcome, Failed):
            raise InputError(f"{outcome.message} (world {world.info.name})")
        return outcome.answer
