"""The content hash: what is in it, and what is not."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable

import pytest

from overworld.core.elements import ElementType
from overworld.world.build import Origin, build_world
from overworld.world.objects import ObjectCollector

Change = Callable[[dict[str, list[tuple[object, ...]]]], None]


def things() -> dict[str, list[tuple[object, ...]]]:
    return {
        "node": [(1, 10, 20, {"a": "1", "b": "2"}), (2, 30, 40, {}), (3, 50, 60, {"a": "1"})],
        "way": [(1, [1, 2, 3], {"highway": "path"}), (2, [3, 9], {})],
        "relation": [(1, [(ElementType.WAY, 1, "outer"), (ElementType.NODE, 7, "x")], {"type": "site"})],
    }


def hash_of(parts: dict[str, list[tuple[object, ...]]]) -> str:
    collector = ObjectCollector()
    for word, objects in parts.items():
        for one in objects:
            getattr(collector, word)(*one)
    return build_world(collector.objects(), Origin("x")).info.content_hash


def with_tags(word: str, position: int, tags: dict[str, str]) -> Change:
    def change(parts: dict[str, list[tuple[object, ...]]]) -> None:
        parts[word][position] = (*parts[word][position][:-1], tags)

    return change


def replaced(word: str, position: int, *values: object) -> Change:
    def change(parts: dict[str, list[tuple[object, ...]]]) -> None:
        parts[word][position] = values

    return change


CHANGES = {
    "a node's id": replaced("node", 1, 4, 30, 40, {}),
    "a latitude by the smallest step": replaced("node", 1, 2, 31, 40, {}),
    "a longitude": replaced("node", 1, 2, 30, 41, {}),
    "a value": with_tags("node", 0, {"a": "1", "b": "3"}),
    "a key": with_tags("node", 0, {"a": "1", "c": "2"}),
    "a tag less": with_tags("node", 2, {}),
    "a tag at another object": with_tags("node", 1, {"a": "1"}),
    "key and value swapped": with_tags("way", 0, {"path": "highway"}),
    "the order of refs": replaced("way", 0, 1, [2, 1, 3], {"highway": "path"}),
    "a ref twice": replaced("way", 0, 1, [1, 2, 2, 3], {"highway": "path"}),
    "a ref to what is missing": replaced("way", 1, 2, [3, 8], {}),
    "a ref over the border of two ways": replaced("way", 1, 2, [9], {}),
    "a role": replaced("relation", 0, 1, [(ElementType.WAY, 1, "inner"), (ElementType.NODE, 7, "x")], {"type": "site"}),
    "a member's type": replaced(
        "relation", 0, 1, [(ElementType.WAY, 1, "outer"), (ElementType.WAY, 7, "x")], {"type": "site"}
    ),
    "the order of members": replaced(
        "relation", 0, 1, [(ElementType.NODE, 7, "x"), (ElementType.WAY, 1, "outer")], {"type": "site"}
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_change_shows(change: Change) -> None:
    changed = things()
    change(changed)
    assert hash_of(changed) != hash_of(things())


def test_the_order_in_which_objects_and_tags_come_does_not_show() -> None:
    expected = hash_of(things())
    for seed in range(5):
        shuffled = things()
        shuffled["node"][0] = (1, 10, 20, {"b": "2", "a": "1"})
        for objects in shuffled.values():
            random.Random(seed).shuffle(objects)
        assert hash_of(dict(reversed(shuffled.items()))) == expected


def test_the_byte_form_is_the_documented_one() -> None:
    def column(name: str, blob: bytes) -> bytes:
        return name.encode() + b"\0" + len(blob).to_bytes(8, "little") + blob

    def integers(size: int, *values: int) -> bytes:
        return b"".join([value.to_bytes(size, "little", signed=True) for value in values])

    expected = b"overworld objects 1\n" + b"".join(
        [
            column("keys", b"k\0\xc3\xb6\0"),
            column("values", b"v\0"),
            column("roles", b"\0stop\0"),
            column("pairs", integers(4, 0, 0, 1, 0)),
            column("node.ids", integers(8, 5)),
            column("node.lat", integers(4, -7)),
            column("node.lon", integers(4, 8)),
            column("way.ids", integers(8, 6)),
            column("way.refs.counts", integers(4, 2)),
            column("way.refs", integers(8, 99, 5)),
            column("relation.ids", integers(8, 7)),
            column("relation.members.counts", integers(4, 2)),
            column("relation.members", integers(8, 5, 3)),
            column("relation.member_types", integers(1, 0, 2)),
            column("relation.member_roles", integers(4, 1, 0)),
            column("node.tags.counts", integers(4, 2)),
            column("node.tags", integers(4, 0, 1)),
            column("way.tags.counts", integers(4, 0)),
            column("way.tags", b""),
            column("relation.tags.counts", integers(4, 1)),
            column("relation.tags", integers(4, 0)),
        ]
    )
    made = hash_of(
        {
            "node": [(5, -7, 8, {"ö": "v", "k": "v"})],
            "way": [(6, [99, 5], {})],
            "relation": [(7, [(ElementType.NODE, 5, "stop"), (ElementType.RELATION, 3, "")], {"k": "v"})],
        }
    )
    assert made == hashlib.sha256(expected).hexdigest()
