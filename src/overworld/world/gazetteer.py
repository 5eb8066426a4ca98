"""Place names: which area a person means by a name, as ``{{geocodeArea:NAME}}`` asks for it.

Names are compared as people type them, without regard to case, accents, punctuation and spacing. ``A, B`` is the A that
lies in B. Of several areas of a name the one that stands highest is taken: the name itself before names in other
languages and alternative names, administrative boundaries by their level, then places by their rank, then anything
else; the larger first. The order is the same on every machine. Where a boundary of the name is not whole in the world,
and so no area, nothing of a lower class stands in for it.
"""

from __future__ import annotations

import difflib
import functools
import unicodedata
from dataclasses import dataclass, replace

import numpy as np

from overworld.core.elements import ElementType, ObjectId
from overworld.core.errors import InputError, UnknownNameError
from overworld.world.polygons import contains, interior_point
from overworld.world.store import I32, World
from overworld.world.tagindex import TagReader, texts

OTHER_NAMES = ("int_name", "official_name")
SIDE_NAMES = ("alt_name", "short_name", "loc_name")
PLACE_RANKS = (
    "country", "state", "region", "county", "municipality", "city", "town", "borough", "village", "suburb", "quarter",
    "city_block", "hamlet", "neighbourhood", "island", "islet", "locality",
)  # fmt: skip
LETTERS = str.maketrans({"ø": "o", "đ": "d", "ł": "l", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ı": "i"})
LEAST_REFS_OF_AN_AREA = 4
NO_LEVEL = 99
ANYTHING_ELSE = 3
"""The lowest class: buildings, parks, schools and the like."""


@dataclass(frozen=True)
class Place:
    """An area that a name stands for.

    ``id``: the relation or closed way. ``area_id``: what ``area(…)`` takes. ``key``: the tag that had the name.
    ``others``: the other areas that the name could mean, best first. ``unchecked``: parts after a comma that the world
    has no area of, and that were left out of account.
    """

    id: ObjectId
    area_id: int
    name: str
    key: str
    description: str
    others: tuple[Place, ...] = ()
    unchecked: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What takes the place of ``{{geocodeArea:…}}`` in a query."""
        return f"area({self.area_id})"


def fold(name: str) -> str:
    """A name as it is compared: ``Île-de-Sainte-Dévote`` is ``ile de sainte devote``."""
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join([one for one in decomposed if not unicodedata.combining(one)]).translate(LETTERS)
    without_apostrophes = letters.replace("'", "").replace("’", "")
    return " ".join("".join([one if one.isalnum() else " " for one in without_apostrophes]).split())


class Gazetteer:
    """The names of one world's areas. Reading them takes some milliseconds: keep it for as long as the world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._reader = TagReader(world)
        self._area_rows = {int(row): area for area, row in enumerate(world.areas.relations.tolist())}
        self._without_area: set[ObjectId] = set()
        self._named: dict[str, dict[ObjectId, tuple[int, str, str]]] = {}
        for kind in (ElementType.RELATION, ElementType.WAY):
            self._read_names(kind)

    def resolve(self, name: str) -> Place:
        """The area that ``name`` means. Raises ``UnknownNameError`` where the world has none of that name."""
        if not fold(name):
            raise InputError(f"no name of a place: {name!r}")
        found = self.find(name)
        if not found:
            raise self._unknown(name)
        return replace(found[0], others=tuple(found[1:]))

    def find(self, name: str) -> list[Place]:
        """All areas that ``name`` could mean, best first."""
        found = self._matches(name)
        if found or "," not in name:
            return found
        first, *around = [part.strip() for part in name.split(",")]
        candidates = self._matches(first)
        unchecked = []
        for part in around:
            containers = self._matches(part) if fold(part) else []
            if not containers:
                unchecked.append(part)
                continue
            candidates = [one for one in candidates if any(self._is_inside(one, other) for other in containers)]
        return [replace(one, unchecked=tuple(unchecked)) for one in candidates]

    def segments(self, id: ObjectId) -> I32:
        """Border segments of an area: int32 (m, 4), lat, lon, lat, lon in 1e-7 degree."""
        world, row = self._world, self._row(id)
        if id.type is ElementType.RELATION:
            area = self._area_rows[row]
            return world.areas.ends[world.areas.segment_offsets[area] : world.areas.segment_offsets[area + 1]]
        nodes = world.ways.nodes.row(row)
        points = np.stack([world.nodes.lat[nodes], world.nodes.lon[nodes]], axis=1)
        return np.concatenate([points[:-1], points[1:]], axis=1)

    def _read_names(self, kind: ElementType) -> None:
        tags, tagged = self._world.tags, self._world.tables[kind].tagged
        candidate = functools.cache(functools.partial(self._candidate, kind))
        for number, key in enumerate(texts(tags.keys)):
            tier = _tier(key)
            if tier is None:
                continue
            for pair in range(int(tags.key_pairs[number]), int(tags.key_pairs[number + 1])):
                ids = [id for row in tagged.by_pair.row(pair).tolist() if (id := candidate(row))]
                if not ids:
                    continue
                value = self._reader.pair(pair)[1]
                for one in value.split(";"):
                    entries = self._named.setdefault(fold(one), {})
                    for id in ids:
                        entries[id] = min(entries.get(id, (tier, key, one.strip())), (tier, key, one.strip()))

    def _candidate(self, kind: ElementType, row: int) -> ObjectId | None:
        """The object if it is an area, or a boundary that should be one."""
        world = self._world
        if kind is ElementType.RELATION:
            id = ObjectId(kind, int(world.relations.ids[row]))
            if row not in self._area_rows and _class(self._tags(id))[0] < ANYTHING_ELSE:
                self._without_area.add(id)
            return id if row in self._area_rows or id in self._without_area else None
        whole = world.ways.closed[row] and world.ways.complete[row]
        long = int(world.ways.nodes.offsets[row + 1]) - int(world.ways.nodes.offsets[row]) >= LEAST_REFS_OF_AN_AREA
        return ObjectId(kind, int(world.ways.ids[row])) if whole and long else None

    def _matches(self, name: str) -> list[Place]:
        entries = self._named.get(fold(name), {})
        classes = {id: _class(self._tags(id)) for id in entries}
        lowest = min((classes[id][0] for id in entries if id in self._without_area), default=ANYTHING_ELSE)
        candidates = [id for id in entries if id not in self._without_area and classes[id][0] <= lowest]

        def rank(id: ObjectId) -> tuple[int, tuple[int, int], int, int, int]:
            """How the name fits, class and rank in it, size, relations before ways, id."""
            tier, _, found = entries[id]
            fit = 0 if tier == 0 and found == name.strip() else tier + 1
            return fit, classes[id], -self._extent(id), -id.type, id.id

        return [self._place(id, *entries[id][1:]) for id in sorted(candidates, key=rank)]

    def _extent(self, id: ObjectId) -> int:
        """Area of the bounding box, in squares of 1e-7 degree."""
        row = self._row(id)
        boxes = self._world.ways.boxes
        if id.type is ElementType.RELATION:
            row, boxes = self._area_rows[row], self._world.areas.boxes
        south, west, north, east = boxes[row].tolist()
        return int((north - south) * (east - west))

    def _place(self, id: ObjectId, key: str, found: str) -> Place:
        tags = self._tags(id)
        said = [f"{one}={tags[one]}" for one in ("boundary", "admin_level", "place", "type") if one in tags]
        area_id = id.id if id.type is ElementType.WAY else int(self._world.areas.ids[self._area_rows[self._row(id)]])
        return Place(id, area_id, tags.get("name", found), key, ", ".join(said))

    def _is_inside(self, inner: Place, outer: Place) -> bool:
        if inner.id == outer.id:
            return False
        point = interior_point(self.segments(inner.id))
        return point is not None and contains(self.segments(outer.id), *point)

    def _tags(self, id: ObjectId) -> dict[str, str]:
        return self._reader.tags_of(id.type, self._row(id))

    def _row(self, id: ObjectId) -> int:
        return int(np.searchsorted(self._world.ids(id.type), id.id))

    def _unknown(self, name: str) -> UnknownNameError:
        first = fold(name.split(",")[0])
        message = f"the world {self._world.info.name} has no area named {name!r}"
        broken = [id for id in self._named.get(first, ()) if id in self._without_area]
        if broken:
            return UnknownNameError(message, remedy=f"the border of {min(broken)} is not whole in it")
        near = difflib.get_close_matches(first, self._named, n=3, cutoff=0.6)
        names = sorted({found for one in near for _, _, found in self._named[one].values()})
        hint = f"did you mean {' or '.join(names)}?" if names else "its areas: worlds show " + self._world.info.name
        return UnknownNameError(message, remedy=hint)


def _class(tags: dict[str, str]) -> tuple[int, int]:
    """Class of an area (smaller stands higher) and its rank within the class."""
    level = tags.get("admin_level", "")
    place = tags.get("place", "")
    if tags.get("boundary") == "administrative" or level:
        return 0, int(level) if level.isascii() and level.isdigit() else NO_LEVEL
    if place in PLACE_RANKS:
        return 1, PLACE_RANKS.index(place)
    return (2 if place or "boundary" in tags else ANYTHING_ELSE), 0


def _tier(key: str) -> int | None:
    """How well a key names a place: 0 its name, 1 in other languages or official, 2 alternative; None no name."""
    base, _, language = key.partition(":")
    if base == "name":
        return 1 if language else 0
    if base in OTHER_NAMES:
        return 1
    return 2 if base in SIDE_NAMES else None
