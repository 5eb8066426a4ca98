"""A server over an engine that answers from a table, on a free port of the loopback interface."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from overworld.core.errors import EngineUnavailableError, QueryError
from overworld.engine.protocol import EngineIdentity, Limits, Printed
from overworld.server.app import ServedWorld, ServerOptions, build_app
from overworld.server.serving import LOOPBACK, Server, listen

NOON = 1_767_268_800.0
"""2026-01-01T12:00:00Z"""


@dataclass(frozen=True)
class CannedResponse:
    """A response with a body that is there already."""

    body: bytes
    format: str = "json"
    remark: str | None = None
    printed: Sequence[Printed] = ()

    def elements(self) -> list[dict[str, Any]]:
        return []

    def render(self) -> bytes:
        return self.body


@dataclass
class EchoEngine:
    """Gives a query back as its answer. Some queries are in the table, or wait for ``gate``."""

    name: str = "echo"
    gate: threading.Event = field(default_factory=threading.Event)
    entered: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    seen: list[str] = field(default_factory=list)

    @property
    def identity(self) -> EngineIdentity:
        return EngineIdentity(self.name, "1", "0" * 64)

    def run(self, query: str, limits: Limits) -> CannedResponse:
        self.seen.append(query)
        if query == "wait":
            self.entered.release()
            assert self.gate.wait(20)
        canned = _TABLE.get(query)
        if isinstance(canned, Exception):
            raise canned
        return canned or CannedResponse(query.encode())

    def close(self) -> None:
        self.gate.set()


_ERRORS = (
    'line 1: parse error: Unknown type "x"',
    "line 1: parse error: ';' expected - '<' found.",
    'line 2: static error: "a" & b',
)
_TABLE: dict[str, CannedResponse | Exception] = {
    "xml": CannedResponse(b"<osm/>\n", "xml"),
    "csv": CannedResponse(b"@id\n1\n", "csv"),
    "json": CannedResponse(b'{\n  "elements": []\n}\n'),
    "large": CannedResponse(b"x" * 100_000),
    "slow": CannedResponse(b'{"elements": [], "remark": "runtime error: too slow"}', remark="runtime error: too slow"),
    "bad": QueryError("parse", 'Unknown type "x"', 1, _ERRORS),
    "gone": EngineUnavailableError("the container has ended"),
    "bug": ZeroDivisionError("division by zero"),
}


@pytest.fixture
def engine() -> EchoEngine:
    """The engine behind ``base``."""
    return EchoEngine()


@pytest.fixture
def start() -> Iterator[Callable[..., str]]:
    """Start servers: gives the root address of a new one. Options are those of the server."""
    running: list[tuple[Server, threading.Thread, Sequence[ServedWorld]]] = []

    def start_one(*worlds: ServedWorld, **options: Any) -> str:
        listener = listen(0)
        server = Server(build_app(worlds, ServerOptions(**options), lambda: NOON), listener)
        thread = threading.Thread(target=server.run)
        thread.start()
        running.append((server, thread, worlds))
        return f"http://{LOOPBACK}:{listener.getsockname()[1]}"

    yield start_one
    for server, thread, worlds in running:
        for world in worlds:
            world.engine.close()
        server.stop()
        thread.join(10)
        assert not thread.is_alive()


@pytest.fixture
def base(start: Callable[..., str], engine: EchoEngine) -> str:
    """Base address of the API of one world."""
    return start(ServedWorld("echo", engine, "2026-01-01T00:00:00Z"), slots=2, patience_s=0.2, queue=2) + "/echo/api"


@pytest.fixture
def client(base: str) -> Iterator[httpx.Client]:
    """A client with ``base`` as its root that asks for no compression."""
    with httpx.Client(base_url=base, headers={"Accept-Encoding": "identity"}, timeout=20, trust_env=False) as opened:
        yield opened
