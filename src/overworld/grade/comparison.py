"""Answers against the answers of accepted readings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from overworld.core.elements import ObjectId
from overworld.core.records import Answer, AnswerType
from overworld.grade.answers import number_of
from overworld.grade.verdicts import CaughtBy, Difference, Listing, TaggedObject
from overworld.grade.worlds import GradedWorld

MOST_SHOWN = 20
"""Objects that a difference shows of each side."""


def equal(answer: Answer, gold: Answer, kind: AnswerType) -> bool:
    """Whether an answer is the gold answer, for a task of that kind."""
    if kind is AnswerType.COUNT:
        return number_of(answer) == number_of(gold)
    return answer.objects == gold.objects


def nearest(answer: Answer, golds: Mapping[str, Answer], kind: AnswerType) -> str:
    """The reading whose gold answer (by name, in the task's order) is nearest; of equally near ones the first.

    Near is a small number of objects that only one of the two has, or a small difference of counts.
    """
    return min(golds, key=lambda name: _distance(answer, golds[name], kind))


def difference(reading: str, answer: Answer, gold: Answer, world: GradedWorld) -> Difference:
    """What is missing in the answer, and too much; both are listings."""
    missing = _listing(gold.objects - answer.objects, world)
    extra = _listing(answer.objects - gold.objects, world)
    return Difference(reading, missing, extra)


def caught_by(answer: Answer, gold: Answer, world: GradedWorld) -> tuple[CaughtBy, ...]:
    """The probes and the changed or removed objects of a witness world that answer and gold treat differently.

    Both are listings: a printed count names no objects.
    """
    if world.report is None:
        return ()
    differing = answer.objects ^ gold.objects
    probes = (CaughtBy(f"probe {one.id}", one.object, one.why) for one in world.report.probes)
    changed = (CaughtBy(f"changed {one}", one) for one in world.report.changed)
    removed = (CaughtBy(f"removed {one}", one) for one in world.report.removed)
    return tuple(one for one in (*probes, *changed, *removed) if one.object in differing)


def _distance(answer: Answer, gold: Answer, kind: AnswerType) -> int:
    if kind is AnswerType.COUNT:
        return abs(number_of(answer) - number_of(gold))
    return len(answer.objects ^ gold.objects)


def _listing(objects: Iterable[ObjectId], world: GradedWorld) -> Listing:
    ordered = sorted(objects)
    return Listing(len(ordered), tuple(TaggedObject(one, world.tags(one)) for one in ordered[:MOST_SHOWN]))
