"""Worlds on disk: equal bytes, mapped back as they were, damage noticed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from overworld.core.errors import CorruptFileError, UnknownNameError
from overworld.world.open import ARRAYS_FILE, INFO_FILE, open_world, read_info, write_world
from overworld.world.store import World

Draw = Callable[..., World]

SCRIPT = """
import sys
from pathlib import Path
from overworld.core.elements import ElementType
from overworld.world.build import Origin, build_world
from overworld.world.objects import ObjectCollector
from overworld.world.open import write_world
things = ObjectCollector()
for id in {int(word) for word in {"1", "2", "33", "44"}}:
    things.node(id, id, 5, {})
tags = {one: one.upper() for one in {"name", "amenity", "x", "y", "z"}}
things.way(7, [1, 2, 33, 9], tags)
things.relation(8, [(ElementType.WAY, 7, role) for role in ("b", "a", "c")], tags)
write_world(build_world(things.objects(), Origin("seeded", sources={"b": "2", "a": "1"})), Path(sys.argv[1]))
"""


def arrays(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if is_dataclass(value):
        for one in fields(value):
            yield from arrays(getattr(value, one.name), f"{name}.{one.name}")
    else:
        yield name, value


@pytest.fixture
def world(draw: Draw) -> World:
    return draw(
        "a . b . e\nd . c . f",
        ways={1: "abc", 2: "cda", 3: "beZfb"},
        relations={1: {"members": ["way/1 outer", "way/2", "node/9"], "tags": {"type": "multipolygon", "name": "X"}}},
        tags={"a": {"name": "Zoé", "amenity": "cafe"}, "way/3": {"building": "yes"}},
    )


@pytest.fixture
def directory(world: World, tmp_path: Path) -> Path:
    write_world(world, tmp_path)
    return tmp_path


def test_everything_comes_back(world: World, directory: Path) -> None:
    opened = open_world(directory, verify=True)
    assert opened.info == world.info == read_info(directory)
    for part in ("tags", "nodes", "ways", "relations", "areas"):
        for (name, there), (_, back) in zip(arrays(getattr(world, part)), arrays(getattr(opened, part)), strict=True):
            assert np.array_equal(there, back), f"{part}{name}"
            assert np.asarray(there).dtype == np.asarray(back).dtype, f"{part}{name}"


def test_an_empty_world_comes_back(draw: Draw, tmp_path: Path) -> None:
    write_world(draw(""), tmp_path)
    assert open_world(tmp_path, verify=True).info.counts["nodes"] == 0


def test_opened_arrays_cannot_be_changed(directory: Path) -> None:
    with pytest.raises(ValueError, match="read-only"):
        open_world(directory).nodes.lat[0] = 1


def test_equal_bytes_whatever_the_seed_of_hashes(tmp_path: Path) -> None:
    written = []
    for seed in ("0", "1"):
        directory = tmp_path / seed
        directory.mkdir()
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", SCRIPT, str(directory)], check=True, env=environment)
        written.append({path.name: path.read_bytes() for path in sorted(directory.iterdir())})
    assert written[0] == written[1]
    assert sorted(written[0]) == [ARRAYS_FILE, INFO_FILE]


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def longer(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\0")


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


def older(path: Path) -> None:
    document = json.loads(path.read_bytes())
    path.write_text(json.dumps({**document, "format_version": 0}))


def without_an_array(path: Path) -> None:
    document = json.loads(path.read_bytes())
    del document["arrays"]["ways.nodes.offsets"]
    path.write_text(json.dumps(document))


def with_another_hash(path: Path) -> None:
    document = json.loads(path.read_bytes())
    path.write_text(json.dumps({**document, "content_hash": "0" * 64}))


def with_another_offset(path: Path) -> None:
    document = json.loads(path.read_bytes())
    document["arrays"]["ways.nodes.offsets"][2] = 999_999_999
    path.write_text(json.dumps(document))


@pytest.mark.parametrize(
    ("file", "damage", "message"),
    [
        pytest.param(ARRAYS_FILE, cut, r"\d+ bytes, world.json names \d+", id="arrays cut"),
        pytest.param(ARRAYS_FILE, longer, r"\d+ bytes, world.json names \d+", id="arrays longer"),
        pytest.param(ARRAYS_FILE, Path.unlink, "cannot be read", id="no arrays"),
        pytest.param(ARRAYS_FILE, flip, "its hash is not the one", id="one bit flipped"),
        pytest.param(INFO_FILE, cut, "cannot be read", id="info cut before its end"),
        pytest.param(INFO_FILE, older, "format version 0, this program reads", id="another format version"),
        pytest.param(INFO_FILE, without_an_array, "it is not what was written", id="an array missing"),
        pytest.param(INFO_FILE, with_another_hash, "it is not what was written", id="another content hash"),
        pytest.param(INFO_FILE, with_another_offset, "it is not what was written", id="an array elsewhere"),
    ],
)
def test_damage_is_one_line_that_names_the_file(
    directory: Path, file: str, damage: Callable[[Path], None], message: str
) -> None:
    path = directory / file
    if damage is cut and file == INFO_FILE:
        path.write_bytes(path.read_bytes().rstrip())
    damage(path)
    with pytest.raises(CorruptFileError, match=message) as caught:
        open_world(directory, verify=True)
    assert str(path) in str(caught.value)
    assert "build the world again" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_world(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="no world here"):
        open_world(tmp_path / "nowhere")
