"""The query in a reply: the last fenced block, or a bare query where the reply has no fence.

The rules are told to people in docs/grading.md, under "The query in a reply"; tests/grade/replies.yaml has an example
of each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_THOUGHTS = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_TICKS = re.compile(r"`{3,}")
_TILDES = re.compile(r"[ \t>*\-0-9.]*(?P<fence>~{3,})[^`]*\Z")
_CODE_SPAN = re.compile(r"(?<!`)`(?!`)(?P<body>[^`]+)(?<!`)`(?!`)")
_QUOTE = re.compile(r"^[ \t]*>[ \t]?")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_LEADING_COMMENTS = re.compile(r"\A(?:\s+|//[^\n]*(?:\n|\Z)|/\*.*?\*/)+", re.DOTALL)

_TYPES = r"(?:node|way|rel|relation|nwr|nw|nr|wr|area|derived)"
_FILTER = (
    r"(?:\[|~|\.\w"
    r"|\(\s*(?:[-\d.{\"']|id\s*:|(?:area|around|pivot)\b[.:)]|(?:poly|bbox|if|newer|changed|user|uid|way_\w+)\s*:"
    r"|b?[nwr]\b[.:)]|[<>]))"
)
_STARTS = (
    r"\[\s*(?:out|timeout|maxsize|bbox|date|diff|adiff)\s*:",
    rf"{_TYPES}\s*{_FILTER}",
    rf"{_TYPES}\s*(?:->\s*\.\w+\s*)?;",
    r"(?:foreach|for|if|complete|retro|compare)\s*[.({]",
    r"(?:is_in|map_to_area)\s*(?:[;(]|\.\w|->)",
    r"(?:make|convert|timeline|local)\s+\w+[^\n]*;",
    r"out\b[\w\s]*;",
    r"\.\w+\s*(?:;|->|out\b|>|<|map_to_area\b|is_in\b)",
    r"(?:<<?|>>?)\s*(?:;|->)",
    r"\{\{\s*geocode(?:Area|Id)\s*:[^}\n]*\}\}\s*(?:;|->)",
    r"<(?:\?xml|osm-script|query|union|difference|id-query|bbox-query|area-query|polygon-query|print|recurse)\b",
)
_START = re.compile(r"(?:\(\s*)*(?:" + "|".join(_STARTS) + ")")
_TAG_WORD = re.compile(r"^(?P<tag>[A-Za-z][\w+#.-]*)[ \t]+(?=\S)")
_STATEMENT_END = re.compile(r"[;})>]\s*$")
_PROSE = re.compile(r"[^\w\[(<.]*[A-Z]")


def query_of(reply: str) -> str | None:
    """The query that ``reply`` submits, or None where it holds none.

    A block that is blank or holds nothing but comments is not a query.
    """
    text = _THOUGHTS.sub("", _plain(reply))
    blocks = list(_fenced_blocks(text.split("\n")))
    if blocks:
        return next((block.strip("\n") for block in reversed(blocks) if not _is_blank(block)), None)
    return _bare_query(text)


def starts_like_query(text: str) -> bool:
    """Whether the first thing in ``text`` that is not a comment can begin a query (in either form)."""
    return bool(_START.match(_LEADING_COMMENTS.sub("", text)))


def _plain(reply: str) -> str:
    """``reply`` with newlines as line ends, and with what is no character (half a surrogate pair) replaced."""
    text = reply.encode("utf-8", "replace").decode("utf-8")
    return text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")


def _is_blank(text: str) -> bool:
    return not _COMMENT.sub("", text).strip()


def _fenced_blocks(lines: list[str]) -> Iterator[str]:
    """The contents of all fenced blocks, in order. A fence that is never closed runs to the end of the reply."""
    position = 0
    while position < len(lines):
        line = lines[position]
        position += 1
        one_line = list(_one_line_blocks(line))
        if one_line:
            yield from one_line
            continue
        fence = _opening(line)
        if fence is None:
            continue
        content: list[str] = []
        while position < len(lines) and not _closes(lines[position], fence):
            content.append(lines[position])
            position += 1
        position += 1
        yield "\n".join(_unquoted(content) if _QUOTE.match(line) else content)


def _one_line_blocks(line: str) -> Iterator[str]:
    """The contents of fences that open and close on this line, with equally many backticks."""
    runs = list(_TICKS.finditer(line))
    number = 0
    while number < len(runs):
        opening, length = runs[number].end(), len(runs[number].group())
        closing = next((one for one in range(number + 1, len(runs)) if len(runs[one].group()) == length), None)
        if closing is None:
            number += 1
            continue
        yield _without_tag(line[opening : runs[closing].start()])
        number = closing + 1


def _opening(line: str) -> str | None:
    """The fence that this line opens. Backticks may follow other text; tildes, which occur in prose, begin the line."""
    tildes = _TILDES.match(line)
    if tildes is not None:
        return tildes["fence"]
    runs = _TICKS.findall(line)
    return runs[-1] if runs and "`" not in line[line.rindex(runs[-1]) + len(runs[-1]) :] else None


def _closes(line: str, fence: str) -> bool:
    mark = _QUOTE.sub("", line).strip()
    return len(mark) >= len(fence) and set(mark) == {fence[0]}


def _unquoted(lines: list[str]) -> list[str]:
    return [_QUOTE.sub("", line) for line in lines]


def _without_tag(body: str) -> str:
    """The content of a fence on one line, without the language tag that may stand before it."""
    tag = _TAG_WORD.match(body)
    if tag and not starts_like_query(body) and starts_like_query(body[tag.end() :]):
        return body[tag.end() :].strip()
    return body.strip()


def _bare_query(text: str) -> str | None:
    """A query without a fence: the whole reply, the last code span, or the lines from the first that begins a query."""
    if starts_like_query(text):
        return _without_closing_prose(text)
    spans = [found["body"].strip() for found in _CODE_SPAN.finditer(text)]
    queries = [span for span in spans if starts_like_query(span) and ";" in span]
    if queries:
        return queries[-1]
    lines = text.split("\n")
    starts = (number for number, line in enumerate(lines) if _START.match(line.lstrip()))
    rest = "\n".join(lines[next(starts, len(lines)) :])
    return _without_closing_prose(rest) if ";" in rest or rest.startswith("<") else None


def _without_closing_prose(text: str) -> str:
    """``text`` without the prose after its last statement: no line of QL or XML begins with a capital."""
    lines = text.strip().split("\n")
    ended = False
    for number, line in enumerate(lines):
        if ended and _PROSE.match(line):
            return "\n".join(lines[:number]).rstrip()
        if line.strip():
            ended = bool(_STATEMENT_END.search(line))
    return "\n".join(lines)
