"""What is scored: one row for each graded (task, epoch), and the facts of its task that scores are broken down by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from overworld.core.records import VerdictKind


@dataclass(frozen=True, slots=True)
class TaskFacts:
    """What scores need to know of a task. ``intent`` is the cluster; ``pair`` names the minimal pair, if any."""

    id: str
    intent: str
    pair: str | None
    world: str
    split: str
    family: str
    difficulty: str
    frequency: str
    constructs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """One graded (task, epoch). ``verdict`` None: unscored. ``real_pass``: right on the real world alone."""

    task: str
    epoch: int
    verdict: VerdictKind | None
    real_pass: bool = False

    @property
    def passed(self) -> bool:
        """Whether the verdict is ``pass``."""
        return self.verdict is VerdictKind.PASS


@dataclass(frozen=True, slots=True)
class Share:
    """The mean of one task's samples: ``value`` in 0..1, of ``intent``. ``samples``: how many there are."""

    task: str
    intent: str
    value: float
    samples: int


def scored(samples: Iterable[Sample]) -> list[Sample]:
    """The samples that have a verdict."""
    return [sample for sample in samples if sample.verdict is not None]


def shares(rows: Iterable[tuple[Sample, float]], facts: Mapping[str, TaskFacts]) -> list[Share]:
    """The mean value of each task, in order of task id: epochs are averaged here, they are not further samples."""
    by_task: dict[str, list[float]] = {}
    for sample, value in rows:
        by_task.setdefault(sample.task, []).append(value)
    return [
        Share(task, facts[task].intent, sum(values) / len(values), len(values))
        for task, values in sorted(by_task.items())
    ]


def pair_shares(samples: Iterable[Sample], facts: Mapping[str, TaskFacts]) -> list[Share]:
    """For each minimal pair, the share of the epochs with both members scored in which both pass."""
    members: dict[str, dict[int, list[Sample]]] = {}
    for sample in scored(samples):
        pair = facts[sample.task].pair
        if pair is not None:
            members.setdefault(pair, {}).setdefault(sample.epoch, []).append(sample)
    result = []
    for pair, epochs in sorted(members.items()):
        whole = [both for both in epochs.values() if len(both) == 2]
        if whole:
            passed = sum(all(one.passed for one in both) for both in whole)
            result.append(Share(pair, facts[whole[0][0].task].intent, passed / len(whole), len(whole)))
    return result
