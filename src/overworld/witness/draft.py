"""A witness world in the making: real objects with all that they are made of, then changed and added to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from overworld.core.elements import ElementType, ObjectId
from overworld.core.errors import InputError
from overworld.witness.realmap import MapMember, MapNode, MapObject, MapRelation, MapWay, RealMap
from overworld.witness.report import LackingMember
from overworld.witness.spec import FIRST_NODE_ID, FIRST_RELATION_ID, FIRST_WAY_ID, LAST_RELATION_ID
from overworld.witness.sphere import Point
from overworld.world.objects import MapObjects, ObjectCollector


class Draft:
    """Objects by id. ``lacking``: what the extract itself does not have of them."""

    def __init__(self, real: RealMap) -> None:
        self.real = real
        self.objects: dict[ObjectId, MapObject] = {}
        self.lacking: list[LackingMember] = []
        self._next = {
            ElementType.NODE: FIRST_NODE_ID,
            ElementType.WAY: FIRST_WAY_ID,
            ElementType.RELATION: FIRST_RELATION_ID,
        }

    def rebuild(self, roots: Iterable[ObjectId], without: frozenset[ObjectId]) -> None:
        """Take over ``roots`` less ``without``, with all nodes and members, theirs too, that the real world has.

        Raises ``InputError`` for a root that the real world lacks, for one of ``without`` that would not have come
        anyway, and for one that something which stays is made of.
        """
        wanted = list(dict.fromkeys(roots))
        missing = [one for one in wanted if self.real.find(one) is None]
        if missing:
            self.real.get(missing[0])
        would_come = self._closure(wanted)
        for one in sorted(without):
            if one not in would_come:
                raise InputError(f"remove: {one} is not rebuilt", remedy="leave it out of remove")
        self.objects = self._closure([one for one in wanted if one not in without])
        for one, found in self.objects.items():
            for part in found.parts:
                if part in without:
                    raise InputError(f"remove: {one} is made of {part}", remedy=f"remove {one} too, or neither")
                if part not in self.objects:
                    self.lacking.append(LackingMember(one, part))

    def _closure(self, roots: list[ObjectId]) -> dict[ObjectId, MapObject]:
        reached: dict[ObjectId, MapObject] = {}
        waiting = list(roots)
        while waiting:
            one = waiting.pop()
            if one in reached:
                continue
            found = self.real.find(one)
            if found is not None:
                reached[one] = found
                waiting.extend(found.parts)
        return dict(sorted(reached.items()))

    def change(self, one: ObjectId, put: Mapping[str, str], drop: Iterable[str]) -> None:
        """Other tags on a rebuilt object."""
        if one not in self.objects:
            raise InputError(f"change: {one} is not rebuilt", remedy="rebuild it, or leave it out of change")
        found = self.objects[one]
        self.objects[one] = replace(found, tags=with_tags(f"change of {one}", found.tags, put, drop))

    def add_node(self, point: Point, tags: Mapping[str, str]) -> ObjectId:
        """A new node."""
        one = self._new(ElementType.NODE)
        self.objects[one] = MapNode(one.id, point, tags)
        return one

    def add_way(self, points: list[Point], closed: bool, tags: Mapping[str, str]) -> ObjectId:
        """A new way over new nodes; a closed one ends where it starts."""
        nodes = [self.add_node(point, {}).id for point in points]
        one = self._new(ElementType.WAY)
        self.objects[one] = MapWay(one.id, tuple(nodes + nodes[:1] * closed), tags)
        return one

    def add_relation(self, members: Iterable[MapMember], tags: Mapping[str, str]) -> ObjectId:
        """A new relation. Its members must be there."""
        one, members = self._new(ElementType.RELATION), tuple(members)
        for member in members:
            if member.object not in self.objects:
                raise InputError(f"member {member.object} is not in this world", remedy="rebuild it")
        self.objects[one] = MapRelation(one.id, members, tags)
        return one

    def _new(self, kind: ElementType) -> ObjectId:
        number = self._next[kind]
        if kind is ElementType.RELATION and number > LAST_RELATION_ID:
            raise InputError(f"relation id {number} is out of range", remedy="use fewer relations")
        self._next[kind] = number + 1
        return ObjectId(kind, number)

    def to_map(self) -> MapObjects:
        """The objects as the world's builder takes them, sorted by type and id."""
        collector = ObjectCollector()
        for one in sorted(self.objects):
            found = self.objects[one]
            tags = dict(sorted(found.tags.items()))
            if isinstance(found, MapNode):
                collector.node(found.id, found.point.lat, found.point.lon, tags)
            elif isinstance(found, MapWay):
                collector.way(found.id, found.nodes, tags)
            else:
                members = [(member.object.type, member.object.id, member.role) for member in found.members]
                collector.relation(found.id, members, tags)
        return collector.objects()


def with_tags(what: str, tags: Mapping[str, str], put: Mapping[str, str], drop: Iterable[str]) -> dict[str, str]:
    """``tags`` without the keys of ``drop`` and with ``put``. Dropping what is not there is an error of the spec."""
    for key in drop:
        if key not in tags:
            raise InputError(f"{what}: there is no tag {key} to drop", remedy="leave it out of drop")
    kept = {key: value for key, value in tags.items() if key not in set(drop)}
    return {**kept, **put}
