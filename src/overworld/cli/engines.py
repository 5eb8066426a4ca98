"""Engines for commands: built worlds by their names, opened with the embedded engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overworld.core.settings import Settings

HASHED_BYTES = 64 * 2**20
"""Up to this size, hashing a world takes less time than starting the command."""

if TYPE_CHECKING:
    from overworld.engine.protocol import Engine


def open_engine(settings: Settings, name: str) -> Engine:
    """The embedded engine over the built world ``name``; a world of usual size is checked by its hash first.

    Raises ``UnknownNameError`` where there is no such world, ``CorruptFileError`` where it is damaged.
    """
    from overworld.engine.embedded.engine import EmbeddedEngine
    from overworld.world.library import open_world, world_directory
    from overworld.world.open import ARRAYS_FILE

    arrays = world_directory(settings.worlds_dir, name) / ARRAYS_FILE
    quickly_hashed = arrays.is_file() and arrays.stat().st_size <= HASHED_BYTES
    return EmbeddedEngine(open_world(settings.worlds_dir, name, verify=quickly_hashed))
