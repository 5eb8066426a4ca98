"""Queries that could take for ever: run and writing end soon after the limit, with the engine's own remark if any."""

from __future__ import annotations

import re
import time

import pytest

from overworld.core.elements import ElementType
from overworld.engine.embedded.engine import EmbeddedEngine
from overworld.engine.protocol import Limits
from overworld.world.build import Origin, build_world
from overworld.world.objects import ObjectCollector

LIMITS = Limits(0.2, 64 * 1024 * 1024)
OVER_S = 1.0
REMARK = re.compile(
    r'runtime error: Query (timed out in "[a-z_-]+" at line 1 after 1 seconds'
    r'|run out of memory (in "[a-z_-]+" at line 1 )?using about \d+ MB of RAM)\.'
)
BOX = "47,9,47.2,9.2"
NODES, WAYS, ALL = f"node({BOX});", f"way({BOX});", f"nwr({BOX});"
LINE = ",".join(f"{47 + index % 50 / 300:.5f},{9 + index / 20_000:.5f}" for index in range(2000))
POLYGON = " ".join(f"{47 + index % 50 / 300:.5f} {9 + index / 30_000:.5f}" for index in range(5000))
QUERIES = {
    "nested foreach": NODES + "foreach(" * 200 + "out ids;" + ");" * 200,
    "nested for": NODES + "for(id())(" * 200 + "out ids;" + ");" * 200,
    "nested if": NODES + "if(1){" * 200 + "out ids;" + "}" * 200,
    "nested complete": NODES + "complete{" * 200 + "out ids;" + "}" * 200,
    "nested union": "(" * 200 + NODES + ");" * 200 + "out ids;",
    "around a point, very wide": "nwr(around:1e9,47.1,9.1);out ids;",
    "around a set, very wide": f"{WAYS}node(around:1e9);out ids;",
    "ways around ways": f"{WAYS}way(around:5000);out ids;",
    "around relations": f"rel({BOX});nwr(around:3000);out ids;",
    "around a long line": f"nwr(around:500,{LINE});out ids;",
    "for over all": f"{ALL}for(id())(make x n=count(nwr);out;);",
    "for over keys": f"{ALL}for(keys())(out ids;);",
    "for in for": f"{ALL}for->.b(id())(nwr({BOX});for->.c(id())(out count;););",
    "foreach over all": f"{ALL}foreach(nwr(around:100);out ids;);",
    "foreach in foreach": f"{WAYS}foreach(node(w);foreach(way(bn);foreach(node(w);out ids;);););",
    "union in foreach": f"{ALL}foreach->.a((.r;.a;)->.r;);.r out ids;",
    "difference in foreach": f"{ALL[:-1]}->.r;.r;foreach->.a((.r; - .a;)->.r;);.r out ids;",
    "complete that grows": f"{WAYS}complete(1000000){{nwr(around:300);>;<;}};out ids;",
    "complete by nodes": f"{WAYS}complete(1000000){{node(w);way(bn);}};out ids;",
    "geometry of all": f"{ALL}out geom;",
    "recursion on all": f"{ALL}<<;>>;<<;>>;out geom;",
    "expensive condition": f'{ALL[:-1]}(if:count_members()+length()+per_vertex(angle())>3&&number(t["x"])<id());out;',
    "aggregates in conditions": f'{ALL[:-1]}->.a;nwr.a(if:a.count(nodes)>0&&a.set(t["name"])!="");out ids;',
    "statements": "node(1);out ids;" * 10_000,
    "statements that put": "".join(f"{NODES[:-1]}->.s{index};" for index in range(3000)),
    "union of ids": f"({''.join(f'node({index});' for index in range(1, 2001))});out ids;",
    "many ids": f"node(id:{','.join(map(str, range(1, 30_000)))});out ids;",
    "is_in": f"{NODES}is_in;out ids;",
    "is_in one by one": f"{NODES}foreach(is_in;out ids;);",
    "polygon": f'nwr(poly:"{POLYGON}");out ids;',
    "areas of areas": 'area[~"."~"."]->.a;area.a[name]->.b;(node(area.a);way(area.b);rel(area.a););out geom;',
    "each area": 'area[~"."~"."];foreach->.a(nwr(area.a);out count;);',
    "areas made": f"{ALL}map_to_area;nwr(area);out geom;",
    "hulls": f"{ALL}convert x ::geom=hull(geom()),::=::,a=per_vertex(angle());out geom;",
    "hull of all": f"{ALL}make x ::geom=hull(gcat(geom()));out geom;",
    "trace of all": f"{ALL}make x ::geom=trace(gcat(geom()));out geom;",
    "line of all": f"{ALL}make x ::geom=lstr(gcat(geom()));out geom;",
    "long sum": f"make x a={'+'.join(['1'] * 5000)};out;",
    "parentheses": f"make x a={'(' * 5000}1{')' * 5000};out;",
    "filters": f"node{'[name]' * 3000}({BOX});out ids;",
    "printed again and again": ALL + "out geom;" * 300,
}


@pytest.fixture(scope="module")
def engine() -> EmbeddedEngine:
    """A net of streets with rings and relations: 12,000 nodes, 2,900 ways, 100 relations that are areas."""
    collector, width = ObjectCollector(), 120
    for number in range(12_000):
        place = divmod(number, 100)
        tags = {"name": f"name {number}", "ref": str(number % 7)} if number % 5 == 0 else {}
        collector.node(number + 1, 470_000_000 + place[0] * 10_000, 90_000_000 + place[1] * 10_000, tags)
    for number in range(2_800):
        start = number * 4 % 11_900 + 1
        collector.way(number + 1, list(range(start, start + 12)), {"highway": "path", f"k{number % 400}": "x"})
    for number in range(100):
        corner = number * width % 11_000 + 1
        ring = [corner, corner + 9, corner + 909, corner + 900, corner]
        collector.way(10_000 + number, ring, {"building": "yes"})
        collector.relation(
            number + 1,
            [(ElementType.WAY, 10_000 + number, "outer")],
            {"type": "multipolygon", "name": f"area {number}"},
        )
    return EmbeddedEngine(build_world(collector.objects(), Origin("net")))


@pytest.mark.parametrize("query", QUERIES)
def test_ends_soon_after_the_limit(engine: EmbeddedEngine, query: str) -> None:
    start = time.process_time()
    response = engine.run(f"[out:json];{QUERIES[query]}", LIMITS)
    text = response.render()
    assert time.process_time() - start < LIMITS.timeout_s + OVER_S
    assert response.remark is None or REMARK.fullmatch(response.remark)
    assert text.endswith(b"}\n")


def test_serves_after_all_that(engine: EmbeddedEngine) -> None:
    for query in QUERIES.values():
        engine.run(f"[out:json];{query}", Limits(0.01, 1024 * 1024))
    assert engine.run("node(1);out ids;").printed[0].ids.tolist() == [1]
