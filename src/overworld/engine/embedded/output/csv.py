"""Answers as CSV: one line an element, the fields that the query names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from overworld.core.elements import ElementType
from overworld.engine.embedded.elementgeometry import (
    F64,
    Clip,
    centers,
    drawn_bounds,
    way_bounds,
    way_vertices,
    ways_clipped,
)
from overworld.engine.embedded.output.worldtext import degrees
from overworld.engine.embedded.printing import Batch, Parts
from overworld.engine.embedded.rationing import Portions
from overworld.engine.embedded.relationgeometry import (
    member_vertices,
    members_of,
    relation_bounds,
    relation_drawn_bounds,
)
from overworld.engine.embedded.sets import Derived, Rows
from overworld.ql import tree
from overworld.world.store import Tagged, World

_COUNTS = {
    "count": "total",
    "count:nodes": "nodes",
    "count:ways": "ways",
    "count:relations": "relations",
    "count:areas": "areas",
}


def escape(text: str) -> str:
    """Quoted where it holds a comma, a quote or a line break; the separator may be another, as in the engine."""
    if '"' not in text and "," not in text and "\n" not in text:
        return text
    return '"' + text.replace('"', '""') + '"'


def answer(world: World, outputs: Portions, form: tree.CsvFormat) -> str:
    """The whole answer. Remarks do not show in CSV."""
    fields = [_Field(name.removeprefix("::"), name.startswith("::")) for name in form.fields]
    lines = []
    if form.header:
        lines.append(form.separator.join(("@" if field.special else "") + escape(field.name) for field in fields))
    for batch in outputs:
        if isinstance(batch, Batch):
            written = [form.separator.join([line.cell(one) for one in fields]) for line in _lines(world, batch)]
            outputs.wrote(written)
            lines += written
    return "".join(f"{line}\n" for line in lines)


class _Field:
    def __init__(self, name: str, special: bool) -> None:
        self.name = name
        self.special = special


class _Line:
    """One element: its type, its id (None: not printed), its place (None: has none) and its tags."""

    def __init__(
        self, number: int, word: str, id_: int | None, place: tuple[float, float] | None, tags: Mapping[str, str]
    ) -> None:
        self.number = number
        self.word = word
        self.id = id_
        self.place = place
        self.tags = tags

    def cell(self, field: _Field) -> str:
        if not field.special:
            return escape(self.tags.get(field.name, ""))
        if field.name == "id":
            return "" if self.id is None else str(self.id)
        if field.name == "type":
            return self.word
        if field.name == "otype":
            return str(self.number)
        if field.name in ("lat", "lon"):
            return "" if self.place is None else degrees(self.place[field.name == "lon"])
        if self.word == "count" and field.name in _COUNTS:
            return self.tags.get(_COUNTS[field.name], "0")
        return ""


def _lines(world: World, batch: Batch) -> Iterator[_Line]:
    clip = None if batch.box is None else Clip.of(batch.box)
    for kind in (ElementType.NODE, ElementType.WAY, ElementType.RELATION):
        rows = (batch.nodes, batch.ways, batch.relations)[kind]
        if len(rows):
            places = _places(world, kind, rows, batch.parts, clip)
            yield from _stored(world, kind + 1, kind.word, world.ids(kind)[rows], rows, batch.parts, places)
    if len(batch.areas):
        relations = world.areas.relations[batch.areas]
        nowhere = np.full((len(relations), 2), np.nan)
        yield from _stored(world, 4, "area", world.areas.ids[batch.areas], relations, batch.parts, nowhere)
    for one in batch.derived:
        yield _derived(one, batch.parts)


def _stored(
    world: World,
    number: int,
    word: str,
    ids: np.ndarray[tuple[int], np.dtype[np.int64]],
    rows: Rows,
    parts: Parts,
    places: F64,
) -> Iterator[_Line]:
    tagged = world.tables[min(number, 3) - 1].tagged
    for row, id_, (lat, lon) in zip(rows.tolist(), ids.tolist(), places.tolist(), strict=True):
        tags = _tags(world, tagged, row) if Parts.TAGS in parts else {}
        place = None if lat != lat else (lat, lon)
        yield _Line(number, word, id_ if Parts.ID in parts else None, place, tags)


def _derived(one: Derived, parts: Parts) -> _Line:
    center = one.geometry.center if one.geometry is not None and parts & Parts.PLACED else None
    place = None if center is None else (center.lat, center.lon)
    tags = one.tags if Parts.TAGS in parts else {}
    return _Line(4, one.type, one.id if Parts.ID in parts else None, place, tags)


def _tags(world: World, tagged: Tagged, row: int) -> dict[str, str]:
    tags = world.tags
    pairs: Sequence[int] = tagged.tags.row(row).tolist()
    return {tags.keys[int(tags.pair_keys[one])]: tags.values[int(tags.pair_values[one])] for one in pairs}


def _places(world: World, kind: ElementType, rows: Rows, parts: Parts, clip: Clip | None) -> F64:
    """Latitude and longitude of each element, NaN where none is printed."""
    if kind is ElementType.NODE and parts & Parts.PLACED:
        return np.column_stack((world.nodes.lat[rows] / 1e7, world.nodes.lon[rows] / 1e7))
    if Parts.GEOMETRY in parts:
        if kind is ElementType.WAY:
            lists = way_vertices(world, rows)
            bounds = drawn_bounds(world, lists if clip is None else ways_clipped(world, lists, clip))
        else:
            members = members_of(world, rows)
            bounds = relation_drawn_bounds(world, members, member_vertices(world, members, clip), clip)
        return centers(bounds, turned=True)
    if parts & (Parts.BOUNDS | Parts.CENTER):
        bounds = way_bounds(world, rows, clip) if kind is ElementType.WAY else relation_bounds(world, rows, clip)
        return centers(bounds, turned=Parts.BOUNDS in parts)
    return np.full((len(rows), 2), np.nan)
