"""What a world holds, in numbers: for people who look at it, and for checks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from overworld.core.elements import ElementType
from overworld.world.csr import lengths_of
from overworld.world.store import World
from overworld.world.tagindex import TagReader

METADATA_FIELDS: tuple[str, ...] = ()
"""The store has no column for users, uids, changesets, versions or timestamps."""


@dataclass(frozen=True)
class KeyCount:
    """How many objects have a key."""

    key: str
    nodes: int
    ways: int
    relations: int

    @property
    def total(self) -> int:
        """Objects of all types."""
        return self.nodes + self.ways + self.relations


@dataclass(frozen=True)
class AreaEntry:
    """An area and the relation that it was made of."""

    id: int
    relation: int
    name: str | None
    segments: int


@dataclass(frozen=True)
class Missing:
    """What ways and relations refer to and the world lacks, distinct ids of each type."""

    way_nodes: int
    incomplete_ways: int
    member_nodes: int
    member_ways: int
    member_relations: int
    incomplete_relations: int


@dataclass(frozen=True)
class Summary:
    """The contents of a world."""

    tagged_nodes: int
    tagged_ways: int
    tagged_relations: int
    distinct_keys: int
    distinct_tags: int
    closed_ways: int
    top_keys: tuple[KeyCount, ...]
    areas: tuple[AreaEntry, ...]
    missing: Missing
    metadata_fields: tuple[str, ...] = METADATA_FIELDS


def summarise(world: World, top: int = 20) -> Summary:
    """Count what ``world`` holds, with its ``top`` most used keys."""
    tagged = [int(np.count_nonzero(lengths_of(table.tagged.tags))) for table in world.tables]
    return Summary(
        tagged_nodes=tagged[0],
        tagged_ways=tagged[1],
        tagged_relations=tagged[2],
        distinct_keys=len(world.tags.keys),
        distinct_tags=len(world.tags.pair_keys),
        closed_ways=int(np.count_nonzero(world.ways.closed)),
        top_keys=_top_keys(world, top),
        areas=_areas(world),
        missing=_missing(world),
    )


def _top_keys(world: World, top: int) -> tuple[KeyCount, ...]:
    counts = np.stack([lengths_of(table.tagged.by_key) for table in world.tables], axis=1)
    order = np.argsort(-counts.sum(axis=1), kind="stable")[:top]
    return tuple(KeyCount(world.tags.keys[int(key)], *counts[key].tolist()) for key in order)


def _areas(world: World) -> tuple[AreaEntry, ...]:
    reader, areas = TagReader(world), world.areas
    entries = []
    for row, (area_id, relation) in enumerate(zip(areas.ids.tolist(), areas.relations.tolist(), strict=True)):
        name = reader.tags_of(ElementType.RELATION, relation).get("name")
        segments = int(areas.segment_offsets[row + 1]) - int(areas.segment_offsets[row])
        entries.append(AreaEntry(area_id, int(world.relations.ids[relation]), name, segments))
    return tuple(entries)


def _missing(world: World) -> Missing:
    relations = world.relations
    absent = relations.member_rows.values < 0
    numbers = -1 - relations.member_rows.values[absent].astype(np.int64)
    types = relations.member_types[absent]
    by_type = [len(np.unique(numbers[types == kind])) for kind in range(3)]
    owners = np.repeat(np.arange(len(relations.ids)), lengths_of(relations.member_rows))
    return Missing(
        way_nodes=len(world.ways.missing),
        incomplete_ways=int(np.count_nonzero(world.ways.complete == 0)),
        member_nodes=by_type[0],
        member_ways=by_type[1],
        member_relations=by_type[2],
        incomplete_relations=len(np.unique(owners[absent])),
    )
