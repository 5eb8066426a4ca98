"""What can be told from a script before it runs: whether it opens the area tables, and what no world can answer."""

from __future__ import annotations

from collections.abc import Iterator

from overworld.core.errors import QueryError
from overworld.ql import tree

_TEXT_OUTPUTS = ("json", "xml", "csv")


def statements_of(statements: tuple[tree.Statement, ...]) -> Iterator[tree.Statement]:
    """Every statement, those inside of blocks included."""
    for statement in statements:
        yield statement
        yield from statements_of(getattr(statement, "statements", ()))
        yield from statements_of(getattr(statement, "otherwise", ()))


def uses_areas(script: tree.Script) -> bool:
    """Whether the engine opens its area tables: decided by what the script holds, run or not."""
    return any(_needs_areas(statement) for statement in statements_of(script.statements))


def _needs_areas(statement: tree.Statement) -> bool:
    if isinstance(statement, tree.Query):
        return statement.type == "area" or any(isinstance(one, tree.AreaFilter) for one in statement.filters)
    return isinstance(statement, tree.IsIn | tree.MapToArea)


def refuse_what_no_world_holds(script: tree.Script) -> None:
    """Raise ``QueryError`` (kind ``unsupported``) for history, users, and output that is not an answer."""
    settings = script.settings
    if settings.output not in _TEXT_OUTPUTS:
        raise QueryError("unsupported", f"not supported yet: [out:{settings.output}]", 1)
    if settings.history:
        raise QueryError("unsupported", f"not supported yet: [{settings.history[0]}:…] (a world has no history)", 1)
    for statement in statements_of(script.statements):
        if isinstance(statement, tree.HistoryStatement):
            raise _no_history(statement.kind, statement.line)
        if isinstance(statement, tree.Query):
            for one in statement.filters:
                if isinstance(one, tree.HistoryFilter):
                    raise _no_history(f"({one.kind}:…)", one.line)


def _no_history(what: str, line: int) -> QueryError:
    return QueryError("unsupported", f"not supported yet: {what} (a world has no history and no users)", line)
