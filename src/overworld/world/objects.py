"""Map objects before they are a world: flat columns as a file, a spec or a test gives them, in any order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from overworld.core.elements import ElementType
from overworld.world.csr import offsets_of
from overworld.world.store import I32, I64, U8, U32, Csr

NOWHERE_LAT_E7 = 1_000_000_000
NOWHERE_LON_E7 = 2_000_000_000
"""Latitude 100, longitude 200: where the engine keeps nodes that have no valid place."""


@dataclass(frozen=True)
class MapObjects:
    """Nodes, ways and relations without any metadata.

    Ids in any order; of several objects with the same id the last counts. ``*_tags`` (CSR, uint32): row → indices into
    ``pairs``; ``way_refs`` (CSR, int64): row → node ids in order; ``relation_refs`` (CSR, int64): row → member ids in
    order, parallel to ``member_types`` (uint8, ElementType) and ``member_roles`` (uint32, index into ``roles``).
    ``pairs`` and ``roles`` are distinct; they may hold what no object uses. Coordinates are int32, 1e-7 degree.
    """

    pairs: Sequence[tuple[str, str]]
    roles: Sequence[str]
    node_ids: I64
    node_lat: I32
    node_lon: I32
    node_tags: Csr
    way_ids: I64
    way_refs: Csr
    way_tags: Csr
    relation_ids: I64
    relation_refs: Csr
    member_types: U8
    member_roles: U32
    relation_tags: Csr


class _Lists:
    """Growing lists of one type's ids and tags."""

    def __init__(self) -> None:
        self.ids: list[int] = []
        self.tag_counts: list[int] = []
        self.tags: list[int] = []

    def tag_csr(self) -> Csr:
        return Csr(offsets_of(np.array(self.tag_counts, dtype=np.int64)), np.array(self.tags, dtype=np.uint32))

    def id_array(self) -> I64:
        return np.array(self.ids, dtype=np.int64)


@dataclass
class ObjectCollector:
    """Collects objects one by one, then gives them as ``MapObjects``.

    A reader in a hurry may append to the lists itself; ``pair`` and ``role`` give the numbers of strings.
    """

    nodes: _Lists = field(default_factory=_Lists)
    ways: _Lists = field(default_factory=_Lists)
    relations: _Lists = field(default_factory=_Lists)
    lat_e7: list[int] = field(default_factory=list)
    lon_e7: list[int] = field(default_factory=list)
    refs: list[int] = field(default_factory=list)
    ref_counts: list[int] = field(default_factory=list)
    members: list[int] = field(default_factory=list)
    member_types: list[int] = field(default_factory=list)
    member_roles: list[int] = field(default_factory=list)
    member_counts: list[int] = field(default_factory=list)
    pair_numbers: dict[tuple[str, str], int] = field(default_factory=dict)
    role_numbers: dict[str, int] = field(default_factory=dict)

    def pair(self, key: str, value: str) -> int:
        """The number of a (key, value) pair."""
        return self.pair_numbers.setdefault((key, value), len(self.pair_numbers))

    def role(self, role: str) -> int:
        """The number of a role."""
        return self.role_numbers.setdefault(role, len(self.role_numbers))

    def node(self, id: int, lat_e7: int, lon_e7: int, tags: Mapping[str, str] | None = None) -> None:
        """Add a node at a place in 1e-7 degree."""
        self._add(self.nodes, id, tags)
        self.lat_e7.append(lat_e7)
        self.lon_e7.append(lon_e7)

    def way(self, id: int, refs: Sequence[int], tags: Mapping[str, str] | None = None) -> None:
        """Add a way over node ids, in order."""
        self._add(self.ways, id, tags)
        self.refs.extend(refs)
        self.ref_counts.append(len(refs))

    def relation(
        self, id: int, members: Iterable[tuple[ElementType, int, str]], tags: Mapping[str, str] | None = None
    ) -> None:
        """Add a relation with members (type, id, role), in order."""
        self._add(self.relations, id, tags)
        before = len(self.members)
        for kind, ref, role in members:
            self.members.append(ref)
            self.member_types.append(int(kind))
            self.member_roles.append(self.role(role))
        self.member_counts.append(len(self.members) - before)

    def objects(self) -> MapObjects:
        """What was collected."""
        return MapObjects(
            pairs=list(self.pair_numbers),
            roles=list(self.role_numbers),
            node_ids=self.nodes.id_array(),
            node_lat=np.array(self.lat_e7, dtype=np.int32),
            node_lon=np.array(self.lon_e7, dtype=np.int32),
            node_tags=self.nodes.tag_csr(),
            way_ids=self.ways.id_array(),
            way_refs=Csr(offsets_of(np.array(self.ref_counts, dtype=np.int64)), np.array(self.refs, dtype=np.int64)),
            way_tags=self.ways.tag_csr(),
            relation_ids=self.relations.id_array(),
            relation_refs=Csr(
                offsets_of(np.array(self.member_counts, dtype=np.int64)), np.array(self.members, dtype=np.int64)
            ),
            member_types=np.array(self.member_types, dtype=np.uint8),
            member_roles=np.array(self.member_roles, dtype=np.uint32),
            relation_tags=self.relations.tag_csr(),
        )

    def _add(self, lists: _Lists, id: int, tags: Mapping[str, str] | None) -> None:
        lists.ids.append(id)
        lists.tag_counts.append(len(tags) if tags else 0)
        if tags:
            lists.tags.extend([self.pair(key, value) for key, value in tags.items()])
