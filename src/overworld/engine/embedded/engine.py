"""The embedded engine: a query in, what it prints out, in process."""

from __future__ import annotations

import time
from collections.abc import Callable

from overworld import __version__
from overworld.engine.embedded.context import Context, Remark, RunTroubleError
from overworld.engine.embedded.output.head import ENGINE_VERSION
from overworld.engine.embedded.prepared import Prepared
from overworld.engine.embedded.rationing import Ration
from overworld.engine.embedded.response import EmbeddedResponse, Writers
from overworld.engine.embedded.statements import run_script
from overworld.engine.embedded.survey import refuse_what_no_world_holds, uses_areas
from overworld.engine.protocol import DEFAULT_MEMORY_BYTES, DEFAULT_TIMEOUT_S, EngineIdentity, Limits
from overworld.ql.parser import parse
from overworld.ql.tree import Script
from overworld.world.store import World

DEFAULT_LIMITS = Limits()
GRACE_S = 0.5
"""What a run that took all of its time may take to write what it printed."""


class EmbeddedEngine:
    """Evaluates OverpassQL on a columnar world as Overpass API 0.7.62 does.

    ``clock`` gives seconds (monotonic); limits are measured on it. Runs share nothing but the world and its text.
    """

    def __init__(self, world: World, clock: Callable[[], float] = time.monotonic) -> None:
        self.world = world
        self._clock = clock
        self._writers = Writers(world)
        self._prepared = Prepared(world)

    @property
    def identity(self) -> EngineIdentity:
        """Name, version and world of this engine."""
        return EngineIdentity("embedded", f"{__version__}/{ENGINE_VERSION}", self.world.info.content_hash)

    def run(self, query: str, limits: Limits = DEFAULT_LIMITS) -> EmbeddedResponse:
        """Run ``query``. See ``Engine.run``."""
        start = self._clock()
        script = parse(query)
        refuse_what_no_world_holds(script)
        context = self._context(script, limits, start)
        try:
            run_script(context, script)
        except RunTroubleError as trouble:
            context.outputs.append(Remark(_error(str(trouble))))
        except (MemoryError, RecursionError):
            context.outputs.append(Remark(_error(str(context.out_of_space()))))
        ration = Ration(
            self._clock, max(context.deadline - self._clock(), GRACE_S), context.timeout_s, limits.memory_bytes
        )
        return EmbeddedResponse(
            self._writers, script.settings, context.outputs, context.box, context.areas_used, ration
        )

    def close(self) -> None:
        """Nothing is held that the garbage collector does not release."""

    def _context(self, script: Script, limits: Limits, start: float) -> Context:
        settings = script.settings
        timeout_s = min(settings.timeout_s or DEFAULT_TIMEOUT_S, limits.timeout_s)
        return Context(
            world=self.world,
            clock=self._clock,
            deadline=start + timeout_s,
            timeout_s=timeout_s,
            memory_bytes=min(settings.maxsize or DEFAULT_MEMORY_BYTES, limits.memory_bytes),
            box=settings.box,
            areas_used=uses_areas(script),
            prepared=self._prepared,
        )


def _error(message: str) -> str:
    return message if message.startswith("runtime error: ") else f"runtime error: {message}"
