"""``out``: what is printed, in which order, and with which parts. Nothing is rendered here.

Source: Overpass API/Overpass QL, "The statement out", and the behaviour of osm3s 0.7.62.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sized
from dataclasses import dataclass, replace
from enum import Flag, auto
from typing import Literal

import numpy as np

from overworld.core.boxes import Box
from overworld.core.elements import ElementType
from overworld.engine.embedded.areaquads import area_quads
from overworld.engine.embedded.context import Context, Remark
from overworld.engine.embedded.derivedorder import sorted_by_id
from overworld.engine.embedded.sets import EMPTY, Derived, ElementSet, Rows
from overworld.engine.embedded.tiles import quadtile_order
from overworld.engine.protocol import Printed
from overworld.ql import tree
from overworld.world.store import World


class Parts(Flag):
    """The parts of an element that are printed."""

    NONE = 0
    ID = auto()
    COORDS = auto()
    """Coordinates of nodes."""
    NODES = auto()
    """Node references of ways."""
    MEMBERS = auto()
    TAGS = auto()
    GEOMETRY = auto()
    BOUNDS = auto()
    CENTER = auto()
    PLACED = COORDS | GEOMETRY | BOUNDS | CENTER
    """Any of these prints the coordinates of a node."""


_SKELETON = Parts.ID | Parts.COORDS | Parts.NODES | Parts.MEMBERS
_MODES: Mapping[str, Parts] = {
    "ids_only": Parts.ID,
    "skeleton": _SKELETON,
    "tags": Parts.ID | Parts.TAGS,
    "body": _SKELETON | Parts.TAGS,
    "meta": _SKELETON | Parts.TAGS,
    "quirks": _SKELETON | Parts.TAGS,
    "count": Parts.ID | Parts.TAGS,
}
_GEOMETRIES: Mapping[str, Parts] = {
    "skeleton": Parts.NONE,
    "center": Parts.CENTER,
    "bounds": Parts.BOUNDS,
    "full": Parts.GEOMETRY | Parts.BOUNDS,
}
PORTIONS: Mapping[str, int] = {"nodes": 16384, "ways": 4096, "relations": 64, "areas": 4096, "derived": 1024}
"""How many elements of each group are written before time and length are looked at."""
MERGED = 4096
"""How many batches are written at once at most."""
_OBJECT_WORDS = tuple(kind.word for kind in ElementType)


@dataclass(frozen=True, slots=True)
class Batch:
    """What one ``out`` prints: rows of each type in printed order, then derived elements.

    ``counts``: the tags of a ``count`` element (which is the only derived element then). ``box``: the clip box.
    """

    mode: str
    parts: Parts
    nodes: Rows
    ways: Rows
    relations: Rows
    areas: Rows
    derived: tuple[Derived, ...] = ()
    box: Box | None = None
    counts: Mapping[str, int] | None = None
    line: int = 0
    """Of the ``out``."""

    def printed(self, world: World) -> Printed:
        """The ids, without anything rendered; none where ids are not printed.

        An element that the query made is counted as derived, but as an object if it calls itself a node, way, relation
        or area: nobody who reads the answer can tell it from one of the map.
        """
        groups = (self.nodes, self.ways, self.relations, self.areas) if Parts.ID in self.parts else (EMPTY,) * 4
        types = np.repeat(np.arange(4, dtype=np.uint8), [len(rows) for rows in groups])
        ids = np.concatenate([world.ids(ElementType(kind))[rows] for kind, rows in enumerate(groups)])
        if self.counts is not None:
            return Printed(self.mode, types, ids, 0, self.counts)
        posing = [one for one in self.derived if one.type in _OBJECT_WORDS]
        if posing and Parts.ID in self.parts:
            kinds = np.array([_OBJECT_WORDS.index(one.type) for one in posing], dtype=np.uint8)
            made = np.array([one.id for one in posing], dtype=np.uint64).astype(np.int64)
            types, ids = np.concatenate((types, kinds)), np.concatenate((ids, made))
        return Printed(self.mode, types, ids, len(self.derived) - len(posing), None)


Output = Batch | Remark


def evaluate_print(context: Context, statement: tree.Print) -> None:
    """Append what ``out`` prints to ``context.outputs``, then check time and memory."""
    context.enter("print", statement.line)
    parts = _MODES[statement.mode] | _GEOMETRIES[statement.geometry]
    if not statement.ids:
        parts &= ~Parts.ID
    if statement.mode == "count":
        batch = _counted(context, statement, parts)
    else:
        batch = _chosen(context, context.get(statement.set_name), statement, parts)
    if batch is not None:
        context.check_printed(
            len(batch.nodes) + len(batch.ways) + len(batch.relations) + len(batch.areas), len(batch.derived)
        )
        context.outputs.append(batch)
    context.check()
    context.check_memory()


def _counted(context: Context, statement: tree.Print, parts: Parts) -> Batch | None:
    if statement.limit == 0:
        return None
    chosen = context.get(statement.set_name)
    counts = {"nodes": len(chosen.nodes), "ways": len(chosen.ways), "relations": len(chosen.relations)}
    if context.areas_used:
        counts["areas"] = len(chosen.areas)
    counts["total"] = sum(counts.values())
    element = Derived("count", 0, {key: str(value) for key, value in counts.items()})
    return Batch("count", parts, EMPTY, EMPTY, EMPTY, EMPTY, (element,), statement.box, counts, statement.line)


def _chosen(context: Context, chosen: ElementSet, statement: tree.Print, parts: Parts) -> Batch:
    groups = [_ordered(context, kind, chosen.rows(kind), statement.order) for kind in ElementType]
    derived = chosen.derived
    if statement.order == "id":
        derived = sorted_by_id(derived)
    if statement.limit is not None:
        left = statement.limit
        for kind, rows in enumerate(groups):
            groups[kind] = rows[:left]
            left -= len(groups[kind])
        derived = derived[:left]
    nodes, ways, relations, areas = groups
    return Batch(statement.mode, parts, nodes, ways, relations, areas, derived, statement.box, None, statement.line)


def _ordered(context: Context, kind: ElementType, rows: Rows, order: Literal["id", "quadtile"]) -> Rows:
    if order == "id" or len(rows) < 2:
        return rows
    if kind is ElementType.AREA:
        return rows[quadtile_order(area_quads(context, rows))]
    return rows[quadtile_order(context.world.tables[kind].quad[rows])]


def merged(outputs: Iterable[Output]) -> Iterator[Output]:
    """The same outputs with few batches of little that print the same: a loop prints thousands of single elements."""
    run: list[Batch] = []
    for one in outputs:
        if isinstance(one, Batch) and run and len(run) < MERGED and _continues(run[-1], one):
            run.append(one)
            continue
        yield from _joined(run)
        run = [one] if isinstance(one, Batch) else []
        if isinstance(one, Remark):
            yield one
    yield from _joined(run)


def portions(batch: Batch) -> Iterator[Batch]:
    """A batch in parts, each of which is soon written."""
    bare = replace(batch, nodes=EMPTY, ways=EMPTY, relations=EMPTY, areas=EMPTY, derived=())
    for name, size in PORTIONS.items():
        group = getattr(batch, name)
        for start in range(0, len(group), size):
            yield replace(bare, **{name: group[start : start + size]})


def _continues(before: Batch, after: Batch) -> bool:
    """Whether printing both at once prints the same: types come in a fixed order within a batch."""
    if before.parts != after.parts or before.box != after.box or before.line != after.line:
        return False
    return max(_kinds(before), default=0) <= min(_kinds(after), default=len(ElementType))


def _kinds(batch: Batch) -> list[int]:
    groups: tuple[Sized, ...] = (batch.nodes, batch.ways, batch.relations, batch.areas, batch.derived)
    return [kind for kind, group in enumerate(groups) if len(group)]


def _joined(run: list[Batch]) -> list[Batch]:
    if len(run) < 2:
        return run
    rows = [
        np.concatenate(groups) for groups in zip(*((b.nodes, b.ways, b.relations, b.areas) for b in run), strict=True)
    ]
    derived = tuple(one for batch in run for one in batch.derived)
    return [replace(run[0], nodes=rows[0], ways=rows[1], relations=rows[2], areas=rows[3], derived=derived)]
