"""Running of whole corpora: chosen cases, on worlds built in memory, by one or several processes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from multiprocessing.connection import Connection

from overworld.engine.conformance.comparing import Judge, Outcome
from overworld.engine.conformance.corpus import Case
from overworld.engine.protocol import Engine


@dataclass(frozen=True, slots=True)
class Choice:
    """Which cases run: features or ids that match one of ``only`` (``*`` stands for anything), each ``every``-th of
    them, at most ``limit``."""

    only: tuple[str, ...] = ()
    every: int = 1
    limit: int | None = None

    def of(self, cases: Iterable[Case]) -> list[Case]:
        """The chosen cases, in order."""
        chosen = [case for case in cases if not self.only or any(_matches(case, one) for one in self.only)]
        return chosen[:: self.every][: self.limit]


def _matches(case: Case, pattern: str) -> bool:
    return fnmatchcase(case.feature, pattern) or fnmatchcase(case.id, pattern)


def run_cases(cases: Sequence[Case], engines: Mapping[str, Engine], judge: Judge, processes: int = 1) -> list[Outcome]:
    """Run all cases and give their outcomes in order. ``engines``: world → engine."""
    if processes == 1 or len(cases) < 2 * processes:
        return [judge.compare(case, engines.get(case.world)) for case in cases]
    forked = multiprocessing.get_context("fork")
    shares = [list(range(start, len(cases), processes)) for start in range(processes)]
    pipes = []
    for share in shares:
        receiver, sender = forked.Pipe(duplex=False)
        # Forked processes share the worlds; nothing but outcomes crosses between them.
        work = _work([cases[i] for i in share], engines, judge, sender)
        process = forked.Process(target=work)
        process.start()
        sender.close()
        pipes.append((share, receiver, process))
    outcomes: dict[int, Outcome] = {}
    for share, receiver, process in pipes:
        outcomes.update(zip(share, receiver.recv(), strict=True))
        process.join()
    return [outcomes[i] for i in range(len(cases))]


def _work(cases: list[Case], engines: Mapping[str, Engine], judge: Judge, sender: Connection) -> Callable[[], None]:
    def work() -> None:
        sender.send([judge.compare(case, engines.get(case.world)) for case in cases])

    return work
