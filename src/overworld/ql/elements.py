"""Names of the XML form's elements, which the engine's errors use, too."""

from __future__ import annotations

from typing import Any, Final

from overworld.ql.grammar import BINARY_OPERATORS, FUNCTIONS, UNARY_OPERATORS
from overworld.ql.tree import (
    AreaFilter,
    AroundFilter,
    Assignment,
    Binary,
    BoxFilter,
    Call,
    Complete,
    Convert,
    Difference,
    Expression,
    Fixed,
    For,
    Foreach,
    GenericTag,
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
    SetCall,
    SetFilter,
    SetKey,
    Statement,
    TagFilter,
    TagValue,
    Ternary,
    Unary,
    Union,
)

STATEMENTS: Final[dict[type[Any], str]] = {
    Query: "query",
    Item: "item",
    Recurse: "recurse",
    IsIn: "coord-query",
    MapToArea: "map-to-area",
    Localize: "localize",
    Union: "union",
    Difference: "difference",
    Foreach: "foreach",
    For: "for",
    If: "if",
    Complete: "complete",
    Make: "make",
    Convert: "convert",
    Print: "print",
}
FILTERS: Final[dict[type[Any], str]] = {
    TagFilter: "has-kv",
    SetFilter: "item",
    IdFilter: "id-query",
    BoxFilter: "bbox-query",
    AroundFilter: "around",
    PolygonFilter: "polygon-query",
    AreaFilter: "area-query",
    PivotFilter: "pivot",
    RecurseFilter: "recurse",
    IfFilter: "filter",
}


def statement_element(statement: Statement) -> str:
    """The element of a statement."""
    if isinstance(statement, HistoryStatement):
        return statement.kind
    if isinstance(statement, Query) and statement.standalone and statement.filters:
        given = statement.filters[0]
        return given.kind if isinstance(given, HistoryFilter) else FILTERS[type(given)]
    return STATEMENTS[type(statement)]


def has_result(statement: Statement) -> bool:
    """Whether a statement fills a set, so that it can be part of a union or difference."""
    if isinstance(statement, Print | If):
        return False
    if isinstance(statement, HistoryStatement) and statement.kind == "retro":
        return False
    return statement.into != ""


def value_element(value: Expression | Assignment) -> str:
    """The element of an expression or assignment."""
    match value:
        case Fixed():
            return "eval-fixed"
        case Unary():
            return UNARY_OPERATORS[value.op]
        case Binary():
            return BINARY_OPERATORS[value.op]
        case Ternary():
            return "eval-ternary"
        case TagValue():
            return "eval-value"
        case GenericTag():
            return "eval-generic"
        case SetKey():
            return "eval-set-key"
        case Call() | SetCall():
            return FUNCTIONS[value.name].element
        case Assignment():
            return "set-prop"
