"""Tokens of OverpassQL with their lines, and a cursor over them.

Comments and white space only separate tokens. A line end after a backslash in a string is not counted as a line: the
lines are those that the engine names. The text is read as a program gets it on standard input, with a line end added.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from overworld.ql.diagnostics import Diagnostics

_SPACE: Final = r"[ \t\n\v\f\r]|//[^\n]*\n?|/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/)?"
_TOKEN: Final = (
    r"[A-Za-z_][A-Za-z0-9_]*"
    r"|(?:[0-9]|-(?=[0-9.]))[0-9]*(?:\.[0-9]*)?(?:e-?[0-9]*)?"
    r'|"[^"\\]*(?:\\.[^"\\]*)*(?:"|\Z)'
    r"|'[^'\\]*(?:\\.[^'\\]*)*(?:'|\Z)"
    r"|->|::|==|!=|\|\||&&|<<|<=|>>|>="
    r"|."
)
_PATTERN: Final = re.compile(rf"((?:{_SPACE})*)(?:({_TOKEN})|\Z)", re.DOTALL)
_GAP_PIECE: Final = re.compile(_SPACE)
_CHARACTER: Final = re.compile(r"\\.|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Tokens:
    """``texts[i]`` starts on line ``lines[i]``. After the last token comes its text again, on the line of the end."""

    texts: list[str]
    lines: list[int]
    source: str

    def column(self, place: int) -> int:
        """The column of a token as the engine counts it: in bytes from 1, an escaped character not counted and a
        comment between lines with its ends."""
        column = 1
        for gap, token in _PATTERN.findall(self.source):
            for piece in _GAP_PIECE.findall(gap):
                column = _column_after_gap(piece, column)
            if token:
                if place == 0:
                    return column
                place -= 1
                for piece in _CHARACTER.findall(token):
                    column = 1 if piece == "\n" else column + len(piece[:1].encode("utf-8", "surrogatepass"))
        return column


def tokenize(text: str) -> Tokens:
    """Split ``text``, to which a line end is added, into tokens."""
    text += "\n"
    pairs = _PATTERN.findall(text)
    texts = [token for _, token in pairs if token]
    if not text.isascii() and any(token[0] > "\x7f" for token in texts):
        lines = _lagging_lines(pairs)
    elif text.find("\n") == len(text) - 1 and text[-2:-1] != "\\":
        lines = [1] * len(texts)
        lines.append(2)
    else:
        lines = _lines(pairs)
    texts.append(texts[-1] if texts else "")
    return Tokens(texts, lines, text)


def _lines(pairs: list[tuple[str, str]]) -> list[int]:
    lines = []
    line = 1
    for gap, token in pairs:
        line += gap.count("\n")
        if token:
            lines.append(line)
            if "\n" in token:
                line += _CHARACTER.findall(token).count("\n")
    lines.append(line)
    return lines


def _lagging_lines(pairs: list[tuple[str, str]]) -> list[int]:
    """The engine loses count by the further bytes of each non-ASCII character that is a token: it then names the line
    of a place so many bytes before, in the text with each gap as one byte."""
    byte_lines: list[int] = []
    places: list[int] = []
    line = 1
    lag = 0
    for gap, token in pairs:
        if gap:
            byte_lines.append(line)
            line += gap.count("\n")
        if not token:
            continue
        places.append(len(byte_lines) - lag)
        for piece in _CHARACTER.findall(token):
            byte_lines += [line] * len(piece.encode("utf-8", "surrogatepass"))
            line += piece == "\n"
        if token[0] > "\x7f":
            lag += len(token.encode("utf-8", "surrogatepass")) - 1
    places.append(len(byte_lines) - lag)
    byte_lines.append(line)
    return [byte_lines[place] for place in places]


def _column_after_gap(piece: str, column: int) -> int:
    if piece == "\n" or piece.startswith("//"):
        return 1
    if not piece.startswith("/*"):
        return column + 1
    column += 1
    body = "/" + piece[2:].removesuffix("*/")
    for char, following in zip(body, [*body[1:], "*"], strict=True):
        column = 1 if char == "\n" else column + len(char.encode("utf-8", "surrogatepass"))
        column += char == "*" and following != "/"
    return column + piece.endswith("*/")


class Cursor:
    """Reads tokens one by one; at the end it stays on the last one, with ``good`` False.

    ``token`` is the current token. What is missing or in the way is reported and skipped, so that reading can go on.
    """

    __slots__ = ("diagnostics", "end", "index", "lines", "texts", "token", "tokens")

    def __init__(self, tokens: Tokens, diagnostics: Diagnostics) -> None:
        self.tokens = tokens
        self.texts = tokens.texts
        self.lines = tokens.lines
        self.diagnostics = diagnostics
        self.end = len(self.texts) - 1
        self.index = 0
        self.token = self.texts[0]

    @property
    def good(self) -> bool:
        return self.index < self.end

    @property
    def line(self) -> int:
        return self.lines[self.index]

    def advance(self) -> None:
        if self.index < self.end:
            self.index += 1
            self.token = self.texts[self.index]

    def report(self, message: str) -> None:
        self.diagnostics.parse(message, self.lines[self.index])

    def skip_to(self, *targets: str) -> None:
        """Stop on one of ``targets``; report what stands before it."""
        if self.token not in targets:
            self.report(f"{_alternatives(targets)} expected - '{self.token}' found.")
            self.advance()
            while self.token not in targets and self.index < self.end:
                self.advance()
        if self.index >= self.end:
            self.report("Unexpected end of input.")

    def skip_past(self, *targets: str) -> None:
        """Go behind the next of ``targets``; report what stands before it."""
        self.skip_to(*targets)
        self.advance()

    def read_text(self, what: str) -> str:
        """A word, a number or a quoted string; ``what`` names it in the error."""
        token = self.token
        first = token[:1]
        if self.index >= self.end or not (
            first in "\"'" or first in _WORD or (first == "-" and token[1:2] in _DIGITS and len(token) > 1)
        ):
            self.report(f"{what} expected - '{token}' found.")
            return ""
        text = unquote(token, self.diagnostics)
        self.advance()
        return text

    def read_identifier(self, what: str) -> str:
        """A word that does not start with a digit; ``what`` names it in the error."""
        token = self.token
        if self.index >= self.end or token[0] not in _WORD or token[0] in _DIGITS:
            self.report(f"{what} expected - '{token}' found.")
            return ""
        self.advance()
        return token


_DIGITS: Final = "0123456789"
_WORD: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_" + _DIGITS)


def _alternatives(targets: tuple[str, ...]) -> str:
    quoted = [f"'{target}'" for target in targets]
    if len(quoted) == 1:
        return quoted[0]
    if len(quoted) == 2:
        return " or ".join(quoted)
    return ", ".join(quoted[:-1]) + f", or {quoted[-1]} "


_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{0,4})|(.))", re.DOTALL)


def unquote(token: str, diagnostics: Diagnostics) -> str:
    """The text of a quoted token; any other token is its own text.

    ``\\n``, ``\\t`` and ``\\uXXXX`` are escapes, any other character after a backslash stands for itself. Surrogates
    stay single, as the engine encodes them.
    """
    if token[:1] not in ("'", '"'):
        return token
    body = token[1:]
    if "\\" not in body:
        return body[:-1]

    def character(match: re.Match[str]) -> str:
        digits, plain = match.groups()
        if digits is None:
            return {"n": "\n", "t": "\t"}.get(plain, plain)
        code = int(digits or "0", 16)
        if code < 0x20:
            diagnostics.parse("Invalid UTF-8 character (value below 32) in escape sequence.", 0)
            return ""
        return chr(code)

    end = len(body) - 1
    escaped_to_the_end = [match.end() for match in _ESCAPE.finditer(body)][-1] > end
    return _ESCAPE.sub(character, body if escaped_to_the_end else body[:end])
