"""Frozen records that cross floors: answers and verdicts. Their meaning is defined in docs/grading.md."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from overworld.core.elements import ObjectId


class AnswerType(StrEnum):
    """What a task asks for."""

    OBJECTS = "objects"
    COUNT = "count"


class VerdictKind(StrEnum):
    """The nine verdicts."""

    PASS = "pass"
    NO_QUERY = "no_query"
    REJECTED = "rejected"
    QUERY_ERROR = "query_error"
    RUNTIME_ERROR = "runtime_error"
    TIMEOUT = "timeout"
    WRONG_ANSWER_TYPE = "wrong_answer_type"
    WRONG_REAL = "wrong_real"
    WRONG_WITNESS = "wrong_witness"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a query answers on one world: the set of tagged objects that were printed, and the count if one was printed.

    ``count`` is the total over all ``out count`` statements, None where none was printed.
    """

    objects: frozenset[ObjectId]
    count: int | None = None
