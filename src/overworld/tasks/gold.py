"""Gold answers: what the accepted readings of a task give on a world, and whether they are fit to grade by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Protocol

from overworld.core.boxes import Box
from overworld.core.elements import ObjectId
from overworld.core.errors import CheckError, InputError
from overworld.core.records import Answer, AnswerType
from overworld.tasks.task import Task
from overworld.witness.spec import WorldSpec
from overworld.world.store import World

SHOWN = 5
"""How many objects a message lists."""


class AnswerQuery(Protocol):
    """Runs a query on a world, its shortcuts filled in, and reduces what it prints to an answer."""

    def __call__(self, world: World, query: str, view: Box | None) -> Answer:
        """The answer. Raises ``OverworldError`` for a query that cannot be run."""


def value_of(answer: Answer, kind: AnswerType) -> frozenset[ObjectId] | int:
    """What is compared: the objects, or the count, which is the number of objects where no count was printed."""
    if kind is AnswerType.OBJECTS:
        return answer.objects
    return len(answer.objects) if answer.count is None else answer.count


def gold_answers(task: Task, world: World, answer: AnswerQuery) -> dict[str, Answer]:
    """The answer of each accepted reading on ``world``, by the reading's name."""
    answers = {}
    for reading in task.accepted:
        with query_of(f"reading {reading.name}"):
            answers[reading.name] = answer(world, reading.query, task.view)
    return answers


@contextmanager
def query_of(what: str) -> Iterator[None]:
    """Say whose query it is that cannot be run."""
    try:
        yield
    except InputError as error:
        raise InputError(f"query of {what}: {error.message}", remedy=error.remedy) from error


def check_gold(task: Task, world: World, answers: Mapping[str, Answer], spec: WorldSpec | None) -> None:
    """Check that accepted readings agree on a witness world, and that gold is empty only where ``spec`` says so.

    ``spec`` is None for the real world, where readings may differ. Raises ``CheckError``.
    """
    values = {name: value_of(answer, task.answer) for name, answer in answers.items()}
    first = next(iter(values))
    where = f"task {task.id}, world {world.info.name}"
    if spec is not None:
        for name, value in values.items():
            if value != values[first]:
                raise CheckError(
                    f"{where}: readings {first} and {name} differ: {_difference(values[first], value)}",
                    remedy="mend the witness spec or the readings",
                )
    may_be_empty = spec is not None and spec.empty
    for name, value in values.items():
        if not value and not may_be_empty:
            raise CheckError(
                f"{where}: reading {name} finds nothing", remedy="add what it shall find, or say empty: true and why"
            )
        if value and may_be_empty:
            raise CheckError(f"{where}: reading {name} finds {_shown(value)}", remedy="leave out empty: true")


def _difference(left: frozenset[ObjectId] | int, right: frozenset[ObjectId] | int) -> str:
    if isinstance(left, int) or isinstance(right, int):
        return f"{_shown(left)} and {_shown(right)}"
    return f"only the first finds {_shown(left - right)}, only the second {_shown(right - left)}"


def _shown(value: frozenset[ObjectId] | int) -> str:
    if isinstance(value, int):
        return str(value)
    names = [str(one) for one in sorted(value)[:SHOWN]]
    rest = len(value) - len(names)
    return (", ".join(names) or "nothing") + (f" and {rest} more" if rest else "")
