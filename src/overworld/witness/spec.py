"""The witness spec of a task: what is rebuilt from the real world, and the probes, changes and removals of each world.

Its meaning is told in docs/witness.md. The classes are frozen dataclasses that check what they are made of; the names
of their fields are those of the YAML file (``as`` is ``shape`` here, ``from`` is ``origin``).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Annotated, Any

from pydantic import ConfigDict, Field, PlainSerializer, PlainValidator, StrictBool, StrictFloat, TypeAdapter
from pydantic.dataclasses import dataclass

from overworld.core.elements import ElementType, ObjectId

STRICT = ConfigDict(extra="forbid")
"""No unknown field."""

FIRST_NODE_ID = 13_000_000_000
FIRST_WAY_ID = 1_800_000_000
FIRST_RELATION_ID = 600_000_000
LAST_RELATION_ID = 694_967_295
"""A higher relation id gives an area id that overflows 32 bits."""

DEFAULT_SIZE_M = 20.0
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def name_of(value: object) -> str:
    """A name that may become part of a folder's name: lower-case letters, digits and single hyphens."""
    if not isinstance(value, str) or not _NAME.fullmatch(value) or len(value) > 48:
        raise ValueError(f"{value!r} is not a name: lower-case letters, digits and hyphens, at most 48")
    return value


def object_id_of(value: object) -> ObjectId:
    """An object of a map, written ``node/1``, ``way/2`` or ``relation/3``, with an id that a map can have."""
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not an object id: expected node/ID, way/ID or relation/ID")
    one = ObjectId.parse(value)
    limits = {ElementType.NODE: FIRST_NODE_ID, ElementType.WAY: FIRST_WAY_ID, ElementType.RELATION: FIRST_RELATION_ID}
    if not 0 < one.id < limits[one.type]:
        raise ValueError(f"{one} is out of range: ids run from 1 to {limits[one.type] - 1}, those above are for probes")
    return one


def _coordinates_of(value: object) -> tuple[float, float]:
    numbers = [x for x in value if isinstance(x, int | float)] if isinstance(value, list | tuple) else []
    if len(numbers) != 2 or not (abs(numbers[0]) <= 90 and abs(numbers[1]) <= 180):
        raise ValueError(f"{value!r} is not a position: expected [latitude, longitude] in degrees")
    return float(numbers[0]), float(numbers[1])


def _reference_of(value: object) -> ObjectId | str:
    return object_id_of(value) if isinstance(value, str) and "/" in value else name_of(value)


Name = Annotated[str, PlainValidator(name_of)]
ObjectRef = Annotated[ObjectId, PlainValidator(object_id_of), PlainSerializer(str)]
Reference = Annotated[ObjectId | str, PlainValidator(_reference_of), PlainSerializer(str)]
"""An object of the real world, or the id of a probe that comes earlier in the same world."""
Position = Annotated[tuple[float, float], PlainValidator(_coordinates_of), PlainSerializer(list)]
Metres = Annotated[StrictFloat, Field(gt=0, le=1_000_000)]
Text = Annotated[str, Field(min_length=1)]
Tags = Mapping[Text, Text]


class Shape(StrEnum):
    """What a probe is."""

    NODE = "node"
    WAY = "way"
    CLOSED_WAY = "closed_way"
    MULTIPOLYGON = "multipolygon"
    RELATION = "relation"


@dataclass(frozen=True, config=STRICT)
class Place:
    """Where a probe is. Exactly one of ``at``, ``inside``, ``outside``, ``origin``, ``in_view``, ``border``.

    ``at``: latitude and longitude. ``inside``: a point of the named area, well away from its border. ``outside``: a
    point ``gap_m`` metres beyond the border of the named area. ``origin`` (written ``from``): the point ``distance_m``
    metres from an object, in the direction ``bearing_deg`` (clockwise from north). ``in_view``: true for a point of the
    task's map view, false for one ``gap_m`` metres beyond it. ``border``: the middle of the longest border segment of
    the named area, where a way crosses it at a right angle.
    """

    at: Position | None = None
    inside: Text | None = None
    outside: Text | None = None
    origin: Reference | None = Field(default=None, alias="from")
    in_view: StrictBool | None = None
    border: Text | None = None
    gap_m: Metres | None = None
    distance_m: Annotated[StrictFloat, Field(ge=0, le=1_000_000)] | None = None
    bearing_deg: Annotated[StrictFloat, Field(ge=0, lt=360)] | None = None

    def __post_init__(self) -> None:
        chosen = [self.at, self.inside, self.outside, self.origin, self.in_view, self.border]
        if sum(one is not None for one in chosen) != 1:
            raise ValueError("a place is exactly one of at, inside, outside, from, in_view, border")
        if (self.gap_m is not None) != (self.outside is not None or self.in_view is False):
            raise ValueError("gap_m belongs to outside and to in_view: false, and they need it")
        needed = self.origin is not None
        if (self.distance_m is not None) != needed or (self.bearing_deg is not None) != needed:
            raise ValueError("distance_m and bearing_deg belong to from, and it needs both")


@dataclass(frozen=True, config=STRICT)
class ProbeMember:
    """A member of a relation probe: an object of the real world, or an earlier probe of the same world."""

    ref: Reference
    role: str = ""


@dataclass(frozen=True, config=STRICT)
class Probe:
    """A near miss that only a wrong query returns, or an object that only a right one does.

    Its tags are those of ``like`` without ``drop`` and with ``set``. Ways and areas are ``size_m`` metres long or wide.
    """

    id: Name
    shape: Shape = Field(alias="as")
    place: Place | None = None
    like: ObjectRef | None = None
    set: Tags = field(default_factory=dict)
    drop: tuple[Text, ...] = ()
    size_m: Metres | None = None
    members: tuple[ProbeMember, ...] = ()
    why: Text | None = None

    def __post_init__(self) -> None:
        if self.shape is Shape.RELATION:
            if not self.members or self.place is not None:
                raise ValueError("a probe that is a relation has members and no place")
        elif self.members or self.place is None:
            raise ValueError("a probe has a place; only one that is a relation has members instead")
        if self.size_m is not None and self.shape in (Shape.NODE, Shape.RELATION):
            raise ValueError(f"size_m belongs to ways and areas, not to a {self.shape}")
        if self.drop and self.like is None:
            raise ValueError("drop needs like: there is nothing to drop from")
        if self.place is not None and self.place.border is not None and self.shape is not Shape.WAY:
            raise ValueError("border is the place of a way that crosses it: as: way")


@dataclass(frozen=True, config=STRICT)
class Change:
    """Other tags on a rebuilt object."""

    object: ObjectRef
    set: Tags = field(default_factory=dict)
    drop: tuple[Text, ...] = ()

    def __post_init__(self) -> None:
        if not self.set and not self.drop:
            raise ValueError("a change sets or drops at least one tag")


@dataclass(frozen=True, config=STRICT)
class Rebuild:
    """What is taken over from the real world. Exactly one of the three.

    ``area``: the relation or way that the place name stands for. ``objects``: these. ``query``: what it answers.
    """

    area: Text | None = None
    objects: tuple[ObjectRef, ...] = ()
    query: Text | None = None

    def __post_init__(self) -> None:
        if (self.area is not None) + bool(self.objects) + (self.query is not None) != 1:
            raise ValueError("rebuild takes exactly one of area, objects, query an entry")


@dataclass(frozen=True, config=STRICT)
class WorldSpec:
    """One witness world. ``why``: the wrong query that it catches. ``empty`` with ``reason``: no object is right."""

    id: Name
    why: Text
    probes: tuple[Probe, ...] = ()
    change: tuple[Change, ...] = ()
    remove: tuple[ObjectRef, ...] = ()
    empty: StrictBool = False
    reason: Text | None = None

    def __post_init__(self) -> None:
        if not (self.probes or self.change or self.remove):
            raise ValueError("a witness world has probes, changes or removals")
        if self.empty != (self.reason is not None):
            raise ValueError("empty: true needs a reason, and only it has one")
        _refuse_repeats("probe", [probe.id for probe in self.probes])
        _refuse_repeats("change of", [str(change.object) for change in self.change])
        _refuse_repeats("removal of", [str(one) for one in self.remove])


@dataclass(frozen=True, config=STRICT)
class WitnessSpec:
    """The witness worlds of one task. ``rebuild`` goes into every one of them."""

    rebuild: tuple[Rebuild, ...]
    worlds: Annotated[tuple[WorldSpec, ...], Field(min_length=1)]

    def __post_init__(self) -> None:
        _refuse_repeats("witness world", [world.id for world in self.worlds])


def _refuse_repeats(what: str, names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{what} {name} is there twice")


def canonical_hash(kind: TypeAdapter[Any], value: object) -> str:
    """SHA-256 over the canonical JSON of ``value``: keys sorted, what is not given left out."""
    plain = kind.dump_python(value, mode="json", by_alias=True, exclude_defaults=True)
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
