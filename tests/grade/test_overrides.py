"""Settings that are overridden, and those that stay; lines keep their numbers."""

from __future__ import annotations

import pytest

from overworld.engine.protocol import Limits
from overworld.grade.overrides import listing_form, override

FORCED = "[out:json][timeout:10][maxsize:1000]"
CASES = [
    ("no settings", "node[a];out;", f"{FORCED};node[a];out;"),
    ("format", "[out:xml];out;", f"{FORCED};out;"),
    ("time and memory", "[timeout:3600][maxsize:1073741824];out;", f"{FORCED};out;"),
    ("a format that does not exist", "[out:geojson];out;", f"{FORCED};out;"),
    ("a box stays", "[out:json][bbox:1,2,3,4];out;", f"{FORCED}[bbox:1,2,3,4];out;"),
    ("a box that comes first stays", "[bbox:1,2,3,4][timeout:5];out;", f"{FORCED}[bbox:1,2,3,4];out;"),
    ("settings that are refused elsewhere stay", '[date:"2020"][out:json];', f'{FORCED}[date:"2020"];'),
    ("lines keep their numbers", "[out:json]\n[timeout:\n5]\n;\nout;", f"{FORCED}\n\n\n;\nout;"),
    ("comments before and between", "/*a*/[out:json]//b\n;out;", f"/*a*/{FORCED}//b\n;out;"),
    ("csv with brackets in its strings", '[out:csv("a]";true;"]")];out;', f"{FORCED};out;"),
    ("white space inside", "[ out : json ] ;out;", f"{FORCED} ;out;"),
    ("a block without its end is left to the engine", "[out:json]\nnode;out;", "[out:json]\nnode;out;"),
    ("a bracket that is not closed is left to the engine", "[out:json;out;", "[out:json;out;"),
    ("an unknown setting stays", "[limit:5][out:json];out;", f"{FORCED}[limit:5];out;"),
    ("nothing", "", f"{FORCED};"),
]


@pytest.mark.parametrize(("query", "expected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_override(query: str, expected: str) -> None:
    assert override(query, Limits(timeout_s=9.2, memory_bytes=1000)) == expected


def test_time_limit_is_at_least_a_second() -> None:
    assert "[timeout:1]" in override("out;", Limits(timeout_s=0.05, memory_bytes=1))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("nwr[a];out count;", "nwr[a];out ids;"),
        ("nwr[a]->.x;.x out count;out 3;", "nwr[a]->.x;.x out ids;out 3;"),
        ('nwr["count"];out body;', 'nwr["count"];out body;'),
        ("nwr[a];out qt count;", "nwr[a];out qt ids;"),
    ],
)
def test_listing_form(query: str, expected: str) -> None:
    assert listing_form(query) == expected
