from __future__ import annotations

from typing import Any

import pytest

from overworld.core.boxes import Box
from overworld.core.errors import QueryError
from overworld.ql.parser import parse
from overworld.ql.settings import effective_limits
from overworld.ql.tree import (
    AreaFilter,
    AroundFilter,
    Assignment,
    Binary,
    BoxFilter,
    Call,
    Complete,
    CsvFormat,
    Difference,
    Fixed,
    For,
    GenericTag,
    IdFilter,
    If,
    IfFilter,
    IsIn,
    Item,
    Make,
    PivotFilter,
    PolygonFilter,
    Print,
    Query,
    Recurse,
    RecurseFilter,
    SetCall,
    SetFilter,
    SetKey,
    TagFilter,
    TagValue,
    Ternary,
    Unary,
)


def first(query: str) -> Any:
    return parse(query).statements[0]


@pytest.mark.parametrize(
    ("text", "filters"),
    [
        ("[a]", (TagFilter("a", "has", line=1),)),
        ("[a=b]", (TagFilter("a", "=", "b", line=1),)),
        ("[a!=b]", (TagFilter("a", "=", "b", negated=True, line=1),)),
        ('[a~"b",i]', (TagFilter("a", "~", "b", ignore_case=True, line=1),)),
        ('[~"a"~"b"]', (TagFilter("a", "~", "b", key_is_regex=True, line=1),)),
        ("[!a]", (TagFilter("a", "~", ".*", negated=True, line=1),)),
        ("[a!]", (TagFilter("a", "has", written="!", line=1),)),
        ('[a!~""]', (TagFilter("a", "has", written="!~", line=1),)),
        (".x[b](w)", (SetFilter("x", 1), TagFilter("b", "has", line=1), RecurseFilter("w", line=1))),
        ("(w)[b].x", (TagFilter("b", "has", line=1), SetFilter("x", 1), RecurseFilter("w", line=1))),
    ],
)
def test_plain_filters(text: str, filters: tuple[Any, ...]) -> None:
    assert first(f"node{text};") == Query("node", filters, line=1)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(5)", IdFilter((5,), 1)),
        ("(id:3,1,3)", IdFilter((1, 3), 1)),
        ("(-5)", IdFilter((2**64 - 5,), 1)),
        ("(1,2,3,4)", BoxFilter(Box(1, 2, 3, 4), 1)),
        ("(around.a:5.5)", AroundFilter(5.5, (), "a", 1)),
        ("(around:5,1,2,3,4)", AroundFilter(5, ((1, 2), (3, 4)), "_", 1)),
        ('(poly:"1 2 3 4 5 6")', PolygonFilter(((1, 2), (3, 4), (5, 6)), 1)),
        ("(pivot.a)", PivotFilter("a", 1)),
        ("(w.a:2,1,-1)", RecurseFilter("w", "a", positions=(-1, 1, 2), line=1)),
        ('(r:"x")', RecurseFilter("r", role="x", line=1)),
        ("(way_cnt:2-3)", RecurseFilter("way_cnt", lower=2, upper=3, line=1)),
        ("(way_link:2-)", RecurseFilter("way_link", lower=2, line=1)),
    ],
)
def test_filters_that_stand_alone(text: str, found: Any) -> None:
    assert first(f"node{text}->.x;") == Query("node", (found,), "x", standalone=True, line=1)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(around:5)", AroundFilter(5, line=1)),
        ("(area)", AreaFilter(line=1)),
        ("(area.a)", AreaFilter("a", line=1)),
        ("(area:7)", AreaFilter(area_id=7, line=1)),
        ("(>)", RecurseFilter(">", line=1)),
        ("(if:1)", IfFilter(Fixed("1", 1), 1)),
    ],
)
def test_filters_that_need_a_query(text: str, found: Any) -> None:
    assert first(f"way{text};") == Query("way", (found,), line=1)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("1+2*3", Binary("+", Fixed("1", 1), Binary("*", Fixed("2", 1), Fixed("3", 1), 1), 1)),
        ("(1+2)*3", Binary("*", Binary("+", Fixed("1", 1), Fixed("2", 1), 1), Fixed("3", 1), 1)),
        ("1-2", Binary("-", Fixed("1", 1), Fixed("2", 1), 1)),
        ("-5", Fixed("-5", 1)),
        ("-(5)", Unary("-", Fixed("5", 1), 1)),
        ("-id()*2", Unary("-", Binary("*", Call("id", (), 1), Fixed("2", 1), 1), 1)),
        ("!1==2", Binary("==", Unary("!", Fixed("1", 1), 1), Fixed("2", 1), 1)),
        ("1?2:3", Ternary(Fixed("1", 1), Fixed("2", 1), Fixed("3", 1), 1)),
        ('t["a"]', TagValue(Fixed("a", 1), 1)),
        ("(::)", GenericTag(1)),
        ("a.val", SetKey("a", "val", 1)),
        ("count(nodes)", SetCall("_", "count", (Fixed("nodes", 1),), 1)),
        ("a.u(id())", SetCall("a", "u", (Call("id", (), 1),), 1)),
        ('is_tag("a")', Call("is_tag", (Fixed("a", 1),), 1)),
        ('count_by_role("a",ways)', Call("count_by_role", (Fixed("a", 1), Fixed("ways", 1)), 1)),
        ('lrs_in("a","b")', Call("lrs_in", (Fixed("a", 1), Fixed("b", 1)), 1)),
    ],
)
def test_expressions(text: str, tree: Any) -> None:
    assert first(f"node[a](if:{text});").filters[1] == IfFilter(tree, 1)


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        (".a->.b;", Item("a", "b", 1)),
        (".a >>->.b;", Recurse(">>", "a", "b", 1)),
        ("is_in(1,2);", IsIn((1, 2), line=1, written=("1", "2"))),
        ("(.a; - .b;);", Difference((Item("a", line=1), Item("b", line=1)), line=1)),
        ("if(1){.a;}else{.b;}", If(Fixed("1", 1), (Item("a", line=1),), (Item("b", line=1),), 1)),
        ("for.a(keys()){.b;}", For(Call("keys", (), 1), (Item("b", line=1),), "a", line=1)),
        ("complete(5){.b;}", Complete((Item("b", line=1),), 5, line=1, written="5")),
        (
            "make x a=1,::id=2,!b,c::=::;",
            Make(
                "x",
                (
                    Assignment("tag", "a", Fixed("1", 1), line=1),
                    Assignment("id", "", Fixed("2", 1), line=1),
                    Assignment("tag", "b", None, line=1),
                    Assignment("copy", "", GenericTag(1), "c", 1),
                ),
                line=1,
            ),
        ),
        ("out;", Print(line=1)),
        ("out ids qt 5 center;", Print("ids_only", "center", "quadtile", limit=5, line=1, written_limit="5")),
        ("out geom(1,2,3,4);", Print(geometry="full", box=Box(1, 2, 3, 4), line=1, written_box=("1", "2", "3", "4"))),
    ],
)
def test_statements(text: str, statement: Any) -> None:
    assert first(text) == statement


def test_settings() -> None:
    settings = parse(
        '[out:csv(::id,a;false;"|")][timeout:5][maxsize:1Ki][bbox:1,2,3,4];'.replace("1Ki", "1 ki")
    ).settings
    assert settings.output == "csv"
    assert settings.csv == CsvFormat(("::id", "a"), False, "|")
    assert (settings.timeout_s, settings.maxsize) == (5, 1024)
    assert settings.box == Box(1, 2, 3, 4)
    assert effective_limits(settings) == (5, 1024)
    assert effective_limits(parse("out;").settings) == (180, 536_870_912)


def test_global_box_from_north_to_south_is_none() -> None:
    assert parse("[bbox:3,2,1,4];out;").settings.box is None


@pytest.mark.parametrize(
    ("query", "history"),
    [
        ('[date:"2020-01-01T00:00:00Z"];', ("date",)),
        ('[diff:"2020-01-01T00:00:00Z"];', ("diff",)),
        ('[adiff:"2020-01-01T00:00:00Z","2021-01-01T00:00:00Z"];', ("adiff",)),
    ],
)
def test_history_settings(query: str, history: tuple[str, ...]) -> None:
    assert parse(query).settings.history == history


def test_lines() -> None:
    script = parse("\nnode\n[a]\n(if:\n1);\n(\nway(1);\n);")
    query, union = script.statements
    assert (query.line, query.filters[0].line) == (3, 3)  # type: ignore[union-attr]
    assert query.filters[1].condition.line == 5  # type: ignore[union-attr]
    assert (union.line, union.statements[0].line) == (6, 7)  # type: ignore[union-attr]


def test_regular_expressions_are_checked_by_the_given_function() -> None:
    with pytest.raises(QueryError, match='line 1: static error: Invalid regular expression: "b"'):
        parse('node[a~"b"];', valid_regex=lambda text: text != "b")


@pytest.mark.parametrize("query", ["<osm-script/>", "\n  <query/>", "<;"])
def test_overpass_xml_is_not_read(query: str) -> None:
    with pytest.raises(QueryError) as refusal:
        parse(query)
    assert refusal.value.kind == "unsupported"
