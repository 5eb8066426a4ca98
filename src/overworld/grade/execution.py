"""One prepared query on one world."""

from __future__ import annotations

from dataclasses import dataclass

from overworld.core.errors import EngineUnavailableError, OverworldError, QueryError
from overworld.core.records import Answer, VerdictKind
from overworld.engine.protocol import Limits
from overworld.grade.answers import answer_of, printed_only_counts
from overworld.grade.worlds import GradedWorld

RUNTIME_ERROR = "runtime error:"
TIMED_OUT = "timed out"


@dataclass(frozen=True, slots=True)
class Ran:
    """A query that ran to its end."""

    answer: Answer
    only_counts: bool


@dataclass(frozen=True, slots=True)
class Failed:
    """A query that did not: ``kind`` is ``query_error``, ``runtime_error`` or ``timeout``; ``message`` the engine's."""

    kind: VerdictKind
    message: str


def execute(query: str, world: GradedWorld, limits: Limits) -> Ran | Failed:
    """Run a query on a world.

    A run that ends with the engine's remark ``runtime error: …`` has failed, even if it printed something before: what
    it printed is not the answer to the query. Raises ``EngineUnavailableError`` for the engine's own trouble, which
    includes what the engine cannot evaluate yet and an error that nobody foresaw in it.
    """
    try:
        response = world.engine.run(query, limits)
        remark = response.remark or ""
        if RUNTIME_ERROR in remark:
            kind = VerdictKind.TIMEOUT if TIMED_OUT in remark else VerdictKind.RUNTIME_ERROR
            return Failed(kind, remark)
        return Ran(answer_of(response, world), printed_only_counts(response))
    except QueryError as error:
        return _failed(error)
    except OverworldError:
        raise
    except Exception as error:
        raise EngineUnavailableError(f"the engine failed: {type(error).__name__}: {error}") from error


def _failed(error: QueryError) -> Failed:
    if error.kind == "unsupported":
        raise EngineUnavailableError(error.text) from error
    kinds = {"timeout": VerdictKind.TIMEOUT, "runtime": VerdictKind.RUNTIME_ERROR, "memory": VerdictKind.RUNTIME_ERROR}
    return Failed(kinds.get(error.kind, VerdictKind.QUERY_ERROR), error.text)
