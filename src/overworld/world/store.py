"""The columnar store of a world: frozen tables of little-endian arrays, memory-mapped when opened from disk.

Rows. Objects of each type are kept sorted by id; a *row* is a position in that order. Sets of objects are sorted arrays
of rows, so row order is id order. Everything that refers to an object refers to its row; what the world lacks is kept
as a negative number ``-1 - k``, where ``k`` indexes the table's ``missing`` ids.

CSR. ``offsets`` has n+1 entries; the values of row i are ``values[offsets[i]:offsets[i+1]]``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from overworld.core.boxes import Box
from overworld.core.elements import ElementType

I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]
U8 = npt.NDArray[np.uint8]
U32 = npt.NDArray[np.uint32]
IntArray = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Csr:
    """Lists of different lengths: ``offsets`` (n+1,), ``values`` (offsets[-1],)."""

    offsets: U32
    values: IntArray

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def row(self, i: int) -> IntArray:
        """The values of row ``i``: a view."""
        return self.values[self.offsets[i] : self.offsets[i + 1]]

    def lengths(self, rows: IntArray) -> npt.NDArray[np.int64]:
        """How many values each of ``rows`` has."""
        return self.offsets[rows + 1].astype(np.int64) - self.offsets[rows]

    def gather(self, rows: IntArray) -> IntArray:
        """The values of ``rows``, concatenated in the order of ``rows``. Shape (lengths(rows).sum(),)."""
        starts = self.offsets[rows].astype(np.int64)
        lengths = self.offsets[np.asarray(rows) + 1].astype(np.int64) - starts
        total = int(lengths.sum())
        if total == 0:
            return self.values[:0]
        ends = np.cumsum(lengths)
        positions = np.arange(total, dtype=np.int64) + np.repeat(starts - (ends - lengths), lengths)
        gathered: IntArray = self.values[positions]
        return gathered


@dataclass(frozen=True)
class Strings:
    """Distinct strings, sorted by their UTF-8 bytes: ``offsets`` (n+1,) into ``data`` (bytes)."""

    offsets: U32
    data: U8

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> str:
        return self.data[self.offsets[index] : self.offsets[index + 1]].tobytes().decode("utf-8", "surrogateescape")

    def find(self, text: str) -> int:
        """The index of ``text``, or -1."""
        wanted = text.encode("utf-8", "surrogateescape")
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self.data[self.offsets[middle] : self.offsets[middle + 1]].tobytes() < wanted:
                low = middle + 1
            else:
                high = middle
        found = low < len(self) and self.data[self.offsets[low] : self.offsets[low + 1]].tobytes() == wanted
        return low if found else -1


@dataclass(frozen=True)
class TagDictionary:
    """Keys, values and the distinct (key, value) pairs of a world.

    ``pair_keys``, ``pair_values`` (uint32): indices into ``keys`` and ``values``; pairs are sorted by key, then value.
    ``key_pairs`` (uint32, len(keys)+1): pairs of key k are ``key_pairs[k]:key_pairs[k+1]``.
    """

    keys: Strings
    values: Strings
    pair_keys: U32
    pair_values: U32
    key_pairs: U32


@dataclass(frozen=True)
class Tagged:
    """Tags of the objects of one type, and the inverted index.

    ``tags``: row → pairs, sorted by key. ``by_key``: key → rows, sorted. ``by_pair``: pair → rows, sorted.
    """

    tags: Csr
    by_key: Csr
    by_pair: Csr


@dataclass(frozen=True)
class BoxIndex:
    """A packed R-tree over n items, queried without recursion.

    ``order`` (uint32, n): item rows in leaf order. ``boxes`` (int32, (m, 4)): south, west, north, east in 1e-7 degree
    of the nodes of all levels, leaves first; ``level_starts`` (int64): where each level starts in
    ``boxes``, plus the end.
    Each box of the lowest level covers ``fanout`` consecutive items of ``order``, each higher one ``fanout`` boxes.
    """

    order: U32
    boxes: I32
    level_starts: I64
    fanout: int


@dataclass(frozen=True)
class NodeTable:
    """``ids`` (int64), ``lat``, ``lon`` (int32, 1e-7 degree), ``quad`` (uint32: the engine's quadtile index)."""

    ids: I64
    lat: I32
    lon: I32
    quad: U32
    tagged: Tagged
    index: BoxIndex
    ways: Csr
    """Row → rows of the ways that have the node (sorted, each once)."""
    relations: Csr
    """Row → rows of the relations that have the node as a member (sorted, each once)."""


@dataclass(frozen=True)
class WayTable:
    """``nodes``: row → node rows in order (int32; negative: missing). ``missing`` (int64): ids of missing nodes.

    ``boxes`` (int32, (n, 4)): south, west, north, east over the nodes that there are; a way without any has
    south > north. ``quad`` (uint32): the engine's index of the way. ``closed`` (uint8): first node id == last, with at
    least two refs. ``complete`` (uint8): no node is missing.
    """

    ids: I64
    nodes: Csr
    missing: I64
    boxes: I32
    quad: U32
    closed: U8
    complete: U8
    tagged: Tagged
    index: BoxIndex
    relations: Csr
    """Row → rows of the relations that have the way as a member (sorted, each once)."""


@dataclass(frozen=True)
class RelationTable:
    """``member_rows``: row → member rows in order (int32, negative: missing, ids in ``missing``); parallel:
    ``member_types`` (uint8, ElementType) and ``member_roles`` (uint32, index into ``roles``).

    ``boxes`` as for ways, over the direct node and way members. ``quad``: the engine's index of the relation.
    """

    ids: I64
    member_rows: Csr
    member_types: U8
    member_roles: U32
    missing: I64
    roles: Strings
    boxes: I32
    quad: U32
    tagged: Tagged
    index: BoxIndex
    relations: Csr
    """Row → rows of the relations that have the relation as a member (sorted, each once)."""


@dataclass(frozen=True)
class AreaTable:
    """Areas that the engine's standard rules make of relations; closed ways are areas by themselves and not in here.

    ``ids`` (int64): 3600000000 + relation id, sorted. ``relations`` (int32): the relation's row. The border segments of
    row i are ``ends[segment_offsets[i]:segment_offsets[i+1]]`` (int32, (m, 4)): lat, lon, lat, lon in 1e-7 degree.
    ``boxes`` as for ways. Tags are the relation's.
    """

    ids: I64
    relations: I32
    segment_offsets: U32
    ends: I32
    boxes: I32
    index: BoxIndex


@dataclass(frozen=True)
class WorldInfo:
    """``world.json``: what a world is and what it was made from."""

    name: str
    kind: str
    """``real`` or ``witness``."""
    format_version: int
    content_hash: str
    """SHA-256 over the canonical serialisation of the objects."""
    sources: dict[str, str]
    """What it was made from: name → SHA-256 (extract file, witness spec, parent world's content hash)."""
    box: Box | None
    counts: dict[str, int]
    """``nodes``, ``ways``, ``relations``, ``areas``, ``tagged``."""
    snapshot: str | None
    """ISO date of the map data."""
    attribution: str


@dataclass(frozen=True)
class World:
    """A frozen map database."""

    info: WorldInfo
    tags: TagDictionary
    nodes: NodeTable
    ways: WayTable
    relations: RelationTable
    areas: AreaTable

    @cached_property
    def tables(self) -> tuple[NodeTable, WayTable, RelationTable]:
        """The tables by ElementType value."""
        return (self.nodes, self.ways, self.relations)

    def ids(self, kind: ElementType) -> I64:
        """The sorted ids of one type."""
        return self.areas.ids if kind is ElementType.AREA else self.tables[kind].ids

    def rows_of(self, kind: ElementType, ids: IntArray) -> I32:
        """Rows of those of ``ids`` (any order) that the world has, sorted, each once."""
        table = self.ids(kind)
        wanted = np.unique(np.asarray(ids, dtype=np.int64))
        rows = np.searchsorted(table, wanted)
        rows = rows[rows < len(table)]
        return rows[np.isin(table[rows], wanted)].astype(np.int32)
