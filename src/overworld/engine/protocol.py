"""What every engine is to the rest of the project: one method, one response type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

DEFAULT_TIMEOUT_S = 180.0
DEFAULT_MEMORY_BYTES = 512 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one run, in seconds and bytes. They cap what the query itself asks for."""

    timeout_s: float = DEFAULT_TIMEOUT_S
    memory_bytes: int = DEFAULT_MEMORY_BYTES


@dataclass(frozen=True, slots=True)
class EngineIdentity:
    """Which engine gave an answer: goes into provenance and into cache keys."""

    name: str
    version: str
    world: str
    """Content hash of the world."""
    image: str | None = None
    """Digest of the image, for the docker engine."""


@dataclass(frozen=True, slots=True)
class Printed:
    """What one ``out`` printed: ids in printed order, by type; no tags, no geometry.

    ``mode`` is the out mode (``ids_only``, ``skeleton``, ``body``, ``tags``, ``meta``, ``count`` …). ``types`` (uint8,
    ElementType values) and ``ids`` (int64) are parallel. ``derived`` counts made and converted elements. ``counts`` has
    the tags of a ``count`` element as integers (``nodes``, ``ways``, ``relations``, ``total``, ``areas``) and is None
    otherwise.
    """

    mode: str
    types: npt.NDArray[np.uint8]
    ids: npt.NDArray[np.int64]
    derived: int = 0
    counts: Mapping[str, int] | None = None


class Response(Protocol):
    """What a query printed. Ids and counts are at hand; elements are rendered when asked for."""

    @property
    def printed(self) -> Sequence[Printed]:
        """One entry for each ``out`` that ran, in order."""

    @property
    def remark(self) -> str | None:
        """The engine's remark (``runtime error: …``), or None."""

    @property
    def format(self) -> str:
        """The output format that the query asks for: ``json``, ``xml`` or ``csv``."""

    def elements(self) -> list[dict[str, Any]]:
        """The printed elements as a JSON reader of the engine's JSON output would see them, in order."""

    def render(self) -> bytes:
        """The whole answer as the interpreter would send it, in the query's own format."""


class Engine(Protocol):
    """An engine bound to one world."""

    @property
    def identity(self) -> EngineIdentity:
        """Name, version and world of this engine."""

    def run(self, query: str, limits: Limits) -> Response:
        """Run ``query``. A query that runs into trouble midway returns what it printed, with a remark.

        Raises ``QueryError`` (kind ``parse``, ``static`` or ``unsupported``) for what the engine refuses, and
        ``EngineUnavailableError`` for the engine's own trouble.
        """

    def close(self) -> None:
        """Release what the engine holds."""
