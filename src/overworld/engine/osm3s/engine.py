"""The real engine as an ``Engine``: one process a query, on a database of this host."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from overworld.core.errors import EngineUnavailableError, QueryError
from overworld.engine.osm3s.database import Binaries
from overworld.engine.protocol import EngineIdentity, Limits, Printed

_REFUSAL = re.compile(r"line (\d+): (parse|static) error: (.*)", re.DOTALL)
_MESSAGE_START = re.compile(
    r"^(?=line \d+: (?:parse|static) |(?:runtime|encoding) (?:error|remark): |After \d+h)", re.MULTILINE
)
_TYPES = {"node": 0, "way": 1, "relation": 2, "area": 3}


@dataclass(frozen=True)
class ProcessResponse:
    """What the process wrote: ``body`` in the query's format, and the remark that went to its standard error."""

    body: bytes
    remark: str | None

    @property
    def format(self) -> str:
        """Told from how the body starts."""
        start = self.body[:1]
        return "json" if start == b"{" else "xml" if start == b"<" else "csv"

    @cached_property
    def _elements(self) -> list[dict[str, Any]]:
        if self.format != "json":
            raise EngineUnavailableError(f"elements of an answer in {self.format} are not read: ask for [out:json]")
        try:
            elements: list[dict[str, Any]] = orjson.loads(self.body)["elements"]
        except orjson.JSONDecodeError:
            # A run that ends midway leaves the document open.
            elements = orjson.loads(self.body + b"\n]}")["elements"]
        return elements

    def elements(self) -> list[dict[str, Any]]:
        """The printed elements."""
        return self._elements

    @property
    def printed(self) -> Sequence[Printed]:
        """One entry for all that was printed: the process does not tell where one ``out`` ends."""
        objects = [(_TYPES[one["type"]], one["id"]) for one in self._elements if one["type"] in _TYPES and "id" in one]
        counts = [one["tags"] for one in self._elements if one["type"] == "count"]
        derived = sum(one["type"] not in _TYPES and one["type"] != "count" for one in self._elements)
        types = np.array([kind for kind, _ in objects], dtype=np.uint8)
        ids = np.array([id_ for _, id_ in objects], dtype=np.int64)
        nothing = Printed("count", types[:0], ids[:0])
        return (
            Printed("body", types, ids, derived),
            *(
                Printed("count", nothing.types, nothing.ids, 0, {key: int(value) for key, value in tags.items()})
                for tags in counts
            ),
        )

    def render(self) -> bytes:
        """The answer as it was written."""
        return self.body


def messages(text: str) -> list[str]:
    """The messages on standard error; one that quotes the query may go on over several lines."""
    return [message.removesuffix("\n") for message in _MESSAGE_START.split(text) if message]


class Osm3sEngine:
    """Asks ``osm3s_query`` on the database in ``database``, which belongs to the world of content hash ``world``."""

    def __init__(self, binaries: Binaries, database: Path, world: str) -> None:
        self._program = binaries.program("osm3s_query")
        self._database = database
        self._world = world

    @cached_property
    def identity(self) -> EngineIdentity:
        """Name, version and world of this engine."""
        told = subprocess.run([str(self._program), "--version"], capture_output=True, check=False, text=True).stdout
        return EngineIdentity("osm3s", told.removeprefix("Overpass API version ").strip(), self._world)

    def run(self, query: str, limits: Limits) -> ProcessResponse:
        """Run ``query`` in a process of its own. See ``Engine.run``; of the limits only the time ends the process."""
        try:
            done = subprocess.run(
                [str(self._program), f"--db-dir={self._database}/", "--concise"],
                input=query.encode("utf-8", "surrogateescape"),
                capture_output=True,
                check=False,
                timeout=limits.timeout_s,
            )
        except subprocess.TimeoutExpired as error:
            message = f"runtime error: Query timed out after {int(limits.timeout_s)} seconds."
            return ProcessResponse(error.stdout or b"", message)
        lines = messages(done.stderr.decode("utf-8", "surrogateescape"))
        refusals = tuple(line for line in lines if _REFUSAL.match(line))
        first = _REFUSAL.match(refusals[0]) if refusals else None
        if first is not None:
            raise QueryError(first[2], first[3], int(first[1]), refusals)
        troubles = [line for line in lines if line.startswith("runtime error: ")]
        return ProcessResponse(done.stdout, "".join(troubles) or None)

    def close(self) -> None:
        """Nothing stays open between queries."""
