"""Sets of elements: sorted, duplicate-free arrays of rows for each type, and derived elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from overworld.core.elements import ElementType
from overworld.engine.embedded.derivedorder import difference_by_id, sorted_by_id, union_by_id

Rows = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]
EMPTY: Rows = np.empty(0, dtype=np.int32)
EMPTY.flags.writeable = False

MARKED_FROM = 16
"""Values are made distinct by marking rows of the whole table, once there are more than 1/16 as many as rows."""


@dataclass(frozen=True, slots=True)
class Derived:
    """An element made by ``make`` or ``convert``. ``geometry`` is a value of ``geometries.py``, or None.

    ``id`` is unsigned, 64 bits. ``tags`` are in the order of the statement's assignments.
    """

    type: str
    id: int
    tags: Mapping[str, str]
    geometry: Any = None


@dataclass(frozen=True, slots=True)
class ElementSet:
    """What a named set holds. Rows are int32, sorted, each once; areas are rows of the area table.

    Derived elements are sorted by id; several may have the same one.
    """

    nodes: Rows = field(default_factory=lambda: EMPTY)
    ways: Rows = field(default_factory=lambda: EMPTY)
    relations: Rows = field(default_factory=lambda: EMPTY)
    areas: Rows = field(default_factory=lambda: EMPTY)
    derived: tuple[Derived, ...] = ()

    def rows(self, kind: ElementType) -> Rows:
        """The rows of one type."""
        return (self.nodes, self.ways, self.relations, self.areas)[kind]

    def with_rows(self, kind: ElementType, rows: Rows) -> ElementSet:
        """This set with other rows of one type."""
        if kind is ElementType.NODE:
            return replace(self, nodes=rows)
        if kind is ElementType.WAY:
            return replace(self, ways=rows)
        if kind is ElementType.RELATION:
            return replace(self, relations=rows)
        return replace(self, areas=rows)

    def union(self, other: ElementSet) -> ElementSet:
        """What is in either set. ``other`` is what is added: it decides where derived elements have the same id."""
        return ElementSet(
            unite(self.nodes, other.nodes),
            unite(self.ways, other.ways),
            unite(self.relations, other.relations),
            unite(self.areas, other.areas),
            union_by_id(self.derived, other.derived),
        )

    def difference(self, other: ElementSet) -> ElementSet:
        """What is in this set and not in the other. Derived elements are told apart by their ids."""
        return ElementSet(
            subtract(self.nodes, other.nodes),
            subtract(self.ways, other.ways),
            subtract(self.relations, other.relations),
            subtract(self.areas, other.areas),
            difference_by_id(self.derived, other.derived),
        )

    def in_order(self) -> ElementSet:
        """This set with its derived elements sorted, as every assignment to a name sorts them."""
        return replace(self, derived=sorted_by_id(self.derived)) if len(self.derived) > 1 else self

    def __len__(self) -> int:
        return len(self.nodes) + len(self.ways) + len(self.relations) + len(self.areas) + len(self.derived)


EMPTY_SET = ElementSet()


def union_of_all(sets: Sequence[ElementSet]) -> ElementSet:
    """What is in any of the sets: halves are united first, so that no element is copied for every set."""
    if len(sets) <= 2:
        return sets[0].union(sets[-1]) if len(sets) == 2 else sets[0]
    middle = len(sets) // 2
    return union_of_all(sets[:middle]).union(union_of_all(sets[middle:]))


def unite(left: Rows, right: Rows) -> Rows:
    """Sorted union of two sorted row arrays."""
    if len(right) == 0 or left is right:
        return left
    if len(left) == 0:
        return right
    if left[-1] < right[0]:
        return np.concatenate((left, right))
    if right[-1] < left[0]:
        return np.concatenate((right, left))
    return _distinct(np.concatenate((left, right)))


def _distinct(values: npt.NDArray[Any]) -> Rows:
    """Sorted distinct values of an array that may be overwritten."""
    values.sort(kind="stable")
    kept = np.empty(len(values), dtype=bool)
    kept[:1] = True
    np.not_equal(values[1:], values[:-1], out=kept[1:])
    distinct: Rows = values[kept]
    return distinct


def distinct_rows(values: npt.NDArray[Any], count: int) -> Rows:
    """Sorted distinct rows (int32) among ``values``; negative ones, which stand for missing objects, are left out.

    ``count``: how many rows the table has.
    """
    if len(values) == 0:
        return EMPTY
    if len(values) * MARKED_FROM < count:
        found = _distinct(values.astype(np.int32))
        return found[np.searchsorted(found, 0) :] if found[0] < 0 else found
    marks = np.zeros(count, dtype=bool)
    if int(values.min()) < 0:
        values = values[values >= 0]
    marks[values] = True
    return np.flatnonzero(marks).astype(np.int32)


def intersect(left: Rows, right: Rows) -> Rows:
    """Sorted intersection of two sorted row arrays: binary search of the shorter in the longer."""
    if len(left) > len(right):
        left, right = right, left
    if len(left) == 0 or left is right:
        return left
    return left[_found(left, right)]


def subtract(left: Rows, right: Rows) -> Rows:
    """The rows of ``left`` that are not in ``right``, both sorted."""
    if len(left) == 0 or len(right) == 0:
        return left
    return left[~_found(left, right)]


def contains(rows: Rows, wanted: npt.NDArray[Any]) -> Mask:
    """Which of ``wanted`` (any order) are in the sorted ``rows``."""
    if len(rows) == 0:
        return np.zeros(len(wanted), dtype=bool)
    return _found(wanted, rows)


def _found(needles: npt.NDArray[Any], haystack: Rows) -> Mask:
    places = np.searchsorted(haystack, needles)
    places[places == len(haystack)] = len(haystack) - 1
    found: Mask = haystack[places] == needles
    return found
