"""overpy, a client that people use, on the embedded engine."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import overpy
import pytest

from overworld.core.elements import ElementType
from overworld.engine.embedded.engine import EmbeddedEngine
from overworld.server.app import ServedWorld
from overworld.world.build import Origin, build_world
from overworld.world.objects import ObjectCollector


@pytest.fixture
def overpass(start: Callable[..., str]) -> overpy.Overpass:
    objects = ObjectCollector()
    objects.node(1, 437300000, 74200000, {"amenity": "cafe", "name": "50%25 A+B & Söhne"})
    objects.node(2, 437310001, 74210000)
    objects.way(10, [1, 2], {"highway": "steps"})
    objects.relation(20, [(ElementType.WAY, 10, "outer"), (ElementType.NODE, 1, "")], {"type": "site"})
    world = build_world(objects.objects(), Origin("harbour"))
    root = start(ServedWorld("harbour", EmbeddedEngine(world)))
    return overpy.Overpass(url=f"{root}/harbour/api/interpreter", max_retry_count=0)


@pytest.mark.parametrize("settings", ["[out:json];", "[out:xml];"], ids=["json", "xml"])
def test_elements(overpass: overpy.Overpass, settings: str) -> None:
    result = overpass.query(f"{settings}(rel(20);way(r);node(w););out;")
    (relation,) = result.relations
    assert (relation.tags, [(member.ref, member.role or "") for member in relation.members]) == (
        {"type": "site"},
        [(10, "outer"), (1, "")],
    )
    assert [node.id for node in result.ways[0].nodes] == [1, 2]
    assert result.get_node(2).lat == Decimal("43.7310001")


def test_a_query_is_sent_raw(overpass: overpy.Overpass) -> None:
    result = overpass.query('[out:json];node["name"="50%25 A+B & Söhne"];out;')
    assert [node.id for node in result.nodes] == [1]


def test_error_lines(overpass: overpy.Overpass) -> None:
    with pytest.raises(overpy.exception.OverpassBadRequest) as caught:
        overpass.query("node(1);oot;")
    assert caught.value.msgs[0] == "Error: line 1: parse error: Unknown type &quot;oot&quot; "


@pytest.mark.parametrize(
    ("options", "error"),
    [
        pytest.param({"queue": 0}, overpy.exception.OverpassGatewayTimeout, id="too busy"),
        pytest.param({"patience_s": 0.05}, overpy.exception.OverpassTooManyRequests, id="rate limit"),
    ],
)
def test_refusals(start: Callable[..., str], engine: Any, options: dict[str, Any], error: type[Exception]) -> None:
    url = start(ServedWorld("echo", engine), slots=1, **options) + "/echo/api/interpreter"
    client = overpy.Overpass(url=url, max_retry_count=0)
    if options.get("queue") == 0:
        with pytest.raises(error):
            client.query("json")
        return
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(client.query, "wait")
        assert engine.entered.acquire(timeout=10)
        with pytest.raises(error):
            client.query("json")
        engine.gate.set()
        assert isinstance(waiting.exception(), Exception)
