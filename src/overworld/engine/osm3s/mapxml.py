"""A world as OpenStreetMap XML, as the real engine's loader reads it: ids, places, refs, members and tags only."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

import numpy as np

from overworld.core.elements import ElementType
from overworld.world.store import Tagged, World

_WORDS = {ElementType.NODE: "node", ElementType.WAY: "way", ElementType.RELATION: "relation"}


def map_xml(world: World) -> Iterator[str]:
    """The lines of the document."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<osm version="0.6">\n'
    yield from _nodes(world)
    yield from _ways(world)
    yield from _relations(world)
    yield "</osm>\n"


def _nodes(world: World) -> Iterator[str]:
    nodes, tags = world.nodes, _Tags(world)
    columns = zip(nodes.ids.tolist(), (nodes.lat / 1e7).tolist(), (nodes.lon / 1e7).tolist(), strict=True)
    for row, (id_, lat, lon) in enumerate(columns):
        yield f'<node id="{id_}" lat="{lat:.7f}" lon="{lon:.7f}">{tags.of(nodes.tagged, row)}</node>\n'


def _ways(world: World) -> Iterator[str]:
    ways, tags = world.ways, _Tags(world)
    for row, id_ in enumerate(ways.ids.tolist()):
        refs = [
            int(world.nodes.ids[node]) if node >= 0 else int(ways.missing[-1 - node])
            for node in ways.nodes.row(row).tolist()
        ]
        inner = "".join(f'<nd ref="{ref}"/>' for ref in refs)
        yield f'<way id="{id_}">{inner}{tags.of(ways.tagged, row)}</way>\n'


def _relations(world: World) -> Iterator[str]:
    relations, tags = world.relations, _Tags(world)
    offsets = relations.member_rows.offsets
    for row, id_ in enumerate(relations.ids.tolist()):
        span = slice(int(offsets[row]), int(offsets[row + 1]))
        inner = "".join(
            f'<member type="{_WORDS[ElementType(kind)]}" ref="{_member_id(world, kind, member)}" '
            f"role={quoteattr(relations.roles[role])}/>"
            for member, kind, role in zip(
                relations.member_rows.values[span].tolist(),
                relations.member_types[span].tolist(),
                relations.member_roles[span].tolist(),
                strict=True,
            )
        )
        yield f'<relation id="{id_}">{inner}{tags.of(relations.tagged, row)}</relation>\n'


def _member_id(world: World, kind: int, row: int) -> int:
    return int(world.ids(ElementType(kind))[row]) if row >= 0 else int(world.relations.missing[-1 - row])


class _Tags:
    """The text of tags, kept by pair."""

    def __init__(self, world: World) -> None:
        self.tags = world.tags
        self.known: dict[int, str] = {}

    def of(self, tagged: Tagged, row: int) -> str:
        return "".join(self.known.get(pair) or self._make(pair) for pair in np.asarray(tagged.tags.row(row)).tolist())

    def _make(self, pair: int) -> str:
        key = self.tags.keys[int(self.tags.pair_keys[pair])]
        value = self.tags.values[int(self.tags.pair_values[pair])]
        self.known[pair] = text = f"<tag k={_attribute(key)} v={_attribute(value)}/>"
        return text


def _attribute(text: str) -> str:
    return quoteattr(text, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
