"""Place names: which area a person means."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from overworld.core.errors import InputError, UnknownNameError
from overworld.world.gazetteer import Gazetteer, fold
from overworld.world.store import World

Draw = Callable[..., World]

MAP = """\
a . . . b . e
. h i . . . .
. k j . . . .
d . . . c . f
"""
RINGS = {1: "abcda", 2: "befcb", 3: "hijkh", 4: "hij", 5: "aZbca"}


def boundary(way: int, level: int | None, name: str, **tags: str) -> dict[str, object]:
    administrative = {} if level is None else {"boundary": "administrative", "admin_level": str(level)}
    return {"members": [f"way/{way} outer"], "tags": {"type": "boundary", "name": name, **administrative, **tags}}


@pytest.fixture
def gazetteer(draw: Draw) -> Gazetteer:
    relations = {
        1: boundary(1, 2, "Östreich", **{"name:fr": "Autriche", "alt_name": "Ostland; Alpenland", "short_name": "Ö"}),
        2: boundary(2, 8, "Sainte-Dévote"),
        3: boundary(3, 8, "Altstadt"),
        4: boundary(2, 9, "Altstadt"),
        5: boundary(1, 10, "Twice", wikidata="Q1"),
        6: boundary(3, 10, "Twice"),
        7: boundary(4, 6, "Broken"),
        8: boundary(3, None, "Hamlet Town", place="hamlet"),
        9: boundary(2, None, "Hamlet Town", place="town"),
        10: boundary(1, 4, "Other", **{"name:en": "Altstadt"}),
        11: {"members": ["way/3"], "tags": {"type": "multipolygon", "name": "Café d'Or", "building": "yes"}},
    }
    tags = {
        "way/2": {"name": "Broken", "building": "school"},
        "way/3": {"name": "Little Park", "leisure": "park", "loc_name": "Pärkli"},
        "way/4": {"name": "Path", "highway": "path"},
        "way/5": {"name": "Half", "leisure": "park"},
    }
    return Gazetteer(draw(MAP, ways=RINGS, relations=relations, tags=tags))


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("Île-de-Sainte-Dévote", "ile de sainte devote"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("København", "kobenhavn"),
        ("  Big   Ben ", "big ben"),
        ("Cap-d'Ail", "cap dail"),
        ("Cap-d’Ail", "cap dail"),
        ("Łódź", "lodz"),
        ("東京", "東京"),
        ("…", ""),
    ],
)
def test_names_as_they_are_compared(name: str, folded: str) -> None:
    assert fold(name) == folded


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        pytest.param("Sainte-Dévote", "area(3600000002)", id="as it stands"),
        pytest.param("sainte devote", "area(3600000002)", id="as typed"),
        pytest.param("autriche", "area(3600000001)", id="in another language"),
        pytest.param("Alpenland", "area(3600000001)", id="one of two alternative names"),
        pytest.param("ö", "area(3600000001)", id="short name"),
        pytest.param("Little Park", "area(3)", id="a closed way"),
        pytest.param("parkli", "area(3)", id="local name of a closed way"),
        pytest.param("cafe dor", "area(3600000011)", id="a building"),
        pytest.param("Altstadt", "area(3600000003)", id="the higher boundary, and its name before a translation"),
        pytest.param("Hamlet Town", "area(3600000009)", id="the greater place"),
        pytest.param("Twice", "area(3600000005)", id="the larger of equals"),
        pytest.param("Altstadt, Sainte-Dévote", "area(3600000004)", id="the one inside another"),
        pytest.param("Altstadt , autriche", "area(3600000003)", id="inside, by another name"),
        pytest.param("Twice, Östreich", "area(3600000005)", id="inside: one of the same border, too"),
        pytest.param("Altstadt, Nowhere", "area(3600000003)", id="in what the world does not have"),
    ],
)
def test_names_and_areas(gazetteer: Gazetteer, asked: str, text: str) -> None:
    assert gazetteer.resolve(asked).text == text


def test_other_meanings_are_told_best_first(gazetteer: Gazetteer) -> None:
    found = gazetteer.resolve("Altstadt")
    assert [str(one.id) for one in found.others] == ["relation/4", "relation/10"]
    assert found.description == "boundary=administrative, admin_level=8, type=boundary"


def test_parts_that_cannot_be_checked_are_told(gazetteer: Gazetteer) -> None:
    assert gazetteer.resolve("Altstadt, Östreich, Europe").unchecked == ("Europe",)


@pytest.mark.parametrize(
    ("asked", "remedy"),
    [
        pytest.param("Sainte Devotte", "did you mean Sainte-Dévote?", id="misspelt"),
        pytest.param("Broken", "the border of relation/7 is not whole in it", id="a boundary without a whole border"),
        pytest.param("Path", "its areas: worlds show drawn", id="an open way"),
        pytest.param("Half", "its areas: worlds show drawn", id="a closed way with a missing node"),
        pytest.param("Little Park, Sainte-Dévote", "Little Park", id="not in there"),
    ],
)
def test_names_without_an_area(gazetteer: Gazetteer, asked: str, remedy: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        gazetteer.resolve(asked)
    assert str(caught.value).startswith(f"the world drawn has no area named {asked!r} (")
    assert remedy in str(caught.value)


@pytest.mark.parametrize("name", ["", "  ", "-", ","])
def test_no_name(gazetteer: Gazetteer, name: str) -> None:
    with pytest.raises(InputError, match="no name of a place"):
        gazetteer.resolve(name)
