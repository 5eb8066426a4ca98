"""How an engine's answer to a case differs from the real engine's."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from overworld.core.errors import QueryError
from overworld.engine.conformance.corpus import Case, CaseKind, canonical_hash
from overworld.engine.protocol import Engine, Limits, Printed, Response

TYPE_WORDS = ("node", "way", "relation", "area")
SHOWN = 12
"""How many missing or extra things a difference names."""
MOST_OBJECTS = 3_000
"""A corpus keeps the list of objects up to this length, and only their hash beyond."""

XmlForm = Callable[[str], str]
"""Writes a query in its XML form; raises ``QueryError``."""


class Level(StrEnum):
    """What has to agree: sets of objects, counts and the number of derived elements; or every printed element."""

    OBJECTS = "objects"
    ELEMENTS = "elements"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one case came out. ``differences`` is empty where the answers agree.

    ``same_refusal`` (kind and line) and ``same_message`` (verbatim) are None unless the real engine gave an error.
    """

    case: Case
    supported: bool = True
    differences: tuple[str, ...] = ()
    same_refusal: bool | None = None
    same_message: bool | None = None

    @property
    def agrees(self) -> bool:
        """Whether the answer is the real engine's."""
        return self.supported and not self.differences


@dataclass(frozen=True, slots=True)
class Judge:
    """Compares answers to cases with the corpus. ``xml_form`` writes a query in its XML form."""

    level: Level
    limits: Limits
    xml_form: XmlForm

    def compare(self, case: Case, engine: Engine | None) -> Outcome:
        """Run the case and compare. What breaks inside the engine is a difference too, never an end of the run."""
        try:
            if case.kind is CaseKind.XML:
                return self._compare_xml(case)
            if case.kind is CaseKind.METRICS or engine is None:
                return Outcome(case, supported=False, differences=("not supported yet: this kind of record",))
            return self._compare_response(case, engine.run(case.query, self.limits))
        except QueryError as error:
            return _refused(case, error)
        except Exception as error:
            return Outcome(case, differences=(_where(error),), **_no_error(case))

    def _compare_xml(self, case: Case) -> Outcome:
        written = self.xml_form(case.query)
        if case.error is not None:
            return Outcome(case, differences=(f"not refused; expected {case.error}",), **_no_error(case))
        expected = case.record["xml"]
        return Outcome(case, differences=() if written == expected else (_first_difference(written, expected),))

    def _compare_response(self, case: Case, response: Response) -> Outcome:
        if case.status in ("parse_error", "static_error"):
            return Outcome(case, differences=(f"not refused; expected {case.error}",), **_no_error(case))
        if case.kind is CaseKind.CSV:
            text = response.render().decode("utf-8", "surrogateescape")
            expected = case.record["text"]
            return Outcome(case, differences=() if text == expected else (_first_difference(text, expected),))
        differences = _remark_differences(case, response.remark)
        differences += _object_differences(case, response.printed)
        if self.level is Level.ELEMENTS and not differences:
            differences += _element_differences(case, response)
        message = None if case.error is None else (response.remark or "").startswith(case.error)
        refusal = None if case.error is None else response.remark is not None
        return Outcome(case, differences=tuple(differences), same_refusal=refusal, same_message=message)


# -------------------------------------------------------------------------------------- errors


def _refused(case: Case, error: QueryError) -> Outcome:
    if error.kind == "unsupported":
        return Outcome(case, supported=False, differences=(error.message,))
    if case.error is None:
        return Outcome(case, differences=(f"refused: {error.text}",))
    message = error.errors[0]
    same_line = f"{error.kind}_error" == case.status and _line_of(message) == _line_of(case.error)
    same_message = message == case.error
    differences = () if same_line else (f"refused: {message}; expected {case.error}",)
    return Outcome(case, differences=differences, same_refusal=same_line, same_message=same_message)


def _line_of(error: str) -> str:
    found = re.match(r"line \d+:", error)
    return found.group() if found else ""


def _no_error(case: Case) -> dict[str, Any]:
    return {} if case.error is None else {"same_refusal": False, "same_message": False}


def _remark_differences(case: Case, remark: str | None) -> list[str]:
    if (remark is not None) == (case.status == "runtime_error"):
        return []
    return [f"remark: {remark}; expected {case.error}"]


def _where(error: Exception) -> str:
    """The error, with the innermost line of the package that it came from."""
    trace, place = error.__traceback__, ""
    while trace is not None:
        path = trace.tb_frame.f_code.co_filename
        if "overworld" in path:
            place = f"{path.rpartition('overworld/')[2]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"crash: {type(error).__name__}: {error} ({place})"


# -------------------------------------------------------------------------------------- answers


def _object_differences(case: Case, printed: Sequence[Printed]) -> list[str]:
    differences = []
    objects = printed_objects(printed)
    if canonical_hash(objects) != case.record["objects_sha256"]:
        differences.append(_objects_apart(objects, case.record.get("objects"), case.record.get("n")))
    counts = [dict(one.counts) for one in printed if one.counts is not None]
    if counts != case.record["counts"]:
        differences.append(f"counts: {_some(counts)}; expected {_some(case.record['counts'])}")
    derived = sum(one.derived for one in printed)
    expected = case.record["derived"]
    if expected is not None and derived != len(expected):
        differences.append(f"derived elements: {derived}; expected {len(expected)}")
    return differences


def printed_objects(printed: Sequence[Printed]) -> list[list[Any]]:
    """The distinct printed [type, id], sorted by the type's name, then by id."""
    objects: list[list[Any]] = []
    for word in sorted(TYPE_WORDS):
        kind = TYPE_WORDS.index(word)
        ids = [one.ids[one.types == kind] for one in printed]
        if ids:
            objects += [[word, one] for one in np.unique(np.concatenate(ids)).tolist()]
    return objects


def _objects_apart(objects: list[list[Any]], expected: list[list[Any]] | None, count: int | None) -> str:
    if expected is None:
        return f"objects: {len(objects)}, not those expected (more than {MOST_OBJECTS}; {count} elements printed)"
    ours = {(word, id_) for word, id_ in objects}
    theirs = {(word, id_) for word, id_ in expected}
    missing, extra = sorted(theirs - ours), sorted(ours - theirs)
    return f"objects: {len(missing)} missing {_ids(missing)}, {len(extra)} extra {_ids(extra)}, of {len(theirs)}"


def _element_differences(case: Case, response: Response) -> list[str]:
    elements = response.elements()
    if canonical_hash(elements) == case.record["sha256"]:
        return []
    expected = case.record.get("elements")
    if expected is None:
        return [f"elements: {len(elements)}; {case.record['n']} expected, not kept in full"]
    for position, (ours, theirs) in enumerate(zip(elements, expected, strict=False)):
        if ours != theirs:
            return [f"element {position}: {_element_apart(ours, theirs)}"]
    return [f"elements: {len(elements)}; expected {len(expected)}"]


def _element_apart(ours: dict[str, Any], theirs: dict[str, Any]) -> str:
    if (ours.get("type"), ours.get("id")) != (theirs.get("type"), theirs.get("id")):
        return f"{ours.get('type')} {ours.get('id')}; expected {theirs.get('type')} {theirs.get('id')} (order)"
    apart = [key for key in {**ours, **theirs} if ours.get(key) != theirs.get(key)]
    return "; ".join(f"{key}: {_some(ours.get(key))}; expected {_some(theirs.get(key))}" for key in apart)


def _first_difference(ours: str, theirs: str) -> str:
    shorter = min(len(ours), len(theirs))
    position = next((i for i in range(shorter) if ours[i] != theirs[i]), shorter)
    start = max(0, position - 40)
    return f"text at {position}: {ours[start : position + 60]!r}; expected {theirs[start : position + 60]!r}"


def _ids(objects: list[tuple[str, int]]) -> str:
    shown = " ".join(f"{word}/{id_}" for word, id_ in objects[:SHOWN])
    return f"[{shown}{' …' if len(objects) > SHOWN else ''}]"


def _some(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 400 else f"{text[:400]}…"
