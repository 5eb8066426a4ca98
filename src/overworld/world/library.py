"""The folder of built worlds: one directory each, found by name."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

from overworld.core.errors import CorruptFileError, InputError, UnknownNameError
from overworld.world.open import INFO_FILE, read_info
from overworld.world.open import open_world as open_directory
from overworld.world.store import World, WorldInfo

NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,99}", re.ASCII)
"""Names of worlds: they become names of directories, so nothing that could lead out of the folder."""

LISTED = 8
"""So many built worlds are named in a message."""


def world_directory(worlds_dir: Path, name: str) -> Path:
    """Where the world ``name`` is or would be. Raises ``InputError`` for what is no name of a world."""
    if not NAME.fullmatch(name):
        raise InputError(f"no name of a world: {name!r}", remedy="small letters, digits, '-', '_' and '.'")
    return worlds_dir / name


def built_worlds(worlds_dir: Path) -> list[str]:
    """The names of the worlds in the folder, sorted; whether they are whole is not checked."""
    names = sorted(path.parent.name for path in worlds_dir.glob(f"*/{INFO_FILE}"))
    return [name for name in names if NAME.fullmatch(name)]


def open_world(worlds_dir: Path, name: str, *, verify: bool = False) -> World:
    """Open the built world ``name``; ``verify`` also hashes its arrays.

    Raises ``UnknownNameError`` where there is none, ``CorruptFileError`` where it is damaged or of another format
    version.
    """
    directory = world_directory(worlds_dir, name)
    if not (directory / INFO_FILE).is_file():
        built = built_worlds(worlds_dir)
        near = difflib.get_close_matches(name, built, n=1)
        remedy = f"did you mean {near[0]}?" if near else f"build it: worlds build {name}"
        raise UnknownNameError(f"unknown world: {name} ({_listed(built)})", remedy=remedy)
    return open_directory(directory, verify=verify)


def _listed(built: list[str]) -> str:
    """The built worlds in few words: the witness worlds of all tasks would fill a screen."""
    if len(built) > LISTED:
        return f"{len(built)} others are built, worlds list shows them"
    return f"built: {', '.join(built) or 'none yet'}"


def state_of(worlds_dir: Path, name: str) -> tuple[str, WorldInfo | None]:
    """``built``, ``not built`` or ``damaged`` (or of another format version), and the information where it is built."""
    directory = world_directory(worlds_dir, name)
    try:
        open_directory(directory)
        return "built", read_info(directory)
    except UnknownNameError:
        return "not built", None
    except CorruptFileError:
        return "damaged", None
