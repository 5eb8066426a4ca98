"""POSIX extended regular expressions as the GNU C library reads them, parsed to a small typed tree.

For the static check of ``[key~"regex"]`` and for whoever translates an expression to a matcher. The rules are those of
``regcomp(…, REG_EXTENDED)`` in the locale C.UTF-8 (POSIX.1-2017, chapter 9.4, and the manual of the GNU C library):
unanchored matching, ``.`` matches every character (also a newline), alternatives may be empty, an unmatched ``)`` is a
character, and GNU's operators ``\\w \\W \\s \\S \\b \\B \\< \\> \\` \\'`` and the back-references ``\\1`` to
``\\9``. A backslash before any other character gives that character; in a bracket expression it stands for itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, cast

MAX_REPEAT: Final = 0x7FFF
"""The largest bound of an interval (RE_DUP_MAX)."""

CLASS_NAMES: Final = frozenset(
    "alpha upper lower digit xdigit space print punct graph cntrl alnum blank".split()  # noqa: SIM905
)
"""Names in ``[[:name:]]``. If case is ignored, ``upper`` and ``lower`` mean ``alpha``."""

ClassName = Literal[
    "alpha", "upper", "lower", "digit", "xdigit", "space", "print", "punct", "graph", "cntrl", "alnum", "blank"
]
AnchorKind = Literal[
    "start", "end", "word_start", "word_end", "word_boundary", "not_word_boundary", "text_start", "text_end"
]


@dataclass(frozen=True, slots=True)
class Character:
    """One literal character. ``escaped`` tells one that a backslash stood before.

    If case is ignored, an escaped small ASCII letter matches nothing: the library folds the text to capitals, but not
    that letter.
    """

    char: str
    escaped: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class AnyCharacter:
    """``.``: any character, also a newline."""


@dataclass(frozen=True, slots=True)
class Shorthand:
    """``\\w`` (alnum and ``_``), ``\\s`` (space); ``negated`` for ``\\W`` and ``\\S``."""

    kind: Literal["word", "space"]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Range:
    """``a-z`` in a bracket expression, by code point; both ends are ASCII and first <= last (as capitals if case is
    ignored)."""

    first: str
    last: str


@dataclass(frozen=True, slots=True)
class CharClass:
    """``[:name:]`` in a bracket expression."""

    name: ClassName


@dataclass(frozen=True, slots=True)
class Bracket:
    """``[…]`` or ``[^…]``. A plain ``str`` item is one character (also from ``[.c.]`` and ``[=c=]``)."""

    items: tuple[str | Range | CharClass, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Anchor:
    """A position: ``^ $ \\< \\> \\b \\B \\` \\'``. It can stand anywhere and cannot be repeated directly."""

    kind: AnchorKind


@dataclass(frozen=True, slots=True)
class BackReference:
    """``\\1`` to ``\\9``: the text that a completed group matched."""

    number: int


@dataclass(frozen=True, slots=True)
class Group:
    """``(…)``, counted from 1 by its opening parenthesis."""

    number: int
    body: Node


@dataclass(frozen=True, slots=True)
class Repeat:
    """``* + ? {m} {m,} {m,n} {,n}``; ``most`` None is no upper bound. ``{0}`` is parsed to an empty ``Sequence``."""

    body: Node
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class Sequence:
    """Parts one after the other; without parts it matches the empty string."""

    parts: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Alternation:
    """``a|b``: at least two branches."""

    branches: tuple[Node, ...]


Node = Character | AnyCharacter | Shorthand | Bracket | Anchor | BackReference | Group | Repeat | Sequence | Alternation


@dataclass(slots=True)
class _Level:
    """What is being read inside one pair of parentheses (or outside all)."""

    number: int
    before: frozenset[int]
    """Groups completed when the level began: every branch may refer back to them."""
    within: frozenset[int] = frozenset()
    """Groups completed by the branches closed so far: only what follows the level may refer back to them."""
    branches: list[Node] = field(default_factory=list)
    parts: list[Node] = field(default_factory=list)

    def close_branch(self) -> None:
        parts = self.parts
        self.branches.append(parts[0] if len(parts) == 1 else Sequence(tuple(parts)))
        self.parts = []

    def body(self) -> Node:
        self.close_branch()
        return self.branches[0] if len(self.branches) == 1 else Alternation(tuple(self.branches))


_ANCHORS: Final[dict[str, AnchorKind]] = {
    "<": "word_start",
    ">": "word_end",
    "b": "word_boundary",
    "B": "not_word_boundary",
    "`": "text_start",
    "'": "text_end",
}
_SHORTHANDS: Final[dict[str, Node]] = {
    "w": Shorthand("word"),
    "W": Shorthand("word", negated=True),
    "s": Shorthand("space"),
    "S": Shorthand("space", negated=True),
}


_OPERATORS: Final[dict[str, tuple[int, int | None]]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_NAME_BYTES: Final = 32
"""Longest name in a bracket expression, with its end."""
_REFERABLE: Final = 9
"""Groups after the ninth cannot be referred to."""


def parse(pattern: str, *, ignore_case: bool = False) -> Node:
    """Parse ``pattern``; raise ValueError with the C library's message for what ``regcomp`` refuses.

    ``ignore_case`` (REG_ICASE) decides whether the ends of a range are in order: they are compared as capitals then.

    As in C, the pattern ends before its first NUL character. Nesting is limited by memory only.
    """
    return _Parser(pattern.split("\0", 1)[0], ignore_case=ignore_case).parse()


def is_valid(pattern: str, *, ignore_case: bool = False) -> bool:
    """Whether ``regcomp`` accepts ``pattern``."""
    try:
        parse(pattern, ignore_case=ignore_case)
    except ValueError:
        return False
    return True


class _Parser:
    def __init__(self, pattern: str, *, ignore_case: bool) -> None:
        self.pattern = pattern
        self.ignore_case = ignore_case
        self.at = 0
        self.groups = 0
        self.completed: frozenset[int] = frozenset()

    def parse(self) -> Node:
        levels = [_Level(0, self.completed)]
        pattern = self.pattern
        while self.at < len(pattern):
            char = pattern[self.at]
            level = levels[-1]
            if char == "(":
                self.at += 1
                self.groups += 1
                levels.append(_Level(self.groups, self.completed))
            elif char == ")" and len(levels) > 1:
                self.at += 1
                levels.pop()
                self.completed |= level.within
                if level.number <= _REFERABLE:
                    self.completed |= {level.number}
                levels[-1].parts.append(self._repeated(Group(level.number, level.body())))
            elif char == "|":
                self.at += 1
                level.close_branch()
                level.within |= self.completed
                self.completed = level.before
            else:
                level.parts.append(self._atom(char))
        if len(levels) > 1:
            raise ValueError("Unmatched ( or \\(")
        return levels[0].body()

    def _atom(self, char: str) -> Node:
        if char in "*+?{":
            raise ValueError("Invalid preceding regular expression")
        self.at += 1
        if char in "^$":
            return Anchor("start" if char == "^" else "end")
        if char == "[":
            return self._repeated(self._bracket())
        if char == "\\":
            return self._escape()
        return self._repeated(AnyCharacter() if char == "." else Character(char))

    def _escape(self) -> Node:
        if self.at == len(self.pattern):
            raise ValueError("Trailing backslash")
        char = self.pattern[self.at]
        self.at += 1
        if char in _ANCHORS:
            return Anchor(_ANCHORS[char])
        if char in _SHORTHANDS:
            return self._repeated(_SHORTHANDS[char])
        if "1" <= char <= "9":
            number = int(char)
            if number not in self.completed:
                raise ValueError("Invalid back reference")
            return self._repeated(BackReference(number))
        return self._repeated(Character(char, escaped=True))

    def _repeated(self, node: Node) -> Node:
        pattern = self.pattern
        while self.at < len(pattern) and pattern[self.at] in "*+?{":
            operator = pattern[self.at]
            self.at += 1
            least, most = self._interval() if operator == "{" else _OPERATORS[operator]
            if most == 0:
                node = Sequence()
            elif node != Sequence():
                node = Repeat(node, least, most)
        return node

    def _interval(self) -> tuple[int, int | None]:
        least, stop = self._bound()
        if stop == ",":
            most, stop = self._bound()
            least = least or 0
        else:
            most = least
            if least is None:
                raise ValueError("Invalid content of \\{\\}")
        if stop != "}" or (most is not None and least > most):
            raise ValueError("Invalid content of \\{\\}")
        if (least if most is None else most) > MAX_REPEAT:
            raise ValueError("Regular expression too big")
        return least, most

    def _bound(self) -> tuple[int | None, str]:
        """A number or None for nothing, and the ``,`` or ``}`` after it. A backslash before the comma is allowed."""
        start = self.at
        while self.at < len(self.pattern):
            char = self.pattern[self.at]
            self.at += 1
            if char in ",}":
                digits = self.pattern[start : self.at - 1].removesuffix("\\" if char == "," else "")
                if digits == "":
                    return None, char
                if not (digits.isascii() and digits.isdigit()):
                    break
                return (int(digits) if len(digits.lstrip("0")) <= 5 else MAX_REPEAT + 1), char
        else:
            raise ValueError("Unmatched \\{")
        raise ValueError("Invalid content of \\{\\}")

    # ------------------------------------------------------------------------------------ bracket expressions

    def _bracket(self) -> Bracket:
        negated = self._peek() == "^"
        if negated:
            self.at += 1
        items: list[str | Range | CharClass] = []
        first = True
        while first or self._peek() != "]":
            items.append(self._bracket_item(first))
            first = False
        self.at += 1
        return Bracket(tuple(items), negated)

    def _bracket_item(self, first: bool) -> str | Range | CharClass:
        start, may_begin_range = self._element(hyphen_allowed=first)
        if not may_begin_range or self._peek() != "-":
            return start
        self.at += 1
        if self._peek() == "]":
            self.at -= 1
            return start
        end, may_end_range = self._element(hyphen_allowed=True)
        if not may_end_range or not isinstance(start, str) or not isinstance(end, str):
            raise ValueError("Invalid range end")
        if start > "\x7f" or end > "\x7f":
            raise ValueError("Invalid collation character")
        if (start.upper() > end.upper()) if self.ignore_case else (start > end):
            raise ValueError("Invalid range end")
        return Range(start, end)

    def _peek(self) -> str:
        if self.at >= len(self.pattern):
            raise ValueError("Unmatched [, [^, [:, [., or [=")
        return self.pattern[self.at]

    def _element(self, *, hyphen_allowed: bool) -> tuple[str | CharClass, bool]:
        """One element and whether it may be an end of a range (classes and equivalents may not)."""
        char = self._peek()
        if char == "[" and self.pattern[self.at + 1 : self.at + 2] in (".", "=", ":"):
            return self._named(self.pattern[self.at + 1])
        if char == "-" and not hyphen_allowed and self.pattern[self.at + 1 : self.at + 2] != "]":
            raise ValueError("Invalid range end")
        self.at += 1
        return char, True

    def _named(self, kind: str) -> tuple[str | CharClass, bool]:
        end = self.pattern.find(kind + "]", self.at + 2)
        name = self.pattern[self.at + 2 : end]
        if end < 0 or len(name.encode("utf-8", "surrogatepass")) >= _NAME_BYTES:
            raise ValueError("Unmatched [, [^, [:, [., or [=")
        self.at = end + 2
        if kind == ":":
            if name not in CLASS_NAMES:
                raise ValueError("Invalid character class name")
            return CharClass(cast(ClassName, name)), False
        if len(name) != 1 or name > "\x7f":
            raise ValueError("Invalid collation character")
        return name, kind == "."
