"""Whether a grading gives the stored numbers again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from overworld.core.errors import CorruptFileError, UnknownNameError
from overworld.runs.grading import GradedRun
from overworld.runs.places import ResultPaths
from overworld.runs.results import score_document, verdict_row

NOT_COMPARED = ("provenance.package_version", "provenance.source_revision")
"""They say which source graded, and so differ between any two revisions; everything else must not move."""


def moved(graded: GradedRun, stored: ResultPaths) -> list[str]:
    """A line for each stored number, hash and verdict that is another now; empty where none moved."""
    before = _flat(_read_json(stored.scores))
    now = _flat(json.loads(json.dumps(score_document(graded))))
    lines = [
        f"{name}: {_shown(before, name)} -> {_shown(now, name)}"
        for name in sorted({**before, **now})
        if name not in NOT_COMPARED and before.get(name, ...) != now.get(name, ...)
    ]
    return lines + list(_moved_verdicts(graded, stored.verdicts))


def _moved_verdicts(graded: GradedRun, path: Path) -> Iterator[str]:
    before = {(row["task"], row["epoch"]): row for row in _read_rows(path)}
    for sample in graded.samples:
        old, new = before.get((sample.task, sample.epoch)), json.loads(json.dumps(verdict_row(sample)))
        for name in ("verdict", "world", "reading", "difference", "caught_by"):
            if old is None or old.get(name) != new.get(name):
                was = None if old is None else old.get(name)
                yield f"{sample.task}, epoch {sample.epoch}: {name}: {_short(was)} -> {_short(new.get(name))}"


def _flat(value: Any, name: str = "") -> dict[str, Any]:
    """The leaves of a JSON document by their path."""
    parts: Any
    if isinstance(value, dict) and value:
        parts = value.items()
    elif isinstance(value, list) and any(isinstance(one, dict | list) for one in value):
        parts = enumerate(value)
    else:
        return {name: value}
    flat: dict[str, Any] = {}
    for key, part in parts:
        flat.update(_flat(part, f"{name}.{key}" if name else str(key)))
    return flat


def _shown(values: dict[str, Any], name: str) -> str:
    return _short(values[name]) if name in values else "not there"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:77] + "..."


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UnknownNameError("no stored result", path=path, remedy="bench reference makes it") from None
    except ValueError as error:
        raise CorruptFileError(f"not JSON: {error}", path=path) from error


def _read_rows(path: Path) -> list[dict[str, Any]]:
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except FileNotFoundError:
        raise UnknownNameError("no stored verdicts", path=path, remedy="bench reference makes them") from None
    rows = []
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line) if line.strip() else None
        except ValueError as error:
            raise CorruptFileError(f"not JSON: {error}", path=path, line=number) from error
        if isinstance(row, dict) and "task" in row:
            rows.append(row)
    return rows
