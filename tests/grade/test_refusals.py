"""What is refused before running, and what only looks like it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from overworld.core.boxes import Box
from overworld.engine.protocol import Limits
from overworld.grade.preparation import prepare
from overworld.grade.refusals import RefusedQueryError, refuse, without_comments
from overworld.grade.worlds import GradedTask

VIEW = Box(43.7, 7.4, 43.75, 7.45)

REFUSED = [
    ("Overpass XML", '<osm-script><query type="node"/></osm-script>', "Overpass XML"),
    ("Overpass XML with a declaration", '<?xml version="1.0"?><osm-script/>', "Overpass XML"),
    ("Overpass XML after a comment", "<!-- cafes --><union/>", "Overpass XML"),
    ("date setting", '[date:"2020-01-01T00:00:00Z"];node[a];out;', "[date:…]"),
    ("diff setting", '[diff:"2020-01-01T00:00:00Z"];node[a];out;', "[diff:…]"),
    ("adiff setting", '[adiff:"2020-01-01T00:00:00Z"];node[a];out;', "[adiff:…]"),
    ("date setting that is no date", '[date:"yesterday"];node[a];out;', "[date:…]"),
    ("newer", 'node[a](newer:"2020-01-01T00:00:00Z");out;', "newer"),
    ("changed", 'node[a](changed:"2020-01-01T00:00:00Z");out;', "changed"),
    ("user", 'node[a](user:"somebody");out;', "user"),
    ("uid", "node[a](uid:1);out;", "uid"),
    ("user inside blocks", 'foreach(if(1){node[a];node(user:"x");});out;', "user"),
    ("user in a union", '(node[a];(way[b];node[c](user:"x");););out;', "user"),
    ("user in the other branch", "if(1){node[a];}else{node[a](uid:3);}out;", "uid"),
    ("timeline", "timeline(node,1);out;", "timeline"),
    ("retro", 'retro("2020-01-01T00:00:00Z")(node[a];out;);', "retro"),
    ("date shortcut", 'node[a](newer:"{{date:1 day}}");out;', "unsupported shortcut {{date:1 day}}"),
    ("geocodeId", "{{geocodeId:X}}->.a;out;", "unsupported shortcut"),
    ("nominatimArea", "{{nominatimArea:X}}->.a;out;", "unsupported shortcut"),
    ("constant", "{{radius=5}}node(around:{{radius}},1,1);out;", "unsupported shortcut"),
    ("style", "node[a];out;{{style: node{color:red} }}", "unsupported shortcut"),
    ("shortcut without its name", "{{geocodeArea}}->.a;out;", "unsupported shortcut"),
    ("unsupported shortcut in what cannot be parsed", "node[[{{date}}", "unsupported shortcut"),
]
VIEWLESS = [("bbox", "node[a]({{bbox}});out;"), ("center", "node[a](around:5,{{center}});out;")]
FINE = [
    ("plain", "node[amenity=cafe];out;"),
    ("a key user", 'node["user"="x"];out;'),
    ("a value date", 'node[a="[date:2020]"];out;'),
    ("user in a comment", 'node[a]; // (user:"x")\nout;'),
    ("a shortcut in a comment", "node[a]; /* {{date}} */ out; // {{bbox}}"),
    ("a set named user", "node[a]->.user;.user out;"),
    ("a key newer", "node[newer];out;"),
    ("metadata evaluators", "node[a](if:version()>1);out;"),
    ("recursion first", "<;out;"),
    ("a place name", '{{geocodeArea:"Quarter"}}->.a;node[a](area.a);out;'),
    ("what cannot be parsed", 'node[a(user:"x");out'),
    ("a link in a value", 'node[website="http://x//y"];out;'),
]


@pytest.mark.parametrize(("query", "words"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_refused(query: str, words: str) -> None:
    with pytest.raises(RefusedQueryError) as caught:
        refuse(query, VIEW)
    assert words in str(caught.value)


@pytest.mark.parametrize("query", [row[1] for row in VIEWLESS], ids=[row[0] for row in VIEWLESS])
def test_a_view_where_there_is_none(query: str) -> None:
    refuse(query, VIEW)
    with pytest.raises(RefusedQueryError, match="no map view"):
        refuse(query, None)


@pytest.mark.parametrize("query", [row[1] for row in FINE], ids=[row[0] for row in FINE])
def test_not_refused(query: str) -> None:
    refuse(query, None)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('{{geocodeArea:"Quarter"}}->.a;', "area(3600000020)->.a;"),
        ("{{geocodeArea:quarter}}->.a;", "area(3600000020)->.a;"),
        ("node({{bbox}});", "node(43.7,7.4,43.75,7.45);"),
        ("node(around:5,{{center}});", "node(around:5,43.725,7.425);"),
        ("[bbox:{{bbox}}];out;", "[bbox:43.7,7.4,43.75,7.45];out;"),
        ("// {{date}}\nout;", " \nout;"),
    ],
)
def test_prepared(bench: Callable[..., GradedTask], query: str, expected: str) -> None:
    prepared = prepare(query, bench({}).real.gazetteer, VIEW, Limits(timeout_s=5, memory_bytes=9))
    settings = "[out:json][timeout:5][maxsize:9]"
    assert prepared == (settings + expected if expected.startswith("[") else f"{settings};{expected}")


def test_a_place_without_an_area(bench: Callable[..., GradedTask]) -> None:
    with pytest.raises(RefusedQueryError, match="line 2: the world real has no area named 'Nowhere'"):
        prepare("\n{{geocodeArea:Nowhere}}->.a;out;", bench({}).real.gazetteer, None, Limits())


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("a;//b\nc;", "a; \nc;"),
        ("a;/*b\nb*/c;", "a; \nc;"),
        ('node[a="//b"];//c', 'node[a="//b"]; '),
        ("node[a='/*b*/'];", "node[a='/*b*/'];"),
        ('node[a="\\"//b"];', 'node[a="\\"//b"];'),
        ("a;/*b", "a;/*b"),
    ],
)
def test_without_comments(query: str, expected: str) -> None:
    assert without_comments(query) == expected
