"""Intervals against values worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from overworld.score.intervals import Resamples, mean, wilson, wilson_t
from overworld.score.samples import Share


def rows(**clusters: list[float]) -> list[Share]:
    """One task for each value, in a cluster of the argument's name."""
    return [
        Share(f"{intent}{number}", intent, value, 1)
        for intent, values in clusters.items()
        for number, value in enumerate(values)
    ]


def test_wilson_score_interval() -> None:
    # 8 of 10 at z = 1.96: the textbook example.
    interval = wilson(0.8, 10, 1.959963984540054)
    assert (interval.low, interval.high) == pytest.approx((0.490162, 0.943318), abs=1e-6)


def test_clusters_widen_the_interval() -> None:
    # n = 4, mean .75; deviations of the clusters +.5 and -.5; SE^2 = 2 * .5 / 16 = .0625; .75 * .25 / 4 = .046875;
    # design effect 4/3, n_eff 3, t(1 degree) = 12.7062.
    result = wilson_t(rows(a=[1, 1], b=[0, 1]))
    assert result.design_effect == pytest.approx(4 / 3)
    assert result.n_effective == pytest.approx(3)
    assert (result.interval.low, result.interval.high) == pytest.approx((0.010273, 0.998849), abs=1e-5)


def test_design_effect_is_at_least_one() -> None:
    # Each cluster has the overall mean: SE^2 = 0.
    result = wilson_t(rows(a=[1, 0], b=[0, 1], c=[1, 0]))
    assert result.design_effect == 1
    assert result.n_effective == 6
    t = 4.302652729749
    assert result.interval.high - result.interval.low == pytest.approx(
        2 * t / (1 + t * t / 6) * math.sqrt(0.25 / 6 + t * t / 144), abs=1e-9
    )


def test_whole_clusters_alike() -> None:
    # Two clusters of three, all or nothing: SE^2 = 2 * 2 * 1.5^2 / 36 = .25; .25 / 6; design effect 6, n_eff 1.
    result = wilson_t(rows(a=[1, 1, 1], b=[0, 0, 0]))
    assert result.design_effect == pytest.approx(6)
    assert result.n_effective == pytest.approx(1)


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_at_an_end_the_clusters_are_the_sample(value: float) -> None:
    # Three clusters: n_eff = 3, t(2 degrees)^2 = 18.5128; the interval reaches t^2 / (3 + t^2) from its end.
    result = wilson_t(rows(a=[value] * 4, b=[value], c=[value, value]))
    assert result.n_effective == 3
    width = 18.5128205 / 21.5128205
    expected = (0.0, width) if value == 0 else (1 - width, 1.0)
    assert (result.interval.low, result.interval.high) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("values", [[1.0], [0.0, 1.0], [0.0, 0.0, 0.0]])
def test_one_cluster_says_nothing_of_others(values: list[float]) -> None:
    result = wilson_t(rows(only=values))
    assert (result.interval.low, result.interval.high) == (0.0, 1.0)


def test_resamples_are_whole_draws_and_repeat_with_their_seed() -> None:
    drawn = Resamples.draw(["b", "a", "a", "c"], seed=7, draws=200)
    assert drawn.intents == ("a", "b", "c")
    assert (drawn.times.sum(axis=1) == 3).all()
    assert (drawn.times == Resamples.draw(["a", "b", "c"], seed=7, draws=200).times).all()
    assert (drawn.times != Resamples.draw(["a", "b", "c"], seed=8, draws=200).times).any()


def test_the_stream_of_a_seed_is_fixed() -> None:
    # numpy guarantees the legacy stream; stored scores rest on it.
    assert Resamples.draw(["a", "b", "c", "d"], seed=1, draws=4).times.tolist() == FIXED_DRAWS


def test_means_weigh_tasks_not_intents() -> None:
    values = rows(a=[1, 1, 0], b=[0])
    drawn = Resamples(("a", "b"), np.array([[2, 0], [0, 2], [1, 1]]))
    assert drawn.means(values).tolist() == pytest.approx([2 / 3, 0.0, 0.5])
    assert mean(values) == 0.5


def test_draws_without_any_value_are_left_out() -> None:
    drawn = Resamples(("a", "b"), np.array([[2, 0], [0, 2], [1, 1]]))
    means = drawn.means(rows(a=[1]))
    assert np.isnan(means[1])
    interval = drawn.interval(means)
    assert (interval.low, interval.high) == (1.0, 1.0)


def test_percentiles() -> None:
    drawn = Resamples(("a",), np.array([[1]]))
    interval = drawn.interval(np.arange(0, 1001) / 1000)
    assert (interval.low, interval.high) == pytest.approx((0.025, 0.975))


def test_bootstrap_of_many_intents_is_near_the_normal_interval() -> None:
    values = [Share(str(number), str(number), float(number % 2), 1) for number in range(100)]
    drawn = Resamples.draw([value.intent for value in values], seed=3)
    interval = drawn.interval(drawn.means(values))
    assert interval.low == pytest.approx(0.5 - 1.96 * 0.05, abs=0.012)
    assert interval.high == pytest.approx(0.5 + 1.96 * 0.05, abs=0.012)


FIXED_DRAWS = [[2, 1, 0, 1], [0, 2, 0, 2], [2, 1, 0, 1], [2, 1, 0, 1]]
