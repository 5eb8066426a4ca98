"""Where the worlds of a corpus come from: extracts that lie in a few directories, built in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from overworld.core.errors import UnknownNameError
from overworld.world.build import Origin, build_world
from overworld.world.reader import read_objects
from overworld.world.store import World

SUFFIXES = (".osm.pbf", ".osm.bz2", ".osm.gz", ".osm", ".opl")


def find_extract(name: str, directories: Iterable[Path]) -> Path:
    """The extract of the world ``name`` in the first of ``directories`` that has it."""
    looked_in = list(directories)
    for directory in looked_in:
        for suffix in SUFFIXES:
            path = directory / f"{name}{suffix}"
            if path.is_file():
                return path
    places = ", ".join(str(directory) for directory in looked_in)
    raise UnknownNameError(
        f"no extract of the world {name!r} in {places}", remedy="name the directory that has it with --extracts DIR"
    )


def build_worlds(names: Iterable[str], directories: Sequence[Path]) -> dict[str, World]:
    """Build the worlds ``names`` in memory."""
    worlds = {}
    for name in sorted(set(names)):
        path = find_extract(name, directories)
        worlds[name] = build_world(read_objects(path), Origin(name=name))
    return worlds
