"""The settings of a query, overridden: output format, time and memory limit are the grader's; the rest stays."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from overworld.engine.protocol import Limits

OVERRIDDEN = frozenset({"out", "timeout", "maxsize"})
_SPACE = re.compile(r"(?:\s+|//[^\n]*(?:\n|\Z)|/\*.*?\*/)*", re.DOTALL)
_SETTING = re.compile(
    r"""\[\s*(?P<key>\w+)\s*:(?:[^\]"']|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')*\]""",
    re.DOTALL,
)
_LISTED_COUNT = re.compile(r"\bout\b(?P<words>[^;\"']{0,99}?)\bcount\b")


@dataclass(frozen=True, slots=True)
class _Setting:
    key: str
    start: int
    end: int


def override(query: str, limits: Limits) -> str:
    """``query`` with ``[out:json][timeout:…][maxsize:…]`` in place of its own; every line keeps its number.

    A block of settings that is not well formed is left as it is: the engine refuses it.
    """
    forced = f"[out:json][timeout:{max(1, math.ceil(limits.timeout_s))}][maxsize:{limits.memory_bytes}]"
    settings = list(_settings(query))
    if not settings:
        return query if _begins_setting(query) else f"{forced};{query}"
    end = settings[-1].end
    if query[_SPACE.match(query, end).end() :][:1] != ";":  # type: ignore[union-attr]
        return query
    kept, position = [query[: settings[0].start], forced], settings[0].start
    for setting in settings:
        kept.append(query[position : setting.start])
        text = query[setting.start : setting.end]
        kept.append("\n" * text.count("\n") if setting.key in OVERRIDDEN else text)
        position = setting.end
    return "".join(kept) + query[position:]


def listing_form(query: str) -> str:
    """``query`` with ``out ids`` for each ``out count``: the objects that it counts."""
    return _LISTED_COUNT.sub(r"out\g<words>ids", query)


def setting_keys(query: str) -> list[str]:
    """The names of the settings at the start of ``query``, in order."""
    return [setting.key for setting in _settings(query)]


def _begins_setting(query: str) -> bool:
    return query[_SPACE.match(query).end() :][:1] == "["  # type: ignore[union-attr]


def _settings(query: str) -> Iterator[_Setting]:
    position = 0
    while True:
        space = _SPACE.match(query, position)
        setting = _SETTING.match(query, space.end() if space else position)
        if setting is None:
            return
        yield _Setting(setting["key"], setting.start(), setting.end())
        position = setting.end()
