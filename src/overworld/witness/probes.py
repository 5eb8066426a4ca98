"""Placing the probes of a witness world, in the order of the spec."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from overworld.core.boxes import Box
from overworld.core.elements import ObjectId
from overworld.core.errors import InputError
from overworld.witness.draft import Draft, with_tags
from overworld.witness.places import (
    border_crossing,
    border_of_box,
    point_beyond,
    point_inside,
    point_outside,
)
from overworld.witness.realmap import MapMember, MapNode, MapWay, RealMap
from overworld.witness.report import BuiltProbe
from overworld.witness.spec import DEFAULT_SIZE_M, Place, Probe, Reference, Shape
from overworld.witness.sphere import Border, Point, destination

DIAGONALS_DEG = (45.0, 135.0, 225.0, 315.0)


class Prober:
    """Adds probes to a draft. ``name_of_place`` gives the object that a place name stands for in the real world."""

    def __init__(self, draft: Draft, real: RealMap, name_of_place: Callable[[str], ObjectId], view: Box | None) -> None:
        self.draft = draft
        self.real = real
        self.name_of_place = name_of_place
        self.view = view
        self.built: dict[str, BuiltProbe] = {}
        self._taken: list[Point] = []
        self._centres: dict[str, Point] = {}

    def add(self, probe: Probe) -> None:
        """Add one probe: its tags, its place, its geometry. Raises ``InputError`` where that cannot be."""
        tags = self._tags(probe)
        made = self._relation(probe, tags) if probe.shape is Shape.RELATION else self._placed(probe, tags)
        self.built[probe.id] = BuiltProbe(probe.id, made, probe.why)

    def _tags(self, probe: Probe) -> dict[str, str]:
        pattern: Mapping[str, str] = self.real.get(probe.like).tags if probe.like is not None else {}
        tags = with_tags("probe", pattern, probe.set, probe.drop)
        if probe.shape is Shape.MULTIPOLYGON:
            tags.setdefault("type", "multipolygon")
        elif probe.shape is not Shape.RELATION and "type" not in probe.set and tags.get("type") == "multipolygon":
            # What is a multipolygon in the real world may become a node or a way here, which have no such tag.
            del tags["type"]
        return tags

    def _relation(self, probe: Probe, tags: dict[str, str]) -> ObjectId:
        return self.draft.add_relation([MapMember(self._object(one.ref), one.role) for one in probe.members], tags)

    def _object(self, ref: Reference) -> ObjectId:
        if isinstance(ref, ObjectId):
            return ref
        if ref not in self.built:
            raise InputError(f"there is no probe {ref} before it", remedy="name an earlier probe or an object")
        return self.built[ref].object

    def _placed(self, probe: Probe, tags: dict[str, str]) -> ObjectId:
        assert probe.place is not None
        size_m = DEFAULT_SIZE_M if probe.size_m is None else probe.size_m
        half_m = 0.0 if probe.shape is Shape.NODE else size_m / 2
        centre, bearing_deg = self._point(probe.place, half_m)
        self._taken.append(centre)
        self._centres[probe.id] = centre
        if probe.shape is Shape.NODE:
            return self.draft.add_node(centre, tags)
        if probe.shape is Shape.WAY:
            ends = [destination(centre, half_m, (bearing_deg + turn) % 360) for turn in (180.0, 0.0)]
            return self.draft.add_way(ends, False, tags)
        corners = [destination(centre, half_m * 2**0.5, bearing) for bearing in DIAGONALS_DEG]
        if probe.shape is Shape.CLOSED_WAY:
            return self.draft.add_way(corners, True, tags)
        ring = self.draft.add_way(corners, True, {})
        return self.draft.add_relation([MapMember(ring, "outer")], tags)

    def _point(self, place: Place, half_m: float) -> tuple[Point, float]:
        """The centre of a probe, and the bearing of its axis."""
        east = 90.0
        radius_m = half_m * 2**0.5
        if place.at is not None:
            return Point.of_degrees(*place.at), east
        if place.inside is not None:
            return point_inside(self._area(place.inside), self._taken, radius_m), east
        if place.outside is not None and place.gap_m is not None:
            return point_outside(self._area(place.outside), place.gap_m + radius_m, self._taken), east
        if place.border is not None:
            return border_crossing(self._area(place.border), self._taken)
        if place.in_view is not None:
            return self._point_of_view(place, radius_m), east
        assert place.origin is not None and place.distance_m is not None and place.bearing_deg is not None
        return point_beyond(self._outline(place.origin), place.distance_m, place.bearing_deg), east

    def _area(self, name: str) -> Border:
        return self.real.area(self.name_of_place(name), name)

    def _point_of_view(self, place: Place, radius_m: float) -> Point:
        if self.view is None:
            raise InputError("in_view: the task has no map view", remedy="give the task a view, or place it elsewhere")
        border = border_of_box(self.view)
        if place.gap_m is None:
            return point_inside(border, self._taken, radius_m)
        return point_outside(border, place.gap_m + radius_m, self._taken)

    def _outline(self, ref: Reference) -> Border:
        """The outline of a real object or of a probe."""
        if isinstance(ref, ObjectId):
            return self.real.outline(ref)
        made = self.draft.objects[self._object(ref)]
        if isinstance(made, MapNode):
            return Border.of_lines([[made.point]])
        if isinstance(made, MapWay):
            nodes = [self.draft.objects[part] for part in made.parts]
            return Border.of_lines([[node.point for node in nodes if isinstance(node, MapNode)]])
        return Border.of_lines([[self._centres[str(ref)]]])
