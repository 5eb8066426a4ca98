"""Answers as JSON, as the interpreter lays them out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from overworld.core.elements import ElementType
from overworld.engine.embedded.elementgeometry import (
    F64,
    Clip,
    Lists,
    centers,
    drawn_bounds,
    positions,
    way_bounds,
    way_vertices,
    ways_clipped,
)
from overworld.engine.embedded.geometries import Geometry, Vertex
from overworld.engine.embedded.output.head import COPYRIGHT, Head
from overworld.engine.embedded.output.worldtext import Coordinates, WorldText, degrees, slices, way_references
from overworld.engine.embedded.printing import Batch, Parts
from overworld.engine.embedded.rationing import Portions
from overworld.engine.embedded.relationgeometry import (
    Members,
    member_vertices,
    members_of,
    relation_bounds,
    relation_drawn_bounds,
)
from overworld.engine.embedded.sets import Derived, Rows
from overworld.world.store import Tagged, World

_ESCAPES = dict.fromkeys(range(32), "?") | {
    ord('"'): '\\"',
    ord("\\"): "\\\\",
    ord("\n"): "\\n",
    ord("\t"): "\\t",
    ord("\r"): "\\r",
}


def escape(text: str) -> str:
    """Text between double quotes; control characters that the engine does not name become ``?``."""
    return text.translate(_ESCAPES)


def pair(key: str, value: str) -> str:
    """One tag."""
    return f'"{key}": "{value}"'


class JsonWriter:
    """Writes batches as JSON elements. One per engine: it keeps the text of the world's tags and coordinates."""

    def __init__(self, world: World, coordinates: Coordinates) -> None:
        self.world = world
        self.text = WorldText(world, escape, pair)
        self.coordinates = coordinates

    def answer(self, head: Head, outputs: Portions, remark: Callable[[], str | None]) -> str:
        """The whole answer. ``remark`` tells all remarks, once everything is written."""
        elements = ",\n".join(self.elements(outputs))
        said = remark()
        areas = "" if head.areas_base is None else f'    "timestamp_areas_base": "{head.areas_base}",\n'
        ending = "" if said is None else f',\n"remark": "{escape(said)}"'
        return (
            '{\n  "version": 0.6,\n'
            f'  "generator": "{escape(head.generator)}",\n'
            f'  "osm3s": {{\n    "timestamp_osm_base": "{head.osm_base}",\n{areas}'
            f'    "copyright": "{COPYRIGHT}"\n  }},\n  "elements": [\n\n'
            f"{elements}\n\n  ]{ending}\n}}\n"
        )

    def elements(self, outputs: Portions) -> list[str]:
        """Every printed element."""
        texts: list[str] = []
        for batch in outputs:
            if isinstance(batch, Batch):
                written = self._batch(batch)
                outputs.wrote(written)
                texts += written
        return texts

    def _batch(self, batch: Batch) -> list[str]:
        clip = None if batch.box is None else Clip.of(batch.box)
        texts: list[str] = []
        if len(batch.nodes):
            texts += self._nodes(batch.nodes, batch.parts)
        if len(batch.ways):
            texts += self._ways(batch.ways, batch.parts, clip)
        if len(batch.relations):
            texts += self._relations(batch.relations, batch.parts, clip)
        if len(batch.areas):
            texts += self._areas(batch.areas, batch.parts)
        texts += [self._derived(one, batch.parts) for one in batch.derived]
        return texts

    # ------------------------------------------------------------------------------ types

    def _nodes(self, rows: Rows, parts: Parts) -> list[str]:
        heads = self._heads(ElementType.NODE, rows, parts)
        tags = self._tags(self.world.nodes.tagged, rows, parts)
        if not parts & Parts.PLACED:
            return [f"{head}{tag}\n}}" for head, tag in zip(heads, tags, strict=True)]
        lat, lon = self.coordinates.of(rows)
        return [
            f'{head},\n  "lat": {y},\n  "lon": {x}{tag}\n}}'
            for head, y, x, tag in zip(heads, lat, lon, tags, strict=True)
        ]

    def _ways(self, rows: Rows, parts: Parts, clip: Clip | None) -> list[str]:
        columns = [self._heads(ElementType.WAY, rows, parts)]
        lists = None
        if Parts.GEOMETRY in parts:
            lists = way_vertices(self.world, rows)
            lists = lists if clip is None else ways_clipped(self.world, lists, clip)
            columns.append(_bounds(drawn_bounds(self.world, lists)))
        elif parts & (Parts.BOUNDS | Parts.CENTER):
            columns.append(_box_or_center(way_bounds(self.world, rows, clip), parts))
        if Parts.NODES in parts:
            columns.append(self._references(rows))
        if lists is not None:
            columns.append([f',\n  "geometry": [{",".join(cut)}\n  ]' for cut in self._vertices(lists, "\n    ")])
        columns.append(self._tags(self.world.ways.tagged, rows, parts))
        return _closed(columns)

    def _relations(self, rows: Rows, parts: Parts, clip: Clip | None) -> list[str]:
        columns = [self._heads(ElementType.RELATION, rows, parts)]
        members = members_of(self.world, rows)
        lists = None
        if Parts.GEOMETRY in parts:
            lists = member_vertices(self.world, members, clip)
            columns.append(_bounds(relation_drawn_bounds(self.world, members, lists, clip)))
        elif parts & (Parts.BOUNDS | Parts.CENTER):
            columns.append(_box_or_center(relation_bounds(self.world, rows, clip), parts))
        if Parts.MEMBERS in parts:
            cuts = slices(self._members(members, lists), members.offsets)
            columns.append([f',\n  "members": [{",".join(cut)}\n  ]' if cut else "" for cut in cuts])
        columns.append(self._tags(self.world.relations.tagged, rows, parts))
        return _closed(columns)

    def _areas(self, rows: Rows, parts: Parts) -> list[str]:
        ids = self.world.areas.ids[rows].tolist()
        heads = [f'{{\n  "type": "area",\n  "id": {one}' for one in ids]
        if Parts.ID not in parts:
            heads = ['{\n  "type": "area"'] * len(ids)
        relations = self.world.areas.relations[rows]
        return _closed([heads, self._tags(self.world.relations.tagged, relations, parts)])

    def _derived(self, one: Derived, parts: Parts) -> str:
        text = f'{{\n  "type": "{one.type}"'
        if Parts.ID in parts:
            text += f',\n  "id": {one.id}'
        if one.geometry is not None:
            text += _derived_geometry(one.geometry, parts)
        if Parts.TAGS in parts and one.tags:
            written = ",\n    ".join(pair(escape(key), escape(value)) for key, value in one.tags.items())
            text += f',\n  "tags": {{\n    {written}\n  }}'
        return text + "\n}"

    # ------------------------------------------------------------------------------ parts

    def _heads(self, kind: ElementType, rows: Rows, parts: Parts) -> list[str]:
        start = f'{{\n  "type": "{kind.word}"'
        if Parts.ID not in parts:
            return [start] * len(rows)
        return [f'{start},\n  "id": {one}' for one in self.world.ids(kind)[rows].tolist()]

    def _tags(self, tagged: Tagged, rows: Rows, parts: Parts) -> list[str]:
        if Parts.TAGS not in parts:
            return [""] * len(rows)
        lists = self.text.tag_lists(tagged, rows)
        joint = ",\n    "
        return [f',\n  "tags": {{\n    {joint.join(tags)}\n  }}' if tags else "" for tags in lists]

    def _references(self, rows: Rows) -> list[str]:
        offsets, places = positions(self.world.ways.nodes.offsets, rows)
        ids = way_references(self.world, places)
        joint = ",\n    "
        return [f',\n  "nodes": [\n    {joint.join(cut)}\n  ]' if cut else "" for cut in slices(ids, offsets)]

    def _vertices(self, lists: Lists, indent: str) -> list[Sequence[str]]:
        known = lists.vertices >= 0
        lat, lon = self.coordinates.of(lists.vertices[known])
        texts = [f'{indent}{{ "lat": {y}, "lon": {x} }}' for y, x in zip(lat, lon, strict=True)]
        if not known.all():
            spread = np.full(len(known), f"{indent}null", dtype=object)
            spread[known] = texts
            texts = spread.tolist()
        return slices(texts, lists.offsets)

    def _members(self, members: Members, lists: Lists | None) -> list[str]:
        words = [kind.word for kind in ElementType]
        heads = [
            f'\n    {{\n      "type": "{words[kind]}",\n      "ref": {ref},\n      "role": "{role}"'
            for kind, ref, role in zip(
                members.types.tolist(), members.ids(self.world).tolist(), self.text.roles(members.roles), strict=True
            )
        ]
        if lists is not None:
            heads = [head + place for head, place in zip(heads, self._places(members, lists), strict=True)]
        return [f"{head}\n    }}" for head in heads]

    def _places(self, members: Members, lists: Lists) -> list[str]:
        """Coordinates of member nodes, vertices of member ways."""
        places = [""] * len(members.rows)
        for i, cut in enumerate(self._vertices(lists, "\n         ")):
            if members.types[i] == ElementType.WAY:
                # A way with a single known node is a point to the engine, and a point has no vertices.
                drawn = [] if len(cut) == 1 and not cut[0].endswith("null") else cut
                places[i] = f',\n      "geometry": [{",".join(drawn)}\n      ]'
        here = (members.types == ElementType.NODE).nonzero()[0]
        vertices = lists.vertices[lists.offsets[here]]
        here, vertices = here[vertices >= 0], vertices[vertices >= 0]
        for i, lat, lon in zip(here.tolist(), *self.coordinates.of(vertices), strict=True):
            places[i] = f',\n      "lat": {lat},\n      "lon": {lon}'
        return places


def _closed(columns: list[list[str]]) -> list[str]:
    return [f"{''.join(cells)}\n}}" for cells in zip(*columns, strict=True)]


def _box_or_center(bounds: F64, parts: Parts) -> list[str]:
    return _bounds(bounds) if Parts.BOUNDS in parts else _centers(centers(bounds))


def _bounds(bounds: F64) -> list[str]:
    return [
        ""
        if south != south
        else f',\n  "bounds": {{\n    "minlat": {south:.7f},\n    "minlon": {west:.7f},\n'
        f'    "maxlat": {north:.7f},\n    "maxlon": {east:.7f}\n  }}'
        for south, west, north, east in bounds.tolist()
    ]


def _centers(middles: F64) -> list[str]:
    return [
        "" if lat != lat else f',\n  "center": {{\n    "lat": {lat:.7f},\n    "lon": {lon:.7f}\n  }}'
        for lat, lon in middles.tolist()
    ]


# -------------------------------------------------------------------------------------- derived elements


def _derived_geometry(geometry: Geometry, parts: Parts) -> str:
    if Parts.GEOMETRY in parts and geometry.center is not None:
        return f',\n  "geometry": {_geojson(geometry, "  ")}'
    if Parts.BOUNDS in parts and geometry.bounds is not None:
        box = geometry.bounds
        corners = (
            (box.west, box.south),
            (box.east, box.south),
            (box.east, box.north),
            (box.west, box.north),
            (box.west, box.south),
        )
        ring = ",".join(f"\n      [{lon:.7f}, {lat:.7f}]" for lon, lat in corners)
        return f',\n  "geometry": {{\n    "type": "Polygon",\n    "coordinates": [{ring}\n    ]\n  }}'
    if Parts.CENTER in parts and geometry.center is not None:
        return f',\n  "geometry": {_point(geometry.center, "  ")}'
    return ""


def _geojson(geometry: Geometry, indent: str) -> str:
    if geometry.components is not None:
        shown = [one for one in geometry.components if one.center is not None]
        inner = ",".join(f"\n{indent}    {_geojson(one, indent + '    ')}" for one in shown)
        return _object("GeometryCollection", "geometries", inner, indent)
    if geometry.line is not None:
        return _object("LineString", "coordinates", _positions(geometry.line, f"{indent}    "), indent)
    if geometry.rings is not None:
        rings = ",".join(
            f"\n{indent}    [{_positions(ring, f'{indent}      ')}\n{indent}    ]" for ring in geometry.rings
        )
        return _object("Polygon", "coordinates", rings, indent)
    return "" if geometry.center is None else _point(geometry.center, indent)


def _object(kind: str, name: str, inner: str, indent: str) -> str:
    return f'{{\n{indent}  "type": "{kind}",\n{indent}  "{name}": [{inner}\n{indent}  ]\n{indent}}}'


def _positions(vertices: Sequence[Vertex], indent: str) -> str:
    return ",".join(f"\n{indent}[{vertex.lon:.7f}, {vertex.lat:.7f}]" for vertex in vertices)


def _point(point: Vertex, indent: str) -> str:
    return (
        f'{{\n{indent}  "type": "Point",\n{indent}  "coordinates": [ {degrees(point.lon)}, {degrees(point.lat)} ]'
        f"\n{indent}}}"
    )
