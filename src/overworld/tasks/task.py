"""A task: a request in plain language, the readings that answer it, what must pass and fail, and its witness worlds.

Its meaning is told in docs/tasks.md. The classes are frozen dataclasses that check what they are made of.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated
from uuid import UUID

from pydantic import Field, PlainSerializer, PlainValidator, StrictBool, TypeAdapter
from pydantic.dataclasses import dataclass

from overworld.core.boxes import Box
from overworld.core.records import AnswerType, VerdictKind
from overworld.tasks.vocabulary import Construct, Decision, Difficulty, Family, Frequency, Split
from overworld.witness.spec import STRICT, Name, Text, WitnessSpec, canonical_hash

CANARY = UUID("cf281b0e-8daf-41eb-bfb3-96b75be0a7e9")
"""Stands in every task file and in all that is published from them: a training corpus can be searched for it."""


def _box_of(value: object) -> Box:
    if isinstance(value, Box):
        return value
    numbers = [float(x) for x in value if isinstance(x, int | float)] if isinstance(value, list | tuple) else []
    if len(numbers) != 4:
        raise ValueError(f"{value!r} is not a bounding box: expected [south, west, north, east] in degrees")
    box = Box(*numbers)
    if not (-90 <= box.south < box.north <= 90 and -180 <= box.west < box.east <= 180):
        raise ValueError(f"{value!r} is not a bounding box: expected south < north, west < east, in degrees")
    return box


def _canary_of(value: object) -> UUID:
    if str(value) != str(CANARY):
        raise ValueError(f"the canary is {CANARY}")
    return CANARY


def _date_of(value: object) -> date:
    return value if isinstance(value, date) else date.fromisoformat(str(value))


@dataclass(frozen=True, config=STRICT)
class Source:
    """A page of the tagging documentation, and what it says that a reading rests on."""

    page: Text
    says: Text


@dataclass(frozen=True, config=STRICT)
class Reading:
    """What a careful reader could take the request to mean, as a program. Only an ``accepted`` one passes."""

    name: Name
    query: Text
    documentation: Annotated[tuple[Source, ...], Field(min_length=1)]
    accepted: StrictBool = True


@dataclass(frozen=True, config=STRICT)
class Rewrite:
    """Another program that means the same as a reading, and must pass. ``how``: what is different about it."""

    query: Text
    how: Text


@dataclass(frozen=True, config=STRICT)
class Mutant:
    """A near miss, which must fail with ``verdict``. ``why``: what is wrong about it."""

    query: Text
    verdict: VerdictKind
    why: Text

    def __post_init__(self) -> None:
        if self.verdict is VerdictKind.PASS:
            raise ValueError("a mutant does not pass: what means the same belongs under rewrites")


@dataclass(frozen=True, config=STRICT)
class Review:
    """A decision about the task, for a reason that was fixed in advance, never because a model failed."""

    date: Annotated[date, PlainValidator(_date_of), PlainSerializer(str)]
    decision: Decision
    reason: Text


@dataclass(frozen=True, config=STRICT)
class Task:
    """One task.

    ``world``: the real world it asks about. ``view``: the map view that ``{{bbox}}`` stands for. ``intent``: tasks
    written from one intent share it. ``pair``: the name that the two tasks of a minimal pair share. ``concept``: the iD
    tagging-schema preset that the request is about.
    """

    id: Name
    canary: Annotated[UUID, PlainValidator(_canary_of), PlainSerializer(str)]
    request: Text
    world: Name
    answer: AnswerType
    intent: Name
    split: Split
    family: Family
    constructs: Annotated[tuple[Construct, ...], Field(min_length=1)]
    difficulty: Difficulty
    frequency: Frequency
    concept: Text
    readings: Annotated[tuple[Reading, ...], Field(min_length=1)]
    rewrites: tuple[Rewrite, ...]
    mutants: tuple[Mutant, ...]
    witness: WitnessSpec
    review: Annotated[tuple[Review, ...], Field(min_length=1)]
    pair: Name | None = None
    view: Annotated[Box, PlainValidator(_box_of), PlainSerializer(list)] | None = None

    def __post_init__(self) -> None:
        if not self.accepted:
            raise ValueError("no reading is accepted")
        names = [reading.name for reading in self.readings]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"reading {name} is there twice")

    @property
    def accepted(self) -> tuple[Reading, ...]:
        """The readings that pass."""
        return tuple(reading for reading in self.readings if reading.accepted)

    @property
    def hash(self) -> str:
        """SHA-256 over all that the task's file says, whatever its layout, comments and order of fields."""
        return canonical_hash(TypeAdapter(Task), self)

    @property
    def witness_names(self) -> tuple[str, ...]:
        """The names of its witness worlds, in order: ``monaco-cafes-w1``."""
        return tuple(f"{self.id}-{world.id}" for world in self.witness.worlds)
