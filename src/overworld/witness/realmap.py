"""Objects of the real world as records: what a witness world is put together from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from overworld.core.elements import ElementType, ObjectId
from overworld.core.errors import InputError
from overworld.witness.sphere import Border, Point
from overworld.world.store import World
from overworld.world.tagindex import TagReader


@dataclass(frozen=True, slots=True)
class MapNode:
    """A node."""

    id: int
    point: Point
    tags: Mapping[str, str]

    @property
    def parts(self) -> tuple[ObjectId, ...]:
        """What it is made of: nothing."""
        return ()


@dataclass(frozen=True, slots=True)
class MapWay:
    """A way; ``nodes`` are node ids in order."""

    id: int
    nodes: tuple[int, ...]
    tags: Mapping[str, str]

    @property
    def parts(self) -> tuple[ObjectId, ...]:
        """Its nodes."""
        return tuple(ObjectId(ElementType.NODE, node) for node in self.nodes)


@dataclass(frozen=True, slots=True)
class MapMember:
    """A member of a relation."""

    object: ObjectId
    role: str


@dataclass(frozen=True, slots=True)
class MapRelation:
    """A relation; ``members`` in order."""

    id: int
    members: tuple[MapMember, ...]
    tags: Mapping[str, str]

    @property
    def parts(self) -> tuple[ObjectId, ...]:
        """Its members."""
        return tuple(member.object for member in self.members)


MapObject = MapNode | MapWay | MapRelation


class RealMap:
    """A world, read object by object."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._tags = TagReader(world)

    def find(self, wanted: ObjectId) -> MapObject | None:
        """The object, or None where the world does not have it."""
        rows = self.world.rows_of(wanted.type, np.array([wanted.id], dtype=np.int64))
        if len(rows) == 0:
            return None
        row = int(rows[0])
        if wanted.type is ElementType.NODE:
            return self._node(row)
        return self._way(row) if wanted.type is ElementType.WAY else self._relation(row)

    def get(self, wanted: ObjectId) -> MapObject:
        """The object. Raises ``InputError`` where the world does not have it."""
        found = self.find(wanted)
        if found is None:
            raise InputError(
                f"world {self.world.info.name} has no {wanted}", remedy="look the id up: worlds query NAME 'QUERY'"
            )
        return found

    def outline(self, wanted: ObjectId) -> Border:
        """A node's position, a way's segments, or those of a relation's direct node and way members."""
        lines = self._lines(self.get(wanted))
        if not lines:
            raise InputError(f"{wanted} has no geometry in {self.world.info.name}", remedy="choose another object")
        return Border.of_lines(lines)

    def area(self, wanted: ObjectId, name: str) -> Border:
        """The border of a relation or closed way that stands for the place ``name``."""
        found = self.get(wanted)
        ways = [part for part in found.parts if part.type is ElementType.WAY]
        border = Border.of_lines(self._lines(self._only_ways(ways) if isinstance(found, MapRelation) else found))
        if len(border.segments) == 0 or not border.is_closed:
            raise InputError(
                f"{wanted} is no whole area in world {self.world.info.name}", remedy=f"choose a place other than {name}"
            )
        return border

    def _only_ways(self, ways: list[ObjectId]) -> MapRelation:
        return MapRelation(0, tuple(MapMember(way, "") for way in ways), {})

    def _lines(self, found: MapObject) -> list[list[Point]]:
        if isinstance(found, MapNode):
            return [[found.point]]
        parts = [part for one in found.parts if (part := self.find(one)) is not None]
        if isinstance(found, MapWay):
            line = [part.point for part in parts if isinstance(part, MapNode)]
            return [line] if line else []
        return [line for part in parts if not isinstance(part, MapRelation) for line in self._lines(part)]

    def _node(self, row: int) -> MapNode:
        table = self.world.nodes
        point = Point(int(table.lat[row]), int(table.lon[row]))
        return MapNode(int(table.ids[row]), point, self._tags.tags_of(ElementType.NODE, row))

    def _way(self, row: int) -> MapWay:
        table = self.world.ways
        refs = [
            int(self.world.nodes.ids[ref]) if ref >= 0 else int(table.missing[-1 - ref])
            for ref in table.nodes.row(row).tolist()
        ]
        return MapWay(int(table.ids[row]), tuple(refs), self._tags.tags_of(ElementType.WAY, row))

    def _relation(self, row: int) -> MapRelation:
        table = self.world.relations
        start, end = int(table.member_rows.offsets[row]), int(table.member_rows.offsets[row + 1])
        members = []
        for position in range(start, end):
            kind, ref = ElementType(int(table.member_types[position])), int(table.member_rows.values[position])
            one = int(self.world.tables[kind].ids[ref]) if ref >= 0 else int(table.missing[-1 - ref])
            members.append(MapMember(ObjectId(kind, one), table.roles[int(table.member_roles[position])]))
        return MapRelation(int(table.ids[row]), tuple(members), self._tags.tags_of(ElementType.RELATION, row))
