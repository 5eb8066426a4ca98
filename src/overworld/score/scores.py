"""All numbers of one run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from overworld.core.records import VerdictKind
from overworld.score.intervals import Floats, Interval, Resamples, WilsonT, mean, wilson_t
from overworld.score.repeats import repeated
from overworld.score.samples import Sample, Share, TaskFacts, pair_shares, scored, shares

FEWEST_SAMPLES = 5
"""Under this many samples a group has no share."""


@dataclass(frozen=True, slots=True)
class Proportion:
    """A share with its intervals. ``tasks`` (or pairs) it is the mean of, in ``intents`` clusters."""

    share: float
    tasks: int
    intents: int
    wilson: WilsonT
    bootstrap: Interval


@dataclass(frozen=True, slots=True)
class Gap:
    """Real-world-only accuracy minus accuracy."""

    value: float
    bootstrap: Interval


@dataclass(frozen=True, slots=True)
class Group:
    """One line of a breakdown: ``samples`` scored; share and interval are None where there are too few."""

    name: str
    samples: int
    tasks: int
    share: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Scores:
    """The numbers of one run. None where nothing was scored (or there is no whole pair)."""

    tasks: int
    epochs: int
    samples: int
    unscored: tuple[tuple[str, int], ...]
    tasks_without_sample: tuple[str, ...]
    accuracy: Proportion | None
    real_world_only: Proportion | None
    inflation: Gap | None
    pair_consistency: Proportion | None
    pass_k: tuple[tuple[int, float, float], ...]
    verdicts: tuple[Group, ...]
    breakdowns: Mapping[str, tuple[Group, ...]]


def score_run(samples: Sequence[Sample], facts: Mapping[str, TaskFacts], *, seed: int, draws: int) -> Scores:
    """Score the samples of a run against the tasks of ``facts``.

    Every task that a sample names is in ``facts``. Unscored samples are in no share, and are named in ``unscored``.
    """
    rows = scored(samples)
    seen = {sample.task for sample in samples}
    intents = [facts[sample.task].intent for sample in rows]
    drawn = Resamples.draw(intents, seed, draws) if rows else None
    passed = shares(((row, float(row.passed)) for row in rows), facts)
    real = shares(((row, float(row.real_pass)) for row in rows), facts)
    return Scores(
        tasks=len(seen),
        epochs=len({sample.epoch for sample in samples}),
        samples=len(samples),
        unscored=tuple(sorted((one.task, one.epoch) for one in samples if one.verdict is None)),
        tasks_without_sample=tuple(sorted(set(facts) - seen)),
        accuracy=_proportion(passed, drawn),
        real_world_only=_proportion(real, drawn),
        inflation=_gap(real, passed, drawn),
        pair_consistency=_proportion(pair_shares(rows, facts), drawn),
        pass_k=tuple(repeated(_passes(rows))),
        verdicts=tuple(_verdict_group(kind, rows, facts) for kind in VerdictKind),
        breakdowns=_breakdowns(rows, facts),
    )


def _proportion(values: Sequence[Share], drawn: Resamples | None) -> Proportion | None:
    if not values or drawn is None:
        return None
    clusters = len({value.intent for value in values})
    return Proportion(mean(values), len(values), clusters, wilson_t(values), drawn.interval(drawn.means(values)))


def _gap(larger: Sequence[Share], smaller: Sequence[Share], drawn: Resamples | None) -> Gap | None:
    if drawn is None:
        return None
    differences: Floats = drawn.means(larger) - drawn.means(smaller)
    return Gap(mean(larger) - mean(smaller), drawn.interval(differences))


def _passes(rows: Iterable[Sample]) -> list[tuple[int, int]]:
    """(passed, n) of each task."""
    by_task: dict[str, list[bool]] = {}
    for row in rows:
        by_task.setdefault(row.task, []).append(row.passed)
    return [(sum(values), len(values)) for _, values in sorted(by_task.items())]


def _verdict_group(kind: VerdictKind, rows: Sequence[Sample], facts: Mapping[str, TaskFacts]) -> Group:
    having = [row for row in rows if row.verdict is kind]
    values = shares(((row, float(row.verdict is kind)) for row in rows), facts)
    share, interval = _share_of_group(values, len(rows))
    return Group(kind.value, len(having), len({row.task for row in having}), share, interval)


def _share_of_group(values: Sequence[Share], samples: int) -> tuple[float | None, Interval | None]:
    return (None, None) if samples < FEWEST_SAMPLES else (mean(values), wilson_t(values).interval)


def _breakdowns(rows: Sequence[Sample], facts: Mapping[str, TaskFacts]) -> dict[str, tuple[Group, ...]]:
    """Accuracy by family, construct, difficulty, frequency band, world and split."""
    ways: dict[str, Callable[[TaskFacts], Sequence[str]]] = {
        "family": lambda task: (task.family,),
        "construct": lambda task: task.constructs,
        "difficulty": lambda task: (task.difficulty,),
        "frequency": lambda task: (task.frequency,),
        "world": lambda task: (task.world,),
        "split": lambda task: (task.split,),
    }
    return {way: tuple(_groups(rows, facts, names)) for way, names in ways.items()}


def _groups(
    rows: Sequence[Sample], facts: Mapping[str, TaskFacts], names: Callable[[TaskFacts], Sequence[str]]
) -> Iterable[Group]:
    groups: dict[str, list[Sample]] = {}
    for row in rows:
        for name in names(facts[row.task]):
            groups.setdefault(name, []).append(row)
    for name, members in sorted(groups.items()):
        values = shares(((row, float(row.passed)) for row in members), facts)
        share, interval = _share_of_group(values, len(members))
        yield Group(name, len(members), len(values), share, interval)
