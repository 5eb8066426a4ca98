"""QL text of filters that reads back as the same tree."""

from __future__ import annotations

from overworld.ql.grammar import RECURSE_FILTERS, STANDALONE
from overworld.ql.printing import words
from overworld.ql.printing.expressions import after_colon, expression_text
from overworld.ql.strings import quote
from overworld.ql.tree import (
    AreaFilter,
    AroundFilter,
    BoxFilter,
    Filter,
    HistoryFilter,
    IdFilter,
    IfFilter,
    PivotFilter,
    PolygonFilter,
    RecurseFilter,
    SetFilter,
    TagFilter,
)


def filter_text(given: Filter) -> str:
    """The filter as QL, with its brackets."""
    match given:
        case TagFilter():
            return _tag(given)
        case SetFilter():
            return f".{given.set_name}"
        case IdFilter():
            listed = ",".join(words.identifier(ref) for ref in given.ids)
            return f"({'id:' if len(given.ids) > 1 else ''}{listed})"
        case BoxFilter():
            return f"({','.join(words.number(side) for side in given.box)})"
        case AroundFilter():
            points = "".join(f",{words.number(lat)},{words.number(lon)}" for lat, lon in given.points)
            return f"(around{_named(given.set_name)}:{words.number(given.radius_m)}{points})"
        case PolygonFilter():
            bounds = "  ".join(f"{words.number(lat)} {words.number(lon)}" for lat, lon in given.points)
            return f'(poly:"{bounds}")'
        case AreaFilter():
            return f"(area{_named(given.set_name)}{f':{given.area_id}' if given.area_id else ''})"
        case PivotFilter():
            return f"(pivot{_named(given.set_name)})"
        case RecurseFilter():
            return f"({given.kind}{_named(given.set_name)}{_restriction(given)})"
        case IfFilter():
            return f"(if{after_colon(expression_text(given.condition))})"
        case HistoryFilter():
            return _history(given)


def stands_alone(given: Filter, query_type: str) -> bool:
    """Whether the filter is read as a statement of its own if it is the only one of a query of that type."""
    match given:
        case RecurseFilter():
            return given.kind in RECURSE_FILTERS and query_type != "nwr"
        case IdFilter():
            return query_type in STANDALONE["id"]
        case AroundFilter() | BoxFilter() | PolygonFilter() | PivotFilter():
            return query_type == "node"
    return False


def _named(set_name: str) -> str:
    return "" if set_name == "_" else f".{words.set_name(set_name)}"


def _tag(given: TagFilter) -> str:
    key = ("~" if given.key_is_regex else "") + quote(given.key)
    if given.op == "has":
        value = f'{given.written}""' if "~" in given.written else given.written
    else:
        value = f"{'!' if given.negated else ''}{given.op}{quote(given.value)}"
    return f"[{key}{value}{',i' if given.ignore_case else ''}]"


def _restriction(given: RecurseFilter) -> str:
    if given.role is not None:
        return f":{quote(given.role)}"
    if given.positions:
        return f":{','.join(map(str, given.positions))}"
    if given.lower is None:
        return ""
    if given.upper == given.lower:
        return f":{given.lower}"
    return f":{given.lower}-{'' if given.upper is None else given.upper}"


def _history(given: HistoryFilter) -> str:
    touched = "_touched" if given.touched else ""
    if given.kind == "uid":
        return f"(uid{touched}:{','.join(given.args)})"
    if given.kind == "changed" and given.args == ("auto", "auto"):
        return "(changed)"
    return f"({given.kind}{touched}:{','.join(quote(argument) for argument in given.args)})"
