"""YAML files as plain values, with the line of every one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from overworld.core.errors import CorruptFileError, UnknownNameError

Where = tuple[str | int, ...]
"""The way to a value: ``("readings", 0, "query")``."""


@dataclass(frozen=True)
class Document:
    """A YAML file whose top is a mapping. ``lines``: where each value's key (or list item) stands, from 1."""

    path: Path
    values: dict[str, Any]
    lines: Mapping[Where, int]

    def line_of(self, where: Where) -> int:
        """The line of the value at ``where``, or of the nearest thing around it that is there."""
        while where and where not in self.lines:
            where = where[:-1]
        return self.lines.get(where, 1)


def read_document(path: Path) -> Document:
    """Read a YAML 1.2 file (``no`` is text there). Raises ``UnknownNameError``, ``CorruptFileError`` with the line."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UnknownNameError("no such file", path=path) from None
    except UnicodeDecodeError as error:
        raise CorruptFileError(f"not UTF-8 text: {error.reason}", path=path) from None
    try:
        loaded = YAML(typ="rt", pure=True).load(text)
    except YAMLError as error:
        mark = error.problem_mark or error.context_mark if isinstance(error, MarkedYAMLError) else None
        problem = (error.problem if isinstance(error, MarkedYAMLError) else None) or str(error).split("\n")[0]
        line = None if mark is None else mark.line + 1
        raise CorruptFileError(f"not valid YAML: {problem}", path=path, line=line) from None
    if not isinstance(loaded, CommentedMap):
        raise CorruptFileError("expected fields and their values", path=path, line=1)
    lines: dict[Where, int] = {(): 1}
    return Document(path, _plain(loaded, (), lines), lines)


def _plain(value: Any, where: Where, lines: dict[Where, int]) -> Any:
    if isinstance(value, CommentedMap):
        for key in value:
            lines[(*where, key)] = value.lc.key(key)[0] + 1
        return {key: _plain(part, (*where, key), lines) for key, part in value.items()}
    if isinstance(value, CommentedSeq):
        for position in range(len(value)):
            lines[(*where, position)] = value.lc.item(position)[0] + 1
        return [_plain(part, (*where, position), lines) for position, part in enumerate(value)]
    if isinstance(value, bool) or value is None:
        return value
    for kind in (str, int, float):
        if isinstance(value, kind):
            # The reader's own subclasses remember quotes and digits; nothing else should.
            return kind(value)
    return value
