"""Tag look-ups against going through all tags."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from overworld.core.elements import ElementType
from overworld.world.build import Origin, build_world
from overworld.world.objects import ObjectCollector
from overworld.world.store import World
from overworld.world.tagindex import (
    TagReader,
    pair_value,
    pairs_of_key,
    rows_with_key,
    rows_with_tag,
    tags_of,
    texts,
)

words = st.text(st.sampled_from(["a", "b", "é", "€", "\U0001f600", " "]), max_size=3)
tag_sets = st.lists(st.dictionaries(words, words, max_size=4), max_size=12)


def world_of(tags: list[dict[str, str]]) -> World:
    collector = ObjectCollector()
    for row, one in enumerate(tags):
        collector.node(row + 1, row, row, one)
    return build_world(collector.objects(), Origin("tags"))


@given(tag_sets, words, words)
def test_rows(tags: list[dict[str, str]], key: str, value: str) -> None:
    world = world_of(tags)
    with_key = rows_with_key(world.tags, world.nodes.tagged, key)
    assert with_key.dtype == np.int32
    assert with_key.tolist() == [row for row, one in enumerate(tags) if key in one]
    with_tag = rows_with_tag(world.tags, world.nodes.tagged, key, value)
    assert with_tag.tolist() == [row for row, one in enumerate(tags) if one.get(key) == value]


@given(tag_sets)
def test_tags_of_objects_come_back_sorted_by_key(tags: list[dict[str, str]]) -> None:
    world = world_of(tags)
    for row, one in enumerate(tags):
        read = tags_of(world, ElementType.NODE, row)
        assert read == one
        assert list(read) == sorted(one, key=lambda key: key.encode())
    everything = np.arange(len(tags), dtype=np.int32)[::-1]
    assert list(TagReader(world).each(ElementType.NODE, everything)) == tags[::-1]


@given(tag_sets, words)
def test_values_of_a_key(tags: list[dict[str, str]], key: str) -> None:
    world = world_of(tags)
    values = [pair_value(world.tags, pair) for pair in pairs_of_key(world.tags, key)]
    assert values == sorted({one[key] for one in tags if key in one}, key=lambda value: value.encode())


@given(tag_sets)
def test_strings_are_found_where_they_are(tags: list[dict[str, str]]) -> None:
    keys = world_of(tags).tags.keys
    assert texts(keys) == [keys[number] for number in range(len(keys))]
    assert [keys.find(text) for text in texts(keys)] == list(range(len(keys)))


def test_areas_have_the_tags_of_their_relation() -> None:
    collector = ObjectCollector()
    for id, place in enumerate([(0, 0), (0, 9), (9, 9)], start=1):
        collector.node(id, *place)
    collector.way(1, [1, 2, 3, 1])
    collector.relation(4, [(ElementType.WAY, 1, "")], {"name": "other", "type": "site"})
    collector.relation(7, [(ElementType.WAY, 1, "outer")], {"type": "boundary", "name": "Eck"})
    world = build_world(collector.objects(), Origin("area"))
    assert tags_of(world, ElementType.AREA, 0) == {"name": "Eck", "type": "boundary"}
