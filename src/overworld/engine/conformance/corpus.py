"""Corpora of queries with the real engine's answers: JSON lines, plain or gzipped.

A record has ``ql`` and, by its kind, the answer's objects and hashes, the text of a CSV answer, the XML form of the
query, or an error. Fields: see docs/conformance.md.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from overworld.core.errors import CorruptFileError, InputError


class CaseKind(StrEnum):
    """What a record asks for."""

    ANSWER = "answer"
    CSV = "csv"
    XML = "xml"
    METRICS = "metrics"


@dataclass(frozen=True, slots=True)
class Case:
    """One record. ``feature`` groups records in reports; records without one are grouped by their corpus."""

    id: str
    kind: CaseKind
    world: str
    feature: str
    query: str
    record: dict[str, Any]

    @property
    def error(self) -> str | None:
        """The first error line of the real engine, verbatim."""
        error: str | None = self.record.get("error")
        return error

    @property
    def errors(self) -> tuple[str, ...]:
        """All error lines of the real engine."""
        return tuple(self.record.get("errors") or ([self.error] if self.error else []))

    @property
    def status(self) -> str:
        """``ok``, ``parse_error``, ``static_error`` or ``runtime_error``."""
        if "status" in self.record:
            return str(self.record["status"])
        error = self.error or ""
        return "parse_error" if "parse error" in error else "static_error" if error else "ok"


def read_corpus(path: Path) -> Iterator[Case]:
    """The records of the corpus at ``path``, in order. Raises ``InputError`` or ``CorruptFileError``."""
    stem = path.name.split(".")[0]
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                if line.strip():
                    yield _case(json.loads(line), stem, number)
    except FileNotFoundError as error:
        raise InputError("no such corpus", path=path) from error
    except (OSError, EOFError, ValueError, KeyError) as error:
        raise CorruptFileError(f"not a corpus of JSON lines: {error!r}", path=path) from error


def _case(record: dict[str, Any], stem: str, number: int) -> Case:
    if "reference" in record:
        return Case(f"{stem}-{number}", CaseKind.METRICS, "", stem, record["reference"], record)
    kind = CaseKind.XML if "xml" in record else CaseKind.CSV if "text" in record else CaseKind.ANSWER
    world = record.get("world", "")
    return Case(record["id"], kind, world, record.get("feature", stem), record["ql"], record)


def canonical(value: Any) -> str:
    """The one JSON text of a value: what the corpora's hashes are taken over."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical_hash(value: Any) -> str:
    """SHA-256 of the canonical text in UTF-8."""
    return hashlib.sha256(canonical(value).encode("utf-8", "surrogateescape")).hexdigest()
