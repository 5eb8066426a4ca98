"""The ASGI application: one Overpass API under ``/<world>/api``, and the list of worlds at ``/``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import orjson
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from overworld.core.errors import EngineUnavailableError, QueryError
from overworld.engine.protocol import Engine, Limits
from overworld.server.answers import HTML, MEDIA_TYPES, answer
from overworld.server.conversion import convert
from overworld.server.interpreter import Interpreter
from overworld.server.pages import error_page, worlds_page
from overworld.server.requests import TooLongError
from overworld.server.slots import SlotError, Slots
from overworld.server.status import StatusPages


@dataclass(frozen=True)
class ServedWorld:
    """A world and the engine over it. ``timestamp``: ISO time of its map data, empty where it is not known."""

    name: str
    engine: Engine
    timestamp: str = ""


@dataclass(frozen=True)
class ServerOptions:
    """``limits`` cap what queries ask for. For the others see ``Slots``."""

    limits: Limits = field(default_factory=Limits)
    slots: int = 4
    patience_s: float = 15.0
    queue: int = 256


def build_app(worlds: Sequence[ServedWorld], options: ServerOptions, clock: Callable[[], float]) -> Starlette:
    """The application that serves ``worlds``. ``clock`` gives seconds since 1970."""
    slots = Slots(options.slots, options.patience_s, options.queue, clock)
    status = StatusPages(slots, clock)
    by_name = {world.name: f"/{world.name}/api" for world in worlds}
    return Starlette(
        routes=[
            Route("/", _list_of(by_name)),
            *(Mount(f"/{world.name}", routes=_routes(world, options.limits, slots, status)) for world in worlds),
        ],
        exception_handlers={
            QueryError: _refused,
            SlotError: _no_slot,
            EngineUnavailableError: _engine_gone,
            HTTPException: _http_error,
            ClientDisconnect: _nobody_there,
        },
    )


def _routes(world: ServedWorld, limits: Limits, slots: Slots, status: StatusPages) -> list[Route]:
    interpreter = Interpreter(world.engine, limits, slots)
    reading = ["GET", "HEAD", "OPTIONS"]
    return [
        Route("/api/interpreter", interpreter.interpret, methods=[*reading, "POST"]),
        Route("/api/convert", convert, methods=[*reading, "POST"]),
        Route("/api/status", status.status, methods=reading),
        Route("/api/timestamp", status.timestamp_of(world.timestamp), methods=reading),
        Route("/api/kill_my_queries", status.kill, methods=reading),
    ]


def _list_of(worlds: Mapping[str, str]) -> Callable[[Request], Response]:
    def worlds_list(request: Request) -> Response:
        bases = {name: str(request.base_url).rstrip("/") + path for name, path in worlds.items()}
        if "text/html" in request.headers.get("accept", ""):
            return answer(request, worlds_page(bases).encode(), HTML)
        rows = [{"name": name, "api": base, "interpreter": f"{base}/interpreter"} for name, base in bases.items()]
        return answer(
            request,
            orjson.dumps({"worlds": rows}, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE),
            MEDIA_TYPES["json"],
        )

    return worlds_list


def _failed(request: Request, status: int, *errors: str) -> Response:
    return answer(request, error_page(errors).encode(), HTML, status)


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, QueryError)
    return _failed(request, 413 if isinstance(error, TooLongError) else 400, *error.errors)


def _no_slot(request: Request, error: Exception) -> Response:
    assert isinstance(error, SlotError)
    return _failed(request, error.status, error.message)


def _engine_gone(request: Request, error: Exception) -> Response:
    return _failed(request, 504, f"runtime error: {error}")


def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _failed(request, error.status_code, f"{error.detail}: {request.method} {request.url.path}")


def _nobody_there(request: Request, error: Exception) -> Response:
    return Response(status_code=400)
