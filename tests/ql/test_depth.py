from __future__ import annotations

import pytest

from overworld.core.errors import QueryError
from overworld.ql.parser import parse
from overworld.ql.printing import to_compact, to_pretty, to_xml
from overworld.ql.walk import rewrite, shape, walk

TOO_DEEP = "line 1: parse error: Nesting of statements is limited to 1023 levels"


@pytest.mark.parametrize(
    ("opening", "closing", "levels"),
    [("if(1){", "}", 1023), ("complete{", "}", 1023), ("(", ");", 511), ("foreach{", "}", 511), ("for(1){", "}", 511)],
)
def test_deepest_blocks(opening: str, closing: str, levels: int) -> None:
    script = parse(opening * levels + "node(1);" + closing * levels)
    assert sum(1 for _ in walk(script)) >= levels
    assert shape(parse(to_compact(script))) == shape(script)
    assert to_xml(script).count("\n") >= 2 * levels
    with pytest.raises(QueryError) as refusal:
        parse(opening * (levels + 1) + "node(1);" + closing * (levels + 1))
    assert refusal.value.errors[-1] == TOO_DEEP


@pytest.mark.parametrize(
    "expression",
    [
        "(" * 4_000 + "1" + ")" * 4_000,
        "1" + "+1" * 4_000,
        "!" * 4_000 + "1",
        "number(" * 4_000 + "1" + ")" * 4_000,
        "t[" * 4_000 + '"x"' + "]" * 4_000,
        "1?" * 2_000 + "1" + ":1" * 2_000,
    ],
    ids=["parentheses", "sum", "negations", "functions", "tags", "choices"],
)
def test_deep_expressions(expression: str) -> None:
    query = f"node[a](if:{expression});"
    try:
        script = parse(query)
    except QueryError as error:
        assert error.kind == "parse"
        return
    assert to_pretty(script).startswith("node\n")
    assert to_xml(script).endswith("</osm-script>\n")
    assert rewrite(script, lambda node: node) is script


def test_many_unbalanced_brackets() -> None:
    for bracket in "([{)]}":
        with pytest.raises(QueryError):
            parse("node(if:" + bracket * 5_000)


def test_long_lists() -> None:
    ids = ",".join(map(str, range(1, 20_001)))
    assert len(list(walk(parse(f"node(id:{ids});")))) == 2
    coordinates = ",".join(["1", "2"] * 10_000)
    assert len(list(walk(parse(f"node(around:5,{coordinates});")))) == 2


def test_longest_query() -> None:
    with pytest.raises(QueryError) as refusal:
        parse("out;" * 262_144)
    assert refusal.value.errors == (
        "encoding error: Input Input too long (length: 1048577). The maximum query length is 1 MB.",
    )
