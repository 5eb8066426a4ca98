from __future__ import annotations

from dataclasses import replace

import pytest

from overworld.ql.parser import parse
from overworld.ql.printing import to_compact
from overworld.ql.tree import Fixed, TagFilter
from overworld.ql.walk import Node, rewrite, shape, unsupported, walk

QUERY = """
(node[a=b](if:t["c"]>1);foreach.x{way(w);});
make y d=u(id()),::geom=pt(1,2);
if(count(nodes)){out;}else{.z;}
"""


def test_walk_visits_each_node_before_what_is_below_it() -> None:
    names = [type(node).__name__ for node in walk(parse(QUERY.replace("(w)", "(bn)")))]
    assert names == [
        *["Union", "Query", "TagFilter", "IfFilter", "Binary", "TagValue", "Fixed", "Fixed"],
        *["Foreach", "Query", "RecurseFilter"],
        *["Make", "Assignment", "SetCall", "Call", "Assignment", "Call", "Fixed", "Fixed"],
        *["If", "SetCall", "Fixed", "Print", "Item"],
    ]


def test_rewrite_changes_a_copy() -> None:
    script = parse("(node[a=b](if:1+2);way[a];);out;")

    def change(node: Node) -> Node:
        if isinstance(node, TagFilter):
            return replace(node, key="z")
        return replace(node, value="9") if isinstance(node, Fixed) else node

    changed = rewrite(script, change)
    assert to_compact(changed) == '(node["z"="b"](if:9+9);way["z"];);out;\n'
    assert to_compact(script) == '(node["a"="b"](if:1+2);way["a"];);out;\n'
    assert changed.statements[1] is script.statements[1]


def test_shape_leaves_out_lines_only() -> None:
    assert shape(parse("node[a];out;")) == shape(parse("\nnode\n[a]\n;out;"))
    for other in (
        "node[b];out;",
        "way[a];out;",
        "node[a]->.b;out;",
        "node[a];",
        "(node[a];);out;",
        "[out:json];node[a];out;",
    ):
        assert shape(parse(other)) != shape(parse("node[a];out;"))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("node[a];out;", ()),
        ('[date:"2020-01-01T00:00:00Z"];out;', (("date", 1),)),
        ('[adiff:"2020-01-01T00:00:00Z"];out;', (("adiff", 1),)),
        ('node[a](newer:"2020-01-01T00:00:00Z");', (("newer", 1),)),
        ("\nnode[a](changed);(way[b]\n(user:x);rel[c](uid_touched:5););", (("changed", 2), ("user", 3), ("uid", 3))),
        ("if(1){\ntimeline(node,5);retro(1){compare;}}", (("timeline", 2), ("retro", 2), ("compare", 2))),
    ],
)
def test_unsupported(query: str, found: tuple[tuple[str, int], ...]) -> None:
    assert unsupported(parse(query)) == found
