"""What the readers of expressions share: requests for parts, return types, contexts."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from overworld.ql.diagnostics import Diagnostics
from overworld.ql.grammar import ELEMENT_CONTEXTS, FUNCTIONS, Context, ReturnType
from overworld.ql.operator_tree import NOTHING, Node
from overworld.ql.tree import Assignment, Call, Expression, Fixed, SetCall, Ternary

STRING: frozenset[ReturnType] = frozenset({"string"})
GEOMETRY: frozenset[ReturnType] = frozenset({"geometry"})
STRING_OR_CONTAINER: frozenset[ReturnType] = frozenset({"string", "container"})
ANY: frozenset[ReturnType] = frozenset({"string", "container", "geometry"})

EXPECTATIONS = {
    STRING: "string",
    GEOMETRY: "geometry",
    frozenset({"container"}): "container",
    STRING_OR_CONTAINER: "string or container",
}

Value = Expression | Assignment
Wanted = frozenset[ReturnType] | None
"""The return types that fit; None also lets assignments pass."""
Request = tuple[Node, Context, Wanted]
Steps = Generator[Request, Value | None, Value | None]

MISSING = Fixed("")
"""Holds the place of an operand that was refused."""


def return_type(expression: Expression) -> ReturnType:
    """What the expression evaluates to."""
    while isinstance(expression, Ternary):
        expression = expression.yes
    if isinstance(expression, Call | SetCall):
        return FUNCTIONS[expression.name].returns
    return "string"


def as_expression(value: Value | None) -> Expression:
    """The part, or what holds the place of one that was refused."""
    return MISSING if value is None or isinstance(value, Assignment) else value


def function_name(node: Node) -> str:
    """The name of the function that a parenthesis calls, as it stands in errors."""
    if node.token == "(" and node.left is not None:
        return node.left.token
    return "" if node.right is None else node.right.left_token


@dataclass(frozen=True, slots=True)
class PartReader:
    """Base of the readers of expressions."""

    diagnostics: Diagnostics

    def part(self, node: Node | None, context: Context, wanted: Wanted, complaint: str, line: int) -> Steps:
        """An operand or argument; ``complaint`` follows if it is refused."""
        value = yield (node or NOTHING, context, wanted)
        if value is None:
            self.diagnostics.parse(complaint, line)
        return value

    def has_context(self, node: Node, context: Context, needed: Context) -> bool:
        """Whether an expression may ask for what needs the context ``needed``."""
        fits = context in ELEMENT_CONTEXTS if needed is Context.ELEMENT else context is needed
        if not fits:
            what = "an element" if needed is Context.ELEMENT else "an element's member"
            complaint = f"{function_name(node)}(...) must be called in a context where it can evaluate {what}"
            self.diagnostics.parse(complaint, node.line)
        return fits
