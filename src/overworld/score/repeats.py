"""pass@k and pass^k of runs that answer each task more than once."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb


def pass_at_k(passed: int, n: int, k: int) -> float:
    """The chance that at least one of ``k`` of the ``n`` samples passes: 1 - C(n-c, k) / C(n, k)."""
    return 1 - comb(n - passed, k) / comb(n, k)


def pass_hat_k(passed: int, n: int, k: int) -> float:
    """The chance that all of ``k`` of the ``n`` samples pass: C(c, k) / C(n, k)."""
    return comb(passed, k) / comb(n, k)


def repeated(tasks: Sequence[tuple[int, int]]) -> list[tuple[int, float, float]]:
    """(k, pass@k, pass^k) as means over ``tasks``, each (passed, n), for k from 1 to the smallest n."""
    most = min((n for _, n in tasks), default=0)
    return [
        (
            k,
            sum(pass_at_k(passed, n, k) for passed, n in tasks) / len(tasks),
            sum(pass_hat_k(passed, n, k) for passed, n in tasks) / len(tasks),
        )
        for k in range(1, most + 1)
    ]
