"""Engines side by side on the same queries: whether they agree, and how long each takes."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from overworld.core.errors import QueryError
from overworld.engine.conformance.comparing import printed_objects
from overworld.engine.conformance.corpus import Case, canonical_hash
from overworld.engine.protocol import Engine, Limits


@dataclass(frozen=True, slots=True)
class Timed:
    """One query by one engine: what it answered (as a hash over objects, counts and derived elements, or the refusal),
    the seconds until the whole answer was written, and until its ids were known."""

    answer: str
    written_s: float
    ids_s: float


@dataclass(frozen=True, slots=True)
class Pair:
    """One query by two engines."""

    case: Case
    ours: Timed
    theirs: Timed

    @property
    def agrees(self) -> bool:
        """Whether both gave the same answer."""
        return self.ours.answer == self.theirs.answer


def time_query(engine: Engine, query: str, limits: Limits, clock: Callable[[], float] = time.perf_counter) -> Timed:
    """Run a query twice: once until the answer is written, once until its ids are known."""
    start = clock()
    try:
        engine.run(query, limits).render()
        written = clock() - start
        start = clock()
        response = engine.run(query, limits)
        printed = response.printed
        ids = clock() - start
    except QueryError as error:
        elapsed = clock() - start
        return Timed(error.text, elapsed, elapsed)
    counts = [dict(one.counts) for one in printed if one.counts is not None]
    answer = [printed_objects(printed), counts, sum(one.derived for one in printed), response.remark is not None]
    return Timed(canonical_hash(answer), written, ids)


def time_process(engine: Engine, query: str, limits: Limits, clock: Callable[[], float] = time.perf_counter) -> Timed:
    """Run a query once by an engine whose answer is written when it returns."""
    start = clock()
    try:
        response = engine.run(query, limits)
    except QueryError as error:
        elapsed = clock() - start
        return Timed(error.text, elapsed, elapsed)
    elapsed = clock() - start
    printed = response.printed
    counts = [dict(one.counts) for one in printed if one.counts is not None]
    answer = [printed_objects(printed), counts, sum(one.derived for one in printed), response.remark is not None]
    return Timed(canonical_hash(answer), elapsed, elapsed)


@dataclass(frozen=True, slots=True)
class Ratios:
    """Ours over theirs: agreement (of ``queries``), the ratio of median and of 99th percentile times with the answer
    written, of the medians where only ids are asked for, and the medians themselves in milliseconds."""

    queries: int
    agree: int
    median: float
    slowest: float
    ids_median: float
    ours_ms: float
    theirs_ms: float

    @classmethod
    def of(cls, pairs: Sequence[Pair]) -> Ratios:
        """Sum up pairs (at least one)."""
        ours = [pair.ours.written_s for pair in pairs]
        ids = [pair.ours.ids_s for pair in pairs]
        theirs = [pair.theirs.written_s for pair in pairs]
        base = statistics.median(theirs)
        return cls(
            len(pairs),
            sum(pair.agrees for pair in pairs),
            statistics.median(ours) / base,
            percentile(ours, 99) / percentile(theirs, 99),
            statistics.median(ids) / base,
            1e3 * statistics.median(ours),
            1e3 * base,
        )

    def __str__(self) -> str:
        return (
            f"{self.agree:6} of {self.queries:6} agree   median {self.median:6.3f}   p99 {self.slowest:6.3f}   "
            f"ids {self.ids_median:6.3f}   ({self.ours_ms:.2f} ms / {self.theirs_ms:.2f} ms)"
        )


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that is not below ``percent`` per cent of all values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def grouped(pairs: Iterable[Pair], key: Callable[[Pair], str]) -> dict[str, Ratios]:
    """Ratios of each group, by its name."""
    groups: dict[str, list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(key(pair), []).append(pair)
    return {name: Ratios.of(groups[name]) for name in sorted(groups)}
