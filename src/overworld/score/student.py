"""Quantiles of Student's t distribution, without a dependency on a statistics library."""

from __future__ import annotations

import math

_TINY = 1e-300
_EPSILON = 1e-15


def t_quantile(probability: float, degrees: int) -> float:
    """The quantile of Student's t with ``degrees`` >= 1 degrees of freedom, for 0.5 <= ``probability`` < 1.

    Found by bisection on the distribution function; accurate to about 12 digits.
    """
    if degrees < 1 or not 0.5 <= probability < 1:
        raise ValueError(f"no t quantile for p={probability}, degrees={degrees}")
    low, high = 0.0, 1.0
    while t_distribution(high, degrees) < probability:
        high *= 2
    while high - low > 1e-13 * max(1.0, high):
        middle = (low + high) / 2
        if t_distribution(middle, degrees) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def t_distribution(t: float, degrees: int) -> float:
    """P(T <= t) for t >= 0: 1 - I_x(v/2, 1/2) / 2 with x = v / (v + t^2)."""
    x = degrees / (degrees + t * t)
    return 1 - incomplete_beta(degrees / 2, 0.5, x) / 2


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b), by its continued fraction (DLMF 8.17.22)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    return math.exp(log_front) / (a * _continued_fraction(a, b, x))


def _continued_fraction(a: float, b: float, x: float) -> float:
    """1 + d1/(1 + d2/(1 + …)) by Lentz's method."""
    value, numerator, denominator = 1.0, 1.0, 0.0
    for step in range(1, 10_000):
        half = step // 2
        if step % 2:
            term = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            term = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        denominator = 1 / (1 + term * denominator or _TINY)
        numerator = 1 + term / numerator or _TINY
        change = numerator * denominator
        value *= change
        if abs(change - 1) < _EPSILON:
            break
    return value
