"""YAML files as plain values, with the line of every one of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from overworld.core.errors import CorruptFileError, InputError, UnknownNameError

DEEPEST: Final = 200
BRACKET: Final = re.compile(r"[\[\]{}]")
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
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from None
    except UnicodeDecodeError as error:
        raise CorruptFileError(f"not UTF-8 text: {error.reason}", path=path) from None
    if _bracket_depth(text) > DEEPEST:
        raise CorruptFileError("values are nested too deeply", path=path)
    try:
        loaded = YAML(typ="rt", pure=True).load(text)
    except RecursionError:
        raise CorruptFileError("values are nested too deeply", path=path) from None
    except ValueError as error:
        raise CorruptFileError(f"not valid YAML: {error}", path=path) from None
    except YAMLError as error:
        mark = error.problem_mark or error.context_mark if isinstance(error, MarkedYAMLError) else None
        problem = (error.problem if isinstance(error, MarkedYAMLError) else None) or str(error).split("\n")[0]
        line = None if mark is None else mark.line + 1
        raise CorruptFileError(f"not valid YAML: {problem}", path=path, line=line) from None
    if not isinstance(loaded, CommentedMap):
        raise CorruptFileError("expected fields and their values", path=path, line=1)
    reader = _Reader(path)
    return Document(path, reader.plain(loaded, ()), reader.lines)


def _bracket_depth(text: str) -> int:
    """How many brackets are open at most, those in texts included: the YAML reader takes their square in time."""
    return max(accumulate((1 if found[0] in "[{" else -1 for found in BRACKET.finditer(text)), initial=0))


class _Reader:
    """Makes plain values of what was loaded, each once: nested aliases would stand for gigabytes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: dict[Where, int] = {(): 1}
        self._met: set[int] = set()

    def plain(self, value: Any, where: Where) -> Any:
        if isinstance(value, CommentedMap | CommentedSeq):
            self._refuse_what_is_not_plain(value, where)
        if isinstance(value, CommentedMap):
            for key in value:
                self.lines[(*where, key)] = value.lc.key(key)[0] + 1
            return {key: self.plain(part, (*where, key)) for key, part in value.items()}
        if isinstance(value, CommentedSeq):
            for position in range(len(value)):
                self.lines[(*where, position)] = value.lc.item(position)[0] + 1
            return [self.plain(part, (*where, position)) for position, part in enumerate(value)]
        if isinstance(value, bool | date) or value is None:
            return value
        for kind in (str, int, float):
            if isinstance(value, kind):
                # The reader's own subclasses remember quotes and digits; nothing else should.
                return kind(value)
        raise self._refusal("tags", where)

    def _refuse_what_is_not_plain(self, value: CommentedMap | CommentedSeq, where: Where) -> None:
        if id(value) in self._met or getattr(value, "merge", None):
            raise self._refusal("aliases", where)
        self._met.add(id(value))
        if value.tag.value is not None:
            raise self._refusal("tags", where)

    def _refusal(self, what: str, where: Where) -> InputError:
        return InputError(f"{what} are not read here", path=self.path, line=self.lines[where], remedy="write it out")
