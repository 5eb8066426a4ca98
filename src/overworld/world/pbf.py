"""Reading of ``.osm.pbf`` files, block by block and column by column, without metadata.

Whole lists of numbers are decoded at once, so that reading costs little for each object. Source: "PBF Format" in the
OpenStreetMap wiki. Files that use its rarer parts (other compressions, nodes one by one) raise ``RarePbfError``: a
general reader must write them anew.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from overworld.core.boxes import E7
from overworld.world.csr import lengths_of, offsets_of
from overworld.world.objects import NOWHERE_LAT_E7, NOWHERE_LON_E7, MapObjects
from overworld.world.protobuf import (
    NUMBER,
    WireError,
    lists_of_numbers,
    numbers,
    running_sums,
    scan,
    signed,
    unzigzag,
)
from overworld.world.store import I64, U8, Csr

LARGEST_HEADER = 64 * 1024
LARGEST_BLOB = 32 * 1024 * 1024
KNOWN_FEATURES = {b"OsmSchema-V0.6", b"DenseNodes"}
HISTORY = b"HistoricalInformation"
NANODEGREES_IN_E7 = 100

Bools = npt.NDArray[np.bool_]


class RarePbfError(Exception):
    """A part of the format that is not read here."""


@dataclass
class _Columns:
    """Arrays of one type of objects, one a block."""

    ids: list[I64] = field(default_factory=list)
    tag_counts: list[I64] = field(default_factory=list)
    tags: list[I64] = field(default_factory=list)
    lat: list[I64] = field(default_factory=list)
    lon: list[I64] = field(default_factory=list)
    ref_counts: list[I64] = field(default_factory=list)
    refs: list[I64] = field(default_factory=list)
    types: list[I64] = field(default_factory=list)
    roles: list[I64] = field(default_factory=list)

    def tag_csr(self) -> Csr:
        return Csr(offsets_of(_joined(self.tag_counts)), _joined(self.tags).astype(np.uint32))

    def ref_csr(self) -> Csr:
        return Csr(offsets_of(_joined(self.ref_counts)), _joined(self.refs))


def read_pbf(stream: BinaryIO, *, with_history: bool = False) -> MapObjects:
    """The objects of a file. ``with_history``: its objects say whether they are deleted; those are left out.

    Raises ``RarePbfError``, or ``ValueError``, ``IndexError`` or ``zlib.error`` for a damaged file.
    """
    reader = _Reader()
    kinds = _blobs(stream)
    kind, data = next(kinds, (b"", b""))
    if kind != b"OSMHeader":
        raise WireError("no header at its start")
    features = {data[start:end] for number, start, end in scan(data, 0, len(data)) if number == 4}
    if HISTORY in features and not with_history:
        raise WireError("it holds the history of objects, not their state at one time")
    if features - KNOWN_FEATURES - {HISTORY}:
        raise RarePbfError(", ".join(sorted(feature.decode("ascii", "replace") for feature in features)))
    for kind, data in kinds:
        if kind == b"OSMData":
            reader.read_block(data)
    return reader.objects()


def _blobs(stream: BinaryIO) -> Iterator[tuple[bytes, bytes]]:
    """Type and contents of each blob."""
    while head := stream.read(4):
        size = int.from_bytes(head, "big")
        if len(head) < 4 or size > LARGEST_HEADER:
            raise WireError("no length where one must be")
        header = _read_all(stream, size)
        fields = {number: (start, end) for number, start, end in scan(header, 0, size)}
        kind, length = fields.get(1, (0, 0)), fields.get(3, (-1, 0))[0]
        if not 0 <= length <= LARGEST_BLOB:
            raise WireError("a block is longer than the format allows")
        yield header[kind[0] : kind[1]], _contents(_read_all(stream, length))


def _read_all(stream: BinaryIO, size: int) -> bytes:
    data = stream.read(size)
    if len(data) != size:
        raise WireError("it ends in the middle of a block")
    return data


def _contents(blob: bytes) -> bytes:
    fields = {number: (start, end) for number, start, end in scan(blob, 0, len(blob))}
    if 1 in fields:
        return blob[slice(*fields[1])]
    if 3 not in fields:
        raise RarePbfError("compression other than zlib")
    expander = zlib.decompressobj()
    data = expander.decompress(blob[slice(*fields[3])], LARGEST_BLOB)
    if not expander.eof or len(data) != fields.get(2, (len(data), NUMBER))[0]:
        raise WireError("a block is not as long as it says")
    return data


class _Block:
    """One block: its data, its strings, its scale."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.array: U8 = np.frombuffer(data, dtype=np.uint8)
        self.groups: list[tuple[int, int]] = []
        self.strings: list[tuple[int, int]] = []
        self.granularity, self.lat_offset, self.lon_offset = 100, 0, 0
        for number, start, end in scan(data, 0, len(data)):
            if number == 1:
                self.strings = [(first, last) for one, first, last in scan(data, start, end) if one == 1]
            elif number == 2:
                self.groups.append((start, end))
            elif number == 17:
                self.granularity = start
            elif number == 19:
                self.lat_offset = signed(start)
            elif number == 20:
                self.lon_offset = signed(start)

    def text(self, number: int) -> str:
        start, end = self.strings[number]
        return self.data[start:end].decode("utf-8")

    def e7(self, values: I64, offset: int) -> I64:
        """Degrees of 1e-7 from the block's own scale; what is finer is cut off towards zero."""
        nanodegrees = offset + values * self.granularity
        degrees: I64 = np.sign(nanodegrees) * (np.abs(nanodegrees) // NANODEGREES_IN_E7)
        return degrees


class _Reader:
    """Collects the columns of all blocks."""

    def __init__(self) -> None:
        self.nodes, self.ways, self.relations = _Columns(), _Columns(), _Columns()
        self.pairs: dict[tuple[str, str], int] = {}
        self.roles: dict[str, int] = {}

    def read_block(self, data: bytes) -> None:
        block = _Block(data)
        for start, end in block.groups:
            ways, relations = [], []
            for number, first, last in scan(data, start, end):
                if last == NUMBER or number == 1:
                    raise RarePbfError("nodes one by one")
                if number == 2:
                    self._read_dense(block, first, last)
                elif number == 3:
                    ways.append((first, last))
                elif number == 4:
                    relations.append((first, last))
            if ways:
                self._read_ways(block, ways)
            if relations:
                self._read_relations(block, relations)

    def objects(self) -> MapObjects:
        nodes, ways, relations = self.nodes, self.ways, self.relations
        lat, lon = _joined(nodes.lat), _joined(nodes.lon)
        nowhere = (np.abs(lat) > 90 * E7) | (np.abs(lon) > 180 * E7)
        lat[nowhere], lon[nowhere] = NOWHERE_LAT_E7, NOWHERE_LON_E7
        return MapObjects(
            pairs=list(self.pairs),
            roles=list(self.roles),
            node_ids=_joined(nodes.ids),
            node_lat=lat.astype(np.int32),
            node_lon=lon.astype(np.int32),
            node_tags=nodes.tag_csr(),
            way_ids=_joined(ways.ids),
            way_refs=ways.ref_csr(),
            way_tags=ways.tag_csr(),
            relation_ids=_joined(relations.ids),
            relation_refs=relations.ref_csr(),
            member_types=_joined(relations.types).astype(np.uint8),
            member_roles=_joined(relations.roles).astype(np.uint32),
            relation_tags=relations.tag_csr(),
        )

    def _read_dense(self, block: _Block, start: int, end: int) -> None:
        fields = {number: (first, last) for number, first, last in scan(block.data, start, end)}

        def column(number: int) -> I64:
            first, last = fields.get(number, (0, 0))
            return np.cumsum(unzigzag(numbers(block.array[first:last])))

        ids, lat, lon = column(1), column(8), column(9)
        first, last = fields.get(10, (0, 0))
        keys, values, counts = _dense_tags(numbers(block.array[first:last]).astype(np.int64), len(ids))
        shown = _dense_visible(block, fields.get(5), len(ids))
        keep = np.repeat(shown, counts)
        self.nodes.ids.append(ids[shown])
        self.nodes.lat.append(block.e7(lat, block.lat_offset)[shown])
        self.nodes.lon.append(block.e7(lon, block.lon_offset)[shown])
        self.nodes.tag_counts.append(counts[shown])
        self.nodes.tags.append(self._pair_numbers(block, keys[keep], values[keep]))

    def _read_ways(self, block: _Block, spans: list[tuple[int, int]]) -> None:
        fields = _Fields(block, spans)
        refs = fields.lists(8)
        self._add(self.ways, block, fields)
        self.ways.ref_counts.append(lengths_of(refs))
        self.ways.refs.append(running_sums(unzigzag(refs.values), refs.offsets))  # type: ignore[arg-type]

    def _read_relations(self, block: _Block, spans: list[tuple[int, int]]) -> None:
        fields = _Fields(block, spans)
        refs, roles, types = fields.lists(9), fields.lists(8), fields.lists(10)
        if not np.array_equal(refs.offsets, roles.offsets) or not np.array_equal(refs.offsets, types.offsets):
            raise WireError("members, roles and types are not equally many")
        if len(types.values) and types.values.max() > 2:
            raise WireError("a member of unknown type")
        self._add(self.relations, block, fields)
        self.relations.ref_counts.append(lengths_of(refs))
        self.relations.refs.append(running_sums(unzigzag(refs.values), refs.offsets))  # type: ignore[arg-type]
        self.relations.types.append(types.values.astype(np.int64))
        distinct, which = np.unique(roles.values, return_inverse=True)
        known = [self.roles.setdefault(block.text(one), len(self.roles)) for one in distinct.tolist()]
        self.relations.roles.append(np.array(known, dtype=np.int64)[which])

    def _add(self, columns: _Columns, block: _Block, fields: _Fields) -> None:
        """Ids and tags of ways or relations."""
        keys, values = fields.lists(2), fields.lists(3)
        if not np.array_equal(keys.offsets, values.offsets):
            raise WireError("keys and values are not equally many")
        columns.ids.append(np.array(fields.ids, dtype=np.int64))
        columns.tag_counts.append(lengths_of(keys))
        columns.tags.append(self._pair_numbers(block, keys.values.astype(np.int64), values.values.astype(np.int64)))

    def _pair_numbers(self, block: _Block, keys: I64, values: I64) -> I64:
        """The number of each (key, value) pair; every distinct pair of the block is looked up once."""
        count = len(block.strings)
        if len(keys) and max(int(keys.max()), int(values.max())) >= count:
            raise WireError("a string that is not there")
        distinct, which = np.unique(keys * count + values, return_inverse=True)
        pairs, known = self.pairs, []
        for one in distinct.tolist():
            pair = block.text(one // count), block.text(one % count)
            known.append(pairs.setdefault(pair, len(pairs)))
        return np.array(known, dtype=np.int64)[which]


class _Fields:
    """The fields of many ways or relations, deleted ones left out: ids, and spans of the packed fields by number."""

    def __init__(self, block: _Block, spans: list[tuple[int, int]]) -> None:
        self._block = block
        self.ids: list[int] = []
        found: dict[int, list[int]] = {number: [] for number in (2, 3, 8, 9, 10)}
        data = block.data
        for start, end in spans:
            fields = {number: (first, last) for number, first, last in scan(data, start, end)}
            if 4 in fields and not _visible(data, *fields[4]):
                continue
            self.ids.append(signed(fields[1][0]))
            for number, row in found.items():
                row += fields.get(number, (0, 0))
        self._spans = found

    def lists(self, number: int) -> Csr:
        """The numbers of one packed field, a list for each object."""
        if NUMBER in self._spans[number]:
            raise RarePbfError("lists that are not packed")
        return lists_of_numbers(self._block.array, self._spans[number])


def _visible(data: bytes, start: int, end: int) -> bool:
    """Whether an object's information says that it is not deleted; files without history do not say it."""
    return all(value for number, value, last in scan(data, start, end) if number == 6 and last == NUMBER)


def _dense_visible(block: _Block, span: tuple[int, int] | None, count: int) -> Bools:
    shown = np.ones(count, dtype=bool)
    for number, start, end in scan(block.data, *span) if span else ():
        if number == 6:
            shown = numbers(block.array[start:end]) != 0
    if len(shown) != count:
        raise WireError("nodes and their visibility are not equally many")
    return shown


def _dense_tags(row: I64, count: int) -> tuple[I64, I64, I64]:
    """Keys, values and number of tags of each node, from ``key value key value 0`` for each node."""
    if len(row) == 0:
        return row, row, np.zeros(count, dtype=np.int64)
    stops = np.flatnonzero(row == 0)
    lengths = np.diff(stops, prepend=-1) - 1
    if len(stops) != count or stops[-1] != len(row) - 1 or (lengths % 2).any():
        raise RarePbfError("tags of nodes with an empty string")
    words = row[row != 0]
    return words[0::2], words[1::2], lengths // 2


def _joined(arrays: list[Any]) -> Any:
    return np.concatenate(arrays) if arrays else np.empty(0, dtype=np.int64)
