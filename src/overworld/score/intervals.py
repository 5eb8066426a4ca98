"""95 % intervals of a share whose samples come in clusters.

The *cluster Wilson-t* interval is the headline; the percentile bootstrap stands beside it. At a share of 0 or 1 the
variance between clusters is 0, and the number of clusters takes the place of the effective sample size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from overworld.score.samples import Share
from overworld.score.student import t_quantile

CONFIDENCE = 0.95
DRAWS = 10_000
METHOD = "cluster Wilson-t over intents (headline); percentile bootstrap over intents"
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % interval."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class WilsonT:
    """A cluster Wilson-t interval and what it rests on."""

    interval: Interval
    n_effective: float
    design_effect: float


def mean(values: Sequence[Share]) -> float:
    """The mean over tasks. There is at least one."""
    return sum(share.value for share in values) / len(values)


def wilson_t(values: Sequence[Share]) -> WilsonT:
    """The cluster Wilson interval at the effective sample size, with the t quantile of G-1 degrees of freedom.

    SE^2 = G/(G-1) * sum over clusters of (sum of (s_i - mean))^2 / n^2;
    design effect = max(1, SE^2 / (mean (1-mean) / n)); n_effective = n / design effect. With one cluster nothing is
    known about the others: the interval is [0, 1], which is the formula's limit.
    """
    n, share = len(values), mean(values)
    deviations: dict[str, float] = {}
    for one in values:
        deviations[one.intent] = deviations.get(one.intent, 0.0) + one.value - share
    clusters = len(deviations)
    at_end = share <= 0 or share >= 1
    if clusters == 1:
        return WilsonT(Interval(0.0, 1.0), 1.0, float(n))
    if at_end:
        effective = float(clusters)
    else:
        squared_error = clusters / (clusters - 1) * sum(sum_ * sum_ for sum_ in deviations.values()) / n**2
        effective = n / max(1.0, squared_error / (share * (1 - share) / n))
    quantile = t_quantile((1 + CONFIDENCE) / 2, clusters - 1)
    return WilsonT(wilson(share, effective, quantile), effective, n / effective)


def wilson(share: float, n: float, z: float) -> Interval:
    """The Wilson score interval of ``share`` at sample size ``n`` with quantile ``z``."""
    scale = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / scale
    half = z / scale * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return Interval(max(0.0, centre - half), min(1.0, centre + half))


@dataclass(frozen=True)
class Resamples:
    """``draws`` resamples of the intents, with replacement: the same for every number of a run.

    ``intents`` in sorted order; ``times`` (int64, (draws, len(intents))): how often each was drawn.
    """

    intents: tuple[str, ...]
    times: npt.NDArray[np.int64]

    @classmethod
    def draw(cls, intents: Sequence[str], seed: int, draws: int = DRAWS) -> Resamples:
        """Draw with the legacy generator: numpy guarantees its stream for ever, so a seed means the same everywhere."""
        names = tuple(sorted(set(intents)))
        drawn = np.random.RandomState(seed).randint(0, len(names), size=(draws, len(names)), dtype=np.int64)
        flat = drawn + len(names) * np.arange(draws, dtype=np.int64)[:, None]
        return cls(names, np.bincount(flat.ravel(), minlength=draws * len(names)).reshape(draws, len(names)))

    def means(self, values: Sequence[Share]) -> Floats:
        """The mean of each draw, shape (draws,); NaN where a draw holds none of ``values``."""
        place = {name: position for position, name in enumerate(self.intents)}
        sums, counts = np.zeros(len(place)), np.zeros(len(place))
        for one in values:
            sums[place[one.intent]] += one.value
            counts[place[one.intent]] += 1
        with np.errstate(invalid="ignore"):
            result: Floats = (self.times @ sums) / (self.times @ counts)
        return result

    def interval(self, means: Floats) -> Interval:
        """The percentile interval of a statistic over the draws; draws in which it is not defined are left out."""
        low, high = np.percentile(means[~np.isnan(means)], [100 * (1 - CONFIDENCE) / 2, 100 * (1 + CONFIDENCE) / 2])
        return Interval(float(low), float(high))
