"""Probes: their tags, their ids, and where they are."""

from __future__ import annotations

import math

import pytest

from overworld.core.elements import ObjectId
from overworld.core.errors import InputError
from overworld.witness.realmap import MapNode, MapRelation, MapWay, RealMap

EARTH_RADIUS_M = 6_366_197.72
QUARTER = (50.0, 8.0, 50.01, 8.01)
AT = {"at": [50.005, 8.005]}
TAG = {"amenity": "bench"}


def haversine_m(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Great-circle distance of two positions in degrees, told apart from the code under test."""
    (lat1, lon1), (lat2, lon2) = ((math.radians(x), math.radians(y)) for x, y in (a, b))
    h = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * EARTH_RADIUS_M * math.asin(math.sqrt(h))


def distances_to_the_border_m(lat: float, lon: float) -> list[float]:
    """Distances to the four sides of the quarter, positive towards the inside."""
    south, west, north, east = QUARTER
    metres = EARTH_RADIUS_M * math.pi / 180
    return [
        (lat - south) * metres,
        (north - lat) * metres,
        (lon - west) * metres * math.cos(math.radians(lat)),
        (east - lon) * metres * math.cos(math.radians(lat)),
    ]


@pytest.fixture
def probed(build, world_of):
    """Builds a world with these probes and gives, by probe id, the object and the positions of its nodes in degrees."""

    def run(*probes, rebuild=({"area": "Quarter"}, {"objects": ["relation/504", "node/30"]})):
        built = build(list(rebuild), probes=list(probes))
        found = RealMap(world_of(built))

        def positions(one: ObjectId) -> list[tuple[float, float]]:
            thing = found.get(one)
            if isinstance(thing, MapNode):
                return [(thing.point.lat / 1e7, thing.point.lon / 1e7)]
            return [at for part in thing.parts for at in positions(part)]

        return {
            probe.id: (probe.object, found.get(probe.object), positions(probe.object)) for probe in built.report.probes
        }

    return run


def test_ids_come_from_the_reserved_ranges_in_order_of_the_spec(probed):
    found = probed(
        {"id": "a", "as": "node", "set": TAG, "place": AT},
        {"id": "b", "as": "way", "set": TAG, "place": AT},
        {"id": "c", "as": "closed_way", "set": TAG, "place": AT},
        {"id": "d", "as": "multipolygon", "set": TAG, "place": AT},
        {"id": "e", "as": "relation", "set": TAG, "members": [{"ref": "c", "role": "outer"}, {"ref": "node/10"}]},
    )
    assert {name: str(one) for name, (one, _, _) in found.items()} == {
        "a": "node/13000000000",
        "b": "way/1800000000",
        "c": "way/1800000001",
        "d": "relation/600000000",
        "e": "relation/600000001",
    }
    way, ring, area, group = (found[name][1] for name in "bcde")
    assert isinstance(way, MapWay)
    assert way.nodes == (13_000_000_001, 13_000_000_002)
    assert isinstance(ring, MapWay)
    assert ring.nodes == (13_000_000_003, 13_000_000_004, 13_000_000_005, 13_000_000_006, 13_000_000_003)
    assert isinstance(area, MapRelation)
    assert area.tags == {**TAG, "type": "multipolygon"}
    assert [(str(member.object), member.role) for member in area.members] == [("way/1800000002", "outer")]
    assert isinstance(group, MapRelation)
    assert [(str(member.object), member.role) for member in group.members] == [
        ("way/1800000001", "outer"),
        ("node/10", ""),
    ]


TAGS = {
    "set-only": ({"as": "node", "set": {"a": "b"}}, {"a": "b"}),
    "like": ({"as": "node", "like": "node/10"}, {"amenity": "cafe", "name": "Eins", "outdoor_seating": "yes"}),
    "like-set-drop": (
        {"as": "node", "like": "node/10", "set": {"outdoor_seating": "no", "a": "b"}, "drop": ["name"]},
        {"amenity": "cafe", "outdoor_seating": "no", "a": "b"},
    ),
    "a-multipolygon-as-a-node": ({"as": "node", "like": "relation/504"}, {"leisure": "park"}),
    "a-boundary-as-a-multipolygon": (
        {"as": "multipolygon", "like": "relation/500", "drop": ["admin_level"]},
        {"type": "boundary", "boundary": "administrative", "name": "Quarter"},
    ),
}


@pytest.mark.parametrize(("probe", "tags"), TAGS.values(), ids=TAGS.keys())
def test_tags(probed, probe, tags):
    assert probed({"id": "x", "place": AT, **probe})["x"][1].tags == tags


def test_at_is_exact(probed):
    (position,) = probed({"id": "x", "as": "node", "set": TAG, "place": {"at": [50.0012345, 8.0098765]}})["x"][2]
    assert position == (50.0012345, 8.0098765)


@pytest.mark.parametrize("shape", ["node", "way", "closed_way", "multipolygon"])
def test_inside_is_well_inside(probed, shape):
    size = {} if shape == "node" else {"size_m": 50}
    positions = probed({"id": "x", "as": shape, "set": TAG, "place": {"inside": "Quarter"}, **size})["x"][2]
    assert all(min(distances_to_the_border_m(*at)) > 290 for at in positions)


def test_several_inside_keep_apart(probed):
    names = "abcdef"
    found = probed(*[{"id": one, "as": "node", "set": TAG, "place": {"inside": "Quarter"}} for one in names])
    positions = [found[one][2][0] for one in names]
    assert all(min(distances_to_the_border_m(*at)) > 90 for at in positions)
    assert min(haversine_m(a, b) for a in positions for b in positions if a != b) > 90


@pytest.mark.parametrize(("shape", "gap_m"), [("node", 30), ("closed_way", 30), ("way", 250)])
def test_outside_keeps_its_gap(probed, shape, gap_m):
    place = {"outside": "Quarter", "gap_m": gap_m}
    positions = probed({"id": "x", "as": shape, "set": TAG, "place": place})["x"][2]
    nearest = [-min(distances_to_the_border_m(*at)) for at in positions]
    assert min(nearest) >= gap_m * 0.99
    assert min(nearest) <= gap_m * 1.01 + (0 if shape == "node" else 20)


FROM = {
    "a-node": ("node/10", (50.005, 8.005), 90.0, 45.0),
    "far-from-a-node": ("node/10", (50.005, 8.005), 5000.0, 200.0),
    "on-a-node": ("node/10", (50.005, 8.005), 0.0, 0.0),
    "north-of-a-way": ("way/102", (50.003, 8.0025), 120.0, 0.0),
    "west-of-a-relation": ("relation/504", (50.0025, 8.002), 60.0, 270.0),
}


@pytest.mark.parametrize(("ref", "edge", "distance_m", "bearing_deg"), FROM.values(), ids=FROM.keys())
def test_from_is_as_far_as_around_measures_it(probed, ref, edge, distance_m, bearing_deg):
    place = {"from": ref, "distance_m": distance_m, "bearing_deg": bearing_deg}
    (position,) = probed({"id": "x", "as": "node", "set": TAG, "place": place})["x"][2]
    assert haversine_m(position, edge) == pytest.approx(distance_m, rel=0.001, abs=0.02)
    if distance_m:
        north, east = position[0] - edge[0], (position[1] - edge[1]) * math.cos(math.radians(50))
        assert math.degrees(math.atan2(east, north)) % 360 == pytest.approx(bearing_deg, abs=0.1)


def test_from_a_probe(probed):
    found = probed(
        {"id": "a", "as": "node", "set": TAG, "place": AT},
        {"id": "b", "as": "node", "set": TAG, "place": {"from": "a", "distance_m": 40, "bearing_deg": 180}},
    )
    assert haversine_m(found["a"][2][0], found["b"][2][0]) == pytest.approx(40, rel=0.001)


def test_in_view_and_beyond_it(probed):
    found = probed(
        {"id": "a", "as": "node", "set": TAG, "place": {"in_view": True}},
        {"id": "b", "as": "node", "set": TAG, "place": {"in_view": False, "gap_m": 25}},
    )
    (lat, lon), (beyond_lat, beyond_lon) = found["a"][2][0], found["b"][2][0]
    assert 50.0028 < lat < 50.0032
    assert 8.0025 < lon < 8.0055
    assert not (50.002 <= beyond_lat <= 50.004 and 8.002 <= beyond_lon <= 8.006)
    nearest = (min(max(beyond_lat, 50.002), 50.004), min(max(beyond_lon, 8.002), 8.006))
    assert haversine_m((beyond_lat, beyond_lon), nearest) == pytest.approx(25, rel=0.01)


def test_a_way_on_the_border_crosses_it(probed):
    place = {"border": "Quarter"}
    start, end = probed({"id": "x", "as": "way", "set": TAG, "size_m": 60, "place": place})["x"][2]
    assert sorted(round(min(distances_to_the_border_m(*at))) for at in (start, end)) == [-30, 30]


REFUSED = {
    "unknown-like": ({"as": "node", "like": "node/77", "place": AT}, "small has no node/77"),
    "drops-an-unknown-tag": ({"as": "node", "like": "node/10", "drop": ["x"], "place": AT}, "no tag x to drop"),
    "unknown-place": ({"as": "node", "set": TAG, "place": {"inside": "Atlantis"}}, "no area named 'Atlantis'"),
    "no-room": ({"as": "closed_way", "set": TAG, "size_m": 800, "place": {"inside": "Quarter"}}, "no room inside"),
    "border-with-a-gap": ({"as": "node", "set": TAG, "place": {"inside": "Open"}}, "relation/501 is no whole area"),
    "later-probe": (
        {"as": "node", "set": TAG, "place": {"from": "later", "distance_m": 1, "bearing_deg": 0}},
        "no probe later before it",
    ),
    "member-that-is-not-there": ({"as": "relation", "set": TAG, "members": [{"ref": "way/103"}]}, "not in this world"),
    "from-nowhere": (
        {"as": "node", "set": TAG, "place": {"from": "relation/503", "distance_m": 1, "bearing_deg": 0}},
        "relation/503 has no geometry",
    ),
}


@pytest.mark.parametrize(("probe", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_impossible_probes_are_refused(probed, probe, message):
    with pytest.raises(InputError, match=f"^witness world w1: probe x: .*{message}"):
        probed({"id": "x", **probe})
