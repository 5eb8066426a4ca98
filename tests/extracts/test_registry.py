"""The registry: what is in it, and what is refused with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from overworld.core.errors import InputError, UnknownNameError
from overworld.extracts.registry import Use, load_registry
from overworld.extracts.verify import extract_path
from overworld.world.specs import load_specs

PROJECT = Path(__file__).resolve().parents[2]

ENTRY = """\
extracts:
  - name: oslo
    title: Oslo
    file: oslo.osm.pbf
    bytes: 5
    sha256: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    snapshot: "2024-01-31"
    bounds: [59.8, 10.6, 60.0, 10.9]
    attribution: © OpenStreetMap contributors
    licence: ODbL-1.0
    origin: drawn
    use: tests
"""


def test_the_projects_registry_names_what_is_there() -> None:
    registry = load_registry(PROJECT / "extracts" / "registry.yaml")
    benchmark = [one.name for one in registry if one.use is Use.BENCHMARK]
    assert benchmark == ["monaco", "liechtenstein", "helsinki", "neubrandenburg"]
    assert [one.name for one in registry if one.use is Use.TESTS] == ["kotka"]
    for one in registry:
        assert extract_path(one, PROJECT / "extracts").name == one.file
        assert "OpenStreetMap" in one.attribution


def test_each_world_spec_names_an_extract() -> None:
    registry = load_registry(PROJECT / "extracts" / "registry.yaml")
    specs = load_specs(PROJECT / "specs" / "worlds", registry)
    assert {spec.extract.name for spec in specs} == {one.name for one in registry}


def test_an_entry(tmp_path: Path) -> None:
    (tmp_path / "registry.yaml").write_text(ENTRY, encoding="utf-8")
    one = load_registry(tmp_path / "registry.yaml").find("oslo")
    assert one.box.north == 60.0
    assert one.addresses == ()


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        pytest.param("sha256:", "sha265:", 6, "extracts.0.sha265: unknown field", id="a misspelt field"),
        pytest.param("    title: Oslo\n", "", 2, "extracts.0.title: Field required", id="a field too few"),
        pytest.param(
            "name: oslo",
            "name: ../oslo",
            2,
            "extracts.0.name: String should match pattern",
            id="a name that leads elsewhere",
        ),
        pytest.param(
            "file: oslo.osm.pbf",
            "file: ../oslo.osm.pbf",
            4,
            "extracts.0.file: String should match pattern",
            id="a file that leads elsewhere",
        ),
        pytest.param("bytes: 5", "bytes: 0", 5, "extracts.0.bytes: Input should be greater than 0", id="no bytes"),
        pytest.param(
            "bytes: 5", "bytes: many", 5, "extracts.0.bytes: Input should be a valid integer", id="bytes in words"
        ),
        pytest.param(
            "sha256: aa", "sha256: AA", 6, "extracts.0.sha256: String should match pattern", id="a hash in capitals"
        ),
        pytest.param("2024-01-31", "2024-01-32", 7, "extracts.0.snapshot: day", id="no such day"),
        pytest.param(
            "[59.8, 10.6, 60.0, 10.9]",
            "[60.0, 10.6, 59.8, 10.9]",
            8,
            "bounds are south, west, north, east in degrees",
            id="south over north",
        ),
        pytest.param("[59.8, 10.6, 60.0, 10.9]", "[59.8, 10.6, 60.0]", 8, "extracts.0.bounds", id="half a box"),
        pytest.param(
            "use: tests", "use: fun", 12, "extracts.0.use: Input should be 'benchmark' or 'tests'", id="another use"
        ),
        pytest.param(
            "use: tests",
            "use: tests\n    addresses: [ftp://x/y]",
            13,
            "extracts.0.addresses.0: String should match",
            id="another kind of address",
        ),
        pytest.param("extracts:\n", "extracts: [\n", 2, "not valid YAML", id="broken YAML"),
        pytest.param(ENTRY, "- one\n", 1, "expected fields and their values", id="a list"),
        pytest.param(
            "    use: tests\n",
            "    use: tests\n" + ENTRY.partition("\n")[2],
            1,
            "name oslo stands twice",
            id="the same name twice",
        ),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    path = tmp_path / "registry.yaml"
    assert old in ENTRY
    path.write_text(ENTRY.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_registry(path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "hint"), [("olso", "did you mean oslo?"), ("kathmandu", "there are: oslo")], ids=["near", "far"]
)
def test_an_unknown_extract(tmp_path: Path, name: str, hint: str) -> None:
    (tmp_path / "registry.yaml").write_text(ENTRY, encoding="utf-8")
    with pytest.raises(UnknownNameError, match=f"unknown extract: {name}") as caught:
        load_registry(tmp_path / "registry.yaml").select([name])
    assert hint in str(caught.value)


def test_no_registry(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="no such file"):
        load_registry(tmp_path / "registry.yaml")
