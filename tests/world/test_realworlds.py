"""Real worlds: built once, left alone when up to date, never taken for whole when they are not."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from overworld.core.errors import CorruptFileError, InputError, UnknownNameError
from overworld.core.files import sha256_of_file
from overworld.extracts.registry import load_registry
from overworld.world.library import built_worlds, open_world, state_of, world_directory
from overworld.world.open import ARRAYS_FILE, INFO_FILE
from overworld.world.realworlds import ensure_world

PROJECT = Path(__file__).resolve().parents[2]
KOTKA = load_registry(PROJECT / "extracts" / "registry.yaml").find("kotka")


@pytest.fixture
def extracts_dir(tmp_path: Path) -> Path:
    directory = tmp_path / "extracts"
    directory.mkdir()
    shutil.copy(PROJECT / "extracts" / KOTKA.file, directory)
    return directory


@pytest.fixture
def worlds_dir(tmp_path: Path) -> Path:
    return tmp_path / "worlds"


def files(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(directory.iterdir())}


def hidden(directory: Path) -> list[str]:
    """What is there beside worlds and locks."""
    return [path.name for path in directory.iterdir() if path.suffix not in ("", ".lock")]


def test_built_once(extracts_dir: Path, worlds_dir: Path) -> None:
    stages: list[str] = []
    first = ensure_world(KOTKA, extracts_dir, worlds_dir, stage=stages.append)
    assert first.built
    assert stages == ["reading", "building", "writing"]
    assert first.info.counts == {"nodes": 14222, "ways": 2653, "relations": 5, "areas": 0, "tagged": 2774}
    assert first.info.sources == {"extract kotka": KOTKA.sha256}
    assert first.info.attribution == "© OpenStreetMap contributors, ODbL-1.0"
    before = (first.directory / ARRAYS_FILE).stat().st_mtime_ns
    second = ensure_world(KOTKA, extracts_dir, worlds_dir, verify=True, stage=stages.append)
    assert not second.built
    assert len(stages) == 3
    assert second.info == first.info
    assert (first.directory / ARRAYS_FILE).stat().st_mtime_ns == before
    assert built_worlds(worlds_dir) == ["kotka"]
    assert hidden(worlds_dir) == []


def test_two_folders_get_equal_bytes(extracts_dir: Path, tmp_path: Path) -> None:
    one, two = (ensure_world(KOTKA, extracts_dir, tmp_path / name).directory for name in ("one", "two"))
    assert files(one) == files(two)


def test_a_world_is_left_alone_without_its_extract(extracts_dir: Path, worlds_dir: Path) -> None:
    ensure_world(KOTKA, extracts_dir, worlds_dir)
    (extracts_dir / KOTKA.file).unlink()
    assert not ensure_world(KOTKA, extracts_dir, worlds_dir).built


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


@pytest.mark.parametrize(
    ("damage", "error", "message"),
    [
        pytest.param(cut, CorruptFileError, "expected 137273 bytes, got 137173 bytes", id="cut off"),
        pytest.param(flip, CorruptFileError, f"expected sha256 {KOTKA.sha256}, got sha256", id="one bit flipped"),
        pytest.param(Path.unlink, InputError, "the extract kotka is not there", id="not there"),
    ],
)
@pytest.mark.parametrize("stored", [False, True], ids=["no world yet", "world stored"])
def test_a_wrong_extract_is_refused(
    extracts_dir: Path,
    worlds_dir: Path,
    damage: Callable[[Path], None],
    error: type[InputError],
    message: str,
    stored: bool,
) -> None:
    before = files(ensure_world(KOTKA, extracts_dir, worlds_dir).directory) if stored else {}
    damage(extracts_dir / KOTKA.file)
    if stored and damage is Path.unlink:
        return
    with pytest.raises(error, match=message) as caught:
        ensure_world(KOTKA, extracts_dir, worlds_dir)
    assert "\n" not in str(caught.value)
    assert (files(worlds_dir / "kotka") if stored else {}) == before
    assert stored or not worlds_dir.exists()


def test_an_extract_that_is_right_by_hash_but_no_map(extracts_dir: Path, worlds_dir: Path) -> None:
    path = extracts_dir / KOTKA.file
    path.write_bytes(path.read_bytes()[:70_000])
    pinned = KOTKA.model_copy(update={"bytes": 70_000, "sha256": sha256_of_file(path)})
    with pytest.raises(CorruptFileError, match="not a whole OpenStreetMap file"):
        ensure_world(pinned, extracts_dir, worlds_dir)
    assert built_worlds(worlds_dir) == []
    assert hidden(worlds_dir) == []


def newer(path: Path) -> None:
    document = json.loads(path.read_bytes())
    path.write_text(json.dumps({**document, "format_version": 10**6}))


@pytest.mark.parametrize(
    ("file", "damage", "verify"),
    [
        pytest.param(ARRAYS_FILE, cut, False, id="arrays cut off"),
        pytest.param(ARRAYS_FILE, flip, True, id="one bit flipped"),
        pytest.param(INFO_FILE, cut, False, id="info cut off"),
        pytest.param(INFO_FILE, newer, False, id="another format version"),
        pytest.param(INFO_FILE, Path.unlink, False, id="info gone"),
    ],
)
def test_a_damaged_world_is_built_again(
    extracts_dir: Path, worlds_dir: Path, file: str, damage: Callable[[Path], None], verify: bool
) -> None:
    stored = ensure_world(KOTKA, extracts_dir, worlds_dir)
    before = files(stored.directory)
    damage(stored.directory / file)
    assert verify or state_of(worlds_dir, "kotka")[0] != "built"
    assert ensure_world(KOTKA, extracts_dir, worlds_dir, verify=verify).built
    assert files(stored.directory) == before
    assert hidden(worlds_dir) == []


@pytest.mark.parametrize("change", [{"snapshot": "2019-04-15"}, {"attribution": "© somebody"}])
def test_a_world_of_another_registry_entry_is_built_again(
    extracts_dir: Path, worlds_dir: Path, change: dict[str, str]
) -> None:
    ensure_world(KOTKA, extracts_dir, worlds_dir)
    assert ensure_world(KOTKA.model_copy(update=change), extracts_dir, worlds_dir).built


BUILD_AND_DIE = """
import os, signal, sys
from pathlib import Path
from overworld.extracts.registry import load_registry
from overworld.world import open as files
from overworld.world.realworlds import ensure_world
project, extracts, worlds = map(Path, sys.argv[1:4])
if sys.argv[4] == "writing":
    # The arrays are there, world.json is not.
    files.Path.write_text = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
kotka = load_registry(project / "extracts" / "registry.yaml").find("kotka")
def stage(name):
    if name == sys.argv[4] != "writing":
        os.kill(os.getpid(), signal.SIGKILL)
ensure_world(kotka, extracts, worlds, stage=stage)
"""


@pytest.mark.parametrize("stage", ["reading", "building", "writing"])
def test_a_killed_build_leaves_nothing_that_is_taken_for_whole(
    extracts_dir: Path, worlds_dir: Path, stage: str
) -> None:
    command = [sys.executable, "-c", BUILD_AND_DIE, str(PROJECT), str(extracts_dir), str(worlds_dir), stage]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    assert built_worlds(worlds_dir) == []
    assert state_of(worlds_dir, "kotka") == ("not built", None)
    assert bool(hidden(worlds_dir)) == (stage == "writing")
    assert ensure_world(KOTKA, extracts_dir, worlds_dir).built
    assert hidden(worlds_dir) == []


def test_builders_at_once_wait_for_each_other(extracts_dir: Path, worlds_dir: Path) -> None:
    stages: list[str] = []

    def slowly(stage: str) -> None:
        stages.append(stage)
        time.sleep(0.05)

    def build() -> None:
        ensure_world(KOTKA, extracts_dir, worlds_dir, stage=slowly)

    builders = [threading.Thread(target=build) for _ in range(4)]
    for one in builders:
        one.start()
    for one in builders:
        one.join()
    assert stages == ["reading", "building", "writing"]


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../kotka", "a/b", "/etc", "Kotka", "a\\b", ".hidden", "a" * 200, "a\n"]
)
def test_names_lead_nowhere_else(worlds_dir: Path, name: str) -> None:
    with pytest.raises(InputError, match="no name of a world"):
        world_directory(worlds_dir, name)


def test_an_unknown_world_says_what_there_is(extracts_dir: Path, worlds_dir: Path) -> None:
    ensure_world(KOTKA, extracts_dir, worlds_dir)
    with pytest.raises(UnknownNameError, match=r"unknown world: oslo \(built: kotka\) \(build it: worlds build oslo\)"):
        open_world(worlds_dir, "oslo")


def test_many_built_worlds_are_counted_not_named(worlds_dir: Path) -> None:
    for number in range(9):
        (worlds_dir / f"town-{number}").mkdir(parents=True)
        (worlds_dir / f"town-{number}" / INFO_FILE).touch()
    with pytest.raises(UnknownNameError, match=r"unknown world: oslo \(9 others are built, worlds list shows them\)"):
        open_world(worlds_dir, "oslo")


def test_a_folder_of_worlds_that_cannot_be_written(extracts_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        ensure_world(KOTKA, extracts_dir, tmp_path / "file" / "worlds")
