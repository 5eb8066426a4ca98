"""Slots: how many queries run at once, how long others wait for one, and which are running."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from overworld.core.errors import OverworldError

T = TypeVar("T")


class SlotError(OverworldError):
    """No slot for a query, or its slot was taken away: ``status`` is the HTTP status that says so."""

    def __init__(self, status: int, message: str) -> None:
        self.status = status
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class RunningQuery:
    """One line of the status page. ``started``: seconds since 1970."""

    number: int
    memory_bytes: int
    timeout_s: int
    started: float


@dataclass
class Slots:
    """At most ``count`` queries at once, each in a thread of its own, for all worlds and clients together.

    A query waits ``patience_s`` for a slot (then 429, as the real server answers a client that uses up its quota), and
    at most ``queue`` of them wait (then 504 at once, as from a server that is too busy). ``clock`` gives seconds since
    1970. Lives in one event loop.
    """

    count: int
    patience_s: float
    queue: int
    clock: Callable[[], float]
    _free: asyncio.Semaphore = field(init=False)
    _waiting: int = field(init=False, default=0)
    _last_number: int = field(init=False, default=0)
    _running: dict[int, tuple[RunningQuery, asyncio.Future[object]]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._free = asyncio.Semaphore(self.count)

    @property
    def running(self) -> list[RunningQuery]:
        """The running queries, oldest first."""
        return [query for query, _ in self._running.values()]

    async def run(self, work: Callable[[], T], *, timeout_s: int, memory_bytes: int) -> T:
        """The result of ``work``, run in a thread once there is a slot. Raises what ``work`` raises, and ``SlotError``.

        The slot is free again when ``work`` has ended, even if nobody waits for its result any more.
        """
        await self._acquire()
        self._last_number += 1
        query = RunningQuery(self._last_number, memory_bytes, timeout_s, self.clock())
        outcome: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._running[query.number] = (query, outcome)  # type: ignore[assignment]
        # A thread of its own, and not one of a pool: a pool would keep the process from ending before the query does.
        threading.Thread(target=self._work, args=(query.number, work, outcome), daemon=True).start()
        return await outcome

    def kill_all(self) -> list[int]:
        """Answer the clients of all running queries at once; the numbers of those queries.

        A thread cannot be stopped from outside: the query itself goes on until its own time limit at most.
        """
        killed = []
        for query, outcome in self._running.values():
            if not outcome.done():
                outcome.set_exception(SlotError(504, f"runtime error: The query {query.number} was killed."))
                killed.append(query.number)
        return killed

    async def _acquire(self) -> None:
        if self._waiting >= self.queue:
            raise SlotError(504, _refusal("timeout. The server is probably too busy to handle your request."))
        self._waiting += 1
        try:
            async with asyncio.timeout(self.patience_s):
                await self._free.acquire()
        except TimeoutError:
            raise SlotError(
                429, _refusal("rate_limited. Please check /api/status for the quota of your IP address.")
            ) from None
        finally:
            self._waiting -= 1

    def _work(self, number: int, work: Callable[[], T], outcome: asyncio.Future[T]) -> None:
        try:
            settle = partial(outcome.set_result, work())
        except BaseException as error:
            settle = partial(outcome.set_exception, error)
        # At the end of the process the loop is closed before the last query has ended.
        with contextlib.suppress(RuntimeError):
            outcome.get_loop().call_soon_threadsafe(self._end, number, outcome.done, settle)

    def _end(self, number: int, given_up: Callable[[], bool], settle: Callable[[], None]) -> None:
        del self._running[number]
        self._free.release()
        if not given_up():
            settle()


def _refusal(reason: str) -> str:
    """Clients look for these words of the real server in the answer."""
    return f"runtime error: open64: 0 Success /osm3s_osm_base Dispatcher_Client::request_read_and_idx::{reason}"
