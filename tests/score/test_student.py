"""Student's t against printed tables."""

from __future__ import annotations

import pytest

from overworld.score.student import incomplete_beta, t_distribution, t_quantile

TABLE = [
    (0.975, 1, 12.7062047364),
    (0.975, 2, 4.3026527299),
    (0.975, 3, 3.1824463053),
    (0.975, 5, 2.5705818366),
    (0.975, 10, 2.2281388520),
    (0.975, 23, 2.0686576104),
    (0.975, 71, 1.9939433678),
    (0.975, 1000, 1.9623390808),
    (0.95, 10, 1.8124611228),
    (0.995, 4, 4.6040948713),
    (0.5, 7, 0.0),
]


@pytest.mark.parametrize(("probability", "degrees", "quantile"), TABLE)
def test_quantile(probability: float, degrees: int, quantile: float) -> None:
    assert t_quantile(probability, degrees) == pytest.approx(quantile, abs=1e-8)


@pytest.mark.parametrize("degrees", [1, 2, 9, 50, 400])
@pytest.mark.parametrize("probability", [0.6, 0.9, 0.975, 0.9995])
def test_quantile_and_distribution_are_inverse(probability: float, degrees: int) -> None:
    assert t_distribution(t_quantile(probability, degrees), degrees) == pytest.approx(probability, abs=1e-10)


def test_incomplete_beta() -> None:
    # I_x(1, 1) = x, I_x(2, 1) = x^2, and I_x(a, b) = 1 - I_{1-x}(b, a).
    assert incomplete_beta(1, 1, 0.3) == pytest.approx(0.3, abs=1e-12)
    assert incomplete_beta(2, 1, 0.3) == pytest.approx(0.09, abs=1e-12)
    assert incomplete_beta(3.5, 0.5, 0.8) == pytest.approx(1 - incomplete_beta(0.5, 3.5, 0.2), abs=1e-12)
    assert (incomplete_beta(2, 3, 0.0), incomplete_beta(2, 3, 1.0)) == (0.0, 1.0)


@pytest.mark.parametrize(("probability", "degrees"), [(0.975, 0), (0.4, 3), (1.0, 3)])
def test_no_quantile(probability: float, degrees: int) -> None:
    with pytest.raises(ValueError, match="no t quantile"):
        t_quantile(probability, degrees)
