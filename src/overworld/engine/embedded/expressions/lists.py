"""Lists with semicolons as sets of texts: ``lrs_in``, ``lrs_isect``, ``lrs_union``, ``lrs_min`` and ``lrs_max``."""

from __future__ import annotations

from collections.abc import Iterable

from overworld.engine.embedded.expressions.values import SPACE, double, double_text, integer


def trimmed(entry: str) -> str:
    """An entry without white space around it; an empty one is a single blank.

    As many blanks stay at the end as there were at the beginning: the engine counts the end from there.
    """
    start = len(entry) - len(entry.lstrip(SPACE))
    if start == len(entry):
        return " "
    return entry[start : start + len(entry.rstrip(SPACE))]


def entries(text: str) -> list[str]:
    """The entries of a list in order; an empty text has none."""
    return [trimmed(entry) for entry in text.split(";")] if text else []


def list_contains(entry: str, text: str) -> str:
    """``lrs_in(entry, list)``."""
    return "1" if trimmed(entry) in entries(text) else "0"


def list_intersection(left: str, right: str) -> str:
    """``lrs_isect(list, list)``: sorted, each entry once."""
    return ";".join(sorted(set(entries(left)) & set(entries(right))))


def list_union(left: str, right: str) -> str:
    """``lrs_union(list, list)``: sorted, each entry once."""
    return ";".join(sorted(set(entries(left)) | set(entries(right))))


def list_minimum(text: str) -> str:
    """``lrs_min(list)``."""
    return extreme(entries(text), largest=False)


def list_maximum(text: str) -> str:
    """``lrs_max(list)``."""
    return extreme(entries(text), largest=True)


def extreme(texts: Iterable[str], *, largest: bool) -> str:
    """The smallest or largest: of integers if all are, else of doubles if all are, else of the texts other than "".

    Empty without any text.
    """
    known = list(texts)
    if not known:
        return ""
    choose = max if largest else min
    integers = [integer(text) for text in known]
    if None not in integers:
        return str(choose(number for number in integers if number is not None))
    doubles = [double(text) for text in known]
    if None not in doubles:
        limit = -1.7976931348623157e308 if largest else 1.7976931348623157e308
        for number in doubles:
            if number is not None and (number > limit if largest else number < limit):
                limit = number
        return double_text(limit)
    return choose((text for text in known if text), default="")
