"""Elements that an expression is evaluated for at once: rows of one table, or derived elements.

Element functions answer with columns, number arrays or lists: one entry for each element, in the batch's order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from overworld.core.elements import ElementType
from overworld.engine.embedded.elementgeometry import Lists, centers, drawn_bounds, latitudes, longitudes, way_vertices
from overworld.engine.embedded.expressions.columns import (
    Codes,
    Column,
    Mask,
    column_of,
    constant,
)
from overworld.engine.embedded.expressions.measures import geometry_length, way_lengths
from overworld.engine.embedded.expressions.shapes import node_geometries, relation_geometries, way_geometries
from overworld.engine.embedded.expressions.values import NOT_A_NUMBER, fixed_text
from overworld.engine.embedded.geometries import Geometry, NullGeometry
from overworld.engine.embedded.relationgeometry import members_of
from overworld.engine.embedded.sets import Derived, ElementSet, Rows
from overworld.engine.embedded.tiles import quadtile_order
from overworld.world.quads import common_quads, node_quads
from overworld.world.store import World

Numbers = npt.NDArray[np.int64]

PORTIONS: Final = (1 << 16, 1 << 14, 1 << 9, 1 << 9)
"""How many nodes, ways, relations and areas a batch has at most: a relation may be as large as thousands of ways."""


@dataclass(frozen=True)
class MemberTable:
    """The members of a batch's elements, concatenated.

    ``owner`` (int64): the element's place in the batch; ``position`` (int64): the member's place in it, from 0.
    ``types`` (uint8, ElementType), ``refs`` (int64) and ``roles`` (a column) are parallel to them.
    """

    owner: Numbers
    position: Numbers
    types: npt.NDArray[np.uint8]
    refs: Numbers
    roles: Column


class Batch(ABC):
    """Elements of one type. What a function says of a type that it does not know is the default here."""

    count: int

    @property
    @abstractmethod
    def types(self) -> Column:
        """``type()``."""

    @property
    @abstractmethod
    def ids(self) -> Column:
        """``id()``."""

    @abstractmethod
    def tag(self, key: str) -> Column:
        """``t[key]``: empty without the tag."""

    @abstractmethod
    def has_tag(self, key: str) -> Mask:
        """``is_tag(key)``."""

    @abstractmethod
    def tag_counts(self) -> Numbers:
        """``count_tags()``."""

    @abstractmethod
    def keys(self) -> list[list[str]]:
        """``keys()``: sorted."""

    @abstractmethod
    def distinct_keys(self) -> set[str]:
        """The keys that any of the elements has."""

    @abstractmethod
    def geometries(self) -> list[Geometry]:
        """``geom()``."""

    def members(self) -> MemberTable | None:
        """The nodes of ways and the members of relations; None for other types."""
        return None

    def closed(self) -> Column:
        """``is_closed()``."""
        return constant("NaW")

    def lengths(self) -> Column:
        """``length()``."""
        return constant("0")

    def coordinate(self, index: int) -> Column:
        """``lat()`` (0) and ``lon()`` (1): of the centre."""
        centres = [geometry.center for geometry in self.geometries()]
        return column_of([NOT_A_NUMBER if one is None else fixed_text(one[index], 7) for one in centres])


class ElementBatch(Batch):
    """Rows of one table of a world."""

    def __init__(self, world: World, kind: ElementType, rows: Rows) -> None:
        self.world = world
        self.kind = kind
        self.rows = rows
        self.count = len(rows)
        of_relation = kind is ElementType.AREA
        self._tagged = world.tables[ElementType.RELATION if of_relation else kind].tagged
        self._tag_rows = world.areas.relations[rows] if of_relation else rows

    @property
    def types(self) -> Column:
        return constant(self.kind.word)

    @property
    def ids(self) -> Column:
        return column_of(list(map(str, self.world.ids(self.kind)[self.rows].tolist())))

    @cached_property
    def _pairs(self) -> tuple[npt.NDArray[np.int64], Numbers]:
        """The (key, value) pairs of all elements, concatenated, and the places of the elements that they belong to."""
        pairs = self._tagged.tags.gather(self._tag_rows).astype(np.int64, copy=False)
        return pairs, np.repeat(np.arange(self.count), self.tag_counts())

    def _with_key(self, key: str) -> tuple[npt.NDArray[np.int64], Numbers]:
        """The pairs with this key and the places of the elements that have them."""
        number = self.world.tags.keys.find(key)
        if number < 0:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        low, high = self.world.tags.key_pairs[number : number + 2].tolist()
        pairs, owners = self._pairs
        chosen = (pairs >= low) & (pairs < high)
        return pairs[chosen], owners[chosen]

    def tag(self, key: str) -> Column:
        pairs, owners = self._with_key(key)
        if len(pairs) == 0:
            return constant("")
        used, places = np.unique(pairs, return_inverse=True)
        codes: Codes = np.zeros(self.count, dtype=np.int64)
        codes[owners] = places + 1
        values = self.world.tags.values
        return Column(["", *(values[number] for number in self.world.tags.pair_values[used].tolist())], codes)

    def has_tag(self, key: str) -> Mask:
        mask = np.zeros(self.count, dtype=bool)
        mask[self._with_key(key)[1]] = True
        return mask

    def tag_counts(self) -> Numbers:
        return self._tagged.tags.lengths(self._tag_rows)

    def distinct_keys(self) -> set[str]:
        pairs, _ = self._pairs
        numbers = np.unique(self.world.tags.pair_keys[np.unique(pairs)])
        return {self.world.tags.keys[number] for number in numbers.tolist()}

    def keys(self) -> list[list[str]]:
        pairs, _ = self._pairs
        numbers, places = np.unique(self.world.tags.pair_keys[pairs], return_inverse=True)
        names = [self.world.tags.keys[number] for number in numbers.tolist()]
        texts = [names[place] for place in places.tolist()]
        ends = np.cumsum(self.tag_counts()).tolist()
        return [texts[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True)] if ends else []

    def geometries(self) -> list[Geometry]:
        if self.kind is ElementType.NODE:
            return node_geometries(self.world, self.rows)
        if self.kind is ElementType.WAY:
            return way_geometries(self.world, self.rows)
        if self.kind is ElementType.RELATION:
            return relation_geometries(self.world, self.rows)
        return [NullGeometry()] * self.count

    def lines(self) -> Lists:
        """The vertices of ways."""
        return way_vertices(self.world, self.rows)

    def centres(self) -> npt.NDArray[np.float64]:
        """The centres of nodes and ways: latitude and longitude in degrees, NaN where there is none. Shape (n, 2)."""
        if self.kind is ElementType.WAY:
            return centers(drawn_bounds(self.world, self.lines()), turned=True)
        nodes = self.world.nodes
        return np.column_stack((latitudes(nodes.lat[self.rows]), longitudes(nodes.lon[self.rows])))

    def coordinate(self, index: int) -> Column:
        if self.kind not in (ElementType.NODE, ElementType.WAY):
            return super().coordinate(index)
        middle = self.centres()[:, index].tolist()
        return column_of([NOT_A_NUMBER if value != value else f"{value:.7f}" for value in middle])

    def lengths(self) -> Column:
        if self.kind is ElementType.WAY:
            return column_of([f"{length:.3f}" for length in way_lengths(self.world, self.lines()).tolist()])
        if self.kind is not ElementType.RELATION:
            return constant("0")
        return column_of([fixed_text(geometry_length(geometry), 3) for geometry in self.geometries()])

    def closed(self) -> Column:
        if self.kind is not ElementType.WAY:
            return constant("NaW")
        nodes = self.world.ways.nodes
        starts, ends = nodes.offsets[self.rows].astype(np.int64), nodes.offsets[self.rows + 1].astype(np.int64)
        last = max(len(nodes.values) - 1, 0)
        closed = (ends > starts) & (nodes.values[np.minimum(starts, last)] == nodes.values[np.maximum(ends - 1, 0)])
        return Column(("0", "1"), closed.astype(np.int64))

    def members(self) -> MemberTable | None:
        if self.kind is ElementType.WAY:
            return self._way_nodes()
        if self.kind is not ElementType.RELATION:
            return None
        members = members_of(self.world, self.rows)
        roles, codes = np.unique(members.roles, return_inverse=True)
        texts = [self.world.relations.roles[number] for number in roles.tolist()]
        return self._table(members.offsets, members.types, members.ids(self.world), Column(texts or [""], codes))

    def _way_nodes(self) -> MemberTable:
        nodes = self.world.ways.nodes
        values = nodes.gather(self.rows)
        present = values >= 0
        refs = np.empty(len(values), dtype=np.int64)
        refs[present] = self.world.nodes.ids[values[present]]
        refs[~present] = self.world.ways.missing[-1 - values[~present]]
        offsets = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(nodes.lengths(self.rows))))
        return self._table(offsets, np.zeros(len(values), dtype=np.uint8), refs, constant(""))

    def _table(self, offsets: Numbers, types: npt.NDArray[np.uint8], refs: Numbers, roles: Column) -> MemberTable:
        lengths = np.diff(offsets)
        owner = np.repeat(np.arange(self.count), lengths)
        return MemberTable(owner, np.arange(len(refs)) - np.repeat(offsets[:-1], lengths), types, refs, roles)


class DerivedBatch(Batch):
    """Elements that statements made."""

    def __init__(self, items: tuple[Derived, ...]) -> None:
        self.items = items
        self.count = len(items)

    @property
    def types(self) -> Column:
        return column_of([item.type for item in self.items])

    @property
    def ids(self) -> Column:
        return column_of([str(item.id) for item in self.items])

    def tag(self, key: str) -> Column:
        return column_of([item.tags.get(key, "") for item in self.items])

    def has_tag(self, key: str) -> Mask:
        return np.fromiter((key in item.tags for item in self.items), dtype=bool, count=self.count)

    def tag_counts(self) -> Numbers:
        return np.fromiter((len(item.tags) for item in self.items), dtype=np.int64, count=self.count)

    def keys(self) -> list[list[str]]:
        return [sorted(item.tags) for item in self.items]

    def distinct_keys(self) -> set[str]:
        return {key for item in self.items for key in item.tags}

    def geometries(self) -> list[Geometry]:
        return [item.geometry or NullGeometry() for item in self.items]


def quadtile_ordered(world: World, kind: ElementType, rows: Rows) -> Rows:
    """Rows of one table in the order in which the engine keeps them in a set: by quadtile index, then by id."""
    if len(rows) <= 1:
        return rows
    if kind is not ElementType.AREA:
        ordered: Rows = rows[quadtile_order(world.tables[kind].quad[rows])]
        return ordered
    offsets = world.areas.segment_offsets
    ends = world.areas.ends.reshape(-1, 2)
    quads = common_quads(node_quads(ends[:, 0], ends[:, 1]) & np.uint32(0xFFFFFF00), offsets.astype(np.int64) * 2)
    in_order: Rows = rows[quadtile_order(quads[rows])]
    return in_order


def portions(kind: ElementType, rows: Rows) -> list[Rows]:
    """The rows in parts that one expression is evaluated for at once: the clock is looked at between them."""
    size = PORTIONS[kind]
    return [rows[start : start + size] for start in range(0, len(rows), size)]


def batches_of(world: World, elements: ElementSet) -> list[Batch]:
    """The elements of a set in the engine's order: nodes, ways, relations, areas, derived elements."""
    batches: list[Batch] = [
        ElementBatch(world, kind, part)
        for kind in ElementType
        for part in portions(kind, quadtile_ordered(world, kind, elements.rows(kind)))
    ]
    return [*batches, DerivedBatch(elements.derived)] if elements.derived else batches
