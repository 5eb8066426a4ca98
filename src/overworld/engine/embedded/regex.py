"""POSIX extended regular expressions on texts, in time linear in their length.

RE2 does the matching: the syntax tree is written in its syntax, with letter case spelled out where it is ignored. What
RE2 lacks (back-references, and the ends of words among all letters) is widened for RE2 and then confirmed text by text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import re2

from overworld.engine.embedded.regexclasses import characters, key_of, without_newline, written
from overworld.engine.embedded.regexprogram import Program, TooComplexError, unchecked
from overworld.ql import posix
from overworld.world.store import Strings

Mask = npt.NDArray[np.bool_]

MAX_REPEAT: Final = 1000
"""RE2 takes no larger bound of a repetition."""
PROGRAM_BYTES: Final = 16 * 1024 * 1024
MAX_WRITTEN: Final = 2 * 1024 * 1024
"""The longest expression in RE2's syntax: repetitions of repetitions multiply it."""
STEPS: Final = 100_000_000
"""Bytes of text times instructions of RE2's that may pass before the clock is looked at: its worst case."""
SLOWLY_MATCHED: Final = 16
"""The same, in texts that have to be confirmed."""
_NOTHING: Final = "[^\\x{0}-\\x{10ffff}]"
_ANYTHING: Final = "[\\x{0}-\\x{10ffff}]"
_ANY_BUT_NEWLINE: Final = "[^\\n]"
_TEXT_ANCHORS: Final = ("start", "end", "text_start", "text_end")


class Matcher:
    """A compiled expression. ``check`` raises when time is up. What is too large raises ``TooComplexError``."""

    def __init__(self, pattern: str, *, ignore_case: bool, check: Callable[[], None] = unchecked) -> None:
        self.pattern = pattern
        self._check = check
        self._tree = posix.parse(pattern, ignore_case=ignore_case)
        self._ignore_case = ignore_case

    @cached_property
    def _single(self) -> Any:
        """The RE2 expression for one text; None if RE2 refuses it."""
        return _compiled(_Writer(ignore_case=self._ignore_case, lines=False).write(self._tree))

    @cached_property
    def _lines(self) -> Any:
        """The RE2 expression for texts on lines of their own; None if RE2 refuses it."""
        return _compiled(_Writer(ignore_case=self._ignore_case, lines=True).write(self._tree))

    @cached_property
    def _program(self) -> Program | None:
        """What confirms a match of RE2's; None if that is not needed."""
        if self._single is not None and not _needs_confirmation(self._tree):
            return None
        return Program(self._tree, ignore_case=self._ignore_case, check=self._check)

    def search(self, text: str) -> bool:
        """Whether the expression matches somewhere in ``text``."""
        if self._single is not None and self._single.search(text.encode("utf-8", "surrogateescape")) is None:
            return False
        return self._confirmed(text)

    __call__ = search

    def search_strings(self, strings: Strings, numbers: npt.NDArray[np.integer[Any]]) -> Mask:
        """Which of the strings with these numbers the expression matches. Shape (len(numbers),).

        They are looked at in portions, so that the clock is seen in between.
        """
        found = np.zeros(len(numbers), dtype=bool)
        if len(numbers) == 0:
            return found
        ends = np.cumsum(strings.offsets[np.asarray(numbers) + 1].astype(np.int64) - strings.offsets[numbers])
        start = 0
        while start < len(numbers):
            before = int(ends[start - 1]) if start else 0
            end = max(start + 1, int(np.searchsorted(ends, before + self._portion_bytes)))
            end = min(end, start + SLOWLY_MATCHED) if self._program is not None else end
            found[start:end] = self._search_portion(strings, numbers[start:end])
            self._check()
            start = end
        return found

    @cached_property
    def _portion_bytes(self) -> int:
        return STEPS if self._lines is None else STEPS // max(1, self._lines.programsize)

    def _search_portion(self, strings: Strings, numbers: npt.NDArray[np.integer[Any]]) -> Mask:
        starts = strings.offsets[numbers].astype(np.int64)
        lengths = strings.offsets[np.asarray(numbers) + 1].astype(np.int64) - starts
        ends = np.cumsum(lengths + 1) - 1
        shifts = np.repeat(starts - (ends - lengths), lengths + 1)
        places = np.arange(len(shifts), dtype=np.int64) + shifts
        places[ends] = 0
        joined = strings.data[places] if len(strings.data) else np.zeros(len(places), dtype=np.uint8)
        joined[ends] = ord("\n")
        blob = joined.tobytes()
        if blob.count(b"\n") > len(numbers) or self._lines is None:
            texts = (strings[number] for number in numbers.tolist())
            return np.fromiter(map(self.search, texts), dtype=bool, count=len(numbers))
        return self._search_lines(blob[:-1], ends.tolist())

    def _search_lines(self, blob: bytes, ends: list[int]) -> Mask:
        """Which of the lines of ``blob`` match; line i ends before ``ends[i]``. One search for each line that does."""
        assert self._lines is not None
        found = np.zeros(len(ends), dtype=bool)
        position, line = 0, 0
        search = self._lines.search
        while line < len(ends):
            match = search(blob, position)
            if match is None:
                break
            line = bisect_left(ends, match.start(), line)
            start = ends[line - 1] + 1 if line else 0
            found[line] = self._program is None or self._confirmed(
                blob[start : ends[line]].decode("utf-8", "surrogateescape")
            )
            position = ends[line] + 1
            line += 1
        return found

    def _confirmed(self, text: str) -> bool:
        return self._program is None or self._program.search(text)


def compile_regex(pattern: str, ignore_case: bool, check: Callable[[], None] = unchecked) -> Matcher:
    """Compile a POSIX extended regular expression. Raises ``ValueError`` with the C library's message.

    ``check`` is called in everything that may be long; what it raises passes.
    """
    return Matcher(pattern, ignore_case=ignore_case, check=check)


def _compiled(text: str) -> Any:
    """The RE2 expression, or None if it is too large for RE2."""
    options = re2.Options()
    options.max_mem = PROGRAM_BYTES
    options.never_capture = True
    options.log_errors = False
    try:
        return re2.compile(text.encode("utf-8", "surrogatepass"), options)
    except re2.error:
        return None


def _needs_confirmation(node: posix.Node) -> bool:
    """Whether the tree has something that RE2 lacks."""
    if isinstance(node, posix.Anchor):
        return node.kind not in _TEXT_ANCHORS
    if isinstance(node, posix.BackReference):
        return True
    if isinstance(node, posix.Sequence):
        return any(map(_needs_confirmation, node.parts))
    if isinstance(node, posix.Alternation):
        return any(map(_needs_confirmation, node.branches))
    if isinstance(node, posix.Group | posix.Repeat):
        return _needs_confirmation(node.body)
    return False


class _Writer:
    """Writes a tree in RE2's syntax. ``lines``: for texts on lines of their own, so that no newline may match."""

    def __init__(self, *, ignore_case: bool, lines: bool) -> None:
        self.ignore_case = ignore_case
        self.lines = lines
        self.start = "(?m:^)" if lines else "\\A"
        self.end = "(?m:$)" if lines else "\\z"
        self._written: dict[Hashable, str] = {}

    def write(self, node: posix.Node) -> str:
        """The expression. Raises ``TooComplexError`` if it is longer than ``MAX_WRITTEN``."""
        if isinstance(node, posix.Sequence):
            return self._joined("", node.parts)
        if isinstance(node, posix.Alternation):
            return "(?:" + self._joined("|", node.branches) + ")"
        if isinstance(node, posix.Group):
            return "(?:" + self.write(node.body) + ")"
        if isinstance(node, posix.Repeat):
            return self._repeat(node)
        if isinstance(node, posix.Anchor):
            return self._anchor(node)
        if isinstance(node, posix.BackReference):
            return self._any() + "*"
        key = key_of(node)
        if key not in self._written:
            self._written[key] = self._character(node)
        return self._written[key]

    def _joined(self, joint: str, nodes: Sequence[posix.Node]) -> str:
        texts, length = [], 0
        for node in nodes:
            texts.append(self.write(node))
            length += len(texts[-1])
            if length > MAX_WRITTEN:
                raise TooComplexError("the expression is too large")
        return joint.join(texts)

    def _repeat(self, node: posix.Repeat) -> str:
        body = "(?:" + self.write(node.body) + ")"
        least, most = node.least, node.most
        if least <= 1 and most is None:
            return body + "*+"[least]
        if (least, most) == (0, 1):
            return body + "?"
        if len(body) * ((most or least) // MAX_REPEAT + 1) > MAX_WRITTEN:
            raise TooComplexError("the expression is too large")
        text = ""
        while least > MAX_REPEAT or (most is not None and most > MAX_REPEAT):
            part = min(least, MAX_REPEAT)
            full = MAX_REPEAT if most is not None else part
            text += f"{body}{{{part},{full}}}"
            least, most = least - part, None if most is None else most - full
        return text + f"{body}{{{least},{'' if most is None else most}}}"

    def _anchor(self, node: posix.Anchor) -> str:
        if node.kind in ("start", "text_start"):
            return self.start
        return self.end if node.kind in ("end", "text_end") else ""

    def _any(self) -> str:
        return _ANY_BUT_NEWLINE if self.lines else _ANYTHING

    def _character(self, node: posix.Character | posix.AnyCharacter | posix.Shorthand | posix.Bracket) -> str:
        if isinstance(node, posix.AnyCharacter):
            return self._any()
        ranges, negated = characters(node, ignore_case=self.ignore_case)
        if self.lines:
            ranges = [*ranges, (0x0A, 0x0A)] if negated else without_newline(ranges)
        return written(ranges, negated=negated) if ranges else _NOTHING
