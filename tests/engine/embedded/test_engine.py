"""The embedded engine as a whole: limits, remarks, refusals, and what a response holds before anything is rendered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

import numpy as np
import pytest

from overworld.core.errors import QueryError
from overworld.engine.embedded.engine import EmbeddedEngine
from overworld.engine.embedded.survey import uses_areas
from overworld.engine.protocol import Limits
from overworld.ql.parser import parse
from overworld.world.store import World

Engines = Callable[[str], EmbeddedEngine]


def ticking(step_s: float) -> Callable[[], float]:
    """A clock that goes on by ``step_s`` whenever it is asked."""
    times: Iterator[int] = count()
    return lambda: step_s * next(times)


def test_identity_names_engine_and_world(tiny_world: Callable[[str], World]) -> None:
    world = tiny_world("rings")
    identity = EmbeddedEngine(world).identity
    assert (identity.name, identity.world, identity.image) == ("embedded", world.info.content_hash, None)
    assert identity.version.endswith("/0.7.62")


def test_time_limit_ends_the_run_with_what_was_printed(tiny_world: Callable[[str], World]) -> None:
    engine = EmbeddedEngine(tiny_world("rings"), clock=ticking(1.0))
    response = engine.run("[out:json][timeout:9];node(1);out ids;" + "node(2);" * 20 + "out ids;")
    assert [one.ids.tolist() for one in response.printed] == [[1]]
    assert response.remark == 'runtime error: Query timed out in "id-query" at line 1 after 10 seconds.'


@pytest.mark.parametrize(
    ("settings", "limits"),
    [("[timeout:9]", Limits()), ("", Limits(timeout_s=9)), ("[timeout:900]", Limits(timeout_s=9))],
    ids=["asked", "capped", "asked for more"],
)
def test_limits_cap_what_the_query_asks_for(settings: str, limits: Limits, tiny_world: Callable[[str], World]) -> None:
    engine = EmbeddedEngine(tiny_world("rings"), clock=ticking(1.0))
    response = engine.run(f"[out:json]{settings};" + "node(2);" * 20, limits)
    assert response.remark is not None
    assert response.remark.endswith("after 10 seconds.")


def test_memory_limit_ends_the_run(tiny_engine: Engines) -> None:
    response = tiny_engine("rings").run("[out:json];node[amenity];out;", Limits(memory_bytes=100))
    assert response.remark == 'runtime error: Query run out of memory in "query" at line 1 using about 0 MB of RAM.'
    assert response.printed == ()


def test_runs_after_trouble_are_as_before(tiny_engine: Engines) -> None:
    engine, query = tiny_engine("rings"), "[out:json];node[amenity=cafe];out;"
    before = engine.run(query).render()
    engine.run(query, Limits(memory_bytes=1))
    assert engine.run(query).render() == before


@pytest.mark.parametrize(
    ("query", "word"),
    [
        ('[date:"2020-01-01T00:00:00Z"];node(1);out;', "date"),
        ('[diff:"2020-01-01T00:00:00Z"];node(1);out;', "diff"),
        ('node(1)(newer:"2020-01-01T00:00:00Z");out;', "newer"),
        ('node(1)(user:"x");out;', "user"),
        ("node(1)(uid:5);out;", "uid"),
        ("node(1);timeline(node,1);out;", "timeline"),
        ('(node(1)(changed:"2020-01-01T00:00:00Z"););out;', "changed"),
        ("[out:popup];node(1);out;", "popup"),
    ],
    ids=lambda text: text.split(";")[0] if ";" in text else None,
)
def test_history_and_users_are_refused_by_name(query: str, word: str, tiny_engine: Engines) -> None:
    with pytest.raises(QueryError) as refusal:
        tiny_engine("rings").run(query)
    assert refusal.value.kind == "unsupported"
    assert "not supported yet" in refusal.value.message
    assert word in refusal.value.message


@pytest.mark.parametrize(("query", "kind", "line"), [("node(1)", "parse", 2), ("\nnode(0);out;", "static", 2)])
def test_refusals_carry_kind_and_line(query: str, kind: str, line: int, tiny_engine: Engines) -> None:
    with pytest.raises(QueryError) as refusal:
        tiny_engine("rings").run(query)
    assert (refusal.value.kind, refusal.value.line) == (kind, line)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("node(1);out;", False),
        ("area[name];out;", True),
        ("node(area:1);out;", True),
        ("is_in(1,2);", True),
        ("way(1);map_to_area;", True),
        ("if(0){foreach(area(1););}", True),
        ("if(1){}else{is_in;}", True),
        ("rel(pivot);out;", False),
        ("(node(1);(way(1);node(area.a);););out;", True),
    ],
)
def test_area_tables_are_opened_by_what_a_script_holds(query: str, expected: bool) -> None:
    assert uses_areas(parse(query)) is expected


def test_printed_without_rendering(tiny_engine: Engines) -> None:
    response = tiny_engine("rings").run(
        "[out:json];(node[amenity=cafe];way(1);area(3600000002););out ids 4;out count;make x a=1;out;out noids;"
    )
    first, counted, made, unnamed = response.printed
    assert first.mode == "ids_only"
    assert first.types.tolist() == [0, 0, 0, 0]
    assert np.all(np.diff(first.ids) > 0)
    assert counted.counts is not None
    assert counted.counts["areas"] == 1
    assert counted.counts["total"] == sum(counted.counts[key] for key in ("nodes", "ways", "relations", "areas"))
    assert (made.derived, len(made.ids)) == (1, 0)
    assert len(unnamed.ids) == 0


def test_made_objects_count_as_objects(tiny_engine: Engines) -> None:
    (printed,) = tiny_engine("rings").run("[out:json];make node ::id=5,a=1;out;").printed
    assert (printed.types.tolist(), printed.ids.tolist(), printed.derived) == ([0], [5], 0)


def test_format_is_the_querys(tiny_engine: Engines) -> None:
    queries = {"json": "[out:json];out;", "xml": "out;", "csv": "[out:csv(::id)];out;"}
    assert {name: tiny_engine("rings").run(query).format for name, query in queries.items()} == {
        name: name for name in queries
    }
