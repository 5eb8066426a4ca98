"""Quadtile indices: orders measured on the real engine, and the rule of the smallest square."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from overworld.world.csr import offsets_of
from overworld.world.quads import common_quads, interleave, node_quads, quad_order, separate
from overworld.world.store import U32

CASES = YAML(typ="safe").load(Path(__file__).with_name("cases") / "quads.yaml")
halves = st.integers(0, 0x7FFF)
places = st.lists(st.tuples(halves, halves), min_size=1, max_size=6)


def quad_of(lat: int, lon: int) -> int:
    return int(interleave(np.array([lat], dtype=np.uint32), np.array([lon], dtype=np.uint32))[0])


def common(quads: list[int]) -> int:
    return int(common_quads(np.array(quads, dtype=np.uint32), np.array([0, len(quads)], dtype=np.uint32))[0])


@pytest.mark.parametrize("case", CASES["nodes"], ids=lambda case: f"{case['lat']},{case['lon']}")
def test_nodes(case: dict[str, float]) -> None:
    lat, lon = round(case["lat"] * 1e7), round(case["lon"] * 1e7)
    assert node_quads(np.array([lat], dtype=np.int32), np.array([lon], dtype=np.int32)).tolist() == [case["quad"]]


@pytest.mark.parametrize("case", CASES["common"], ids=lambda case: case["id"])
def test_common_index(case: dict[str, list[int]]) -> None:
    assert common(case["of"]) == case["is"]


@pytest.mark.parametrize("case", CASES["orders"], ids=lambda case: case["id"])
def test_order(case: dict[str, list[int]]) -> None:
    quads = np.array(case["quads"], dtype=np.uint32)
    assert quads[quad_order(quads)].tolist() == case["order"]


@given(st.integers(0, 0xFFFF), st.integers(0, 0xFFFF))
def test_separate_undoes_interleave(lat: int, lon: int) -> None:
    back = separate(np.array([quad_of(lat, lon)], dtype=np.uint32))
    assert (int(back[0][0]), int(back[1][0])) == (lat, lon)


def square(index: int) -> tuple[int, int, int]:
    """South-west corner and side of the square behind a marked index."""
    level = (index & 0x7F & -(index & 0x7F)).bit_length()
    lat, lon = (int(one[0]) for one in separate(np.array([index & 0x7FFFFFFF], dtype=np.uint32)))
    mask = ~((1 << (2 * level - 1)) - 1)
    return lat & mask, lon & mask, 4**level


@given(places)
def test_the_square_holds_all_members(members: list[tuple[int, int]]) -> None:
    index = common([quad_of(lat, lon) for lat, lon in members])
    if index < 0x80000000:
        assert {quad_of(lat, lon) for lat, lon in members} == {index}
    elif index != 0x80000080:
        south, west, side = square(index)
        assert all(south <= lat < south + side and west <= lon < west + side for lat, lon in members)


@given(places, places)
def test_a_relation_of_ways_holds_the_squares_of_the_ways(
    one: list[tuple[int, int]], two: list[tuple[int, int]]
) -> None:
    ways = [common([quad_of(lat, lon) for lat, lon in members]) for members in (one, two)]
    index = common(ways)
    if index < 0x80000000:
        assert ways == [index, index]
    elif index != 0x80000080:
        south, west, side = square(index)
        assert all(south <= lat < south + side and west <= lon < west + side for lat, lon in one + two)


@given(st.lists(places, min_size=1, max_size=5))
def test_many_at_once_are_each_by_itself(groups: list[list[tuple[int, int]]]) -> None:
    quads: U32 = np.array([quad_of(lat, lon) for group in groups for lat, lon in group], dtype=np.uint32)
    offsets = offsets_of(np.array([len(group) for group in groups], dtype=np.int64))
    alone = [common([quad_of(lat, lon) for lat, lon in group]) for group in groups]
    assert common_quads(quads, offsets).tolist() == alone
