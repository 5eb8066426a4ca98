"""Answers as text: the bodies that the real engine wrote, to the byte, and the head that is ours."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from overworld.engine.embedded.engine import EmbeddedEngine
from overworld.engine.embedded.output import csv, xml
from overworld.engine.embedded.output import json as json_output
from overworld.engine.embedded.output.worldtext import Coordinates, decimals
from overworld.world.store import World

Engines = Callable[[str], EmbeddedEngine]

ROWS = [json.loads(line) for line in (Path(__file__).parent / "rendered.jsonl").read_text("utf-8").splitlines()]


def rendered(engine: EmbeddedEngine, query: str) -> str:
    return engine.run(query).render().decode()


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_body_is_the_real_engines(row: dict[str, str], tiny_engine: Engines) -> None:
    text = rendered(tiny_engine(row["world"]), row["ql"])
    if text.startswith("{"):
        body = text.split('"elements": [', 1)[1]
    else:
        body = text.split("<meta", 1)[1].split("\n", 1)[1]
    assert body == row["body"]


@pytest.mark.parametrize("row", [row for row in ROWS if row["id"].startswith("json")], ids=lambda row: row["id"])
def test_elements_are_what_a_json_reader_sees(row: dict[str, str], tiny_engine: Engines) -> None:
    response = tiny_engine(row["world"]).run(row["ql"])
    assert response.elements() == json.loads(response.render())["elements"]


def test_json_head(tiny_world: Callable[[str], World]) -> None:
    world = tiny_world("rings")
    dated = EmbeddedEngine(replace(world, info=replace(world.info, snapshot="2023-12-25")))
    plain = json.loads(rendered(dated, "[out:json];node(1);out;"))
    assert plain["version"] == 0.6
    assert plain["generator"].startswith("Overpass API 0.7.62 (overworld ")
    assert plain["osm3s"]["timestamp_osm_base"] == "2023-12-25T00:00:00Z"
    assert "timestamp_areas_base" not in plain["osm3s"]
    assert "remark" not in plain
    areas = json.loads(rendered(dated, "[out:json];node(area:1);out;"))
    assert areas["osm3s"]["timestamp_areas_base"] == "2023-12-25T00:00:00Z"


def test_remark_in_each_format(tiny_engine: Engines) -> None:
    engine, query = tiny_engine("rings"), "node(if:id()<3);out ids;node(3);out ids;"
    remark = "runtime error: Filters too weak in query statement: specify in addition a bbox, a tag filter, or similar."
    text = rendered(engine, f"[out:json];{query}")
    assert text.endswith(f'\n\n  ],\n"remark": "{remark}"\n}}\n')
    lines = rendered(engine, f"[out:xml];{query}").splitlines()
    assert lines[lines.index(f"<remark> {remark} </remark>") + 1] == '  <node id="1"/>'
    assert rendered(engine, f"[out:csv(::id;false)];{query}") == "1\n2\n3\n"


def test_global_bounding_box_heads_xml(tiny_engine: Engines) -> None:
    text = rendered(tiny_engine("rings"), "[out:xml][bbox:1,2,3,4];node(1);out ids;")
    bounds = '  <bounds minlat="1.0000000" minlon="2.0000000" maxlat="3.0000000" maxlon="4.0000000"/>'
    assert f'/>\n\n{bounds}\n\n  <node id="1"/>' in text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0.0000000"),
        (1, "0.0000001"),
        (-1, "-0.0000001"),
        (437310770, "43.7310770"),
        (-1_800_000_000, "-180.0000000"),
    ],
)
def test_decimals(value: int, text: str) -> None:
    assert decimals(np.array([value], dtype=np.int32)) == [text]


def test_coordinates_are_the_same_kept_and_not_kept(tiny_world: Callable[[str], World]) -> None:
    rows = np.array([3, 0, 3, 7], dtype=np.int32)
    kept, fresh = Coordinates(tiny_world("gaps")), Coordinates(tiny_world("gaps"))
    fresh._kept = False
    assert kept.of(rows) == fresh.of(rows) == kept.of(rows)


@pytest.mark.parametrize(
    ("text", "as_json", "as_xml", "as_csv"),
    [
        ("plain", "plain", "plain", "plain"),
        ('a"b', 'a\\"b', "a&quot;b", '"a""b"'),
        ("a\\b", "a\\\\b", "a\\b", "a\\b"),
        ("a\nb\tc\rd", "a\\nb\\tc\\rd", "a&#x0a;b&#x09;c&#x0d;d", '"a\nb\tc\rd"'),
        ("a\x01b", "a?b", "a?b", "a\x01b"),
        ("<&>'", "<&>'", "&lt;&amp;&gt;'", "<&>'"),
        ("a,b;c", "a,b;c", "a,b;c", '"a,b;c"'),
        ("日本", "日本", "日本", "日本"),
    ],
    ids=["plain", "quote", "backslash", "white", "control", "markup", "comma", "unicode"],
)
def test_escapes(text: str, as_json: str, as_xml: str, as_csv: str) -> None:
    assert (json_output.escape(text), xml.escape(text), csv.escape(text)) == (as_json, as_xml, as_csv)


def test_strings_that_are_not_utf8_survive(tiny_engine: Engines) -> None:
    response = tiny_engine("rings").run('[out:json];make x a="\udce4";out;')
    assert b'"a": "\xe4"' in response.render()
    assert response.elements()[0]["tags"] == {"a": "\udce4"}


@pytest.mark.parametrize(
    "query",
    [
        "node[amenity];foreach{out;}",
        "nwr[name];foreach{out ids;out skel;}",
        "way[name];foreach{out geom;>;out skel;}",
        "nwr[name];foreach{make x a=u(id());out;}out count;out;",
        "node(if:id()<5);foreach{out;}node(if:id()<3);foreach{out;}",
        "nwr[name];foreach{out geom(49,9,49.1,9.1);}foreach{out geom(49,9,49.2,9.1);}",
    ],
)
@pytest.mark.parametrize("form", ["json", "xml", "csv(::id,::type,name)"])
def test_batches_are_written_together_as_one_by_one(query: str, form: str, tiny_engine: Engines) -> None:
    response = tiny_engine("rings").run(f"[out:{form}];{query}")
    together = response.render()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("overworld.engine.embedded.rationing.merged", list)
        assert response.render() == together
