"""The interpreter: a query comes in over HTTP, its answer goes out."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from overworld.core.errors import OverworldError
from overworld.engine.protocol import Engine, Limits
from overworld.ql.parser import parse
from overworld.server.answers import HTML, MEDIA_TYPES, answer, media_type_of
from overworld.server.pages import error_page
from overworld.server.requests import MAX_QUERY_BYTES, Asked, TooLongError, read_asked
from overworld.server.slots import Slots

_LOG = logging.getLogger(__name__)
_FAILED = "runtime error: Query failed with the exception"
_DRAINED_BYTES = 4 * MAX_QUERY_BYTES
"""How much of a body that is too long is read and dropped, so that its sender gets to read the refusal."""


@dataclass(frozen=True)
class Interpreter:
    """``/api/interpreter`` over one engine."""

    engine: Engine
    limits: Limits
    slots: Slots

    async def interpret(self, request: Request) -> Response:
        """Run the query of a request. Errors are raised, see the handlers of the application."""
        if request.method == "OPTIONS":
            return answer(request, b"", MEDIA_TYPES["xml"])
        asked = read_asked(await sent_text(request))
        if request.method == "HEAD":
            return answer(request, b"", media_type_of(parse(asked.query).settings.output))
        return await self.slots.run(
            lambda: self._run(request, asked),
            timeout_s=int(self.limits.timeout_s),
            memory_bytes=self.limits.memory_bytes,
        )

    def _run(self, request: Request, asked: Asked) -> Response:
        try:
            response = self.engine.run(asked.query, self.limits)
            body = response.render()
        except OverworldError:
            raise
        except Exception as error:
            _LOG.exception("the engine failed on the query %r", asked.query)
            return answer(request, error_page([f"{_FAILED}: {error!r}"]).encode(), HTML, 500)
        if asked.jsonp and response.format == "json":
            body = asked.jsonp.encode() + b"(" + body.rstrip(b"\n") + b");\n"
        return answer(request, body, media_type_of(response.format))


async def sent_text(request: Request) -> bytes:
    """What a request says: its body for a POST, whatever its address says; its query string otherwise.

    Raises ``TooLongError``.
    """
    if request.method != "POST":
        query_string: bytes = request.scope["query_string"]
        return query_string
    body = bytearray()
    length = 0
    async for chunk in request.stream():
        length += len(chunk)
        if length <= MAX_QUERY_BYTES:
            body += chunk
        elif length > _DRAINED_BYTES:
            break
    if length > MAX_QUERY_BYTES:
        raise TooLongError(length)
    return bytes(body)
