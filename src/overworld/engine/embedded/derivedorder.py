"""The order of derived elements in a set: by id, where several may have the same id.

The engine sorts with its C++ library's ``std::sort``, which is not stable: elements with equal ids change places in a
way that shows in what is printed. ``sorted_by_id`` therefore makes the same moves (median of three, partition,
insertion sort of runs of at most 16); the union and the difference are those of multisets.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Protocol, TypeVar

RUN = 16
"""Runs of up to this length are sorted by insertion, which keeps equal elements in order."""
MANY = 64
"""A set larger than this keeps its own element when a single one with the same id is added."""


class HasId(Protocol):
    """An element with an id (unsigned, 64 bits)."""

    @property
    def id(self) -> int:
        """The id."""


T = TypeVar("T", bound=HasId)


def _id(item: HasId) -> int:
    return item.id


def sorted_by_id(items: Sequence[T]) -> tuple[T, ...]:
    """``items`` by ascending id, those with equal ids in the order in which the engine leaves them."""
    return tuple(items[position] for position in sorted_positions([item.id for item in items]))


def sorted_positions(keys: list[int]) -> list[int]:
    """The positions of ``keys`` in ascending order, those of equal keys as the engine leaves them."""
    positions = list(range(len(keys)))
    if len(keys) <= RUN or len(set(keys)) == len(keys):
        positions.sort(key=keys.__getitem__)
    else:
        _Introsort(keys, positions).run()
    return positions


def union_by_id(held: tuple[T, ...], added: tuple[T, ...]) -> tuple[T, ...]:
    """``held`` with ``added`` (both sorted): of an id in both, the added elements stand in for the held ones."""
    if not held or not added:
        return held or added
    if len(added) == 1 and len(held) > MANY and any(item.id == added[0].id for item in held):
        return held
    ours, theirs = _runs(held), _runs(added)
    merged: list[T] = []
    for number in sorted(ours.keys() | theirs.keys()):
        new = theirs.get(number, [])
        merged += new + ours.get(number, [])[len(new) :]
    return tuple(merged)


def difference_by_id(held: tuple[T, ...], removed: tuple[T, ...]) -> tuple[T, ...]:
    """``held`` without as many elements of each id as ``removed`` has of it (both sorted)."""
    if not held or not removed:
        return held
    counts = {number: len(run) for number, run in _runs(removed).items()}
    return tuple(item for number, run in _runs(held).items() for item in run[counts.get(number, 0) :])


def _runs(items: tuple[T, ...]) -> dict[int, list[T]]:
    return {number: list(run) for number, run in groupby(items, key=_id)}


class _Introsort:
    """``std::sort`` of libstdc++ over ``order`` (positions), compared by ``keys[position]``."""

    def __init__(self, keys: list[int], order: list[int]) -> None:
        self.keys = keys
        self.order = order

    def run(self) -> None:
        count = len(self.order)
        self._loop(0, count, 2 * (count.bit_length() - 1))
        self._insert(0, RUN)
        for i in range(RUN, count):
            self._sink(i)

    def _key(self, i: int) -> int:
        return self.keys[self.order[i]]

    def _swap(self, i: int, j: int) -> None:
        self.order[i], self.order[j] = self.order[j], self.order[i]

    def _loop(self, first: int, last: int, depth: int) -> None:
        while last - first > RUN:
            if depth == 0:
                self._heapsort(first, last)
                return
            depth -= 1
            cut = self._partition(first, last)
            self._loop(cut, last, depth)
            last = cut

    def _partition(self, first: int, last: int) -> int:
        self._median_to_first(first, first + 1, first + (last - first) // 2, last - 1)
        pivot = self._key(first)
        low, high = first + 1, last
        while True:
            while self._key(low) < pivot:
                low += 1
            high -= 1
            while pivot < self._key(high):
                high -= 1
            if low >= high:
                return low
            self._swap(low, high)
            low += 1

    def _median_to_first(self, result: int, a: int, b: int, c: int) -> None:
        ka, kb, kc = self._key(a), self._key(b), self._key(c)
        if ka < kb:
            chosen = b if kb < kc else c if ka < kc else a
        else:
            chosen = a if ka < kc else c if kb < kc else b
        self._swap(result, chosen)

    def _insert(self, first: int, last: int) -> None:
        for i in range(first + 1, last):
            if self._key(i) < self._key(first):
                self.order.insert(first, self.order.pop(i))
            else:
                self._sink(i)

    def _sink(self, i: int) -> None:
        moved = self.order[i]
        key = self.keys[moved]
        while key < self._key(i - 1):
            self.order[i] = self.order[i - 1]
            i -= 1
        self.order[i] = moved

    def _heapsort(self, first: int, last: int) -> None:
        count = last - first
        for parent in range((count - 2) // 2, -1, -1):
            self._sift(first, parent, count, self.order[first + parent])
        for end in range(last - 1, first, -1):
            moved = self.order[end]
            self.order[end] = self.order[first]
            self._sift(first, 0, end - first, moved)

    def _sift(self, first: int, hole: int, count: int, moved: int) -> None:
        top, key = hole, self.keys[moved]
        child = hole
        while child < (count - 1) // 2:
            child = 2 * (child + 1)
            if self._key(first + child) < self._key(first + child - 1):
                child -= 1
            self.order[first + hole] = self.order[first + child]
            hole = child
        if count % 2 == 0 and child == (count - 2) // 2:
            child = 2 * (child + 1)
            self.order[first + hole] = self.order[first + child - 1]
            hole = child - 1
        parent = (hole - 1) // 2
        while hole > top and self._key(first + parent) < key:
            self.order[first + hole] = self.order[first + parent]
            hole = parent
            parent = (hole - 1) // 2
        self.order[first + hole] = moved
