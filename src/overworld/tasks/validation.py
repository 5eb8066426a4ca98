"""Whether a task tells right from wrong: readings and rewrites must pass, mutants must get their stated verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from overworld.core.records import VerdictKind
from overworld.tasks.task import Task


@dataclass(frozen=True, slots=True)
class Expectation:
    """A program of a task and what a grade must say to it. ``what`` names it, ``about`` is the task's word on it."""

    task: str
    what: str
    about: str
    query: str
    verdict: VerdictKind


@dataclass(frozen=True, slots=True)
class Failure:
    """An expectation that was not met. ``got`` None: the engine could not say."""

    expectation: Expectation
    got: VerdictKind | None

    def __str__(self) -> str:
        one = self.expectation
        got = "no verdict" if self.got is None else self.got.value
        return f"task {one.task}, {one.what}: expected {one.verdict.value}, got {got} ({one.about})"


Judge = Callable[[Task, str], VerdictKind | None]
"""Grades a query as if a model had given it: on every world, against every accepted reading. None: unscored."""


def expectations(task: Task) -> Iterator[Expectation]:
    """What must hold of every program in a task's file, in the file's order."""
    for reading in task.accepted:
        yield Expectation(task.id, f"reading {reading.name}", "accepted", reading.query, VerdictKind.PASS)
    for number, rewrite in enumerate(task.rewrites, 1):
        yield Expectation(task.id, f"rewrite {number}", rewrite.how, rewrite.query, VerdictKind.PASS)
    for number, mutant in enumerate(task.mutants, 1):
        yield Expectation(task.id, f"mutant {number}", mutant.why, mutant.query, mutant.verdict)


def validate(task: Task, judge: Judge) -> list[Failure]:
    """The expectations that ``judge`` does not meet; none for a good task."""
    judged = ((one, judge(task, one.query)) for one in expectations(task))
    return [Failure(one, got) for one, got in judged if got is not one.verdict]
