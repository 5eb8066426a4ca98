"""The pages beside the interpreter: status, timestamp, kill_my_queries."""

from __future__ import annotations

import ipaddress
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response

from overworld.server.answers import TEXT, answer
from overworld.server.slots import Slots

Page = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class StatusPages:
    """What the server says about itself. ``clock`` gives seconds since 1970."""

    slots: Slots
    clock: Callable[[], float]

    async def status(self, request: Request) -> Response:
        """``/api/status``. OSMnx reads the fifth line and never stops waiting on a rate limit of 0."""
        return answer(request, status_text(self.slots, _client_token(request), self.clock()).encode(), TEXT)

    async def kill(self, request: Request) -> Response:
        """``/api/kill_my_queries``."""
        client = request.client.host if request.client else ""
        killed = self.slots.kill_all()
        lines = [f"Killing query (pid {number}) from IP {client} ...\nDone!" for number in killed]
        text = "\n".join(lines or [f"No query running from IP {client}"]) + "\n"
        return answer(request, text.encode(), TEXT)

    def timestamp_of(self, timestamp: str) -> Page:
        """``/api/timestamp`` of a world."""

        async def page(request: Request) -> Response:
            return answer(request, f"{timestamp}\n".encode(), "text/plain")

        return page


def status_text(slots: Slots, client_token: int, now: float) -> str:
    """The status page, line by line in the order that clients count on."""
    running = slots.running
    free = slots.count - len(running)
    lines = [
        f"Connected as: {client_token}",
        f"Current time: {_iso(now)}",
        "Announced endpoint: none",
        f"Rate limit: {slots.count}",
        *([f"{free} slots available now."] if free > 0 else []),
        "Currently running queries (pid, space limit, time limit, start time):",
        *(f"{query.number}\t{query.memory_bytes}\t{query.timeout_s}\t{_iso(query.started)}" for query in running),
    ]
    return "\n".join(lines) + "\n"


def _client_token(request: Request) -> int:
    """The number that stands for a client: its IPv4 address, or the upper half of its IPv6 address, folded."""
    try:
        address = ipaddress.ip_address(request.client.host if request.client else "")
    except ValueError:
        return 0
    if isinstance(address, ipaddress.IPv4Address):
        return int(address)
    upper = int(address) >> 64
    return (upper >> 32) ^ (upper & 0xFFFFFFFF)


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
