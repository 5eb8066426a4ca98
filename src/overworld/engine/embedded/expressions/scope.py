"""What an expression sees of the run: named sets, and what was computed before for the same statement."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from overworld.engine.embedded.context import Context
from overworld.engine.embedded.expressions.batches import Batch, batches_of
from overworld.engine.embedded.sets import ElementSet
from overworld.ql.tree import Call, Expression, SetCall

T = TypeVar("T")


@dataclass(frozen=True)
class Scope:
    """The scope of the expressions of one statement that runs once.

    ``find`` gives the set of a name, None if nothing was ever put there. ``key``: the key that ``::`` stands for inside
    aggregates.
    """

    context: Context
    find: Callable[[str], ElementSet | None]
    key: str | None = None
    _known: dict[Any, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, context: Context) -> Scope:
        """The scope of a statement that runs now."""
        return cls(context, context.scopes.find)

    def for_key(self, key: str | None) -> Scope:
        """This scope for the value of another key."""
        return replace(self, key=key)

    def once(self, call: SetCall, compute: Callable[[], T]) -> T:
        """The value of an aggregate, computed once for a statement and key."""
        place = (id(call), self.key)
        if place not in self._known:
            self._known[place] = compute()
        value: T = self._known[place]
        return value

    def batches(self, elements: ElementSet) -> list[Batch]:
        """The elements of a set in the engine's order."""
        place = ("batches", id(elements))
        if place not in self._known:
            self._known[place] = (elements, batches_of(self.context.world, elements))
        batches: list[Batch] = self._known[place][1]
        return batches

    def binds(self, expression: Expression) -> bool:
        """Whether the expression has a value at all: an aggregate over a set that was never filled has none."""
        if isinstance(expression, SetCall):
            if expression.name == "count":
                return True
            return self.find(expression.set_name) is not None and self.binds(expression.args[0])
        if isinstance(expression, Call) and expression.name in ("per_member", "per_vertex"):
            return self.binds(expression.args[0])
        return True
