"""Engines for commands: built worlds by their names, opened with the embedded engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overworld.core.settings import Settings

if TYPE_CHECKING:
    from overworld.engine.protocol import Engine


def open_engine(settings: Settings, name: str) -> Engine:
    """The embedded engine over the built world ``name``. Raises ``UnknownNameError`` where there is no such world."""
    from overworld.engine.embedded.engine import EmbeddedEngine
    from overworld.world.library import open_world

    return EmbeddedEngine(open_world(settings.worlds_dir, name))
