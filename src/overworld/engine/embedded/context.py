"""The state of one run: the world, the named sets, the clock and the memory estimate, and what was printed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from overworld.core.boxes import Box
from overworld.core.elements import ElementType
from overworld.engine.embedded.prepared import Prepared
from overworld.engine.embedded.scopes import Scopes
from overworld.engine.embedded.sets import ElementSet
from overworld.world.store import World

BYTES_PER_ELEMENT = (8, 128, 192, 128)
"""The engine's estimate of what a node, way, relation and area in a set takes."""
BYTES_PER_DERIVED = 128
"""What a derived element in a set counts for here. The engine does not count them, and may take all there is."""
BYTES_PER_PRINTED = 9
"""Type and id of a printed element, which the response holds."""
BYTES_PER_INDEX = 64
"""The engine's estimate for each quadtile index that a set has elements of."""
SPACE_FACTOR, SPACE_OFFSET = 2, 1 << 30
"""The engine's process may take twice the query's maxsize and 1 GiB of address space."""
SPACE_USED = 25_000_000
"""What it takes of that for itself."""
WEAK_FILTERS = (
    "runtime error: Filters too weak in query statement: specify in addition a bbox, a tag filter, or similar."
)


class RunTroubleError(Exception):
    """Ends a run midway: its message becomes the remark. ``kind`` is ``runtime``, ``timeout`` or ``memory``."""

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        super().__init__(message)


def timed_out(statement: str, line: int, timeout_s: float) -> str:
    """The remark of a query that took its time."""
    return f'runtime error: Query timed out in "{statement}" at line {line} after {int(timeout_s) + 1} seconds.'


def used_up(statement: str, line: int, size: int) -> str:
    """The remark of a query that took more memory than it may; ``size`` in bytes."""
    megabytes = size // (1024 * 1024)
    return f'runtime error: Query run out of memory in "{statement}" at line {line} using about {megabytes} MB of RAM.'


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark made while running: it stands among what is printed."""

    text: str


@dataclass
class Context:
    """What statement evaluators read and write. One per run, never shared.

    ``box``: the global bounding box. ``clock`` gives seconds (monotonic); ``deadline`` is on that clock.
    ``scopes``: the named sets and their properties (``for`` sets ``val``), as nested blocks see them.
    ``outputs``: what ``out`` statements appended (batches of ``printing.py``), and remarks between them, in order.
    ``areas_used``: whether the area tables were opened, which shows in
    ``out count`` and in the head of the answer. ``prepared``: what queries derive from the world and use again; an
    engine gives the same one to every run.
    """

    world: World
    clock: Callable[[], float]
    deadline: float
    timeout_s: float
    memory_bytes: int
    box: Box | None = None
    scopes: Scopes = field(default_factory=Scopes)
    outputs: list[Any] = field(default_factory=list)
    areas_used: bool = False
    statement: str = "osm-script"
    line: int = 1
    derived_ids: int = 0
    """The last id given to a made or converted element."""
    printed_bytes: int = 0
    """What the response takes to hold the ids of all that was printed."""
    prepared: Prepared = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        if self.prepared is None:
            self.prepared = Prepared(self.world)

    def get(self, name: str) -> ElementSet:
        """The set of that name; empty if nothing was ever put there."""
        return self.scopes.get(name)

    def next_derived_id(self) -> int:
        """The id of the next made or converted element that sets none."""
        self.derived_ids += 1
        return self.derived_ids

    def enter(self, statement: str, line: int) -> None:
        """Name the statement that runs now: errors and remarks tell it."""
        self.statement = statement
        self.line = line

    def remark(self, text: str) -> None:
        """Make a remark that does not end the run (``Filters too weak…``)."""
        self.outputs.append(Remark(text))

    def put(self, name: str, value: ElementSet) -> None:
        """Replace the set of that name, and check time and memory."""
        self.scopes.put(name, value.in_order())
        self.check()
        self.check_memory()

    def check(self) -> None:
        """Raise ``RunTroubleError`` when time is up. Called in every loop that can be long."""
        if self.clock() > self.deadline:
            raise RunTroubleError("timeout", timed_out(self.statement, self.line, self.timeout_s))

    def check_memory(self) -> None:
        """Raise ``RunTroubleError`` when the sets take more than the query may, by the engine's own estimate."""
        sets = [one for scope in self.scopes.stack for one in scope.sets.values()]
        if sum(_most_bytes(one) for one in sets) <= self.memory_bytes:
            return
        size, known = 0, dict[tuple[int, ...], int]()
        for one in sets:
            same = (id(one.nodes), id(one.ways), id(one.relations), id(one.areas), id(one.derived))
            if same not in known:
                self.check()
                known[same] = set_bytes(self.world, one)
            size += known[same]
        self._check_size(size)

    def check_made(self, count: int) -> None:
        """Raise ``RunTroubleError`` when a statement makes more elements than the query may hold."""
        self._check_size(count * BYTES_PER_DERIVED)

    def check_printed(self, count: int, derived: int) -> None:
        """Count what an ``out`` prints. Raise ``RunTroubleError`` when all that was printed takes too much to hold."""
        self.printed_bytes += count * BYTES_PER_PRINTED + derived * BYTES_PER_DERIVED
        self._check_size(self.printed_bytes)

    def _check_size(self, size: int) -> None:
        if size > self.memory_bytes:
            raise RunTroubleError("memory", used_up(self.statement, self.line, size))

    def check_space(self, size: int) -> None:
        """Raise ``RunTroubleError`` when a statement needs more bytes than the engine's process would get."""
        if size + SPACE_USED > self._space:
            raise self.out_of_space()

    def out_of_space(self) -> RunTroubleError:
        """What ends a run whose process gets no more memory."""
        message = f"runtime error: Query run out of memory using about {self._space // (1024 * 1024)} MB of RAM."
        return RunTroubleError("memory", message)

    @property
    def _space(self) -> int:
        return SPACE_FACTOR * self.memory_bytes + SPACE_OFFSET


def _most_bytes(elements: ElementSet) -> int:
    """An upper bound of ``set_bytes`` that takes no look at the elements."""
    return (
        len(elements.nodes) * (BYTES_PER_ELEMENT[0] + BYTES_PER_INDEX)
        + len(elements.ways) * (BYTES_PER_ELEMENT[1] + BYTES_PER_INDEX)
        + len(elements.relations) * (BYTES_PER_ELEMENT[2] + BYTES_PER_INDEX)
        + len(elements.areas) * (BYTES_PER_ELEMENT[3] + BYTES_PER_INDEX)
        + len(elements.derived) * BYTES_PER_DERIVED
    )


def set_bytes(world: World, elements: ElementSet) -> int:
    """What the engine reckons that a set takes."""
    size = len(elements.areas) * (BYTES_PER_ELEMENT[3] + BYTES_PER_INDEX) + len(elements.derived) * BYTES_PER_DERIVED
    for kind in (ElementType.NODE, ElementType.WAY, ElementType.RELATION):
        rows = elements.rows(kind)
        if len(rows):
            indices = len(np.unique(world.tables[kind].quad[rows]))
            size += len(rows) * BYTES_PER_ELEMENT[kind] + indices * BYTES_PER_INDEX
    return size
