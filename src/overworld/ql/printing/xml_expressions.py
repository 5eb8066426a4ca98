"""The XML form of expressions and assignments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from overworld.ql.elements import value_element
from overworld.ql.strings import escape_markup
from overworld.ql.tree import (
    Assignment,
    Binary,
    Call,
    Expression,
    Fixed,
    GenericTag,
    SetCall,
    SetKey,
    TagValue,
    Ternary,
    Unary,
)

Child = TypeVar("Child", covariant=True)


@dataclass(frozen=True, slots=True)
class Element(Generic[Child]):
    """An element of the XML form: its attributes as text, each with a space before it. ``has_end``: it has an end tag
    even without children."""

    name: str
    attributes: str
    children: tuple[Child, ...] = ()
    has_end: bool = False


def expression_element(value: Expression | Assignment) -> Element[Any]:
    """The element for an expression or an assignment."""
    name = value_element(value)
    match value:
        case Assignment():
            return _assignment(name, value)
        case Fixed():
            return Element(name, f' v="{escape_markup(value.value)}"')
        case GenericTag():
            return Element(name, "")
        case SetKey():
            return Element(name, f' from="{value.set_name}" key="{escape_markup(value.key)}"')
        case Unary():
            return Element(name, "", (value.operand,), True)
        case Binary():
            return Element(name, "", (value.left, value.right), True)
        case Ternary():
            return Element(name, "", (value.condition, value.yes, value.no), True)
        case TagValue():
            return Element(name, "", (value.key,), True)
        case SetCall():
            return _set_call(name, value)
        case Call():
            return _call(name, value)


def _assignment(name: str, value: Assignment) -> Element[Any]:
    if value.expression is None:
        return Element(name, f' keytype="tag" k="{value.key}"')
    keytype = {"tag": "tag", "geometry": "geometry"}.get(value.target, "generic")
    key = f' k="{value.key}"' if value.target == "tag" else ""
    source = f' from="{value.set_name}"' if value.target == "copy" else ""
    return Element(name, f' keytype="{keytype}"{key}{source}', (value.expression,))


def _set_call(name: str, value: SetCall) -> Element[Any]:
    source = f' from="{value.set_name}"'
    if value.name != "count":
        return Element(name, source, value.args, True)
    counted = _fixed(value.args[0])
    return Element(name, f'{source} type="{"node" if counted == "nodes" else counted}"')


def _call(name: str, value: Call) -> Element[Any]:
    if value.name == "is_tag":
        return Element(name, f' k="{escape_markup(_fixed(value.args[0]))}"')
    if name == "eval-prop-count":
        return Element(name, _count_attributes(value))
    return Element(name, "", value.args, bool(value.args))


def _count_attributes(value: Call) -> str:
    attributes = f' type="{value.name.removeprefix("count_")}"'
    rest = [_fixed(argument) for argument in value.args]
    if value.name.endswith("by_role"):
        attributes += f' role="{escape_markup(rest.pop(0))}"'
    if rest:
        attributes += f' members_type="{"relations" if rest[0] == "rels" else rest[0]}"'
    return attributes


def _fixed(expression: Expression) -> str:
    assert isinstance(expression, Fixed), "literal by the grammar"
    return expression.value
