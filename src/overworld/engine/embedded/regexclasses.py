"""Sets of characters in regular expressions, as ranges of code points.

Classes are those of the GNU C library in the locale C.UTF-8 (Unicode 14); ``characters.txt`` lists the ones that no
formula gives: code points and ranges in hexadecimal. Where case is ignored, two characters are equal if they have the
same simple upper case.
"""

from __future__ import annotations

from collections.abc import Hashable
from importlib.resources import files
from typing import Final

from overworld.ql import posix

Ranges = list[tuple[int, int]]
"""Inclusive ranges of code points, in any order."""

MANY_ITEMS: Final = 64
_ASCII_DIGITS: Final = (0x30, 0x39)
_BLANK: Final = [(0x20, 0x20), (0x1680, 0x1680), (0x2000, 0x2006), (0x2008, 0x200A), (0x205F, 0x205F), (0x3000, 0x3000)]
_FORMULAS: Final = {
    "digit": [_ASCII_DIGITS],
    "xdigit": [_ASCII_DIGITS, (0x41, 0x46), (0x61, 0x66)],
    "blank": [(0x09, 0x09), *_BLANK],
    "space": [(0x09, 0x0D), (0x2028, 0x2029), *_BLANK],
    "cntrl": [(0x00, 0x1F), (0x7F, 0x9F), (0x2028, 0x2029)],
}
_SHARED_UPPER: Final = (
    "Iiı Ssſ µΜμ Ǆǅǆ Ǉǈǉ Ǌǋǌ Ǳǲǳ \u0345Ιι\u1fbe Ββϐ Εεϵ Θθϑ Κκϰ Ππϖ Ρρϱ Σςσ Φφϕ Ввᲀ Ддᲁ Ооᲂ Ссᲃ Ттᲄᲅ Ъъᲆ Ѣѣᲇ ᲈꙊꙋ Ṡṡẛ"
)
"""Characters of which more than two have the same upper case."""
_PUNCTUATION: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~")


def upper(char: str) -> str:
    """The simple upper case of a character: always one character."""
    if len(capital := char.upper()) == 1:
        return capital
    return capital if len(capital := char.title()) == 1 else char


def variants(char: str) -> str:
    """All characters with the same simple upper case as ``char``."""
    capital = upper(char)
    for group in _SHARED_UPPER.split():
        if capital in group and upper(group[0]) == capital:
            return group
    small = capital.lower()
    same = {char, capital} | ({small} if len(small) == 1 and upper(small) == capital else set())
    return "".join(sorted(same))


def quoted(char: str) -> str:
    """A character that stands for itself, in and outside brackets, for RE2 and for Python's ``re``."""
    return "\\" + char if char in _PUNCTUATION else char


def written(ranges: Ranges, *, negated: bool = False) -> str:
    """A bracket expression for RE2 and for Python's ``re``."""
    items = (quoted(chr(low)) + (f"-{quoted(chr(high))}" if high > low else "") for low, high in ranges)
    return ("[^" if negated else "[") + "".join(items) + "]"


def without_newline(ranges: Ranges) -> Ranges:
    """The ranges but for the newline."""
    kept: Ranges = []
    for low, high in ranges:
        if low <= 0x0A <= high:
            kept += [part for part in ((low, 0x09), (0x0B, high)) if part[0] <= part[1]]
        else:
            kept.append((low, high))
    return kept


def key_of(node: posix.Node) -> Hashable:
    """What to keep results for a node under: equal nodes share them, unless to compare them takes long."""
    return id(node) if isinstance(node, posix.Bracket) and len(node.items) > MANY_ITEMS else node


def characters(node: posix.Character | posix.Shorthand | posix.Bracket, *, ignore_case: bool) -> tuple[Ranges, bool]:
    """The ranges of a node that takes one character, sorted and apart, and whether it takes all others instead."""
    ranges, negated = _characters(node, ignore_case=ignore_case)
    return _merged(ranges), negated


def _merged(ranges: Ranges) -> Ranges:
    merged: Ranges = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return merged


def _characters(node: posix.Character | posix.Shorthand | posix.Bracket, *, ignore_case: bool) -> tuple[Ranges, bool]:
    if isinstance(node, posix.Character):
        if ignore_case and node.escaped and "a" <= node.char <= "z":
            return [], False
        return _singles(variants(node.char) if ignore_case else node.char), False
    if isinstance(node, posix.Shorthand):
        word = node.kind == "word"
        return [*class_ranges("alnum"), (0x5F, 0x5F)] if word else class_ranges("space"), node.negated
    ranges: Ranges = []
    for item in dict.fromkeys(node.items):
        if isinstance(item, posix.CharClass):
            cased = ignore_case and item.name in ("upper", "lower")
            ranges += class_ranges("alpha" if cased else item.name)
        elif isinstance(item, posix.Range):
            ranges += _range(item, ignore_case=ignore_case)
        else:
            ranges += _singles(variants(item) if ignore_case else item)
    return ranges, node.negated


def class_ranges(name: str) -> Ranges:
    """The characters of ``[:name:]``."""
    if name in _FORMULAS:
        return _FORMULAS[name]
    if name == "alpha":
        return [one for one in _listed("alnum") if one != _ASCII_DIGITS]
    if name == "graph":
        return _listed("alnum") + _listed("punct")
    if name == "print":
        return _listed("alnum") + _listed("punct") + _BLANK
    return _listed(name)


def _listed(name: str) -> Ranges:
    table = files("overworld.engine.embedded").joinpath("characters.txt").read_text("ascii")
    line = next(line for line in table.splitlines() if line.startswith(name + " "))
    items = (item.partition("-") for item in line.split()[1:])
    return [(int(low, 16), int(high or low, 16)) for low, _, high in items]


def _singles(chars: str) -> Ranges:
    return [(ord(char), ord(char)) for char in chars]


def _range(item: posix.Range, *, ignore_case: bool) -> Ranges:
    if not ignore_case:
        return [(ord(item.first), ord(item.last))]
    first, last = ord(upper(item.first)), ord(upper(item.last))
    capitals = (chr(code) for code in range(first, last + 1))
    return [one for capital in capitals if upper(capital) == capital for one in _singles(variants(capital))]
