"""Real worlds: built from their pinned extracts into the folder of worlds, once."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from overworld.core.errors import CorruptFileError, InputError, UnknownNameError
from overworld.core.files import directory_written_atomically
from overworld.core.locks import exclusive
from overworld.extracts.registry import Extract
from overworld.extracts.verify import extract_path
from overworld.world.build import Origin, build_world
from overworld.world.library import world_directory
from overworld.world.open import open_world, write_world
from overworld.world.reader import read_objects
from overworld.world.store import WorldInfo

Stage = Callable[[str], None]
"""Told what is being done: ``reading``, ``building``, ``writing``."""


@dataclass(frozen=True)
class StoredWorld:
    """A built world on disk. ``built``: it was built just now; it was there and up to date otherwise."""

    directory: Path
    info: WorldInfo
    built: bool


def ensure_world(
    extract: Extract, extracts_dir: Path, worlds_dir: Path, *, verify: bool = False, stage: Stage = lambda _: None
) -> StoredWorld:
    """Build the real world of ``extract`` unless it is stored, whole, and made from the same extract in this format.

    ``verify`` also hashes a stored world's arrays. Two processes never build the same world at once, and what is
    written takes its place as a whole. Raises ``InputError`` for an extract that is not there or not the pinned one,
    and for a folder that cannot be written.
    """
    directory = world_directory(worlds_dir, extract.name)
    origin = origin_of(extract)
    stored = stored_info(directory, origin, verify=verify)
    path = extracts_dir / extract.file
    if stored is None or path.exists():
        path = extract_path(extract, extracts_dir)
    if stored is not None:
        return StoredWorld(directory, stored, built=False)
    try:
        with exclusive(worlds_dir / f".{extract.name}.lock"):
            stored = stored_info(directory, origin, verify=verify)
            info = stored or _build(path, origin, directory, stage)
    except OSError as error:
        raise InputError(
            f"cannot be written: {error.strerror or error}", path=directory, remedy="choose another --worlds-dir"
        ) from error
    return StoredWorld(directory, info, built=stored is None)


def _build(extract: Path, origin: Origin, directory: Path, stage: Stage) -> WorldInfo:
    _remove_leftovers(directory)
    stage("reading")
    objects = read_objects(extract)
    stage("building")
    world = build_world(objects, origin)
    stage("writing")
    with directory_written_atomically(directory) as temporary:
        write_world(world, temporary)
    return world.info


def origin_of(extract: Extract) -> Origin:
    """What the world of an extract says about where it comes from."""
    return Origin(
        name=extract.name,
        sources={f"extract {extract.name}": extract.sha256},
        snapshot=extract.snapshot,
        attribution=f"{extract.attribution}, {extract.licence}",
    )


def stored_info(directory: Path, origin: Origin, *, verify: bool = False) -> WorldInfo | None:
    """The information of the stored world if it is whole and was made from ``origin``, else None."""
    try:
        info = open_world(directory, verify=verify).info
    except (UnknownNameError, CorruptFileError):
        return None
    made_from = (info.name, info.kind, info.sources, info.snapshot, info.attribution)
    wanted = (origin.name, origin.kind, dict(origin.sources or {}), origin.snapshot, origin.attribution)
    return info if made_from == wanted else None


def _remove_leftovers(directory: Path) -> None:
    """Temporary directories of builds that were killed; the lock is held, so nobody is writing them."""
    for leftover in _leftovers(directory):
        shutil.rmtree(leftover, ignore_errors=True)


def _leftovers(directory: Path) -> Iterator[Path]:
    for suffix in ("tmp", "old"):
        yield from directory.parent.glob(f".{directory.name}.????????.{suffix}")
