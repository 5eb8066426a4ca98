"""Reading of OpenStreetMap files (.osm.pbf, .osm.bz2, .osm.gz, .osm, .opl) into map objects, without metadata.

Only ids, places, refs, members, roles and tags are taken over. Files of other formats than PBF are first written as PBF
without metadata by libosmium, into a temporary file.
"""

from __future__ import annotations

import tempfile
import zlib
from pathlib import Path

from overworld.core.errors import CorruptFileError, InputError
from overworld.world.objects import MapObjects
from overworld.world.pbf import RarePbfError, read_pbf

SUFFIXES = (".osm.pbf", ".pbf", ".osm.bz2", ".osm.gz", ".osm", ".opl")
PLAIN_PBF = "osh.pbf,pbf_compression=none,add_metadata=none"
"""A PBF with history says which objects are deleted."""


def read_objects(path: Path) -> MapObjects:
    """The objects of the file at ``path``; deleted ones are left out.

    Raises ``InputError`` where there is no such file or its format is not known, ``CorruptFileError`` where it is
    damaged or cut off.
    """
    if not path.name.endswith(SUFFIXES):
        raise InputError(f"format not known by its name (one of {', '.join(SUFFIXES)})", path=path)
    if not path.is_file():
        raise InputError("no such file", path=path)
    try:
        if not path.name.endswith(".pbf"):
            return _read_converted(path)
        try:
            with path.open("rb") as stream:
                return read_pbf(stream)
        except RarePbfError:
            return _read_converted(path)
    except (RarePbfError, RuntimeError, ValueError, LookupError, zlib.error) as error:
        raise CorruptFileError(
            f"not a whole OpenStreetMap file: {error}", path=path, remedy="fetch the file again"
        ) from error


def _read_converted(path: Path) -> MapObjects:
    import osmium

    with tempfile.TemporaryDirectory(prefix="overworld-") as directory:
        plain = Path(directory) / "plain.osm.pbf"
        with osmium.SimpleWriter(osmium.io.File(str(plain), PLAIN_PBF)) as writer:
            osmium.apply(osmium.io.Reader(str(path)), writer)
        with plain.open("rb") as stream:
            return read_pbf(stream, with_history=True)
