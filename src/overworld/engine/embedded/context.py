"""The state of one run: the world, the named sets, the clock and the memory estimate, and what was printed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from overworld.core.boxes import Box
from overworld.engine.embedded.scopes import Scopes
from overworld.engine.embedded.sets import ElementSet
from overworld.world.store import World


class RunTroubleError(Exception):
    """Ends a run midway: its message becomes the remark. ``kind`` is ``runtime``, ``timeout`` or ``memory``."""

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        super().__init__(message)


@dataclass
class Context:
    """What statement evaluators read and write. One per run, never shared.

    ``box``: the global bounding box. ``clock`` gives seconds (monotonic); ``deadline`` is on that clock.
    ``scopes``: the named sets and their properties; block statements open and close scopes there (see ``Scopes``).
    ``derived_ids``: the last id given to a made or converted element.
    ``outputs``: what ``out`` statements appended (values of ``output``'s types), in order. ``remarks``: runtime remarks
    that do not end the run (``Filters too weak…``). ``areas_used``: whether the area tables were opened, which shows in
    ``out count`` and in the head of the answer.
    """

    world: World
    clock: Callable[[], float]
    deadline: float
    timeout_s: float
    memory_bytes: int
    box: Box | None = None
    scopes: Scopes = field(default_factory=Scopes)
    derived_ids: int = 0
    outputs: list[Any] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    areas_used: bool = False
    statement: str = "osm-script"
    line: int = 0

    def get(self, name: str) -> ElementSet:
        """The set of that name; empty if nothing was ever put there."""
        return self.scopes.get(name)

    def put(self, name: str, value: ElementSet) -> None:
        """Replace the set of that name in the innermost scope, and check time and memory."""
        self.scopes.put(name, value.in_order())
        self.check()

    def next_derived_id(self) -> int:
        """The id of the next made or converted element that sets none."""
        self.derived_ids += 1
        return self.derived_ids

    def check(self) -> None:
        """Raise ``RunTroubleError`` when time is up. Called in every loop that can be long."""
        if self.clock() > self.deadline:
            raise RunTroubleError(
                "timeout",
                f'runtime error: Query timed out in "{self.statement}" at line {self.line}'
                f" after {int(self.timeout_s) + 1} seconds.",
            )
