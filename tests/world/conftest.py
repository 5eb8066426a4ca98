"""Worlds drawn as grids of letters, and other small worlds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from overworld.core.elements import ObjectId
from overworld.world.build import Origin, build_world
from overworld.world.objects import MapObjects, ObjectCollector
from overworld.world.store import World

NORTH_WEST_E7 = (500_000_000, 80_000_000)
CELL_E7 = 10_000

Draw = Callable[..., World]


def node_id(letter: str) -> int:
    """``a`` is 1, ``b`` 2; capital letters are ids that no drawing has."""
    return ord(letter) - ord("a") + 1 if letter.islower() else 1000 + ord(letter)


def drawn_objects(
    drawing: str = "",
    ways: Mapping[int, str] | None = None,
    relations: Mapping[int, Mapping[str, Any]] | None = None,
    tags: Mapping[str, Mapping[str, str]] | None = None,
) -> MapObjects:
    """Nodes where the letters of ``drawing`` are, north up, a cell 0.001 degree wide; ways as strings of letters.

    ``relations``: id → ``members`` (``way/1 outer``) and ``tags``. ``tags``: letter or ``way/1`` → tags.
    """
    collector, tags = ObjectCollector(), tags or {}
    for row, line in enumerate(drawing.splitlines()):
        for column, letter in enumerate(line.replace(" ", "")):
            if letter.isalpha():
                lat, lon = NORTH_WEST_E7[0] - row * CELL_E7, NORTH_WEST_E7[1] + column * CELL_E7
                collector.node(node_id(letter), lat, lon, tags.get(letter))
    for id, letters in (ways or {}).items():
        collector.way(id, [node_id(letter) for letter in letters], tags.get(f"way/{id}"))
    for id, relation in (relations or {}).items():
        collector.relation(id, [member(text) for text in relation["members"]], relation.get("tags"))
    return collector.objects()


def member(text: str) -> tuple[Any, int, str]:
    """``way/1 outer`` as type, id and role."""
    name, _, role = text.partition(" ")
    found = ObjectId.parse(name)
    return found.type, found.id, role


@pytest.fixture
def objects_of() -> Callable[..., MapObjects]:
    """Map objects of a drawing."""
    return drawn_objects


@pytest.fixture
def draw() -> Draw:
    """A world of a drawing."""
    return lambda *arguments, **options: build_world(drawn_objects(*arguments, **options), Origin("drawn", "witness"))


@pytest.fixture
def letters() -> Callable[[Sequence[int]], str]:
    """Node ids as letters."""
    return lambda ids: "".join([chr(ord("a") + id - 1) for id in ids])
