"""Serving the application on a loopback port until someone stops it."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from types import FrameType

import uvicorn
from starlette.applications import Starlette

from overworld.core.errors import InputError

LOOPBACK = "127.0.0.1"

_LONGEST_ADDRESS_BYTES = 1024 * 1024
"""Queries in the query string of a GET are long; the default of 64 KiB is less than clients send."""
_FAREWELL_S = 2
"""How long open requests may take after the signal to stop."""


def listen(port: int) -> socket.socket:
    """A socket that listens on ``port`` of the loopback interface; port 0 takes a free one.

    Raises ``InputError`` for a port that is in use or not to be had.
    """
    # The protocol is named because asyncio only then sends small answers at once (TCP_NODELAY): 40 ms a request.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((LOOPBACK, port))
        listener.listen(128)
    except (OSError, OverflowError) as error:
        listener.close()
        in_use = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        reason = "is in use" if in_use else f"cannot be had: {error}"
        raise InputError(f"port {port} {reason}", remedy="choose another with --port; 0 takes a free one") from error
    return listener


def _is_news(record: logging.LogRecord) -> bool:
    """Whether a message of uvicorn's tells anything: requests still open at the end are given up."""
    given_up = record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError)
    return not given_up and not str(record.msg).startswith("Cancel ")


class Server(uvicorn.Server):
    """Serves ``app`` on ``listener``. SIGINT, SIGTERM and ``stop()`` end ``run()``, once open requests are done."""

    def __init__(self, app: Starlette, listener: socket.socket) -> None:
        self._listener = listener
        logging.getLogger("uvicorn.error").addFilter(_is_news)
        super().__init__(
            uvicorn.Config(
                app,
                http="h11",
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                h11_max_incomplete_event_size=_LONGEST_ADDRESS_BYTES,
                timeout_graceful_shutdown=_FAREWELL_S,
            )
        )

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until told to stop."""
        super().run(sockets or [self._listener])

    def stop(self) -> None:
        """Make ``run()`` return; may be called from another thread."""
        self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End quietly on a signal, at once on the second: uvicorn itself would send the signal to the process again."""
        self.force_exit = self.should_exit
        self.should_exit = True
