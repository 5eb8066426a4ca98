"""The same spec and the same real world give the same bytes, on any machine and at any time."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter

from overworld.witness.builder import spec_hash
from overworld.witness.spec import WitnessSpec

PROBES = [
    {"id": "a", "as": "node", "like": "node/10", "place": {"inside": "Quarter"}},
    {"id": "b", "as": "closed_way", "set": {"a": "b"}, "size_m": 33, "place": {"inside": "Quarter"}},
    {"id": "c", "as": "way", "set": {"a": "c"}, "size_m": 70, "place": {"border": "Quarter"}},
    {"id": "d", "as": "multipolygon", "set": {"a": "d"}, "place": {"outside": "Quarter", "gap_m": 47}},
    {"id": "e", "as": "node", "set": {"a": "e"}, "place": {"from": "way/102", "distance_m": 77, "bearing_deg": 123}},
    {"id": "f", "as": "node", "set": {"a": "f"}, "place": {"in_view": True}},
]
REBUILD = [{"area": "Quarter"}, {"objects": ["relation/502"]}]
CONTENT_HASH = "f3dca4c41fff6d46ed8a910e6f620aab4cbe15c488d765e57c31e7b18fcb4e66"


def test_content_hash_is_the_same_everywhere(build, world_of):
    world = world_of(build(REBUILD, probes=PROBES))
    assert world.info.content_hash == CONTENT_HASH


def test_order_of_rebuilt_things_and_of_tags_does_not_matter(build, world_of):
    one = world_of(build(REBUILD, probes=PROBES))
    backwards = [{**probe, "set": dict(reversed(probe.get("set", {}).items()))} for probe in PROBES]
    other = world_of(build(REBUILD[::-1], probes=backwards))
    assert one.info.content_hash == other.info.content_hash


def test_no_metadata(build, world_of, tmp_path):
    from overworld.world.open import write_world

    world = world_of(build(REBUILD, probes=PROBES))
    write_world(world, tmp_path)
    text = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert not [word for word in (b"changeset", b"timestamp", b"uid", b"user") if word in text]


BASE = {"rebuild": [{"area": "Quarter"}], "worlds": [{"id": "w1", "why": "a", "probes": [PROBES[0]]}]}


def _with(**entry):
    return {**BASE, "worlds": [{**BASE["worlds"][0], **entry}]}


CHANGES = {
    "why": _with(why="b"),
    "probe": _with(probes=[PROBES[1]]),
    "remove": _with(remove=["node/10"]),
    "rebuild": {**BASE, "rebuild": [{"area": "School"}]},
}


@pytest.mark.parametrize("changed", CHANGES.values(), ids=CHANGES.keys())
def test_spec_hash_changes_with_every_part(changed):
    kind = TypeAdapter(WitnessSpec)
    base, other = kind.validate_python(BASE), kind.validate_python(changed)
    assert spec_hash(base, base.worlds[0], None) == spec_hash(base, kind.validate_python(BASE).worlds[0], None)
    assert spec_hash(base, base.worlds[0], None) != spec_hash(other, other.worlds[0], None)
