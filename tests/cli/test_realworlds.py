"""``worlds fetch``, ``build``, ``list`` and ``show`` in a project of their own."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from overworld.cli.frame import run
from overworld.cli.worlds import app

ROOT = Path(__file__).resolve().parents[2]
FILE = "kotka.osm.pbf"
HASH = "88b76072bb98642dff06c36505586744f7b73ed982f8b498cd279fdf5bb86a85"

Command = Callable[..., int]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one extract of the benchmark, ``kotka``."""
    for name in ("extracts", "specs/worlds", "specs/tasks"):
        (tmp_path / "project" / name).mkdir(parents=True)
    registry = (ROOT / "extracts" / "registry.yaml").read_text(encoding="utf-8")
    entry = registry[registry.index("  - name: kotka") :].replace("use: tests", "use: benchmark")
    (tmp_path / "project/extracts/registry.yaml").write_text(f"extracts:\n{entry}", encoding="utf-8")
    shutil.copy(ROOT / "extracts" / FILE, tmp_path / "project/extracts")
    shutil.copy(ROOT / "specs/worlds/kotka.yaml", tmp_path / "project/specs/worlds")
    (tmp_path / "project/specs/tasks/cafes.yaml").touch()
    return tmp_path / "project"


@pytest.fixture
def worlds(project: Path, tmp_path: Path) -> Command:
    """Run ``worlds`` in the project; gives the exit code."""
    options = ["--project", str(project), "--worlds-dir", str(tmp_path / "worlds"), "--no-progress"]
    return lambda *arguments: run(app(), "worlds", [*arguments, *options])


def test_fetch_verifies(worlds: Command, capsys: pytest.CaptureFixture[str]) -> None:
    assert worlds("fetch") == 0
    assert capsys.readouterr().out.startswith("kotka: verified, 137,273 bytes, sha256 39a274a1")
    assert worlds("fetch", "kotka", "--json") == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["name"], row["bytes"], row["downloaded_from"]) == ("kotka", 137273, None)


def test_fetch_downloads_what_is_not_there(
    worlds: Command, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "extracts" / FILE).rename(tmp_path / FILE)
    registry = project / "extracts/registry.yaml"
    address = (tmp_path / FILE).as_uri()
    registry.write_text(registry.read_text(encoding="utf-8").replace("addresses: []", f"addresses: [{address}]"))
    assert worlds("fetch", "kotka") == 0
    assert f"kotka: downloaded from {address}, 137,273 bytes" in capsys.readouterr().out
    assert (project / "extracts" / FILE).stat().st_size == 137273


@pytest.mark.parametrize("names", [("--all",), ("kotka",)], ids=["all", "by name"])
def test_build_and_build_again(worlds: Command, names: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert worlds("build", *names) == 0
    out, err = capsys.readouterr()
    assert out.startswith("kotka: built in ")
    assert out.rstrip().endswith(f"14,222 nodes, 2,653 ways, 5 relations, 0 areas; content hash {HASH}")
    assert err == ""
    assert worlds("build", *names, "--verify") == 0
    assert capsys.readouterr().out == f"kotka: up to date, nothing to do; content hash {HASH}\n"
    assert worlds("build", *names, "--json") == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["name"], row["built"], row["content_hash"]) == ("kotka", False, HASH)


def test_list(worlds: Command, capsys: pytest.CaptureFixture[str]) -> None:
    assert worlds("list") == 0
    assert capsys.readouterr().out == "kotka  real     not built  A few streets near Kotka\n"
    worlds("build", "kotka")
    capsys.readouterr()
    assert worlds("list") == 0
    assert capsys.readouterr().out == "kotka  real     built      14,222 nodes, 2,653 ways, 5 relations, 0 areas\n"
    assert worlds("list", "--json") == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["name"], row["state"], row["kind"], row["use"]) == ("kotka", "built", "real", "benchmark")


def test_list_marks_worlds_for_tests(worlds: Command, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    registry = project / "extracts/registry.yaml"
    registry.write_text(registry.read_text(encoding="utf-8").replace("use: benchmark", "use: tests"), encoding="utf-8")
    assert worlds("list") == 0
    assert capsys.readouterr().out == "kotka  real     not built  A few streets near Kotka, for tests only\n"


def test_show(worlds: Command, capsys: pytest.CaptureFixture[str]) -> None:
    worlds("build", "kotka")
    capsys.readouterr()
    assert worlds("show", "kotka", "--verify") == 0
    out = capsys.readouterr().out
    assert f"content hash  {HASH}" in out
    assert "metadata      none (no user, uid, changeset, version or timestamp)" in out
    assert worlds("show", "kotka", "--json", "--top", "2") == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["metadata_fields"] == []
    assert shown["counts"]["ways"] == 2653
    assert shown["missing"]["way_nodes"] == 1317
    assert shown["sources"] == {"extract kotka": "39a274a125205531b4d1de7d0059802ffbb3f1a4cec915d0399c8b195274767b"}
    assert [one["key"] for one in shown["top_keys"]] == ["building", "mml:class"]
    assert shown["box"].keys() == {"south", "west", "north", "east"}


def damage(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1] + b"x")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(("fetch", "oslo"), "unknown extract: oslo (there are: kotka)", id="fetch: unknown"),
        pytest.param(("build", "kotkka"), "unknown world: kotkka (did you mean kotka?)", id="build: unknown"),
        pytest.param(
            ("build", "cafes-w1"),
            "no real world: cafes-w1 (for witness worlds: worlds build --task cafes)",
            id="build: a witness world",
        ),
        pytest.param(("build",), "name the worlds to build, or give --all or --task", id="build: nothing named"),
        pytest.param(("build", "kotka", "--all"), "name the worlds to build", id="build: both"),
        pytest.param(("show", "kotka"), "unknown world: kotka (built: none yet)", id="show: not built"),
        pytest.param(("show", "../kotka"), "no name of a world: '../kotka'", id="show: a path"),
        pytest.param(("query", "oslo", "node(1);out;"), "unknown world: oslo", id="query: unknown"),
    ],
)
def test_mistakes_are_one_line(
    worlds: Command, arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert worlds(*arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"error: {message}")
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["fetch", "build"])
def test_a_damaged_extract(worlds: Command, project: Path, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    damage(project / "extracts" / FILE)
    assert worlds(command, "kotka") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "the extract kotka" in err
    assert "expected sha256 39a274a1" in err
    assert err.count("\n") == 1
    assert worlds("list") == 0
    assert "not built" in capsys.readouterr().out


def test_a_spec_with_a_misspelt_field(worlds: Command, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = project / "specs/worlds/kotka.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("extract:", "extracts:"))
    assert worlds("build", "--all") == 2
    assert capsys.readouterr().err == f"error: {path}:3: extracts: unknown field\n"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("extract: kotka", "extract: oslo", ":3: unknown extract: oslo (there are: kotka)"),
        ("name: kotka", "name: oslo", ":1: world oslo must be in a file oslo.yaml"),
    ],
)
def test_specs_that_name_something_else(
    worlds: Command, project: Path, old: str, new: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project / "specs/worlds/kotka.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace(old, new))
    assert worlds("build", "--all") == 2
    assert capsys.readouterr().err == f"error: {path}{message}\n"
