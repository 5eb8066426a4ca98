"""Sets of elements: sorted, duplicate-free arrays of rows for each type, and derived elements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from overworld.core.elements import ElementType

Rows = npt.NDArray[np.int32]
EMPTY: Rows = np.empty(0, dtype=np.int32)
EMPTY.flags.writeable = False


@dataclass(frozen=True, slots=True)
class Derived:
    """An element made by ``make`` or ``convert``. ``geometry`` is a value of ``geometries.py``, or None."""

    type: str
    id: int
    tags: Mapping[str, str]
    geometry: Any = None


@dataclass(frozen=True, slots=True)
class ElementSet:
    """What a named set holds. Rows are int32, sorted, each once; areas are rows of the area table."""

    nodes: Rows = field(default=EMPTY)
    ways: Rows = field(default=EMPTY)
    relations: Rows = field(default=EMPTY)
    areas: Rows = field(default=EMPTY)
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
        """What is in either set. Derived elements follow each other (see ``derived_union`` for the engine's order)."""
        return ElementSet(
            unite(self.nodes, other.nodes),
            unite(self.ways, other.ways),
            unite(self.relations, other.relations),
            unite(self.areas, other.areas),
            self.derived + tuple(one for one in other.derived if one not in self.derived),
        )

    def __len__(self) -> int:
        return len(self.nodes) + len(self.ways) + len(self.relations) + len(self.areas) + len(self.derived)


EMPTY_SET = ElementSet()


def unite(left: Rows, right: Rows) -> Rows:
    """Sorted union of two sorted row arrays."""
    if len(right) == 0:
        return left
    if len(left) == 0:
        return right
    merged: Rows = np.union1d(left, right)
    return merged


def intersect(left: Rows, right: Rows) -> Rows:
    """Sorted intersection of two sorted row arrays: binary search of the shorter in the longer."""
    if len(left) > len(right):
        left, right = right, left
    if len(left) == 0:
        return left
    found = np.searchsorted(right, left)
    found[found == len(right)] = len(right) - 1
    kept: Rows = left[right[found] == left]
    return kept


def subtract(left: Rows, right: Rows) -> Rows:
    """The rows of ``left`` that are not in ``right``, both sorted."""
    if len(left) == 0 or len(right) == 0:
        return left
    found = np.searchsorted(right, left)
    found[found == len(right)] = len(right) - 1
    kept: Rows = left[right[found] != left]
    return kept
