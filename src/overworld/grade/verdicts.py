"""A verdict and its details: the world that decided, what is missing and too much there, the probe that caught it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from overworld.core.elements import ObjectId
from overworld.core.records import VerdictKind


@dataclass(frozen=True, slots=True)
class TaggedObject:
    """An object with its tags in the deciding world."""

    object: ObjectId
    tags: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Listing:
    """``total`` objects, of which the first few are shown."""

    total: int
    shown: tuple[TaggedObject, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """How an answer differs from that of the nearest accepted reading.

    ``expected`` and ``got``: the numbers of a count task, None for objects. ``missing`` and ``extra`` are None where a
    count was printed, which names no objects.
    """

    reading: str
    missing: Listing | None = None
    extra: Listing | None = None
    expected: int | None = None
    got: int | None = None


@dataclass(frozen=True, slots=True)
class CaughtBy:
    """What of a witness world caught a wrong query: a probe, or an object that was changed or removed."""

    what: str
    object: ObjectId
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one reply. ``kind`` None: unscored, for the reason in ``message``.

    ``query`` is what was taken from the reply; ``world`` the name of the world that decided; ``reading`` the accepted
    reading that the answer equals, for a pass; ``real_pass`` whether the answer on the real world is that of an
    accepted reading; ``world_why`` what the deciding witness world is there to catch.
    """

    kind: VerdictKind | None
    message: str
    query: str | None = None
    world: str | None = None
    reading: str | None = None
    real_pass: bool = False
    difference: Difference | None = None
    caught_by: tuple[CaughtBy, ...] = ()
    world_why: str | None = None
