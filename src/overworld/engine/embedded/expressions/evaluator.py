"""Expressions evaluated for all elements of a batch at once.

An evaluator goes through the tree once, whatever the number of elements; each node gives a column. Where the engine has
no value at all (an aggregate over a set that was never filled), it is None, which operators take for the empty text.
Source: Overpass API/Overpass QL, "Evaluators", and the behaviour of osm3s 0.7.62.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from overworld.core.elements import ElementType
from overworld.engine.embedded.derivedorder import sorted_positions
from overworld.engine.embedded.expressions import dates, lists, values
from overworld.engine.embedded.expressions.aggregates import AGGREGATES, count_text
from overworld.engine.embedded.expressions.angles import angles
from overworld.engine.embedded.expressions.batches import Batch, MemberTable, Numbers
from overworld.engine.embedded.expressions.columns import (
    Column,
    Mask,
    chosen,
    column_of,
    column_of_numbers,
    combined,
    constant,
)
from overworld.engine.embedded.expressions.comparisons import compared
from overworld.engine.embedded.expressions.scope import Scope
from overworld.ql.tree import (
    Binary,
    Call,
    Expression,
    Fixed,
    GenericTag,
    SetCall,
    SetKey,
    TagValue,
    Ternary,
    Unary,
)

EMPTY: Final = constant("")
ZERO: Final = constant("0")

TEXT_FUNCTIONS: Final[dict[str, Callable[[str], str]]] = {
    "number": values.number_of,
    "is_number": values.is_number,
    "suffix": values.suffix,
    "abs": values.absolute,
    "date": dates.date,
    "is_date": dates.is_date,
    "lrs_min": lists.list_minimum,
    "lrs_max": lists.list_maximum,
}
PAIR_FUNCTIONS: Final[dict[str, Callable[[str, str], str]]] = {
    "lrs_in": lists.list_contains,
    "lrs_isect": lists.list_intersection,
    "lrs_union": lists.list_union,
}
MEMBER_KINDS: Final = {
    "nodes": ElementType.NODE,
    "ways": ElementType.WAY,
    "relations": ElementType.RELATION,
    "rels": ElementType.RELATION,
}
UNKNOWN_METADATA: Final = frozenset({"version", "timestamp", "changeset", "uid", "user"})
"""What a world without metadata has no value for."""


@dataclass(frozen=True)
class Evaluator:
    """Evaluates expressions for the elements of ``batch``, or outside of any element (None).

    ``key``: the key that ``::`` stands for. ``members``: those for which the expression is evaluated one by one, inside
    ``per_member`` and ``per_vertex``; columns then have one entry for each member.
    """

    scope: Scope
    batch: Batch | None = None
    key: str | None = None
    members: MemberTable | None = None

    @property
    def count(self) -> int:
        """How many entries columns have."""
        if self.members is not None:
            return len(self.members.owner)
        return 1 if self.batch is None else self.batch.count

    def column(self, expression: Expression) -> Column | None:
        """The value of the expression for each element (or member)."""
        self.scope.context.check()
        match expression:
            case Fixed():
                return constant(expression.value)
            case Unary():
                function = values.inverted if expression.op == "!" else values.negated
                return self.text(expression.operand).map(function)
            case Binary():
                return self._binary(expression)
            case Ternary():
                condition = self.text(expression.condition)
                if condition.codes is None:
                    return self.text(expression.yes if values.truth(condition.values[0]) else expression.no)
                return chosen(condition.true(self.count), self.text(expression.yes), self.text(expression.no))
            case SetKey():
                return constant(self.scope.context.scopes.get_property(expression.set_name, expression.key))
            case SetCall():
                return self._aggregate(expression)
            case TagValue():
                return self._of_elements(partial(_tag_value, expression))
            case GenericTag():
                return self._of_elements(_generic)
            case Call():
                return self._call(expression)

    def text(self, expression: Expression) -> Column:
        """The value of the expression, empty where there is none at all."""
        found = self.column(expression)
        return EMPTY if found is None else found

    def _binary(self, expression: Binary) -> Column:
        # A sum of thousands of terms leans to the left: the way down is a loop.
        waiting: list[Binary] = []
        left: Column | None = None
        while left is None:
            mask = compared(expression, self.batch) if self.members is None else None
            if mask is not None:
                left = Column(("0", "1"), mask.astype(np.int64))
                break
            waiting.append(expression)
            if isinstance(expression.left, Binary):
                expression = expression.left
            else:
                left = self.text(expression.left)
        for one in reversed(waiting):
            left = combined(values.BINARY[one.op], left, self.text(one.right))
        return left

    def _of_elements(self, function: Callable[[Evaluator], Column]) -> Column:
        """What does not look at members: evaluated for the elements, and repeated for their members."""
        if self.members is None:
            return function(self)
        return function(replace(self, members=None)).take(self.members.owner)

    # ------------------------------------------------------------------------------------ functions

    def _call(self, call: Call) -> Column | None:
        if call.name in TEXT_FUNCTIONS:
            return self.text(call.args[0]).map(TEXT_FUNCTIONS[call.name])
        if call.name in PAIR_FUNCTIONS:
            return combined(PAIR_FUNCTIONS[call.name], self.text(call.args[0]), self.text(call.args[1]))
        if call.name in ("per_member", "per_vertex"):
            inner = self.scope.binds(call.args[0])
            return self._of_elements(partial(_per_member, call)) if inner else None
        if call.name in ("pos", "mtype", "ref", "role", "angle"):
            return self._of_member(call.name)
        if call.name in UNKNOWN_METADATA:
            return EMPTY
        return self._of_elements(partial(_element_function, call))

    def _of_member(self, name: str) -> Column:
        table = self.members
        if table is None or self.batch is None:
            return EMPTY
        if name == "pos":
            return column_of_numbers(table.position + 1)
        if name == "mtype":
            return Column([kind.word for kind in ElementType], table.types.astype(np.int64))
        if name == "ref":
            return column_of(list(map(str, table.refs.tolist())))
        return table.roles if name == "role" else angles(self.batch, table)

    # ------------------------------------------------------------------------------------ sets

    def _aggregate(self, call: SetCall) -> Column | None:
        """An aggregate over a set: the same value for all elements."""
        return self.scope.once(call, lambda: self._aggregated(call))

    def _aggregated(self, call: SetCall) -> Column | None:
        elements = self.scope.find(call.set_name)
        if call.name == "count":
            assert isinstance(call.args[0], Fixed)
            return constant(count_text(elements, call.args[0].value))
        if elements is None or not self.scope.binds(call.args[0]):
            return None
        columns = []
        for batch in self.scope.batches(elements):
            inner = Evaluator(self.scope, batch, key=self.scope.key)
            columns.append((inner.text(call.args[0]), batch.count))
        return constant(AGGREGATES[call.name](columns))


def _tag_value(expression: TagValue, evaluator: Evaluator) -> Column:
    batch = evaluator.batch
    if batch is None:
        return EMPTY
    keys = evaluator.text(expression.key)
    if keys.codes is None:
        return batch.tag(keys.values[0])
    result = EMPTY
    for key in keys.used():
        here = np.fromiter((value == key for value in keys.values), dtype=bool, count=len(keys.values))[keys.codes]
        result = chosen(here, batch.tag(key), result)
    return result


def _generic(evaluator: Evaluator) -> Column:
    """``::``: the tag with the key that is being set."""
    return EMPTY if evaluator.batch is None or evaluator.key is None else evaluator.batch.tag(evaluator.key)


def _per_member(call: Call, evaluator: Evaluator) -> Column:
    batch = evaluator.batch
    table = None if batch is None else batch.members()
    if batch is None or table is None:
        return EMPTY
    if call.name == "per_vertex":
        table = _vertices(table, batch)
    texts = replace(evaluator, members=table).text(call.args[0]).texts(len(table.owner))
    joined: list[list[str]] = [[] for _ in range(batch.count)]
    for owner, text in zip(table.owner.tolist(), texts, strict=True):
        joined[owner].append(text)
    return column_of([";".join(texts) for texts in joined])


def _element_function(call: Call, evaluator: Evaluator) -> Column:
    batch = evaluator.batch
    if batch is None:
        return ZERO if call.name.startswith("count_") else EMPTY
    match call.name:
        case "id":
            return batch.ids
        case "type":
            return batch.types
        case "is_tag":
            assert isinstance(call.args[0], Fixed)
            return Column(("0", "1"), batch.has_tag(call.args[0].value).astype(np.int64))
        case "is_closed":
            return batch.closed()
        case "length":
            return batch.lengths()
        case "lat" | "lon":
            return batch.coordinate(0 if call.name == "lat" else 1)
        case "count_tags":
            return column_of_numbers(batch.tag_counts())
        case _ if call.name.startswith("count_"):
            return column_of_numbers(_member_counts(call, batch))
    return EMPTY


def _member_counts(call: Call, batch: Batch) -> Numbers:
    """``count_members``, ``count_distinct_members``, ``count_by_role`` and ``count_distinct_by_role``."""
    words = [argument.value for argument in call.args if isinstance(argument, Fixed)]
    role = words.pop(0) if call.name.endswith("by_role") else None
    kind = MEMBER_KINDS[words[0]] if words else None
    table = batch.members()
    of_ways = batch.types.values[0] == ElementType.WAY.word
    if table is None or (of_ways and (role is not None or kind is not None)):
        return np.zeros(batch.count, dtype=np.int64)
    counted = np.ones(len(table.owner), dtype=bool) if kind is None else table.types == kind
    if role is not None:
        counted &= np.array([text == role for text in table.roles.texts(len(table.owner))], dtype=bool)
    owner = table.owner[counted]
    if "distinct" in call.name and len(owner):
        return _distinct_counts(table, counted, batch.count)
    return np.bincount(owner, minlength=batch.count).astype(np.int64)


def _distinct_counts(table: MemberTable, counted: Mask, count: int) -> Numbers:
    """How many distinct members each element has.

    The engine sorts them by type and id and then drops neighbours that are equal with their roles: a member with two
    roles counts as often as the roles change in the order that sorting leaves.
    """
    roles = np.zeros(len(table.owner), dtype=np.int64) if table.roles.codes is None else table.roles.codes
    members = np.column_stack((table.owner, table.types, table.refs, roles))[counted]
    distinct = np.unique(members, axis=0)
    counts = np.bincount(distinct[:, 0], minlength=count).astype(np.int64)
    repeated = np.unique(distinct[1:][(distinct[1:, :3] == distinct[:-1, :3]).all(axis=1), 0])
    for owner in repeated.tolist():
        own = members[members[:, 0] == owner]
        keys = [kind << 64 | ref for kind, ref in own[:, 1:3].tolist()]
        ordered = own[sorted_positions(keys)]
        counts[owner] = 1 + int((ordered[1:] != ordered[:-1]).any(axis=1).sum())
    return counts


def _vertices(table: MemberTable, batch: Batch) -> MemberTable:
    """The inner nodes of ways, and the last one of closed ways; of relations none."""
    if batch.types.values[0] != ElementType.WAY.word:
        kept = np.zeros(len(table.owner), dtype=bool)
    else:
        lengths = np.bincount(table.owner, minlength=batch.count)
        last = (lengths - 1)[table.owner]
        closed = batch.closed().true(batch.count)[table.owner]
        kept = (table.position > 0) & ((table.position < last) | closed) & (last > 1)
    return MemberTable(
        table.owner[kept], table.position[kept], table.types[kept], table.refs[kept], table.roles.take(kept)
    )
