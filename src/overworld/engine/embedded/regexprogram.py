"""A matcher for what RE2 lacks: back-references and the ends of words among all letters.

The tree becomes a program for a backtracking machine that tries every way and visits no state twice. Without
back-references there are as many states as pairs of an instruction and a position; with them there may be very many
more, and a text that takes too many steps is an error. The clock is looked at in between.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final

from overworld.engine.embedded.regexclasses import characters, key_of, upper, written
from overworld.ql import posix

MAX_STEPS: Final = 1_000_000
CHECKED_EVERY: Final = 8192
"""So many steps are made before the clock is looked at."""
MAX_INSTRUCTIONS: Final = 100_000

Test = Callable[[str], bool]
Groups = tuple[tuple[int, int, int], ...]
"""Number, beginning and end (-1: not reached) of the groups that are referred to."""
State = tuple[int, int, Groups]
"""Instruction, position and groups: all that decides how matching goes on."""


class TooComplexError(MemoryError):
    """The expression is too large, or matching a text takes too many steps: both take as much memory."""


def unchecked() -> None:
    """For matching without a limit of time."""


@dataclass(frozen=True, slots=True)
class Take:
    """One character that passes the test."""

    test: Test


@dataclass(frozen=True, slots=True)
class Fork:
    """Go on at either of two instructions."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Check:
    """A position."""

    kind: posix.AnchorKind


@dataclass(frozen=True, slots=True)
class Mark:
    """The beginning or the end of a group."""

    number: int
    end: bool


@dataclass(frozen=True, slots=True)
class Again:
    """The text of a group once more."""

    number: int


Instruction = Take | Fork | Check | Mark | Again


class Program:
    """A compiled expression; ``search`` says whether a text has a match anywhere."""

    def __init__(self, tree: posix.Node, *, ignore_case: bool, check: Callable[[], None] = unchecked) -> None:
        compiler = _Compiler(ignore_case=ignore_case)
        compiler.add(tree)
        self.instructions = compiler.instructions
        self.ignore_case = ignore_case
        self.referred = {one.number for one in self.instructions if isinstance(one, Again)}
        self.is_word = compiler.word
        self._check = check

    def search(self, text: str) -> bool:
        """Whether the expression matches somewhere in ``text``. Raises ``TooComplexError``."""
        visited: set[State] = set()
        stack: list[State] = []
        for start in range(len(text) + 1):
            stack.append((0, start, ()))
            while stack:
                state = stack.pop()
                if state[0] == len(self.instructions):
                    return True
                if state in visited:
                    continue
                visited.add(state)
                if len(visited) % CHECKED_EVERY == 0:
                    self._check()
                    if len(visited) > MAX_STEPS:
                        raise TooComplexError("a text takes too many steps to match")
                self._step(*state, text, stack)
        return False

    def _step(self, at: int, position: int, groups: Groups, text: str, stack: list[State]) -> None:
        instruction = self.instructions[at]
        if isinstance(instruction, Take):
            if position < len(text) and instruction.test(text[position]):
                stack.append((at + 1, position + 1, groups))
        elif isinstance(instruction, Fork):
            stack.append((instruction.second, position, groups))
            stack.append((instruction.first, position, groups))
        elif isinstance(instruction, Check):
            if self._holds(instruction.kind, text, position):
                stack.append((at + 1, position, groups))
        elif isinstance(instruction, Mark):
            referred = instruction.number in self.referred
            stack.append((at + 1, position, _marked(groups, instruction, position) if referred else groups))
        else:
            end = self._repeats(instruction.number, text, position, groups)
            if end is not None:
                stack.append((at + 1, end, groups))

    def _holds(self, kind: posix.AnchorKind, text: str, position: int) -> bool:
        if kind in ("start", "text_start"):
            return position == 0
        if kind in ("end", "text_end"):
            return position == len(text)
        before = position > 0 and self.is_word(text[position - 1])
        after = position < len(text) and self.is_word(text[position])
        if kind == "word_start":
            return after and not before
        if kind == "word_end":
            return before and not after
        return (before != after) == (kind == "word_boundary")

    def _repeats(self, number: int, text: str, position: int, groups: Groups) -> int | None:
        """Where the text of a group ends if it stands at ``position`` once more; None if it does not."""
        for group, start, end in groups:
            if group == number and end >= 0:
                said, here = text[start:end], text[position : position + end - start]
                same = said == here or (
                    self.ignore_case and len(said) == len(here) and all(map(_same_upper, said, here))
                )
                return position + len(said) if same else None
        return None


def _same_upper(left: str, right: str) -> bool:
    return upper(left) == upper(right)


def _marked(groups: Groups, mark: Mark, position: int) -> Groups:
    others = tuple(group for group in groups if group[0] != mark.number)
    if not mark.end:
        return (*others, (mark.number, position, -1))
    start = next(group[1] for group in groups if group[0] == mark.number)
    return (*others, (mark.number, start, position))


class _Compiler:
    def __init__(self, *, ignore_case: bool) -> None:
        self.ignore_case = ignore_case
        self.instructions: list[Instruction] = []
        self._tests: dict[Hashable, Test] = {}
        self.word = self._character_test(posix.Shorthand("word"))

    def emit(self, instruction: Instruction) -> int:
        if len(self.instructions) >= MAX_INSTRUCTIONS:
            raise TooComplexError("the expression is too large")
        self.instructions.append(instruction)
        return len(self.instructions) - 1

    def add(self, node: posix.Node) -> None:
        if isinstance(node, posix.Sequence):
            for part in node.parts:
                self.add(part)
        elif isinstance(node, posix.Alternation):
            self._alternation(node)
        elif isinstance(node, posix.Repeat):
            self._repeat(node)
        elif isinstance(node, posix.Group):
            self.emit(Mark(node.number, end=False))
            self.add(node.body)
            self.emit(Mark(node.number, end=True))
        elif isinstance(node, posix.Anchor):
            self.emit(Check(node.kind))
        elif isinstance(node, posix.BackReference):
            self.emit(Again(node.number))
        else:
            key = key_of(node)
            if key not in self._tests:
                self._tests[key] = self._character_test(node)
            self.emit(Take(self._tests[key]))

    def _alternation(self, node: posix.Alternation) -> None:
        exits = []
        for branch in node.branches[:-1]:
            fork = self.emit(Fork(0, 0))
            self.add(branch)
            exits.append(self.emit(Fork(0, 0)))
            self.instructions[fork] = Fork(fork + 1, len(self.instructions))
        self.add(node.branches[-1])
        for place in exits:
            self.instructions[place] = Fork(len(self.instructions), len(self.instructions))

    def _repeat(self, node: posix.Repeat) -> None:
        for _ in range(node.least):
            before = len(self.instructions)
            self.add(node.body)
            if len(self.instructions) == before:
                return
        if node.most is None:
            fork = self.emit(Fork(0, 0))
            self.add(node.body)
            self.emit(Fork(fork, fork))
            self.instructions[fork] = Fork(fork + 1, len(self.instructions))
            return
        forks = []
        for _ in range(node.most - node.least):
            forks.append(self.emit(Fork(0, 0)))
            self.add(node.body)
        for fork in forks:
            self.instructions[fork] = Fork(fork + 1, len(self.instructions))

    def _character_test(self, node: posix.Character | posix.AnyCharacter | posix.Shorthand | posix.Bracket) -> Test:
        if isinstance(node, posix.AnyCharacter):
            return lambda char: True
        ranges, negated = characters(node, ignore_case=self.ignore_case)
        if not ranges:
            return lambda char: negated
        match = re.compile(written(ranges, negated=negated)).match
        return lambda char: match(char) is not None
