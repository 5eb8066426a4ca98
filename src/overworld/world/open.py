"""Worlds on disk: ``world.json`` and one file of flat little-endian arrays, which is mapped and never parsed."""

from __future__ import annotations

import json
import mmap
import os
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from overworld.core.boxes import Box
from overworld.core.errors import CorruptFileError, UnknownNameError
from overworld.core.files import sha256_of_bytes, sha256_of_file
from overworld.world.build import FORMAT_VERSION
from overworld.world.store import (
    AreaTable,
    BoxIndex,
    Csr,
    NodeTable,
    RelationTable,
    Strings,
    TagDictionary,
    Tagged,
    WayTable,
    World,
    WorldInfo,
)

INFO_FILE = "world.json"
ARRAYS_FILE = "arrays.bin"
ALIGNMENT = 16
OWN_HASH = "world_json_sha256"
"""Over everything else in ``world.json``: what was changed by hand or by accident is not believed."""

Arrays = dict[str, npt.NDArray[Any]]


def write_world(world: World, directory: Path) -> None:
    """Write the two files of ``world`` into ``directory``, which must exist. Equal worlds give equal bytes.

    To replace a store that others may be reading, write it into a new directory and move that
    (``core.files.directory_written_atomically``).
    """
    table: dict[str, Any] = {}
    numbers: dict[str, int] = {}
    position = 0
    path = directory / ARRAYS_FILE
    with path.open("wb") as stream:
        for part in ("tags", "nodes", "ways", "relations", "areas"):
            for name, value in _flat(part, getattr(world, part)):
                if isinstance(value, int):
                    numbers[name] = value
                    continue
                by_columns = value.ndim == 2 and value.flags.f_contiguous and not value.flags.c_contiguous
                blob = (value.T if by_columns else np.ascontiguousarray(value)).tobytes()
                padding = -position % ALIGNMENT
                stream.write(b"\0" * padding + blob)
                position += padding
                table[name] = [value.dtype.newbyteorder("<").str, list(value.shape), position, by_columns]
                position += len(blob)
        stream.flush()
        os.fsync(stream.fileno())
    document = {
        **_info_document(world.info),
        "arrays": table,
        "numbers": numbers,
        "arrays_bytes": position,
        "arrays_sha256": sha256_of_file(path),
    }
    document[OWN_HASH] = _hash_of(document)
    text = json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False)
    (directory / INFO_FILE).write_text(text + "\n", encoding="utf-8")


def open_world(directory: Path, *, verify: bool = False) -> World:
    """Map the world in ``directory``: reads ``world.json`` and nothing else; ``verify`` also hashes the arrays.

    Raises ``UnknownNameError`` where there is none, ``CorruptFileError`` where it is damaged or of another format
    version.
    """
    document = read_document(directory)
    arrays = _map_arrays(directory, document)
    if verify and sha256_of_file(directory / ARRAYS_FILE) != document["arrays_sha256"]:
        raise CorruptFileError(
            "its hash is not the one that world.json names",
            path=directory / ARRAYS_FILE,
            remedy="build the world again",
        )
    numbers = document["numbers"]
    try:
        return World(
            info=_info(document),
            tags=TagDictionary(
                _strings(arrays, "tags.keys"),
                _strings(arrays, "tags.values"),
                arrays["tags.pair_keys"],
                arrays["tags.pair_values"],
                arrays["tags.key_pairs"],
            ),
            nodes=_node_table(arrays, numbers),
            ways=_way_table(arrays, numbers),
            relations=_relation_table(arrays, numbers),
            areas=AreaTable(
                arrays["areas.ids"],
                arrays["areas.relations"],
                arrays["areas.segment_offsets"],
                arrays["areas.ends"],
                arrays["areas.boxes"],
                _index(arrays, numbers, "areas.index"),
            ),
        )
    except KeyError as error:
        raise CorruptFileError(
            f"array {error} is not there", path=directory / INFO_FILE, remedy="build the world again"
        ) from error


def read_document(directory: Path) -> dict[str, Any]:
    """``world.json`` as it is, of this format version. Raises as ``open_world``."""
    path = directory / INFO_FILE
    try:
        document = json.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise UnknownNameError("no world here", path=directory, remedy="build it: worlds build NAME") from error
    except (ValueError, OSError) as error:
        raise CorruptFileError(f"cannot be read: {error}", path=path, remedy="build the world again") from error
    version = document.get("format_version") if isinstance(document, dict) else None
    if version != FORMAT_VERSION:
        raise CorruptFileError(
            f"format version {version}, this program reads {FORMAT_VERSION}", path=path, remedy="build the world again"
        )
    checked: dict[str, Any] = document
    if checked.get(OWN_HASH) != _hash_of(checked):
        raise CorruptFileError("it is not what was written", path=path, remedy="build the world again")
    return checked


def _hash_of(document: dict[str, Any]) -> str:
    rest = {key: value for key, value in document.items() if key != OWN_HASH}
    return sha256_of_bytes(json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode())


def read_info(directory: Path) -> WorldInfo:
    """The information in ``world.json``. Raises as ``open_world``."""
    return _info(read_document(directory))


def _map_arrays(directory: Path, document: dict[str, Any]) -> Arrays:
    path = directory / ARRAYS_FILE
    try:
        with path.open("rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            if size != document["arrays_bytes"]:
                raise CorruptFileError(
                    f"{size} bytes, world.json names {document['arrays_bytes']}",
                    path=path,
                    remedy="build the world again",
                )
            mapped = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise CorruptFileError(f"cannot be read: {error}", path=path, remedy="build the world again") from error
    arrays = {}
    for name, (dtype, shape, position, by_columns) in document["arrays"].items():
        count = shape[0] if len(shape) == 1 else shape[0] * shape[1]
        flat = np.frombuffer(mapped, dtype, count, position) if count else np.empty(0, dtype)
        if len(shape) == 2:
            flat = flat.reshape(shape[::-1]).T if by_columns else flat.reshape(shape)
        arrays[name] = flat
    return arrays


def _flat(prefix: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The arrays and numbers of a nested dataclass, by dotted name."""
    if is_dataclass(value):
        for one in fields(value):
            yield from _flat(f"{prefix}.{one.name}", getattr(value, one.name))
    else:
        yield prefix, value


def _info_document(info: WorldInfo) -> dict[str, Any]:
    document = {one.name: getattr(info, one.name) for one in fields(info)}
    document["box"] = None if info.box is None else list(info.box)
    return document


def _info(document: dict[str, Any]) -> WorldInfo:
    values = {one.name: document[one.name] for one in fields(WorldInfo)}
    values["box"] = None if values["box"] is None else Box(*values["box"])
    return WorldInfo(**values)


def _strings(arrays: Arrays, name: str) -> Strings:
    return Strings(arrays[f"{name}.offsets"], arrays[f"{name}.data"])


def _csr(arrays: Arrays, name: str) -> Csr:
    return Csr(arrays[f"{name}.offsets"], arrays[f"{name}.values"])


def _tagged(arrays: Arrays, name: str) -> Tagged:
    return Tagged(_csr(arrays, f"{name}.tags"), _csr(arrays, f"{name}.by_key"), _csr(arrays, f"{name}.by_pair"))


def _index(arrays: Arrays, numbers: dict[str, int], name: str) -> BoxIndex:
    return BoxIndex(
        arrays[f"{name}.order"], arrays[f"{name}.boxes"], arrays[f"{name}.level_starts"], numbers[f"{name}.fanout"]
    )


def _node_table(arrays: Arrays, numbers: dict[str, int]) -> NodeTable:
    return NodeTable(
        arrays["nodes.ids"],
        arrays["nodes.lat"],
        arrays["nodes.lon"],
        arrays["nodes.quad"],
        _tagged(arrays, "nodes.tagged"),
        _index(arrays, numbers, "nodes.index"),
        _csr(arrays, "nodes.ways"),
        _csr(arrays, "nodes.relations"),
    )


def _way_table(arrays: Arrays, numbers: dict[str, int]) -> WayTable:
    return WayTable(
        arrays["ways.ids"],
        _csr(arrays, "ways.nodes"),
        arrays["ways.missing"],
        arrays["ways.boxes"],
        arrays["ways.quad"],
        arrays["ways.closed"],
        arrays["ways.complete"],
        _tagged(arrays, "ways.tagged"),
        _index(arrays, numbers, "ways.index"),
        _csr(arrays, "ways.relations"),
    )


def _relation_table(arrays: Arrays, numbers: dict[str, int]) -> RelationTable:
    return RelationTable(
        arrays["relations.ids"],
        _csr(arrays, "relations.member_rows"),
        arrays["relations.member_types"],
        arrays["relations.member_roles"],
        arrays["relations.missing"],
        _strings(arrays, "relations.roles"),
        arrays["relations.boxes"],
        arrays["relations.quad"],
        _tagged(arrays, "relations.tagged"),
        _index(arrays, numbers, "relations.index"),
        _csr(arrays, "relations.relations"),
    )
