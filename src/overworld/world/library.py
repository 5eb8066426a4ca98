"""The folder of built worlds: one directory each, found by name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from overworld.core.errors import InputError, UnknownNameError
from overworld.world.open import INFO_FILE
from overworld.world.open import open_world as open_directory
from overworld.world.store import World

NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,99}(/[a-z0-9][a-z0-9_.-]{0,99})?", re.ASCII)
"""Names of worlds: lower-case; a witness world may be named ``task/world``."""


def world_directory(worlds_dir: Path, name: str) -> Path:
    """Where the world ``name`` is or would be. Raises ``InputError`` for what is no name of a world."""
    if not NAME.fullmatch(name):
        raise InputError(
            f"no name of a world: {name!r}", remedy="small letters, digits, '-', '_', '.'; a '/' after the task"
        )
    return worlds_dir / name


def built_worlds(worlds_dir: Path) -> Iterator[str]:
    """The names of the worlds in the folder, sorted; whether they can be opened is not checked."""
    found = [*worlds_dir.glob(f"*/{INFO_FILE}"), *worlds_dir.glob(f"*/*/{INFO_FILE}")]
    names = sorted(path.parent.relative_to(worlds_dir).as_posix() for path in found)
    return (name for name in names if NAME.fullmatch(name))


def open_world(worlds_dir: Path, name: str) -> World:
    """Open the built world ``name``.

    Raises ``UnknownNameError`` where there is none, ``CorruptFileError`` where it is damaged or of another format
    version.
    """
    directory = world_directory(worlds_dir, name)
    if not (directory / INFO_FILE).is_file():
        built = ", ".join(built_worlds(worlds_dir)) or "none yet"
        raise UnknownNameError(
            f"no world {name!r} in {worlds_dir} (built: {built})", remedy=f"build it: worlds build {name}"
        )
    return open_directory(directory)
