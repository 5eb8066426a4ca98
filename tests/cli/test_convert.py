"""``worlds convert``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Worlds = Callable[..., int]


@pytest.mark.parametrize(
    ("options", "written"),
    [
        pytest.param(
            ["--to", "xml"],
            """<osm-script>
  <query into="_" type="node">
    <has-kv k="amenity" modv="" v="caf\u00e9"/>
  </query>
  <print e="" from="_" geometry="skeleton" ids="yes" limit="" mode="ids_only" n="" order="id" s="" w=""/>
</osm-script>
""",
            id="xml",
        ),
        pytest.param(["--to", "compact"], 'node["amenity"="caf\u00e9"];out ids;\n', id="compact"),
        pytest.param(["--to", "pretty"], 'node["amenity"="caf\u00e9"];\nout ids;\n', id="pretty"),
    ],
)
def test_forms(worlds: Worlds, options: list[str], written: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert worlds("convert", 'node[amenity="caf\u00e9"];out ids;', *options) == 0
    assert capfdbinary.readouterr() == (written.encode(), b"")


def test_reads_a_file(worlds: Worlds, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "query.ql"
    path.write_text("// all\nnode(1);\nout;\n", encoding="utf-8")
    assert worlds("convert", f"@{path}", "--to", "compact") == 0
    assert capfdbinary.readouterr().out == b"node(1);out;\n"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        pytest.param(["node(1);oot;"], 'line 1: parse error: Unknown type "oot"\n', id="no query"),
        pytest.param(["out;", "--to", "yaml"], "error: Invalid value for '--to': ", id="no form"),
    ],
)
def test_refusals_are_one_line(
    worlds: Worlds, arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert worlds("convert", *arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(line)
