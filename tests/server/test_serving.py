"""The socket that a server listens on."""

from __future__ import annotations

import asyncio
import socket
import threading

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from overworld.core.errors import InputError
from overworld.server.serving import Server, listen


def test_small_answers_are_sent_at_once() -> None:
    with listen(0) as listener:
        assert listener.proto == socket.IPPROTO_TCP
        assert listener.getsockname()[0] == "127.0.0.1"


def test_a_port_is_taken_once() -> None:
    with listen(0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(InputError, match=f"port {port} is in use"):
            listen(port)
    listen(port).close()


def test_open_requests_are_given_up_quietly(caplog: pytest.LogCaptureFixture) -> None:
    begun = threading.Event()

    async def slow(request: Request) -> Response:
        begun.set()
        await asyncio.sleep(60)
        return Response()

    with listen(0) as listener:
        server = Server(Starlette(routes=[Route("/", slow)]), listener)
        thread = threading.Thread(target=server.run)
        thread.start()
        with (
            socket.create_connection(listener.getsockname()) as waiting,
            socket.create_connection(listener.getsockname()) as slowly,
        ):
            waiting.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            slowly.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n1")
            assert begun.wait(10)
            server.stop()
            thread.join(10)
    assert not thread.is_alive()
    assert caplog.records == []
