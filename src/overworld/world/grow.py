"""Larger worlds for measurements: a real map repeated in a grid of copies, each with ids of its own.

Every copy has the tags, shapes and relations of the original, shifted in space, so that tag frequencies, object sizes
and local density stay those of a real map while the number of objects grows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from overworld.core.boxes import E7
from overworld.core.elements import ElementType
from overworld.core.errors import InputError
from overworld.world.build import in_id_order
from overworld.world.csr import lengths_of, offsets_of, rows_of_ids
from overworld.world.objects import NOWHERE_LAT_E7, MapObjects
from overworld.world.store import I32, I64, U8, Csr

GAP_E7 = E7 // 100
"""Free space between two copies: 0.01 degree."""

LARGEST_LAT_E7 = 85 * E7
LARGEST_LON_E7 = 180 * E7


def grow(objects: MapObjects, times: int) -> MapObjects:
    """``objects`` repeated ``times`` times, the original first and unchanged.

    Copies lie in a grid to the east and the equator's side of the original, or where there is room. New ids follow the
    largest id of each type without a gap, so that area ids stay in the engine's 32 bits. References to objects that
    the original lacks stay as they are. Raises ``InputError`` where the copies do not fit on the globe.
    """
    if times < 1:
        raise InputError(f"a world cannot be grown {times} times", remedy="give a number from 1")
    objects = in_id_order(objects)
    shifts = _shifts(objects, times)
    node_ids = _CopiedIds.of(objects.node_ids)
    way_ids = _CopiedIds.of(objects.way_ids)
    relation_ids = _CopiedIds.of(objects.relation_ids)
    placed = objects.node_lat != NOWHERE_LAT_E7
    lat = np.concatenate([objects.node_lat + np.where(placed, south, 0).astype(np.int32) for south, _ in shifts])
    lon = np.concatenate([objects.node_lon + np.where(placed, east, 0).astype(np.int32) for _, east in shifts])
    copies = range(times)
    return replace(
        objects,
        node_ids=np.concatenate([node_ids.copy(k) for k in copies]),
        node_lat=lat,
        node_lon=lon,
        node_tags=_repeat(objects.node_tags, times),
        way_ids=np.concatenate([way_ids.copy(k) for k in copies]),
        way_refs=_copy_refs(objects.way_refs, node_ids, times),
        way_tags=_repeat(objects.way_tags, times),
        relation_ids=np.concatenate([relation_ids.copy(k) for k in copies]),
        relation_refs=_copy_members(objects, (node_ids, way_ids, relation_ids), times),
        member_types=np.tile(objects.member_types, times),
        member_roles=np.tile(objects.member_roles, times),
        relation_tags=_repeat(objects.relation_tags, times),
    )


@dataclass(frozen=True)
class _CopiedIds:
    """Ids of one type: the originals, and where the ids of copies start."""

    ids: I64
    base: int

    @classmethod
    def of(cls, ids: I64) -> _CopiedIds:
        return cls(ids, int(ids[-1]) + 1 if len(ids) else 1)

    def copy(self, k: int) -> I64:
        """The ids of the k-th copy, in row order."""
        return self.ids if k == 0 else self.base + (k - 1) * len(self.ids) + np.arange(len(self.ids), dtype=np.int64)

    def rows(self, refs: I64) -> I32:
        """Rows of ``refs``; negative where the original lacks them."""
        return rows_of_ids(self.ids, refs)[0]

    def refs(self, refs: I64, rows: I32, k: int) -> I64:
        """What ``refs``, at ``rows``, are in the k-th copy."""
        if k == 0:
            return refs
        return np.where(rows >= 0, self.base + (k - 1) * len(self.ids) + rows.astype(np.int64), refs)


def _repeat(lists: Csr, times: int) -> Csr:
    lengths = np.tile(lengths_of(lists), times)
    return Csr(offsets_of(lengths), np.tile(lists.values, times))


def _copy_refs(lists: Csr, ids: _CopiedIds, times: int) -> Csr:
    refs: I64 = np.asarray(lists.values, dtype=np.int64)
    rows = ids.rows(refs)
    return Csr(_repeat(lists, times).offsets, np.concatenate([ids.refs(refs, rows, k) for k in range(times)]))


def _copy_members(objects: MapObjects, ids: tuple[_CopiedIds, ...], times: int) -> Csr:
    refs: I64 = np.asarray(objects.relation_refs.values, dtype=np.int64)
    types: U8 = objects.member_types
    masks = [types == kind for kind in (ElementType.NODE, ElementType.WAY, ElementType.RELATION)]
    rows = [one.rows(refs[mask]) for one, mask in zip(ids, masks, strict=True)]
    copies = []
    for k in range(times):
        copy = refs.copy()
        for one, mask, found in zip(ids, masks, rows, strict=True):
            copy[mask] = one.refs(refs[mask], found, k)
        copies.append(copy)
    return Csr(_repeat(objects.relation_refs, times).offsets, np.concatenate(copies))


def _shifts(objects: MapObjects, times: int) -> list[tuple[int, int]]:
    """How far each copy lies from the original, (latitude, longitude) in 1e-7 degree."""
    placed = objects.node_lat != NOWHERE_LAT_E7
    if not placed.any():
        raise InputError("a world without placed nodes cannot be grown")
    lat, lon = objects.node_lat[placed].astype(np.int64), objects.node_lon[placed].astype(np.int64)
    height, width = int(np.ptp(lat)) + GAP_E7, int(np.ptp(lon)) + GAP_E7
    columns = max(1, min(math.ceil(math.sqrt(times * height / width)), (LARGEST_LON_E7 - int(lon.max())) // width + 1))
    rows = math.ceil(times / columns)
    step = -height if int(lat.max()) > 0 else height
    reach = int(lat.min()) + (rows - 1) * step if step < 0 else int(lat.max()) + (rows - 1) * step
    if abs(reach) > LARGEST_LAT_E7 or int(lon.max()) + (columns - 1) * width > LARGEST_LON_E7:
        raise InputError(f"{times} copies of this map do not fit on the globe", remedy="grow a smaller map")
    return [(k // columns * step, k % columns * width) for k in range(times)]
