"""Looking up tags: which objects have a key or a tag, and what tags an object has."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from overworld.core.elements import ElementType
from overworld.world.store import I32, Strings, TagDictionary, Tagged, World

NOTHING = -1


def key_number(tags: TagDictionary, key: str) -> int:
    """The number of a key, -1 where no object has it."""
    return tags.keys.find(key)


def pair_number(tags: TagDictionary, key: str, value: str) -> int:
    """The number of the pair (key, value), -1 where no object has it."""
    key_at, value_at = tags.keys.find(key), tags.values.find(value)
    if key_at < 0 or value_at < 0:
        return NOTHING
    first, last = int(tags.key_pairs[key_at]), int(tags.key_pairs[key_at + 1])
    pair = first + int(np.searchsorted(tags.pair_values[first:last], value_at))
    return pair if pair < last and tags.pair_values[pair] == value_at else NOTHING


def pairs_of_key(tags: TagDictionary, key: str) -> range:
    """The numbers of all pairs with this key: its distinct values are ``pair_value(tags, pair)`` of them."""
    number = tags.keys.find(key)
    return range(0) if number < 0 else range(int(tags.key_pairs[number]), int(tags.key_pairs[number + 1]))


def pair_value(tags: TagDictionary, pair: int) -> str:
    """The value of a pair."""
    return tags.values[int(tags.pair_values[pair])]


def rows_with_key(tags: TagDictionary, tagged: Tagged, key: str) -> I32:
    """Rows (int32, sorted) of the objects of one type that have the key."""
    number = tags.keys.find(key)
    return np.empty(0, dtype=np.int32) if number < 0 else tagged.by_key.row(number).astype(np.int32, copy=False)


def rows_with_tag(tags: TagDictionary, tagged: Tagged, key: str, value: str) -> I32:
    """Rows (int32, sorted) of the objects of one type that have the tag."""
    pair = pair_number(tags, key, value)
    return np.empty(0, dtype=np.int32) if pair < 0 else tagged.by_pair.row(pair).astype(np.int32, copy=False)


def tags_of(world: World, kind: ElementType, row: int) -> dict[str, str]:
    """The tags of one object, sorted by key. An area has those of its relation."""
    if kind is ElementType.AREA:
        kind, row = ElementType.RELATION, int(world.areas.relations[row])
    return TagReader(world).tags_of(kind, row)


class TagReader:
    """Decodes the tags of many objects: every string once, for as long as the reader lives."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._keys: dict[int, str] = {}
        self._pairs: dict[int, tuple[str, str]] = {}

    def pair(self, number: int) -> tuple[str, str]:
        """Key and value of a pair."""
        known = self._pairs.get(number)
        if known is None:
            tags = self._world.tags
            known = (self._key(int(tags.pair_keys[number])), pair_value(tags, number))
            self._pairs[number] = known
        return known

    def tags_of(self, kind: ElementType, row: int) -> dict[str, str]:
        """The tags of a node, way or relation, sorted by key."""
        return dict([self.pair(number) for number in self._world.tables[kind].tagged.tags.row(row).tolist()])

    def each(self, kind: ElementType, rows: I32) -> Iterator[dict[str, str]]:
        """The tags of each of ``rows``, in order."""
        csr = self._world.tables[kind].tagged.tags
        numbers = csr.gather(rows).tolist()
        start = 0
        for length in csr.lengths(rows).tolist():
            yield dict([self.pair(number) for number in numbers[start : start + length]])
            start += length

    def _key(self, number: int) -> str:
        known = self._keys.get(number)
        if known is None:
            known = self._keys[number] = self._world.tags.keys[number]
        return known


def texts(strings: Strings) -> list[str]:
    """All strings, in order: faster than one by one."""
    data = strings.data.tobytes()
    ends = strings.offsets.tolist()
    return [data[ends[i] : ends[i + 1]].decode("utf-8", "surrogateescape") for i in range(len(ends) - 1)]
