"""OpenStreetMap element types, ids, and the area ids that Overpass derives from them."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

AREA_OF_WAY_OFFSET = 2_400_000_000
AREA_OF_RELATION_OFFSET = 3_600_000_000


class ElementType(IntEnum):
    """The types of printed elements, in the order in which Overpass prints them."""

    NODE = 0
    WAY = 1
    RELATION = 2
    AREA = 3

    @property
    def word(self) -> str:
        """The type as JSON writes it: ``node``, ``way``, ``relation``, ``area``."""
        return self.name.lower()


class ObjectId(NamedTuple):
    """One node, way, relation or area: ``ObjectId(ElementType.WAY, 42)`` prints as ``way/42``."""

    type: ElementType
    id: int

    def __str__(self) -> str:
        return f"{self.type.word}/{self.id}"

    @classmethod
    def parse(cls, text: str) -> ObjectId:
        """Read ``node/1``, ``way/2`` or ``relation/3``. Raises ``ValueError`` for anything else."""
        word, _, number = text.partition("/")
        kinds = {"node": ElementType.NODE, "way": ElementType.WAY, "relation": ElementType.RELATION}
        if word not in kinds or not number.isascii() or not number.isdigit():
            raise ValueError(f"not an object id: {text!r} (expected node/ID, way/ID or relation/ID)")
        return cls(kinds[word], int(number))
