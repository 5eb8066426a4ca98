"""Tag filters on the inverted index: which objects have a tag, which of some candidates have it.

A regular expression is matched against distinct values only: those of the key, or those that the candidates have.
Source: Overpass API/Overpass QL, "By tag"; negated filters also match objects without the key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from overworld.engine.embedded.context import Context
from overworld.engine.embedded.regex import compile_regex
from overworld.engine.embedded.sets import EMPTY, Rows, contains, distinct_rows, intersect, subtract
from overworld.ql.tree import TagFilter
from overworld.world.store import Csr, Tagged, World

Pairs = npt.NDArray[np.int64]

LOOKED_UP = 4
"""Candidates are looked at one by one where there are less than 1/4 as many as objects that have the key."""
MATCHES_ALL = ("", ".*", "^", "$", "^.*", ".*$", "^.*$")
MATCHES_FILLED = (".", ".+", "^.", ".$", "^.+$", "^.+", ".+$")


@dataclass(frozen=True, slots=True)
class TagCondition:
    """A tag filter against one world.

    ``keys``: those that match. ``spans``: the ranges ``[low, high)`` of their (key, value) pairs. ``pattern`` restricts
    these to values that it matches (pattern, ignore case); None: all of them do. A filter for one value has no keys and
    a span of one pair.
    """

    keys: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    pattern: tuple[str, bool] | None
    negated: bool


class TagFilters:
    """The tag filters of one query, for the objects of every type."""

    def __init__(self, context: Context, filters: Sequence[TagFilter]) -> None:
        self._world = context.world
        self._prepared = context.prepared
        self._check = context.check
        self.conditions = [self._looked_up(one) for one in filters]
        self._matched: dict[TagCondition, Pairs] = {}

    def estimate(self, tagged: Tagged) -> tuple[int, TagCondition | None]:
        """How many objects the sharpest filter leaves at most, and which filter that is; (2**62, None) without one."""
        best: tuple[int, TagCondition | None] = (1 << 62, None)
        for condition in self.conditions:
            if not condition.negated:
                size = _held(tagged, condition)
                if size < best[0]:
                    best = (size, condition)
        return best

    def rows(self, tagged: Tagged, count: int, condition: TagCondition) -> Rows:
        """All objects with a tag as ``condition``, its negation apart, wants it. ``count``: how many there are."""
        if condition.keys and condition.pattern is None:
            return _gathered(tagged.by_key, np.asarray(condition.keys), count)
        return _gathered(tagged.by_pair, self._pairs(condition), count)

    def keep(self, tagged: Tagged, count: int, rows: Rows, but: TagCondition | None = None) -> Rows:
        """Those of ``rows`` (sorted) that all filters let through, ``but`` left aside."""
        for condition in self.conditions:
            if len(rows) == 0:
                return rows
            if condition is not but:
                found = self._having(tagged, count, rows, condition)
                rows = subtract(rows, found) if condition.negated else found
        return rows

    def excluded(self, tagged: Tagged, count: int) -> int:
        """How many objects the negated filters that name a key exclude."""
        return sum(len(self.rows(tagged, count, one)) for one in self.conditions if one.negated)

    def _having(self, tagged: Tagged, count: int, rows: Rows, condition: TagCondition) -> Rows:
        if condition.pattern is not None and len(rows) * LOOKED_UP < _held(tagged, condition):
            return self._matching(tagged, rows, condition)
        return intersect(rows, self.rows(tagged, count, condition))

    def _matching(self, tagged: Tagged, rows: Rows, condition: TagCondition) -> Rows:
        """As ``_having``, by a look at the tags of every candidate."""
        pairs = tagged.tags.gather(rows).astype(np.int64)
        owners = np.repeat(rows, tagged.tags.lengths(rows))
        held = np.zeros(len(pairs), dtype=bool)
        for low, high in condition.spans:
            held |= (pairs >= low) & (pairs < high)
        pairs, owners = pairs[held], owners[held]
        distinct = np.unique(pairs)
        good = distinct[self._values_match(condition, distinct)].astype(np.int32)
        return distinct_rows(owners[contains(good, pairs)], 1 << 62)

    def _pairs(self, condition: TagCondition) -> Pairs:
        """The pairs that match, sorted."""
        if condition not in self._matched:
            if condition.pattern is None:
                pairs = _spread(condition.spans)
            else:
                key = ("pairs", condition.spans, condition.pattern)
                pairs = self._prepared.get(key, lambda world: self._match_pairs(condition))
            self._matched[condition] = pairs
        return self._matched[condition]

    def _match_pairs(self, condition: TagCondition) -> Pairs:
        pairs = _spread(condition.spans)
        return pairs[self._values_match(condition, pairs)]

    def _values_match(self, condition: TagCondition, pairs: Pairs) -> npt.NDArray[np.bool_]:
        assert condition.pattern is not None
        pattern, ignore_case = condition.pattern
        tags, matcher = self._world.tags, compile_regex(pattern, ignore_case, self._check)
        return matcher.search_strings(tags.values, tags.pair_values[pairs])

    def _looked_up(self, wanted: TagFilter) -> TagCondition:
        key = (wanted.key, wanted.op, wanted.value, wanted.negated, wanted.key_is_regex, wanted.ignore_case)
        return self._prepared.get(key, lambda world: self._condition(wanted))

    def _condition(self, wanted: TagFilter) -> TagCondition:
        tags = self._world.tags
        if wanted.key_is_regex:
            key = ("keys", wanted.key, wanted.ignore_case)
            keys = self._prepared.get(key, lambda world: self._matching_keys(wanted.key, wanted.ignore_case))
        else:
            found = tags.keys.find(wanted.key)
            keys = () if found < 0 else (found,)
        spans = tuple((int(tags.key_pairs[key]), int(tags.key_pairs[key + 1])) for key in keys)
        if wanted.op == "=":
            pair = _pair_with_value(self._world, spans[0], wanted.value) if spans else -1
            return TagCondition((), ((pair, pair + 1),) if pair >= 0 else (), None, wanted.negated)
        pattern = (wanted.value, wanted.ignore_case) if wanted.op == "~" else None
        if pattern is not None and self._trivial(wanted.value):
            pattern = None
        return TagCondition(keys, spans, pattern, wanted.negated)

    def _matching_keys(self, pattern: str, ignore_case: bool) -> tuple[int, ...]:
        keys = self._world.tags.keys
        matched = compile_regex(pattern, ignore_case, self._check).search_strings(keys, np.arange(len(keys)))
        return tuple(np.flatnonzero(matched).tolist())

    def _trivial(self, pattern: str) -> bool:
        """Whether the pattern matches every value that there is."""
        values = self._world.tags.values
        return pattern in MATCHES_ALL or (pattern in MATCHES_FILLED and len(values) > 0 and values[0] != "")


def _held(tagged: Tagged, condition: TagCondition) -> int:
    """How many objects have a key of the condition, or its one value."""
    if condition.keys:
        return sum(int(tagged.by_key.offsets[key + 1]) - int(tagged.by_key.offsets[key]) for key in condition.keys)
    return sum(int(tagged.by_pair.offsets[high]) - int(tagged.by_pair.offsets[low]) for low, high in condition.spans)


def _gathered(index: Csr, numbers: npt.NDArray[np.integer], count: int) -> Rows:
    """The rows of several lists of an inverted index, sorted, each once."""
    if len(numbers) == 0:
        return EMPTY
    if len(numbers) == 1:
        return index.row(int(numbers[0])).astype(np.int32, copy=False)
    return distinct_rows(index.gather(numbers), count)


def _spread(spans: tuple[tuple[int, int], ...]) -> Pairs:
    if len(spans) == 1:
        return np.arange(*spans[0], dtype=np.int64)
    return np.concatenate([np.arange(low, high, dtype=np.int64) for low, high in spans] or [np.empty(0, np.int64)])


def _pair_with_value(world: World, span: tuple[int, int], value: str) -> int:
    """The pair with this value in a key's span, or -1."""
    number = world.tags.values.find(value)
    if number < 0:
        return -1
    values = world.tags.pair_values[span[0] : span[1]]
    place = int(np.searchsorted(values, np.uint32(number)))
    return span[0] + place if place < len(values) and values[place] == number else -1
