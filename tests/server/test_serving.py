"""The socket that a server listens on."""

from __future__ import annotations

import socket

import pytest

from overworld.core.errors import InputError
from overworld.server.serving import listen


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
