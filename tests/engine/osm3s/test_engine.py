"""The real engine by its binaries, played by small shell scripts: what goes in, and how its answers are read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import osmium
import pytest

from overworld.core.errors import EngineUnavailableError, QueryError
from overworld.engine.osm3s.database import AREA_RULES, Binaries, load_world
from overworld.engine.osm3s.engine import Osm3sEngine, messages
from overworld.engine.osm3s.mapxml import map_xml
from overworld.engine.protocol import Limits
from overworld.world.build import Origin, build_world
from overworld.world.reader import read_objects
from overworld.world.store import World

ANSWER = {
    "elements": [
        {"type": "node", "id": 7},
        {"type": "way", "id": 3},
        {"type": "count", "id": 0, "tags": {"nodes": "1", "total": "1"}},
        {"type": "stat", "id": 1, "tags": {"n": "5"}},
    ]
}


def program(directory: Path, name: str, body: str) -> None:
    path = directory / name
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def binaries(tmp_path: Path) -> Binaries:
    directory = tmp_path / "bin"
    directory.mkdir()
    program(directory, "update_database", f'echo "$@" > {tmp_path}/loaded; cat > {tmp_path}/map.osm')
    program(directory, "osm3s_query", f'echo "$@" >> {tmp_path}/asked; cat > {tmp_path}/query')
    return Binaries(directory)


def engine_that(binaries: Binaries, tmp_path: Path, body: str) -> Osm3sEngine:
    program(binaries.directory, "osm3s_query", body)
    return Osm3sEngine(binaries, tmp_path / "db", "hash")


def test_answers_are_read(binaries: Binaries, tmp_path: Path) -> None:
    (tmp_path / "answer").write_text(json.dumps(ANSWER), encoding="utf-8")
    engine = engine_that(binaries, tmp_path, f"cat > {tmp_path}/query; cat {tmp_path}/answer")
    response = engine.run("[out:json];node(7);out;", Limits())
    assert (tmp_path / "query").read_text() == "[out:json];node(7);out;"
    objects, counted = response.printed
    assert (objects.types.tolist(), objects.ids.tolist(), objects.derived) == ([0, 1], [7, 3], 1)
    assert counted.counts == {"nodes": 1, "total": 1}
    assert (response.format, response.remark) == ("json", None)
    assert response.elements() == ANSWER["elements"]


def test_an_answer_that_ends_midway_has_a_remark(binaries: Binaries, tmp_path: Path) -> None:
    start = '{\\n  "elements": [\\n\\n{\\n  "type": "node",\\n  "id": 1\\n}'
    body = f"cat > /dev/null; printf '{start}'; echo 'runtime error: Query timed out in \"query\" at line 1' >&2"
    response = engine_that(binaries, tmp_path, body).run("x", Limits())
    assert response.elements() == [{"type": "node", "id": 1}]
    assert response.remark == 'runtime error: Query timed out in "query" at line 1'


@pytest.mark.parametrize("kind", ["parse", "static"])
def test_refusals(kind: str, binaries: Binaries, tmp_path: Path) -> None:
    body = f"cat > /dev/null; echo 'line 2: {kind} error: No.' >&2; echo 'line 3: parse error: Nor this.' >&2"
    with pytest.raises(QueryError) as refusal:
        engine_that(binaries, tmp_path, body).run("x", Limits())
    error = refusal.value
    assert (error.kind, error.line, error.message) == (kind, 2, "No.")
    assert error.errors == (f"line 2: {kind} error: No.", "line 3: parse error: Nor this.")


def test_time_limit_ends_the_process(binaries: Binaries, tmp_path: Path) -> None:
    response = engine_that(binaries, tmp_path, "exec sleep 5").run("x", Limits(timeout_s=0.2))
    assert response.remark is not None
    assert "timed out" in response.remark


def test_missing_programs_are_the_engines_trouble(tmp_path: Path) -> None:
    with pytest.raises(EngineUnavailableError, match="no program osm3s_query"):
        Osm3sEngine(Binaries(tmp_path), tmp_path, "hash")


def test_failing_loader_is_the_engines_trouble(
    binaries: Binaries, tmp_path: Path, tiny_world: Callable[[str], World]
) -> None:
    program(binaries.directory, "update_database", "cat > /dev/null; echo 'disk full' >&2; exit 3")
    with pytest.raises(EngineUnavailableError, match="disk full"):
        load_world(tiny_world("gaps"), binaries, tmp_path / "db")


def test_loading_feeds_map_and_area_rules(
    binaries: Binaries, tmp_path: Path, tiny_world: Callable[[str], World]
) -> None:
    world = tiny_world("gaps")
    load_world(world, binaries, tmp_path / "db")
    assert (tmp_path / "map.osm").read_text() == "".join(map_xml(world))
    assert "--compression-method=gz --map-compression-method=gz" in (tmp_path / "loaded").read_text()
    assert (tmp_path / "query").read_text() == AREA_RULES
    assert "--rules" in (tmp_path / "asked").read_text()
    assert (tmp_path / "db" / "user_data.bin").read_bytes() == b""


@pytest.mark.parametrize("name", ["gaps", "dateline", "letters", "rings"])
def test_the_map_as_xml_is_the_same_world(name: str, tmp_path: Path, tiny_world: Callable[[str], World]) -> None:
    world = tiny_world(name)
    path = tmp_path / "map.osm"
    path.write_text("".join(map_xml(world)), encoding="utf-8")
    assert sum(1 for _ in osmium.FileProcessor(str(path))) == sum(
        world.info.counts[kind] for kind in ("nodes", "ways", "relations")
    )
    again = build_world(read_objects(path), Origin(name=name))
    assert again.info.content_hash == world.info.content_hash


def test_messages_that_quote_the_query_stay_whole() -> None:
    text = "line 2: parse error: ']' expected - '\"x];\n' found.\nline 2: parse error: Unexpected end of input.\n"
    assert messages(text) == ["line 2: parse error: ']' expected - '\"x];\n' found.", text.splitlines()[-1]]
