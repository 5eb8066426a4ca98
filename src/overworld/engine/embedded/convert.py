"""``convert``: one derived element for each element of a set."""

from __future__ import annotations

from dataclasses import dataclass, field

from overworld.engine.embedded.context import Context
from overworld.engine.embedded.expressions.batches import Batch
from overworld.engine.embedded.expressions.evaluator import Evaluator
from overworld.engine.embedded.expressions.geometry_functions import Geometries, geometries
from overworld.engine.embedded.expressions.scope import Scope
from overworld.engine.embedded.expressions.values import integer
from overworld.engine.embedded.make import UNSIGNED, copied_keys, declared_keys
from overworld.engine.embedded.sets import Derived, ElementSet
from overworld.ql.tree import Assignment, Convert, Expression


def evaluate_convert(context: Context, statement: Convert) -> None:
    """Put an element of ``statement.type`` for each element of the input set."""
    context.enter("convert", statement.line)
    scope = Scope.of(context)
    elements = scope.find(statement.set_name)
    made: list[Derived] = []
    for batch in [] if elements is None else scope.batches(elements):
        context.check_made(len(made) + batch.count)
        parts = _Parts.of(scope, batch, statement.assignments)
        for place in range(batch.count):
            number = parts.ids[place]
            made.append(
                Derived(
                    statement.type,
                    context.next_derived_id() if number is None else number % UNSIGNED,
                    parts.tags[place],
                    parts.shapes[place],
                )
            )
    context.put(statement.into, ElementSet(derived=tuple(made)))


@dataclass
class _Parts:
    """Tags, ids (None: to be given) and geometries of the elements to be made, in the order of a batch."""

    scope: Scope
    batch: Batch
    declared: frozenset[str]
    tags: list[dict[str, str]] = field(default_factory=list)
    ids: list[int | None] = field(default_factory=list)
    shapes: Geometries = field(default_factory=list)

    @classmethod
    def of(cls, scope: Scope, batch: Batch, assignments: tuple[Assignment, ...]) -> _Parts:
        """What the assignments give for each element."""
        parts = cls(scope, batch, declared_keys(assignments))
        parts.tags = [{} for _ in range(batch.count)]
        parts.ids = [None] * batch.count
        parts.shapes = [None] * batch.count
        for one in assignments:
            if one.expression is not None:
                parts.assign(one, one.expression)
        return parts

    def assign(self, one: Assignment, expression: Expression) -> None:
        """Evaluate one assignment for all elements."""
        if one.target == "tag":
            self._set(one.key, expression, self.scope.for_key(one.key))
        elif one.target == "all":
            self._copy_own(expression)
        elif one.target == "copy":
            for key in copied_keys(self.scope, one.set_name, self.declared):
                self._set(key, expression, self.scope.for_key(key))
        elif one.target == "geometry":
            self.shapes = geometries(Evaluator(self.scope, self.batch), expression) or self.shapes
        else:
            column = Evaluator(self.scope, self.batch).column(expression)
            if column is not None:
                self.ids = list(map(integer, column.texts(self.batch.count)))

    def _set(self, key: str, expression: Expression, scope: Scope) -> None:
        column = Evaluator(scope, self.batch, key=key).column(expression)
        if column is not None:
            for tags, text in zip(self.tags, column.texts(self.batch.count), strict=True):
                tags[key] = text

    def _copy_own(self, expression: Expression) -> None:
        """``::=``: every key that an element has itself and that is not declared."""
        for key in sorted(self.batch.distinct_keys() - self.declared):
            column = Evaluator(self.scope, self.batch, key=key).column(expression)
            if column is None:
                return
            places = self.batch.has_tag(key).nonzero()[0]
            for place, text in zip(places.tolist(), column.take(places).texts(len(places)), strict=True):
                self.tags[place][key] = text
