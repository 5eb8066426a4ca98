"""Errors that a person may see, and the exit codes of the commands."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path


class ExitCode(IntEnum):
    """Exit codes of every command."""

    DONE = 0
    FOUND = 1
    """The check or the grade found what it looks for (a difference, a moved number, a failing bar)."""
    USAGE = 2
    """Wrong usage or wrong input."""


class OverworldError(Exception):
    """Base of all typed errors: one message that names the thing and the remedy, and an exit code.

    ``message`` names what is wrong, ``remedy`` what to do next; ``path`` and ``line`` say where.
    """

    exit_code: ExitCode = ExitCode.USAGE

    def __init__(
        self, message: str, *, remedy: str | None = None, path: Path | str | None = None, line: int | None = None
    ) -> None:
        self.message = message
        self.remedy = remedy
        self.path = path
        self.line = line
        super().__init__(str(self))

    def __str__(self) -> str:
        where = "" if self.path is None else f"{self.path}" + ("" if self.line is None else f":{self.line}") + ": "
        return f"{where}{self.message}" + ("" if self.remedy is None else f" ({self.remedy})")


class InputError(OverworldError):
    """A file, a name or an option that cannot be used."""


class UnknownNameError(InputError):
    """A world, task, run or other named thing that does not exist."""


class CorruptFileError(InputError):
    """A file that is damaged, truncated or not what its hash says."""


class CheckError(OverworldError):
    """A check that found what it looks for: exit code 1."""

    exit_code = ExitCode.FOUND


class QueryError(OverworldError):
    """A query that the engine refuses or that fails while running.

    ``kind`` is ``parse`` or ``static`` (refused before running), ``runtime``, ``timeout`` or ``memory`` (ended while
    running), ``unsupported`` (history, users, or not evaluated yet). ``message`` is the engine's own text without the
    leading "line N: parse error: "; ``line`` the line that it names. ``errors`` holds every error line that the engine
    prints for the query, in order and verbatim; the first is this one.
    """

    def __init__(self, kind: str, message: str, line: int = 0, errors: tuple[str, ...] = ()) -> None:
        self.kind = kind
        super().__init__(message, line=line)
        self.errors = errors or (self.text,)

    @property
    def text(self) -> str:
        """The first error line as the engine prints it: ``line 1: parse error: Unknown type "x"``."""
        word = {"parse": "parse error", "static": "static error"}.get(self.kind)
        return f"line {self.line}: {word}: {self.message}" if word else self.message

    def __str__(self) -> str:
        return self.text


class EngineUnavailableError(OverworldError):
    """The engine's own trouble (container gone, port refused, disk full): never held against a query or a model."""
