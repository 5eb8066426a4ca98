"""The content hash of a world: SHA-256 over a canonical serialisation of its objects.

The byte form, all integers little-endian. A *column* is its name in ASCII, a zero byte, the number of its bytes as
uint64, and its bytes. The serialisation is the line ``overworld objects 1``, a newline, and these columns in order:

- ``keys``, ``values``, ``roles``: the distinct strings in use, in the order of their UTF-8 bytes, each followed by a
  zero byte (OpenStreetMap strings hold none).
- ``pairs``: uint32 key and value number of the distinct (key, value) pairs in use, sorted by key, then value.
- ``node.ids`` (int64, ascending), ``node.lat``, ``node.lon`` (int32, 1e-7 degree).
- ``way.ids``; ``way.refs.counts`` (uint32 a way); ``way.refs`` (int64 node ids in order).
- ``relation.ids``; ``relation.members.counts`` (uint32); ``relation.members`` (int64 ids in order),
  ``relation.member_types`` (uint8: 0 node, 1 way, 2 relation), ``relation.member_roles`` (uint32 numbers of roles).
- for node, way, relation: ``<type>.tags.counts`` (uint32 an object), ``<type>.tags`` (uint32 numbers of pairs,
  ascending, that is by key).

It holds every id, place, ref, member, role and tag, and nothing else: neither a file's format nor the order in it, nor
the store's version shows in the hash.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from overworld.core.elements import ElementType
from overworld.world.csr import lengths_of
from overworld.world.store import (
    I64,
    Csr,
    NodeTable,
    RelationTable,
    Strings,
    TagDictionary,
    WayTable,
)

HEADER = b"overworld objects 1\n"


def content_hash(tags: TagDictionary, nodes: NodeTable, ways: WayTable, relations: RelationTable) -> str:
    """Hexadecimal SHA-256 of the serialisation described above."""
    digest = hashlib.sha256(HEADER)
    for name, blob in _columns(tags, nodes, ways, relations):
        digest.update(name.encode("ascii") + b"\0" + len(blob).to_bytes(8, "little"))
        digest.update(blob)
    return digest.hexdigest()


def way_ref_ids(nodes: NodeTable, ways: WayTable) -> I64:
    """Node ids (int64), parallel to ``ways.nodes.values``."""
    return _ids_of(nodes.ids, ways.nodes.values, ways.missing)


def member_ids(nodes: NodeTable, ways: WayTable, relations: RelationTable) -> I64:
    """Member ids (int64), parallel to ``relations.member_rows.values``."""
    rows = relations.member_rows.values
    ids = np.empty(len(rows), dtype=np.int64)
    for kind, table in (
        (ElementType.NODE, nodes.ids),
        (ElementType.WAY, ways.ids),
        (ElementType.RELATION, relations.ids),
    ):
        here = relations.member_types == kind
        ids[here] = _ids_of(table, rows[here], relations.missing)
    return ids


def _ids_of(table: I64, rows: npt.NDArray[Any], missing: I64) -> I64:
    ids = np.empty(len(rows), dtype=np.int64)
    there = rows >= 0
    ids[there] = table[rows[there]]
    ids[~there] = missing[-1 - rows[~there]]
    return ids


def _columns(
    tags: TagDictionary, nodes: NodeTable, ways: WayTable, relations: RelationTable
) -> Iterator[tuple[str, bytes]]:
    yield "keys", _strings(tags.keys)
    yield "values", _strings(tags.values)
    yield "roles", _strings(relations.roles)
    yield "pairs", _bytes(np.stack([tags.pair_keys, tags.pair_values], axis=1), "<u4")
    yield "node.ids", _bytes(nodes.ids, "<i8")
    yield "node.lat", _bytes(nodes.lat, "<i4")
    yield "node.lon", _bytes(nodes.lon, "<i4")
    yield "way.ids", _bytes(ways.ids, "<i8")
    yield "way.refs.counts", _counts(ways.nodes)
    yield "way.refs", _bytes(way_ref_ids(nodes, ways), "<i8")
    yield "relation.ids", _bytes(relations.ids, "<i8")
    yield "relation.members.counts", _counts(relations.member_rows)
    yield "relation.members", _bytes(member_ids(nodes, ways, relations), "<i8")
    yield "relation.member_types", _bytes(relations.member_types, "u1")
    yield "relation.member_roles", _bytes(relations.member_roles, "<u4")
    for name, tagged in (("node", nodes.tagged), ("way", ways.tagged), ("relation", relations.tagged)):
        yield f"{name}.tags.counts", _counts(tagged.tags)
        yield f"{name}.tags", _bytes(tagged.tags.values, "<u4")


def _strings(strings: Strings) -> bytes:
    data = strings.data.tobytes()
    offsets = strings.offsets.tolist()
    return b"".join([data[start:end] + b"\0" for start, end in itertools.pairwise(offsets)])


def _counts(csr: Csr) -> bytes:
    return _bytes(lengths_of(csr), "<u4")


def _bytes(column: npt.NDArray[Any], dtype: str) -> bytes:
    return np.ascontiguousarray(column, dtype=dtype).tobytes()
