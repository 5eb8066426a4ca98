"""From a reply to a verdict: every world, every accepted reading."""

from __future__ import annotations

from dataclasses import dataclass, replace

from overworld.core.errors import EngineUnavailableError
from overworld.core.records import Answer, AnswerType, VerdictKind
from overworld.engine.protocol import Limits
from overworld.grade import comparison
from overworld.grade.answers import number_of
from overworld.grade.execution import Failed, Ran, execute
from overworld.grade.extraction import query_of
from overworld.grade.gold import GoldAnswers
from overworld.grade.overrides import listing_form
from overworld.grade.preparation import prepare
from overworld.grade.refusals import RefusedQueryError, refuse
from overworld.grade.verdicts import CaughtBy, Difference, Verdict
from overworld.grade.worlds import GradedTask, GradedWorld

Golds = dict[str, Answer]
"""Gold answers on one world, by the name of the reading, in the task's order."""


@dataclass(frozen=True)
class Grader:
    """Grades replies under the limits of ``gold``."""

    gold: GoldAnswers

    @property
    def limits(self) -> Limits:
        """The limits of every run."""
        return self.gold.limits

    def grade(self, task: GradedTask, reply: str) -> Verdict:
        """The verdict on ``reply``. The engine's own trouble gives an unscored one, which is held against nobody."""
        query = query_of(reply)
        if query is None:
            return Verdict(VerdictKind.NO_QUERY, "no query in the reply")
        try:
            refuse(query, task.task.view)
        except RefusedQueryError as error:
            return Verdict(VerdictKind.REJECTED, str(error), query)
        return replace(self._on_all_worlds(task, query), query=query)

    def _on_all_worlds(self, task: GradedTask, query: str) -> Verdict:
        """Run on one world after the other, as long as one and the same accepted reading gives the same answers."""
        readings = [reading.name for reading in task.task.accepted]
        for world in task.worlds:
            try:
                result = self._on_world(task, world, query, readings)
            except EngineUnavailableError as error:
                result = Verdict(None, str(error), world=world.name)
            if isinstance(result, Verdict):
                # A witness world is only reached by what is right on the real one.
                return replace(result, real_pass=world is not task.real)
            readings = result
        return Verdict(VerdictKind.PASS, f"equals reading {readings[0]} on every world", None, None, readings[0], True)

    def _on_world(self, task: GradedTask, world: GradedWorld, query: str, readings: list[str]) -> Verdict | list[str]:
        """The verdict that this world decides, or those of ``readings`` that the answer equals here."""
        try:
            prepared = prepare(query, world.gazetteer, task.task.view, self.limits)
        except RefusedQueryError as error:
            return Verdict(VerdictKind.REJECTED, str(error), world=world.name)
        outcome = execute(prepared, world, self.limits)
        if isinstance(outcome, Failed):
            return Verdict(outcome.kind, outcome.message, world=world.name)
        if outcome.only_counts and task.task.answer is AnswerType.OBJECTS:
            return Verdict(
                VerdictKind.WRONG_ANSWER_TYPE, "printed only a count; objects are asked for", world=world.name
            )
        golds = {
            reading.name: self.gold.answer(task, reading, world)
            for reading in task.task.accepted
            if reading.name in readings
        }
        kept = [name for name, gold in golds.items() if comparison.equal(outcome.answer, gold, task.task.answer)]
        return kept or self._wrong(task, world, prepared, outcome.answer, golds)

    def _wrong(self, task: GradedTask, world: GradedWorld, prepared: str, answer: Answer, golds: Golds) -> Verdict:
        """The verdict on an answer that no reading in ``golds`` gives on this world, with what is wrong about it."""
        is_real = world is task.real
        name = comparison.nearest(answer, golds, task.task.answer)
        reading = next(reading for reading in task.task.accepted if reading.name == name)
        listed = self._listing(answer, prepared, world)
        listed_gold = self._listing(golds[name], self.gold.prepared(task, reading, world), world)
        numbers = (number_of(golds[name]), number_of(answer)) if task.task.answer is AnswerType.COUNT else (None, None)
        difference = Difference(name)
        caught: tuple[CaughtBy, ...] = ()
        if listed is not None and listed_gold is not None:
            difference = comparison.difference(name, listed, listed_gold, world)
            caught = comparison.caught_by(listed, listed_gold, world)
        return Verdict(
            VerdictKind.WRONG_REAL if is_real else VerdictKind.WRONG_WITNESS,
            "equals no accepted reading on the real world"
            if is_real
            else "right on the real world, wrong on a witness world",
            world=world.name,
            difference=replace(difference, expected=numbers[0], got=numbers[1]),
            caught_by=caught,
            world_why=None if world.report is None else world.report.why,
        )

    def _listing(self, answer: Answer, prepared: str, world: GradedWorld) -> Answer | None:
        """The objects behind a printed count, for the details of a verdict; None where they cannot be had."""
        if answer.count is None:
            return answer
        try:
            outcome = execute(listing_form(prepared), world, self.limits)
        except EngineUnavailableError:
            return None
        return outcome.answer if isinstance(outcome, Ran) else None
