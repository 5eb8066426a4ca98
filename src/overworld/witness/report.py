"""What the building of a witness world has to tell: how much there is, which probe is which object, what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from overworld.core.elements import ObjectId


@dataclass(frozen=True, slots=True)
class BuiltProbe:
    """A probe and the object that it became. ``why``: what it catches, if the spec says so."""

    id: str
    object: ObjectId
    why: str | None


@dataclass(frozen=True, slots=True)
class LackingMember:
    """A node of a way or a member of a relation that the extract itself does not have."""

    parent: ObjectId
    member: ObjectId


@dataclass(frozen=True, slots=True)
class BuildReport:
    """The build of one witness world. ``why``: the wrong query that the world catches."""

    world: str
    why: str
    rebuilt: Mapping[str, int]
    """Objects taken over from the real world, by type (``node``, ``way``, ``relation``)."""
    added: int
    """Objects made for probes, the nodes of their ways included."""
    probes: tuple[BuiltProbe, ...]
    changed: tuple[ObjectId, ...]
    removed: tuple[ObjectId, ...]
    lacking: tuple[LackingMember, ...]

    @property
    def objects(self) -> int:
        """How many objects the world has."""
        return sum(self.rebuilt.values()) + self.added

    def to_json(self) -> dict[str, Any]:
        """The report as JSON values."""
        return {
            "world": self.world,
            "why": self.why,
            "rebuilt": dict(self.rebuilt),
            "added": self.added,
            "probes": [{"id": one.id, "object": str(one.object), "why": one.why} for one in self.probes],
            "changed": [str(one) for one in self.changed],
            "removed": [str(one) for one in self.removed],
            "lacking": [{"parent": str(one.parent), "member": str(one.member)} for one in self.lacking],
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> BuildReport:
        """The report that ``to_json`` wrote."""
        return cls(
            world=value["world"],
            why=value["why"],
            rebuilt=value["rebuilt"],
            added=value["added"],
            probes=tuple(BuiltProbe(one["id"], ObjectId.parse(one["object"]), one["why"]) for one in value["probes"]),
            changed=tuple(map(ObjectId.parse, value["changed"])),
            removed=tuple(map(ObjectId.parse, value["removed"])),
            lacking=tuple(
                LackingMember(ObjectId.parse(one["parent"]), ObjectId.parse(one["member"])) for one in value["lacking"]
            ),
        )
