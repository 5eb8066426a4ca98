"""The XML form of a script, as the engine's converter writes it.

Statements are written with all their attributes as the query has them; filters in parentheses and expressions with
their values, and without what is at its default.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from overworld.ql.grammar import RECURSE_RESULTS, RECURSE_TYPES
from overworld.ql.numbers import UINT32_MAX, format_float, to_int
from overworld.ql.parser import parse_unchecked
from overworld.ql.printing.xml_expressions import Element, expression_element
from overworld.ql.strings import escape_markup
from overworld.ql.timestamps import is_timestamp, iso
from overworld.ql.tree import (
    AreaFilter,
    AroundFilter,
    Assignment,
    BoxFilter,
    Complete,
    Convert,
    Difference,
    Expression,
    Filter,
    For,
    Foreach,
    HistoryFilter,
    HistoryStatement,
    IdFilter,
    If,
    IfFilter,
    IsIn,
    Item,
    Localize,
    Make,
    MapToArea,
    PivotFilter,
    PolygonFilter,
    Print,
    Query,
    Recurse,
    RecurseFilter,
    Script,
    SetFilter,
    Statement,
    TagFilter,
    Union,
)


@dataclass(frozen=True, slots=True)
class _Filter:
    """A filter with what its XML form takes from its query."""

    filter: Filter
    query_type: str
    into: str


@dataclass(frozen=True, slots=True)
class _Else:
    pass


_Item = Script | Statement | _Filter | _Else | Expression | Assignment


def convert(text: str) -> str:
    """The XML form of a query's text. Raises QueryError for what the converter refuses, which is less than what the
    engine refuses to run (it leaves the values of statements unchecked), but every query that needs a global bounding
    box to have a filter."""
    return to_xml(parse_unchecked(text))


def to_xml(script: Script) -> str:
    """The XML form of a script."""
    lines: list[str] = []
    stack: list[tuple[str, _Item | str]] = [("", script)]
    while stack:
        indent, item = stack.pop()
        if isinstance(item, str):
            lines.append(indent + item)
            continue
        element = _element(item)
        start = f"{indent}<{element.name}{element.attributes}"
        if element.children or element.has_end:
            lines.append(start + ">\n")
            stack.append((indent, f"</{element.name}>\n"))
            stack.extend((indent + "  ", child) for child in reversed(element.children))
        else:
            lines.append(start + "/>\n")
    return "".join(lines)


def _written(name: str, attributes: dict[str, str], children: Sequence[_Item] = ()) -> Element[_Item]:
    """A statement: its attributes by name."""
    text = "".join(f' {key}="{escape_markup(value)}"' for key, value in sorted(attributes.items()))
    return Element(name, text, tuple(children))


def _element(item: _Item) -> Element[_Item]:
    match item:
        case Script():
            return _written("osm-script", dict(item.settings.written), item.statements)
        case _Filter():
            return Element(*_filter(item))
        case _Else():
            return Element("else", "")
        case Query():
            return _query(item)
        case Item():
            return _written("item", {"from": item.set_name, "into": item.into})
        case Union() | Difference():
            name = "union" if isinstance(item, Union) else "difference"
            return _written(name, {"into": item.into}, item.statements)
        case Foreach():
            return _written("foreach", {"from": item.set_name, "into": item.into}, item.statements)
        case For():
            return _written("for", {"from": item.set_name, "into": item.into}, (item.key, *item.statements))
        case If():
            otherwise = (_Else(), *item.otherwise) if item.otherwise else ()
            return _written("if", {}, (item.condition, *item.statements, *otherwise))
        case Complete():
            attributes = {"from": item.set_name, "into": item.into, "maxnum": item.written}
            return _written("complete", attributes, item.statements)
        case Make() | Convert():
            name = "make" if isinstance(item, Make) else "convert"
            source = {"from": item.set_name} if item.names_set else {}
            # An expression without a key is none of an assignment, which only the converter accepts.
            parts = [one if one.key or one.target != "tag" else one.expression for one in item.assignments]
            attributes = {**source, "into": item.into, "type": item.type}
            return _written(name, attributes, [part for part in parts if part is not None])
        case Print():
            return _print(item)
        case Recurse():
            attributes = {"from": item.set_name, "into": item.into, "type": RECURSE_TYPES[item.direction]}
            return _written("recurse", attributes)
        case IsIn():
            lat, lon = item.written
            return _written("coord-query", {"from": item.set_name, "into": item.into, "lat": lat, "lon": lon})
        case MapToArea():
            return _written("map-to-area", {"from": item.set_name, "into": item.into})
        case Localize():
            sides = dict(zip("swne", item.written, strict=True))
            return _written("localize", {"from": item.set_name, "into": item.into, "type": item.type, **sides})
        case HistoryStatement():
            return _history_statement(item)
        case _:
            return expression_element(item)


def _print(item: Print) -> Element[_Item]:
    return _written(
        "print",
        {
            "from": item.set_name,
            "mode": item.mode,
            "order": item.order,
            "limit": item.written_limit,
            "geometry": item.geometry,
            "ids": "yes" if item.ids else "no",
            **dict(zip("swne", item.written_box, strict=True)),
        },
    )


def _history_statement(item: HistoryStatement) -> Element[_Item]:
    children = (*((item.expression,) if item.expression else ()), *item.statements)
    if item.kind == "retro":
        return _written("retro", {}, children)
    if item.kind == "compare":
        return _written("compare", {"from": item.set_name, "into": item.into}, children)
    kind, ref, version = item.args
    return _written("timeline", {"type": kind, "ref": ref, "version": version, "into": item.into})


# ---------------------------------------------------------------------------------------------- queries and filters


def _query(query: Query) -> Element[_Item]:
    if query.standalone:
        return Element(*_filter(_Filter(query.filters[0], query.type, query.into)))
    alone = len(query.filters) == 1 and not isinstance(query.filters[0], TagFilter | SetFilter)
    inner_into = query.into if alone else "_"
    filters = [_Filter(given, query.type, inner_into) for given in query.filters]
    return _written("query", {"into": query.into, "type": query.type}, filters)


def _filter(item: _Filter) -> tuple[str, str, tuple[_Item, ...], bool]:
    """Name, attributes, children of a filter, and whether it always has an end tag."""
    given, into = item.filter, _unless_default("into", item.into)
    match given:
        case TagFilter():
            return "has-kv", _tag_attributes(given), (), False
        case SetFilter():
            return "item", f' from="{escape_markup(given.set_name)}" into="_"', (), False
        case IfFilter():
            return "filter", "", (given.condition,), True
        case IdFilter():
            return "id-query", _id_attributes(given, item.query_type) + into, (), False
        case BoxFilter():
            south, west, north, east = (format_float(side) for side in given.box)
            return "bbox-query", f' s="{south}" w="{west}" n="{north}" e="{east}"{into}', (), False
        case AroundFilter():
            return "around", _around_attributes(given) + into, (), False
        case PolygonFilter():
            bounds = "  ".join(f"{format_float(lat)} {format_float(lon)}" for lat, lon in given.points)
            return "polygon-query", f' bounds="{bounds}"{into}', (), False
        case AreaFilter():
            ref = f' ref="{given.area_id}"' if given.area_id else ""
            return "area-query", _unless_default("from", given.set_name) + ref + into, (), False
        case PivotFilter():
            return "pivot", _unless_default("from", given.set_name) + into, (), False
        case RecurseFilter():
            return "recurse", _recurse_attributes(given, item.query_type) + into, (), False
        case HistoryFilter():
            return _history_filter(given, item.query_type, into)


def _unless_default(name: str, set_name: str) -> str:
    return "" if set_name == "_" else f' {name}="{set_name}"'


def _tag_attributes(given: TagFilter) -> str:
    is_regex = given.op == "~" or "~" in given.written
    attributes = {
        "regk" if given.key_is_regex else "k": given.key,
        "modv": "not" if given.negated or "!" in given.written else "",
        "regv" if is_regex else "v": given.value,
    }
    if given.ignore_case:
        attributes["case"] = "ignore"
    return "".join(f' {key}="{escape_markup(value)}"' for key, value in sorted(attributes.items()))


def _id_attributes(given: IdFilter, query_type: str) -> str:
    single = query_type if query_type in ("node", "way", "relation", "area") else ""
    refs = [f' ref{f"_{place}" if place else ""}="{ref}"' for place, ref in enumerate(given.ids)]
    return f' type="{single}"' + "".join(refs)


def _around_attributes(given: AroundFilter) -> str:
    text = _unless_default("from", given.set_name) + f' radius="{format_float(given.radius_m)}"'
    points = [(format_float(lat), format_float(lon)) for lat, lon in given.points]
    if len(points) == 1:
        return f'{text} lat="{points[0][0]}" lon="{points[0][1]}"'
    if points:
        return text + f' polyline="{",".join(f"{lat},{lon}" for lat, lon in points)}"'
    return text


def _recurse_attributes(given: RecurseFilter, query_type: str) -> str:
    recursion = RECURSE_TYPES.get(given.kind) or RECURSE_RESULTS[given.kind][query_type]
    text = _unless_default("from", given.set_name) + f' type="{recursion}"'
    if given.role:
        text += f' role="{escape_markup(given.role)}"'
    if given.role is not None:
        text += ' role-restricted="yes"'
    if given.positions:
        text += f' pos="{",".join(map(str, given.positions))}"'
    if given.lower is not None:
        text += f' lower="{given.lower}" upper="{UINT32_MAX if given.upper is None else given.upper}"'
    return text


def _history_filter(given: HistoryFilter, query_type: str, into: str) -> tuple[str, str, tuple[_Item, ...], bool]:
    if given.kind == "newer":
        return "newer", f' than="{iso(given.args[0])}"', (), False
    if given.kind == "changed":
        named = zip(("since", "until"), given.args, strict=True)
        dates = "".join(f' {name}="{iso(date)}"' for name, date in named if is_timestamp(date))
        return "changed", dates + into, (), False
    if given.kind == "user":
        name = "name"
        listed = [escape_markup(user) for user in sorted(set(given.args) - {""}, key=_bytes)]
    else:
        name = "uid"
        listed = [str(user) for user in sorted({to_int(user) & UINT32_MAX for user in given.args} - {0})]
    if len(listed) == 1:
        text = f' {name}="{listed[0]}"'
    else:
        text = "".join(f' {name}_{place}="{user}"' for place, user in enumerate(listed, 1))
    touched = ' criterion="touched"' if given.touched else ""
    return "user", f' type="{query_type}"{text}{touched}{into}', (), False


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
