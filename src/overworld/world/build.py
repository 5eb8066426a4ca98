"""From map objects to a world: rows, tag dictionary, inverted indexes, quadtiles, boxes, parents, areas, hash."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from overworld.core.boxes import E7, Box
from overworld.core.elements import ElementType
from overworld.core.errors import InputError
from overworld.world.areas import EMPTY_BOX, make_areas
from overworld.world.boxindex import index_boxes, index_points
from overworld.world.csr import (
    group_sorted,
    keep_values,
    lengths_of,
    offsets_of,
    owners_of,
    reduce_lists,
    rows_of_ids,
    take_rows,
    value_positions,
)
from overworld.world.hashing import content_hash
from overworld.world.objects import NOWHERE_LAT_E7, MapObjects
from overworld.world.quads import common_quads, node_quads
from overworld.world.store import (
    I32,
    I64,
    U8,
    U32,
    Csr,
    IntArray,
    NodeTable,
    RelationTable,
    Strings,
    TagDictionary,
    Tagged,
    WayTable,
    World,
    WorldInfo,
)
from overworld.world.strings import strings_of, tag_dictionary

FORMAT_VERSION = 2
"""Version of the store's layout; a store of another version is built anew."""

ATTRIBUTION = "© OpenStreetMap contributors, ODbL 1.0"
HALF_TURN_E7 = 180 * E7


@dataclass(frozen=True)
class Origin:
    """What a world is called and made from: goes into ``world.json`` as it is."""

    name: str
    kind: str = "real"
    sources: Mapping[str, str] | None = None
    snapshot: str | None = None
    attribution: str = ATTRIBUTION


def build_world(objects: MapObjects, origin: Origin) -> World:
    """Build the world of ``objects`` in memory. The same objects give the same bytes, in whatever order they come.

    Raises ``InputError`` for ids that are not positive.
    """
    objects = in_id_order(objects)
    tags, tag_lists = _encode_tags(objects)
    key_count, pair_count = len(tags.keys), len(tags.pair_keys)
    tagged = [_tagged(lists, tags.pair_keys, key_count, pair_count) for lists in tag_lists]
    node_rows, missing_nodes = rows_of_ids(objects.node_ids, objects.way_refs.values)
    way_nodes = Csr(objects.way_refs.offsets, node_rows)
    members = _members(objects)
    nodes = _node_table(objects, tagged[0], way_nodes, members)
    ways = _way_table(objects, tagged[1], way_nodes, missing_nodes, nodes, members)
    relations = _relation_table(objects, tagged[2], nodes, ways, members)
    areas = make_areas(tags, nodes, ways, relations)
    info = WorldInfo(
        name=origin.name,
        kind=origin.kind,
        format_version=FORMAT_VERSION,
        content_hash=content_hash(tags, nodes, ways, relations),
        sources=dict(sorted((origin.sources or {}).items())),
        box=_world_box(nodes),
        counts={
            "nodes": len(nodes.ids),
            "ways": len(ways.ids),
            "relations": len(relations.ids),
            "areas": len(areas.ids),
            "tagged": sum(int(np.count_nonzero(lengths_of(lists))) for lists in tag_lists),
        },
        snapshot=origin.snapshot,
        attribution=origin.attribution,
    )
    return World(info, tags, nodes, ways, relations, areas)


def in_id_order(objects: MapObjects) -> MapObjects:
    """The same objects sorted by id, each id once (the last of several counts)."""
    node_rows = _sorted_rows("node", objects.node_ids)
    way_rows = _sorted_rows("way", objects.way_ids)
    relation_rows = _sorted_rows("relation", objects.relation_ids)
    if node_rows is None and way_rows is None and relation_rows is None:
        return objects
    nodes = np.arange(len(objects.node_ids)) if node_rows is None else node_rows
    ways = np.arange(len(objects.way_ids)) if way_rows is None else way_rows
    relations = np.arange(len(objects.relation_ids)) if relation_rows is None else relation_rows
    positions = value_positions(objects.relation_refs, relations)
    return MapObjects(
        pairs=objects.pairs,
        roles=objects.roles,
        node_ids=objects.node_ids[nodes],
        node_lat=objects.node_lat[nodes],
        node_lon=objects.node_lon[nodes],
        node_tags=take_rows(objects.node_tags, nodes),
        way_ids=objects.way_ids[ways],
        way_refs=take_rows(objects.way_refs, ways),
        way_tags=take_rows(objects.way_tags, ways),
        relation_ids=objects.relation_ids[relations],
        relation_refs=take_rows(objects.relation_refs, relations),
        member_types=objects.member_types[positions],
        member_roles=objects.member_roles[positions],
        relation_tags=take_rows(objects.relation_tags, relations),
    )


def _sorted_rows(word: str, ids: I64) -> I64 | None:
    """Rows in id order, the last of equal ids; None where they are in order already."""
    if len(ids) == 0:
        return None
    if bool((ids[1:] > ids[:-1]).all()):
        rows = None
    else:
        order = np.argsort(ids, kind="stable")
        last = np.ones(len(ids), dtype=bool)
        np.not_equal(ids[order][1:], ids[order][:-1], out=last[:-1])
        rows = order[last]
    smallest = int(ids[0] if rows is None else ids[rows[0]])
    if smallest <= 0:
        raise InputError(f"{word} id {smallest}: ids of map objects are positive")
    return rows


def _encode_tags(objects: MapObjects) -> tuple[TagDictionary, list[Csr]]:
    """The dictionary of the pairs in use, and each type's tags as sorted canonical pair numbers."""
    lists = [objects.node_tags, objects.way_tags, objects.relation_tags]
    used = np.zeros(len(objects.pairs), dtype=bool)
    for one in lists:
        used[one.values] = True
    numbers = np.zeros(len(objects.pairs), dtype=np.uint32)
    kept = np.flatnonzero(used)
    tags, canonical = tag_dictionary([objects.pairs[i] for i in kept.tolist()])
    numbers[kept] = canonical
    count = len(kept)
    sorted_lists = []
    for one in lists:
        packed = owners_of(one) * count + numbers[one.values]
        packed.sort()
        values = (packed % max(1, count)).astype(np.uint32)
        fresh = np.ones(len(packed), dtype=bool)
        np.not_equal(packed[1:], packed[:-1], out=fresh[1:])
        csr = Csr(one.offsets, values)
        sorted_lists.append(csr if fresh.all() else keep_values(csr, fresh))
    return tags, sorted_lists


def _tagged(tags: Csr, pair_keys: U32, key_count: int, pair_count: int) -> Tagged:
    rows = owners_of(tags)
    by_pair = group_sorted(tags.values, rows, pair_count)
    by_key = group_sorted(pair_keys[tags.values], rows, key_count)
    return Tagged(tags, by_key, by_pair)


@dataclass(frozen=True)
class _Members:
    """Members of all relations: the relation's row of each, its type and row, and the columns of the table."""

    owners: I64
    types: U8
    rows: I32
    missing: I64
    roles: Strings
    role_numbers: U32

    def parents(self, kind: ElementType, count: int, relation_count: int) -> Csr:
        """Row of one type → relation rows."""
        here = (self.types == kind) & (self.rows >= 0)
        return group_sorted(self.rows[here], self.owners[here], count)


def _members(objects: MapObjects) -> _Members:
    types, ids = objects.member_types, objects.relation_refs.values
    rows = np.empty(len(ids), dtype=np.int32)
    tables = (objects.node_ids, objects.way_ids, objects.relation_ids)
    absent = np.zeros(len(ids), dtype=bool)
    for kind, table in enumerate(tables):
        here = types == kind
        rows[here], _ = rows_of_ids(table, ids[here])
    absent = rows < 0
    missing = np.unique(ids[absent]).astype(np.int64)
    rows[absent] = -1 - np.searchsorted(missing, ids[absent])
    used = np.unique(objects.member_roles)
    roles, numbers = strings_of(objects.roles[i] for i in used.tolist())
    renumbered = np.zeros(len(objects.roles), dtype=np.uint32)
    renumbered[used] = [numbers[objects.roles[i]] for i in used.tolist()]
    return _Members(owners_of(objects.relation_refs), types, rows, missing, roles, renumbered[objects.member_roles])


def _node_table(objects: MapObjects, tagged: Tagged, way_nodes: Csr, members: _Members) -> NodeTable:
    count = len(objects.node_ids)
    there = way_nodes.values >= 0
    return NodeTable(
        ids=objects.node_ids,
        lat=objects.node_lat,
        lon=objects.node_lon,
        quad=node_quads(objects.node_lat, objects.node_lon),
        tagged=tagged,
        index=index_points(objects.node_lat, objects.node_lon),
        ways=group_sorted(way_nodes.values[there], owners_of(way_nodes)[there], count),
        relations=members.parents(ElementType.NODE, count, len(objects.relation_ids)),
    )


def _way_table(
    objects: MapObjects, tagged: Tagged, way_nodes: Csr, missing: I64, nodes: NodeTable, members: _Members
) -> WayTable:
    there = way_nodes.values >= 0
    known = keep_values(way_nodes, there)
    lat, lon = nodes.lat[known.values], nodes.lon[known.values]
    boxes = _boxes(lat, lon, lat, lon, known.offsets)
    _widen_over_the_180th_meridian(boxes, lon, known)
    lengths = lengths_of(way_nodes)
    closed = np.zeros(len(lengths), dtype=np.uint8)
    long = np.flatnonzero(lengths >= 2)
    first = way_nodes.values[way_nodes.offsets[long]]
    closed[long] = first == way_nodes.values[way_nodes.offsets[long + 1].astype(np.int64) - 1]
    return WayTable(
        ids=objects.way_ids,
        nodes=way_nodes,
        missing=missing,
        boxes=boxes,
        quad=common_quads(nodes.quad[known.values], known.offsets),
        closed=closed,
        complete=(lengths_of(known) == lengths).astype(np.uint8),
        tagged=tagged,
        index=index_boxes(boxes),
        relations=members.parents(ElementType.WAY, len(objects.way_ids), len(objects.relation_ids)),
    )


def _relation_table(
    objects: MapObjects, tagged: Tagged, nodes: NodeTable, ways: WayTable, members: _Members
) -> RelationTable:
    count = len(objects.relation_ids)
    placed = (members.rows >= 0) & (members.types != ElementType.RELATION)
    owners, types, rows = members.owners[placed], members.types[placed], members.rows[placed]
    is_node = types == ElementType.NODE
    sides = np.empty((len(rows), 4), dtype=np.int32)
    quads = np.empty(len(rows), dtype=np.uint32)
    node_rows, way_rows = rows[is_node], rows[~is_node]
    sides[is_node] = np.stack([nodes.lat[node_rows], nodes.lon[node_rows]] * 2, axis=1)
    sides[~is_node] = ways.boxes[way_rows]
    quads[is_node], quads[~is_node] = nodes.quad[node_rows], ways.quad[way_rows]
    with_box = sides[:, 0] <= sides[:, 2]
    sides = sides[with_box]
    offsets = offsets_of(np.bincount(owners[with_box], minlength=count))
    boxes = _boxes(sides[:, 0], sides[:, 1], sides[:, 2], sides[:, 3], offsets)
    return RelationTable(
        ids=objects.relation_ids,
        member_rows=Csr(objects.relation_refs.offsets, members.rows),
        member_types=members.types,
        member_roles=members.role_numbers,
        missing=members.missing,
        roles=members.roles,
        boxes=boxes,
        quad=common_quads(quads, offsets_of(np.bincount(owners, minlength=count))),
        tagged=tagged,
        index=index_boxes(boxes),
        relations=members.parents(ElementType.RELATION, count, count),
    )


def _boxes(south: I32, west: I32, north: I32, east: I32, offsets: IntArray) -> I32:
    """The box over each list; EMPTY_BOX where a list is empty. Shape (n, 4)."""
    boxes = np.empty((len(offsets) - 1, 4), dtype=np.int32)
    for column, (operation, side) in enumerate(
        ((np.minimum, south), (np.minimum, west), (np.maximum, north), (np.maximum, east))
    ):
        boxes[:, column] = reduce_lists(operation, np.ascontiguousarray(side), offsets, EMPTY_BOX[column])
    return boxes


def _widen_over_the_180th_meridian(boxes: I32, lon: I32, known: Csr) -> None:
    """A way with a segment over the 180th meridian spans all longitudes."""
    owners = owners_of(known)
    jumps = np.abs(np.diff(lon.astype(np.int64))) > HALF_TURN_E7
    jumps &= owners[1:] == owners[:-1]
    wide = np.unique(owners[1:][jumps])
    boxes[wide, 1], boxes[wide, 3] = -HALF_TURN_E7, HALF_TURN_E7


def _world_box(nodes: NodeTable) -> Box | None:
    placed = nodes.lat != NOWHERE_LAT_E7
    if not placed.any():
        return None
    lat, lon = nodes.lat[placed], nodes.lon[placed]
    return Box(int(lat.min()) / E7, int(lon.min()) / E7, int(lat.max()) / E7, int(lon.max()) / E7)
