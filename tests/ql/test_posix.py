from __future__ import annotations

import ctypes
import random
import sys

import pytest

from overworld.ql import posix
from overworld.ql.posix import (
    Alternation,
    Anchor,
    AnyCharacter,
    BackReference,
    Bracket,
    Character,
    CharClass,
    Group,
    Range,
    Repeat,
    Sequence,
    Shorthand,
)

A, B = Character("a"), Character("b")


@pytest.mark.parametrize(
    ("pattern", "tree"),
    [
        ("", Sequence()),
        ("a", A),
        ("ab", Sequence((A, B))),
        ("a|b", Alternation((A, B))),
        ("a|", Alternation((A, Sequence()))),
        ("|a", Alternation((Sequence(), A))),
        ("(a)", Group(1, A)),
        ("()", Group(1, Sequence())),
        ("((a)b)\\2", Sequence((Group(1, Sequence((Group(2, A), B))), BackReference(2)))),
        ("a)", Sequence((A, Character(")")))),
        ("a}", Sequence((A, Character("}")))),
        ("^a$", Sequence((Anchor("start"), A, Anchor("end")))),
        ("a^b", Sequence((A, Anchor("start"), B))),
        (".*", Repeat(AnyCharacter(), 0, None)),
        ("a+?", Repeat(Repeat(A, 1, None), 0, 1)),
        ("a{2}", Repeat(A, 2, 2)),
        ("a{2,}", Repeat(A, 2, None)),
        ("a{,2}", Repeat(A, 0, 2)),
        ("a{,}", Repeat(A, 0, None)),
        ("a{1\\,2}", Repeat(A, 1, 2)),
        ("a{0}", Sequence()),
        ("(a){0}\\1", Sequence((Sequence(), BackReference(1)))),
        ("\\d\\.", Sequence((Character("d"), Character(".")))),
        ("\\w\\W", Sequence((Shorthand("word"), Shorthand("word", negated=True)))),
        ("\\<a\\b", Sequence((Anchor("word_start"), A, Anchor("word_boundary")))),
        ("[ab]", Bracket(("a", "b"))),
        ("[]a]", Bracket(("]", "a"))),
        ("[^]a-z-]", Bracket(("]", Range("a", "z"), "-"), negated=True)),
        ("[\\]]", Sequence((Bracket(("\\",)), Character("]")))),
        ("[[:alpha:]é]", Bracket((CharClass("alpha"), "é"))),
        ("[[.-.]-0]", Bracket((Range("-", "0"),))),
        ("[[=a=]]", Bracket(("a",))),
        ("a\0(", A),
    ],
)
def test_tree(pattern: str, tree: posix.Node) -> None:
    assert posix.parse(pattern) == tree


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("*a", "Invalid preceding regular expression"),
        ("a|+", "Invalid preceding regular expression"),
        ("(?:a)", "Invalid preceding regular expression"),
        ("^*", "Invalid preceding regular expression"),
        ("\\b?", "Invalid preceding regular expression"),
        ("{1}", "Invalid preceding regular expression"),
        ("(a", "Unmatched ( or \\("),
        ("a\\", "Trailing backslash"),
        ("\\1(a)", "Invalid back reference"),
        ("(a)|\\1", "Invalid back reference"),
        ("a{2", "Unmatched \\{"),
        ("a{}", "Invalid content of \\{\\}"),
        ("a{3,2}", "Invalid content of \\{\\}"),
        ("a{x}", "Invalid content of \\{\\}"),
        ("a{32768}", "Regular expression too big"),
        ("[a", "Unmatched [, [^, [:, [., or [="),
        ("[[:alpha:]", "Unmatched [, [^, [:, [., or [="),
        ("[[:letter:]]", "Invalid character class name"),
        ("[z-a]", "Invalid range end"),
        ("[a-[:alpha:]]", "Invalid range end"),
        ("[à-ü]", "Invalid collation character"),
        ("[[.space.]]", "Invalid collation character"),
    ],
)
def test_refused(pattern: str, message: str) -> None:
    with pytest.raises(ValueError, match="^" + posix_literal(message) + "$"):
        posix.parse(pattern)


def posix_literal(text: str) -> str:
    return "".join("\\" + char if char in "\\^$.[]|()*+?{}" else char for char in text)


def test_deep_nesting_is_no_recursion() -> None:
    assert posix.is_valid("(" * 50_000 + ")" * 50_000)


if sys.platform == "linux":

    def test_agrees_with_the_c_library() -> None:
        libc = ctypes.CDLL(None)
        libc.setlocale.restype = ctypes.c_char_p
        before = libc.setlocale(6, None)
        assert libc.setlocale(6, b"C.UTF-8")
        try:
            pieces = [
                *"ab*+?{}(),|^$.[]-\\:=0123é",
                "[:",
                ":]",
                "[.",
                ".]",
                "[[:alpha:]",
                "[=a=]",
                "[^",
                "a-z",
                "{1,2}",
            ]
            pieces += ["{0}", "{,3}", "\\1", "\\2", "\\b", "\\w", "\\,", "32767", "32768"]
            rng = random.Random(7)
            patterns = ["".join(rng.choices(pieces, k=rng.randint(1, 9))) for _ in range(20_000)]
            assert [p for p in patterns if posix.is_valid(p) != compiles(libc, p)] == []
        finally:
            libc.setlocale(6, before)


def compiles(libc: ctypes.CDLL, pattern: str) -> bool:
    buffer = ctypes.create_string_buffer(256)
    extended, no_subexpressions = 1, 8
    refused: int = libc.regcomp(buffer, pattern.encode(), extended | no_subexpressions)
    if not refused:
        libc.regfree(buffer)
    return not refused
