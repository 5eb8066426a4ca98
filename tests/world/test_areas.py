"""Areas: which relations become one, and what border they have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from overworld.world.store import World

CASES = YAML(typ="safe").load(Path(__file__).with_name("cases") / "areas.yaml")


def drawn(draw: Callable[..., World], case: dict[str, Any]) -> World:
    return draw(case["drawing"], ways=case["ways"], relations=case["relations"])


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_relations_become_areas(draw: Callable[..., World], case: dict[str, Any]) -> None:
    world = drawn(draw, case)
    assert world.areas.ids.tolist() == case["areas"]
    relations = world.relations.ids[world.areas.relations]
    assert [(id + 3_600_000_000) % 2**32 for id in relations.tolist()] == case["areas"]


def test_the_border_is_that_of_the_whole_ways_each_once(draw: Callable[..., World]) -> None:
    world = draw(
        "a . b . e\nd . c . f",
        ways={1: "abc", 2: "cda", 3: "beZfb"},
        relations={1: {"members": ["way/2", "way/3", "way/1", "way/1"], "tags": {"type": "multipolygon", "name": "X"}}},
    )
    a, b, c, d = [[int(world.nodes.lat[row]), int(world.nodes.lon[row])] for row in range(4)]
    assert world.areas.ends.tolist() == [a + b, b + c, c + d, d + a]
    assert world.areas.segment_offsets.tolist() == [0, 4]
    assert world.areas.boxes.tolist() == [[d[0], a[1], a[0], c[1]]]


def test_areas_stay_with_their_borders_when_their_ids_are_sorted(draw: Callable[..., World]) -> None:
    ring = {"tags": {"type": "multipolygon", "name": "X"}}
    world = draw(
        "a . b . e\nd . c . f",
        ways={1: "abcda", 2: "befcb"},
        relations={1: {"members": ["way/1"], **ring}, 700_000_000: {"members": ["way/2"], **ring}},
    )
    assert world.areas.ids.tolist() == [4_300_000_000 - 2**32, 3_600_000_001]
    assert world.areas.relations.tolist() == [1, 0]
    west_of_area = world.areas.boxes[:, 1].tolist()
    assert west_of_area == [int(world.nodes.lon[1]), int(world.nodes.lon[0])]
