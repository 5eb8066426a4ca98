"""A small benchmark of one task: tiny worlds, and an engine that answers as it is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from overworld.core.boxes import Box
from overworld.core.elements import ElementType, ObjectId
from overworld.core.records import AnswerType
from overworld.engine.protocol import EngineIdentity, Limits, Printed
from overworld.grade.worlds import GradedTask, GradedWorld
from overworld.tasks.task import CANARY, Reading, Review, Source, Task
from overworld.tasks.vocabulary import Construct, Decision, Difficulty, Family, Frequency, Split
from overworld.witness.report import BuildReport, BuiltProbe
from overworld.witness.spec import Change, Rebuild, WitnessSpec, WorldSpec
from overworld.world.build import Origin, build_world
from overworld.world.gazetteer import Gazetteer
from overworld.world.objects import ObjectCollector
from overworld.world.store import World

TYPES = {"n": ElementType.NODE, "w": ElementType.WAY, "r": ElementType.RELATION, "a": ElementType.AREA}
PROBE = 13_000_000_000
CHANGE = Change("node/2", {"a": "b"})  # type: ignore[arg-type]


def listed(text: str, mode: str = "body", derived: int = 0) -> Printed:
    """``listed("n1 w10")``: what an ``out`` printed."""
    words = text.split()
    types = np.array([TYPES[word[0]] for word in words], dtype=np.uint8)
    return Printed(mode, types, np.array([int(word[1:]) for word in words], dtype=np.int64), derived)


def counted(total: int) -> Printed:
    """What an ``out count`` printed."""
    nothing = np.empty(0, dtype=np.int64)
    counts = {"nodes": total, "ways": 0, "relations": 0, "areas": 0, "total": total}
    return Printed("count", nothing.astype(np.uint8), nothing, counts=counts)


@dataclass(frozen=True)
class ScriptedResponse:
    """A response that prints what it is given."""

    printed: Sequence[Printed]
    remark: str | None = None
    format: str = "json"

    def elements(self) -> list[dict[str, Any]]:
        raise AssertionError("a grade needs no elements")

    def render(self) -> bytes:
        raise AssertionError("a grade needs no text")


@dataclass
class ScriptedEngine:
    """Gives the answer of the first word of its script that the query holds; an exception is raised instead."""

    world: World
    script: Mapping[str, Sequence[Printed] | Exception | str]
    asked: list[tuple[str, Limits]] = field(default_factory=list)

    @property
    def identity(self) -> EngineIdentity:
        return EngineIdentity("scripted", "1", self.world.info.content_hash)

    def run(self, query: str, limits: Limits) -> ScriptedResponse:
        self.asked.append((query, limits))
        answer = next((answer for word, answer in self.script.items() if word in query), [])
        if isinstance(answer, Exception):
            raise answer
        return ScriptedResponse([], remark=answer) if isinstance(answer, str) else ScriptedResponse(answer)

    def close(self) -> None:
        pass


def make_world(name: str, probe: bool) -> World:
    """Cafes n1, n2 and w10, bench n3, bare nodes n4 and 101 to 104, the quarter r20; on a witness world a probe."""
    collector = ObjectCollector()
    collector.node(1, 10, 10, {"amenity": "cafe", "name": "One"})
    collector.node(2, 20, 20, {"amenity": "cafe"})
    collector.node(3, 30, 30, {"amenity": "bench"})
    collector.node(4, 40, 40)
    collector.node(5, 45, 45, {"note": name})
    for number, (lat, lon) in enumerate([(0, 0), (0, 1000), (1000, 1000), (1000, 0)], start=101):
        collector.node(number, lat, lon)
    collector.way(10, [101, 102, 103, 104, 101], {"amenity": "cafe", "building": "yes"})
    quarter = {"type": "multipolygon", "name": "Quarter", "boundary": "administrative", "admin_level": "10"}
    collector.relation(20, [(ElementType.WAY, 10, "outer")], quarter)
    if probe:
        collector.node(PROBE, 50, 50, {"amenity": "cafe", "disused": "yes"})
    kind = "witness" if probe else "real"
    return build_world(collector.objects(), Origin(name, kind, {"test": "0"}, "2025-01-31", "test"))


def make_report(name: str) -> BuildReport:
    return BuildReport(
        world=name,
        why="a query that forgets disused cafes",
        rebuilt={"node": 8, "way": 1, "relation": 1},
        added=1,
        probes=(BuiltProbe("disused-cafe", ObjectId(ElementType.NODE, PROBE), "a cafe that is no more"),),
        changed=(ObjectId(ElementType.NODE, 2),),
        removed=(),
        lacking=(),
    )


def make_task(answer: AnswerType, view: Box | None, readings: Sequence[str]) -> Task:
    return Task(
        id="cafes",
        canary=CANARY,
        request="Cafes in the quarter",
        world="real",
        answer=answer,
        intent="cafes",
        split=Split.DEV,
        family=Family.AREAS,
        constructs=(Construct.AREA,),
        difficulty=Difficulty.EASY,
        frequency=Frequency.RARE,
        concept="amenity/cafe",
        readings=tuple(Reading(name, f"node[q={name}];out;", (Source("Tag:x", "y"),)) for name in readings),
        rewrites=(),
        mutants=(),
        witness=WitnessSpec(
            (Rebuild(area="Quarter"),),
            tuple(WorldSpec(name, "why", change=(CHANGE,)) for name in ("w1", "w2")),
        ),
        review=(Review("2025-01-31", Decision.ACCEPT, "fine"),),
        view=view,
    )


Script = Mapping[str, Sequence[Printed] | Exception | str]
MakeBench = Callable[..., GradedTask]


@pytest.fixture
def listed_() -> Callable[..., Printed]:
    return listed


@pytest.fixture
def counted_() -> Callable[[int], Printed]:
    return counted


@pytest.fixture(scope="session")
def worlds() -> tuple[World, World, World]:
    return make_world("real", False), make_world("cafes-w1", True), make_world("cafes-w2", True)


@pytest.fixture
def bench(worlds: tuple[World, World, World]) -> MakeBench:
    """``bench(real={…}, w1={…}, w2={…})``: the task on worlds whose engines follow these scripts."""

    def make(
        real: Script,
        w1: Script | None = None,
        w2: Script | None = None,
        answer: AnswerType = AnswerType.OBJECTS,
        view: Box | None = None,
        readings: Sequence[str] = ("gold",),
    ) -> GradedTask:
        graded = [
            GradedWorld(
                world,
                ScriptedEngine(world, real if script is None else script),
                Gazetteer(world),
                None if world.info.kind == "real" else make_report(world.info.name),
            )
            for world, script in zip(worlds, (real, w1, w2), strict=True)
        ]
        return GradedTask(make_task(answer, view, readings), graded[0], tuple(graded[1:]))

    return make
