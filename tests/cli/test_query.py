"""``worlds query``."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

Worlds = Callable[..., int]
CAFES = "[out:json];node[amenity=cafe];out ids;"


def test_prints_what_the_interpreter_sends(worlds: Worlds, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert worlds("query", "harbour", CAFES) == 0
    out, err = capfdbinary.readouterr()
    assert err == b""
    assert out.startswith(b'{\n  "version": 0.6,\n')
    assert [element["id"] for element in json.loads(out)["elements"]] == [1, 2]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        pytest.param("node(1);out;", b'<?xml version="1.0" encoding="UTF-8"?>\n', id="xml"),
        pytest.param("[out:csv(::id,name;false)];node(1);out;", "1\tChez Zoé\n".encode(), id="csv"),
    ],
)
def test_prints_the_format_that_is_asked_for(
    worlds: Worlds, query: str, first: bytes, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert worlds("query", "harbour", query) == 0
    assert capfdbinary.readouterr().out.startswith(first)


@pytest.mark.parametrize("settings", ["", "[out:csv(name)];", "[out:json];"])
def test_json_on_demand(worlds: Worlds, settings: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert worlds("query", "harbour", f"{settings}node(1);out tags;", "--json") == 0
    elements = json.loads(capfdbinary.readouterr().out)["elements"]
    assert elements == [{"type": "node", "id": 1, "tags": {"amenity": "cafe", "name": "Chez Zoé"}}]


def test_reads_a_file_or_standard_input(
    worlds: Worlds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "cafes.ql"
    path.write_text(CAFES, encoding="utf-8")
    assert worlds("query", "harbour", f"@{path}") == 0
    from_file = capfdbinary.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO(CAFES))
    assert worlds("query", "harbour", "-") == 0
    assert capfdbinary.readouterr().out == from_file


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        pytest.param(["harbour", "node(1);oot;"], "line 1: parse error: ", id="syntax"),
        pytest.param(["harbour", "\n\nnode[;out;"], "line 3: parse error: ", id="syntax in a later line"),
        pytest.param(["nowhere", CAFES], "error: unknown world: nowhere (built: harbour)", id="unknown world"),
        pytest.param(["No Name", CAFES], "error: no name of a world: 'No Name'", id="no name"),
        pytest.param(["harbour", "@missing.ql"], "error: missing.ql: the query cannot be read: ", id="missing file"),
    ],
)
def test_refusals_are_one_line(
    worlds: Worlds, arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert worlds("query", *arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(line)


def test_a_remark_is_exit_code_1(worlds: Worlds, capfd: pytest.CaptureFixture[str]) -> None:
    assert worlds("query", "harbour", "[out:json];nwr[type];>>;<<;out;", "--timeout", "0.000001") == 1
    out, err = capfd.readouterr()
    assert err.startswith("runtime error: Query timed out in ")
    assert json.loads(out)["remark"] + "\n" == err
