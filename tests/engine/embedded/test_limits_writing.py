"""The writing of an answer has limits, too: what is written until then stays, and a remark ends the answer."""

from __future__ import annotations

import json
import re
import time

import pytest

from overworld.engine.embedded.engine import GRACE_S, EmbeddedEngine
from overworld.engine.embedded.response import EmbeddedResponse
from overworld.engine.protocol import Limits
from overworld.world.build import Origin, build_world
from overworld.world.objects import ObjectCollector
from overworld.world.store import World

BOX = "(-1,-1,1,1)"
FORMATS = ["json", "xml", "csv(::type,::id,::lat,name)"]
ALL = f"nwr{BOX};"
MEGABYTE = 1024 * 1024


@pytest.fixture(scope="module")
def world() -> World:
    collector = ObjectCollector()
    for number in range(1, 40_001):
        collector.node(number, number, number, {"name": f"name {number}"} if number % 4 == 0 else {})
    for number in range(1, 3_000):
        collector.way(number, list(range(number, number + 12)), {"highway": "path"})
    return build_world(collector.objects(), Origin("many"))


class Clock:
    """Stands still until it is told to leap, at a number of looks from then on."""

    def __init__(self) -> None:
        self.leaps_in: int | None = None

    def __call__(self) -> float:
        if self.leaps_in is None:
            return 0.0
        self.leaps_in -= 1
        return 0.0 if self.leaps_in > 0 else 1e6


def rendered(response: EmbeddedResponse) -> str:
    return response.render().decode()


@pytest.mark.parametrize("form", FORMATS)
def test_time_that_is_up_ends_the_answer_with_what_is_written(world: World, form: str) -> None:
    clock = Clock()
    response = EmbeddedEngine(world, clock).run(f"[out:{form}];{ALL}\nout;", Limits(2))
    whole = rendered(response)
    assert response.remark is None
    clock.leaps_in = 3
    part = rendered(response)
    assert response.remark == 'runtime error: Query timed out in "print" at line 2 after 3 seconds.'
    assert 1000 < len(part) < len(whole)
    assert (response.remark.replace('"', '\\"') in part) is (form == "json")
    assert (f"<remark> {response.remark} </remark>" in part) is (form == "xml")
    ending = {"json": '"\n}\n', "xml": "\n</osm>\n"}.get(form, "\n")
    assert part.endswith(ending)


def test_a_json_answer_that_ends_early_is_json(world: World) -> None:
    clock = Clock()
    response = EmbeddedEngine(world, clock).run(f"[out:json];{ALL}out;", Limits(2))
    count = len(response.elements())
    clock.leaps_in = 3
    read = json.loads(rendered(response))
    assert 0 < len(read["elements"]) < count
    assert read["remark"] == response.remark


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("mode", ["out;", "out geom;" * 30, "out ids;" * 300, "foreach(out;);" * 3])
def test_length_is_limited_as_memory_is(world: World, mode: str, form: str) -> None:
    response = EmbeddedEngine(world).run(f"[out:{form}];{ALL}{mode}", Limits(60, 8 * MEGABYTE))
    text = rendered(response)
    assert len(text) < 16 * MEGABYTE
    assert response.remark is None or re.fullmatch(
        r'runtime error: Query run out of memory in "print" at line 1 using about \d+ MB of RAM\.', response.remark
    )
    assert response.remark is not None or len(text) < 8 * MEGABYTE


def test_ids_of_all_that_is_printed_are_limited(world: World) -> None:
    response = EmbeddedEngine(world).run(f"[out:json];{ALL}{'out ids;' * 500}", Limits(60, 8 * MEGABYTE))
    assert response.remark == 'runtime error: Query run out of memory in "print" at line 1 using about 8 MB of RAM.'
    assert sum(len(one.ids) for one in response.printed) * 9 < 8 * MEGABYTE


def test_made_elements_are_limited(world: World) -> None:
    response = EmbeddedEngine(world).run(f"[out:json];node{BOX};convert x a=id();out;", Limits(60, 2 * MEGABYTE))
    assert response.remark == 'runtime error: Query run out of memory in "convert" at line 1 using about 4 MB of RAM.'


def test_a_run_that_took_its_time_says_so_once(world: World) -> None:
    clock = Clock()
    engine = EmbeddedEngine(world, clock)
    clock.leaps_in = 30
    response = engine.run(f"[out:json];{ALL}{'out;' * 60}", Limits(2))
    first = response.remark
    clock.leaps_in = 2
    assert response.render()
    assert response.remark == first
    assert first is not None
    assert first.count("timed out") == 1


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "query",
    [f"{ALL}{'out geom;' * 200}", f"node{BOX};foreach(out;out count;);", f"{ALL}for(id())(make x a=_.val;out;);"],
    ids=["out again and again", "foreach", "for"],
)
def test_run_and_writing_end_soon_after_the_limit(world: World, query: str, form: str) -> None:
    start = time.process_time()
    response = EmbeddedEngine(world).run(f"[out:{form}];{query}", Limits(0.3))
    response.render()
    assert time.process_time() - start < 0.3 + GRACE_S + 1.0
