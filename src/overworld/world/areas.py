"""The areas that the engine's standard rules make of relations.

Rules: relations with a name and type=multipolygon or type=boundary, with a name and an admin_level, or with a
postal_code or addr:postcode. The border is made of all member ways that the world has, each once, whatever their
roles; ways with missing nodes or fewer than two nodes have no segments. No area is made where a node ends an odd
number of the ways, or where no segment is left.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from overworld.core.elements import AREA_OF_RELATION_OFFSET, ElementType
from overworld.world.boxindex import index_boxes
from overworld.world.csr import (
    group_sorted,
    keep_values,
    lengths_of,
    offsets_of,
    owners_of,
    reduce_lists,
    take_rows,
    value_positions,
)
from overworld.world.store import (
    I32,
    I64,
    U32,
    AreaTable,
    Csr,
    IntArray,
    NodeTable,
    RelationTable,
    TagDictionary,
    Tagged,
    WayTable,
)
from overworld.world.tagindex import rows_with_key, rows_with_tag

Bools = npt.NDArray[np.bool_]

AREA_ID_MODULUS = 2**32
"""The engine keeps area ids in 32 bits: those of relations over 694967295 wrap around."""

TYPES_WITH_AREA = ("multipolygon", "boundary")
POSTAL_KEYS = ("postal_code", "addr:postcode")
EMPTY_BOX = (1, 0, 0, 0)


def make_areas(tags: TagDictionary, nodes: NodeTable, ways: WayTable, relations: RelationTable) -> AreaTable:
    """The area table, sorted by area id."""
    chosen = _relations_with_rule(tags, relations.tagged)
    borders = _border_ways(relations, chosen, len(ways.ids))
    closed = np.flatnonzero(~_has_odd_end(borders, ways, len(nodes.ids)))
    chosen, segments = chosen[closed], _segments(take_rows(borders, closed), ways)
    ids = (relations.ids[chosen] + AREA_OF_RELATION_OFFSET) % AREA_ID_MODULUS
    order = np.argsort(ids, kind="stable")
    order = order[lengths_of(segments)[order] > 0]
    segments = take_rows(segments, order)
    starts, stops = _first_and_last(ways.nodes, segments.values)
    ends = np.stack([nodes.lat[starts], nodes.lon[starts], nodes.lat[stops], nodes.lon[stops]], axis=1)
    boxes = _boxes(ends, segments.offsets)
    return AreaTable(ids[order], chosen[order].astype(np.int32), segments.offsets, ends, boxes, index_boxes(boxes))


def _relations_with_rule(tags: TagDictionary, tagged: Tagged) -> I64:
    """Rows of the relations that a rule names, sorted."""
    name = rows_with_key(tags, tagged, "name")
    typed = [rows_with_tag(tags, tagged, "type", value) for value in TYPES_WITH_AREA]
    named = np.intersect1d(name, np.concatenate([*typed, rows_with_key(tags, tagged, "admin_level")]))
    postal = [rows_with_key(tags, tagged, key) for key in POSTAL_KEYS]
    return np.unique(np.concatenate([named, *postal])).astype(np.int64)


def _border_ways(relations: RelationTable, chosen: I64, way_count: int) -> Csr:
    """For each of ``chosen``: the member ways that there are, sorted, each once."""
    positions = value_positions(relations.member_rows, chosen)
    lengths = relations.member_rows.lengths(chosen)
    owners = np.repeat(np.arange(len(chosen)), lengths)
    rows = relations.member_rows.values[positions]
    wanted = (relations.member_types[positions] == ElementType.WAY) & (rows >= 0)
    return group_sorted(owners[wanted], rows[wanted], len(chosen))


def _has_odd_end(borders: Csr, ways: WayTable, node_count: int) -> Bools:
    """Whether some node ends an odd number of an area's border ways (those with at least two nodes)."""
    owners, rows = owners_of(borders), borders.values
    starts, ends = ways.nodes.offsets[rows].astype(np.int64), ways.nodes.offsets[rows + 1].astype(np.int64)
    long = ends - starts >= 2
    owners, starts, ends = owners[long], starts[long], ends[long]
    shift = len(ways.missing)
    nodes = np.concatenate([ways.nodes.values[starts], ways.nodes.values[ends - 1]]).astype(np.int64) + shift
    width = node_count + shift + 1
    counted, times = np.unique(np.concatenate([owners, owners]) * width + nodes, return_counts=True)
    odd = np.zeros(len(borders), dtype=bool)
    odd[counted[times % 2 == 1] // width] = True
    return odd


def _segments(borders: Csr, ways: WayTable) -> Csr:
    """For each area: where in ``ways.nodes.values`` the segments of its complete border ways start."""
    usable = ways.complete[borders.values] == 1
    complete = keep_values(borders, usable)
    counts = np.maximum(ways.nodes.lengths(complete.values) - 1, 0)
    by_way = Csr(offsets_of(counts), np.empty(0, dtype=np.int64))
    within = np.arange(int(counts.sum())) - by_way.offsets[:-1].astype(np.int64)[owners_of(by_way)]
    starts = ways.nodes.offsets[complete.values].astype(np.int64)
    return Csr(by_way.offsets[complete.offsets], np.repeat(starts, counts) + within)


def _first_and_last(way_nodes: Csr, positions: IntArray) -> tuple[IntArray, IntArray]:
    """Node rows of the two ends of the segments that start at these positions."""
    return way_nodes.values[positions], way_nodes.values[positions + 1]


def _boxes(ends: I32, offsets: U32) -> I32:
    low, high = np.minimum(ends[:, :2], ends[:, 2:]), np.maximum(ends[:, :2], ends[:, 2:])
    columns = [
        reduce_lists(operation, np.ascontiguousarray(side), offsets, empty)
        for operation, side, empty in (
            (np.minimum, low[:, 0], EMPTY_BOX[0]),
            (np.minimum, low[:, 1], EMPTY_BOX[1]),
            (np.maximum, high[:, 0], EMPTY_BOX[2]),
            (np.maximum, high[:, 1], EMPTY_BOX[3]),
        )
    ]
    return np.stack(columns, axis=1).astype(np.int32)
