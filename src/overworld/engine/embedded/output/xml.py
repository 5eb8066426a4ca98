"""Answers as XML, as the interpreter lays them out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from overworld.core.boxes import Box
from overworld.core.elements import ElementType
from overworld.engine.embedded.context import Remark
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
from overworld.engine.embedded.output.head import Head
from overworld.engine.embedded.output.worldtext import Coordinates, WorldText, slices, way_references
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
    ord("&"): "&amp;",
    ord('"'): "&quot;",
    ord("<"): "&lt;",
    ord(">"): "&gt;",
    ord("\n"): "&#x0a;",
    ord("\t"): "&#x09;",
    ord("\r"): "&#x0d;",
}
_NOTE = "The data included in this document is from www.openstreetmap.org. The data is made available under ODbL."


def escape(text: str) -> str:
    """Text between double quotes; control characters that the engine does not name become ``?``."""
    return text.translate(_ESCAPES)


def pair(key: str, value: str) -> str:
    """One tag."""
    return f'    <tag k="{key}" v="{value}"/>\n'


class XmlWriter:
    """Writes batches as XML elements. One per engine: it keeps the text of the world's tags and coordinates."""

    def __init__(self, world: World, coordinates: Coordinates) -> None:
        self.world = world
        self.text = WorldText(world, escape, pair)
        self.coordinates = coordinates

    def answer(self, head: Head, outputs: Portions, box: Box | None) -> str:
        """The whole answer; ``box`` is the global bounding box, if there is one. Remarks stand where they were made."""
        areas = "" if head.areas_base is None else f' areas="{head.areas_base}"'
        texts = [
            (
                '<?xml version="1.0" encoding="UTF-8"?>\n'
                f'<osm version="0.6" generator="{escape(head.generator)}">\n<note>{_NOTE}</note>\n'
                f'<meta osm_base="{head.osm_base}"{areas}/>\n\n'
            )
        ]
        if box is not None:
            texts.append(f"  {_bounds_element(tuple(box))}\n\n")
        for one in outputs:
            written = [f"<remark> {one.text} </remark>\n"] if isinstance(one, Remark) else self._batch(one)
            outputs.wrote(written)
            texts += written
        return "".join(texts) + "\n</osm>\n"

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
        heads = self._heads("node", self.world.nodes.ids[rows].tolist(), parts)
        if parts & Parts.PLACED:
            lat, lon = self.coordinates.of(rows)
            heads = [f'{head} lat="{y}" lon="{x}"' for head, y, x in zip(heads, lat, lon, strict=True)]
        return _elements("node", heads, [self._tags(self.world.nodes.tagged, rows, parts)])

    def _ways(self, rows: Rows, parts: Parts, clip: Clip | None) -> list[str]:
        columns: list[list[str]] = []
        lists = None
        if Parts.GEOMETRY in parts:
            lists = way_vertices(self.world, rows)
            lists = lists if clip is None else ways_clipped(self.world, lists, clip)
            columns.append(_bounds(drawn_bounds(self.world, lists)))
        elif parts & (Parts.BOUNDS | Parts.CENTER):
            columns.append(_box_or_center(way_bounds(self.world, rows, clip), parts))
        if Parts.NODES in parts:
            columns.append(self._references(rows, lists))
        columns.append(self._tags(self.world.ways.tagged, rows, parts))
        return _elements("way", self._heads("way", self.world.ways.ids[rows].tolist(), parts), columns)

    def _relations(self, rows: Rows, parts: Parts, clip: Clip | None) -> list[str]:
        columns: list[list[str]] = []
        members = members_of(self.world, rows)
        lists = None
        if Parts.GEOMETRY in parts:
            lists = member_vertices(self.world, members, clip)
            columns.append(_bounds(relation_drawn_bounds(self.world, members, lists, clip)))
        elif parts & (Parts.BOUNDS | Parts.CENTER):
            columns.append(_box_or_center(relation_bounds(self.world, rows, clip), parts))
        if Parts.MEMBERS in parts:
            columns.append(["".join(cut) for cut in slices(self._members(members, lists), members.offsets)])
        columns.append(self._tags(self.world.relations.tagged, rows, parts))
        return _elements("relation", self._heads("relation", self.world.relations.ids[rows].tolist(), parts), columns)

    def _areas(self, rows: Rows, parts: Parts) -> list[str]:
        tags = self._tags(self.world.relations.tagged, self.world.areas.relations[rows], parts)
        return _elements("area", self._heads("area", self.world.areas.ids[rows].tolist(), parts), [tags])

    def _derived(self, one: Derived, parts: Parts) -> str:
        drawn = None if one.geometry is None else _derived_geometry(one.geometry, parts, "    ")
        tags = "".join(pair(escape(key), escape(value)) for key, value in one.tags.items())
        body = (drawn or "") + (tags if Parts.TAGS in parts else "")
        head = self._heads(one.type, [one.id], parts)[0]
        # A geometry without any vertex opens the element all the same.
        if drawn is None and not body:
            return f"{head}/>\n"
        return f"{head}>\n{body}  </{one.type}>\n"

    # ------------------------------------------------------------------------------ parts

    def _heads(self, word: str, ids: list[int], parts: Parts) -> list[str]:
        if Parts.ID not in parts:
            return [f"  <{word}"] * len(ids)
        return [f'  <{word} id="{one}"' for one in ids]

    def _tags(self, tagged: Tagged, rows: Rows, parts: Parts) -> list[str]:
        if Parts.TAGS not in parts:
            return [""] * len(rows)
        return ["".join(tags) for tags in self.text.tag_lists(tagged, rows)]

    def _references(self, rows: Rows, lists: Lists | None) -> list[str]:
        offsets, places = positions(self.world.ways.nodes.offsets, rows)
        texts = [f'    <nd ref="{ref}"' for ref in way_references(self.world, places)]
        if lists is not None:
            texts = [text + at for text, at in zip(texts, self._attributes(lists, offsets), strict=True)]
        return ["".join(cut) for cut in slices([f"{text}/>\n" for text in texts], offsets)]

    def _attributes(self, lists: Lists, offsets: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[str]:
        """Coordinates of each reference; none where a way that lacks nodes has no vertices at all."""
        spread = np.full(offsets[-1], "", dtype=object)
        drawn = np.repeat(np.diff(lists.offsets) > 0, np.diff(offsets))
        spread[drawn] = self._vertices(lists, "", ' lat="{}" lon="{}"')
        attributes: list[str] = spread.tolist()
        return attributes

    def _vertices(self, lists: Lists, gap: str, form: str) -> list[str]:
        known = lists.vertices >= 0
        texts = [form.format(y, x) for y, x in zip(*self.coordinates.of(lists.vertices[known]), strict=True)]
        spread = np.full(len(known), gap, dtype=object)
        spread[known] = texts
        vertices: list[str] = spread.tolist()
        return vertices

    def _members(self, members: Members, lists: Lists | None) -> list[str]:
        words = [kind.word for kind in ElementType]
        heads = [
            f'    <member type="{words[kind]}" ref="{ref}" role="{role}"'
            for kind, ref, role in zip(
                members.types.tolist(), members.ids(self.world).tolist(), self.text.roles(members.roles), strict=True
            )
        ]
        if lists is None:
            return [f"{head}/>\n" for head in heads]
        points = slices(self._vertices(lists, "", ' lat="{}" lon="{}"'), lists.offsets)
        return [
            _member(head, kind == ElementType.WAY, cut)
            for head, kind, cut in zip(heads, members.types.tolist(), points, strict=True)
        ]


def _member(head: str, is_way: bool, points: Sequence[str]) -> str:
    if not is_way:
        return f"{head}{points[0] if points else ''}/>\n"
    # A way with a single known node is a point to the engine, and a point has no vertices.
    if not any(points) or len(points) == 1:
        return f"{head}/>\n"
    return f"{head}>\n{''.join(f'      <nd{point}/>{chr(10)}' for point in points)}    </member>\n"


def _elements(word: str, heads: list[str], columns: list[list[str]]) -> list[str]:
    bodies = ["".join(cells) for cells in zip(*columns, strict=True)]
    return [
        f"{head}>\n{body}  </{word}>\n" if body else f"{head}/>\n" for head, body in zip(heads, bodies, strict=True)
    ]


def _bounds_element(bounds: Sequence[float]) -> str:
    south, west, north, east = bounds
    return f'<bounds minlat="{south:.7f}" minlon="{west:.7f}" maxlat="{north:.7f}" maxlon="{east:.7f}"/>'


def _bounds(bounds: F64) -> list[str]:
    return ["" if row[0] != row[0] else f"    {_bounds_element(row)}\n" for row in bounds.tolist()]


def _box_or_center(bounds: F64, parts: Parts) -> list[str]:
    if Parts.BOUNDS in parts:
        return _bounds(bounds)
    return [
        "" if lat != lat else f'    <center lat="{lat:.7f}" lon="{lon:.7f}"/>\n'
        for lat, lon in centers(bounds).tolist()
    ]


# -------------------------------------------------------------------------------------- derived elements


def _derived_geometry(geometry: Geometry, parts: Parts, indent: str) -> str | None:
    """The geometry as elements; None where it has nothing to show in this mode."""
    if Parts.GEOMETRY in parts:
        drawn = _drawn(geometry, parts, indent)
        if drawn is not None:
            return drawn
    if Parts.BOUNDS in parts and geometry.bounds is not None:
        return f"    {_bounds_element(geometry.bounds)}\n"
    if Parts.CENTER in parts and geometry.center is not None:
        return _place("center", geometry.center, indent)
    return None


def _drawn(geometry: Geometry, parts: Parts, indent: str) -> str | None:
    if geometry.components is not None:
        return "".join(
            f"{indent}<group>\n{_derived_geometry(one, parts, indent + '  ') or ''}{indent}</group>\n"
            for one in geometry.components
        )
    if geometry.line is not None:
        return "".join(_place("vertex", vertex, indent) for vertex in geometry.line)
    if geometry.rings is not None:
        return "".join(
            f"{indent}<linestring>\n"
            + "".join(_place("vertex", vertex, f"{indent}  ") for vertex in ring)
            + f"{indent}</linestring>\n"
            for ring in geometry.rings
        )
    return None if geometry.center is None else _place("point", geometry.center, indent)


def _place(word: str, vertex: Vertex, indent: str) -> str:
    return f'{indent}<{word} lat="{vertex.lat:.7f}" lon="{vertex.lon:.7f}"/>\n'
