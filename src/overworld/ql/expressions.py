"""From operator trees to expressions: which operators may stand where, and what is refused."""

from __future__ import annotations

from dataclasses import dataclass

from overworld.ql import trampoline
from overworld.ql.assignments import AssignmentReader
from overworld.ql.calls import CallReader
from overworld.ql.diagnostics import Diagnostics
from overworld.ql.elements import value_element
from overworld.ql.expression_parts import (
    ANY,
    EXPECTATIONS,
    MISSING,
    STRING,
    PartReader,
    Request,
    Steps,
    Value,
    Wanted,
    as_expression,
    return_type,
)
from overworld.ql.grammar import BINARY_OPERATORS, UNARY_OPERATORS, VALUE_CONTEXTS, Context, ReturnType
from overworld.ql.numbers import is_float, is_int
from overworld.ql.operator_tree import NOTHING, Node
from overworld.ql.tokens import Tokens, unquote
from overworld.ql.tree import Assignment, Binary, Expression, Fixed, GenericTag, SetKey, TagValue, Ternary, Unary

_SPECIAL_LEAVES = frozenset({"", "(", ".", "[", "::", "=", "!"})
"""Tokens that are no constants even without operands."""


def expression_reader(diagnostics: Diagnostics, tokens: Tokens) -> ExpressionReader:
    """The reader of the expressions of a text."""
    return ExpressionReader(diagnostics, CallReader(diagnostics, tokens), AssignmentReader(diagnostics))


@dataclass(frozen=True, slots=True)
class ExpressionReader(PartReader):
    """Reads expressions out of operator trees; what is refused goes to ``diagnostics`` and gives None."""

    calls: CallReader
    assignments: AssignmentReader

    def read(self, node: Node | None, context: Context, wanted: frozenset[ReturnType]) -> Expression | None:
        """The expression of a tree, of one of the ``wanted`` return types."""
        value: Value | None = trampoline.run((node or NOTHING, context, wanted), self._serve)
        return None if isinstance(value, Assignment) else value

    def read_assignment(self, node: Node | None, context: Context) -> Value | None:
        """An assignment of ``make`` or ``convert``, or what else may stand in its place for the parser."""
        value: Value | None = trampoline.run((node or NOTHING, context, None), self._serve)
        return value

    # ------------------------------------------------------------------------------------ choice by token

    def _serve(self, request: Request) -> Value | Steps | None:
        node, context, wanted = request
        token = node.token
        if node.left is None and node.right is None and token not in _SPECIAL_LEAVES:
            return self._leaf(node, wanted)
        return self._composed(node, context, wanted)

    def _leaf(self, node: Node, wanted: Wanted) -> Value | None:
        value = self._fitting(self._fixed(node), wanted, node)
        if value is None:
            self.diagnostics.parse(f'Token "{node.token}" has not been recognized as statement', node.line)
        return value

    def _composed(self, node: Node, context: Context, wanted: Wanted) -> Steps:
        token = node.token
        if token == "(":
            return (yield from self._parenthesis(node, context, wanted))
        if token == ".":
            return (yield from self._dot(node, context, wanted))
        if token == "":
            self.diagnostics.parse("Evaluator expected, but empty token found.", node.line)
            return None
        value = self._fitting((yield from self._by_operator(node, context)), wanted, node)
        if value is not None:
            return value
        if node.is_leaf:
            return self._leaf(node, wanted)
        return (yield from self._not_an_operator(node, context, wanted))

    def _not_an_operator(self, node: Node, context: Context, wanted: Wanted) -> Steps:
        if node.left is None:
            self.diagnostics.parse(f'"{node.token}" cannot be used as unary operator', node.line)
            return (yield (node.right or NOTHING, context, wanted))
        if node.right is None:
            self.diagnostics.parse(f'"{node.token}" needs a right hand side argument', node.line)
        else:
            self.diagnostics.parse(f'"{node.token}" cannot be used as binary operator', node.line)
        return None

    def _fitting(self, value: Value | None, wanted: Wanted, node: Node) -> Value | None:
        """``value`` if its return type is one of those ``wanted``."""
        if value is None or wanted is None:
            return value
        if isinstance(value, Assignment):
            complaint = f'Evaluator expected, but function "{node.left_token}" is not an evaluator.'
            self.diagnostics.static(complaint, node.line)
            return None
        returned = return_type(value)
        if returned in wanted:
            return value
        self.diagnostics.static(
            f"Evaluator for {EXPECTATIONS[wanted]} expected, but function"
            f' "{value_element(value)}" is an evaluator for {returned}.',
            node.line,
        )
        return None

    def _fixed(self, node: Node) -> Expression | None:
        token = node.token
        if not (token[:1] in ("'", '"') or is_int(token) or is_float(token)):
            self.diagnostics.parse(
                f'Put quotation marks around "{token}" if it should be a constant and not a tag evaluation.', node.line
            )
            return None
        return Fixed(unquote(token, self.diagnostics), node.line)

    # ------------------------------------------------------------------------------------ operators

    def _by_operator(self, node: Node, context: Context) -> Steps:
        token = node.token
        if token == "[":
            return (yield from self._tag_value(node, context))
        if token == "::":
            return GenericTag(node.line) if node.is_leaf else None
        if token in ("=", "!") and context not in VALUE_CONTEXTS:
            return (yield from self.assignments.read(node, context))
        if context not in VALUE_CONTEXTS:
            return None
        if token == "?":
            return (yield from self._ternary(node, context)) if node.left and node.right else None
        if token in BINARY_OPERATORS and node.left and node.right:
            return (yield from self._binary(node, context))
        if token in UNARY_OPERATORS and node.left is None and node.right:
            return (yield from self._unary(node, context))
        return None

    def _binary(self, node: Node, context: Context) -> Steps:
        sides = []
        for side, name in ((node.left, "left"), (node.right, "right")):
            complaint = f'Operator "{node.token}" needs a {name}-hand-side argument'
            sides.append(as_expression((yield from self.part(side, context, STRING, complaint, node.line))))
        return Binary(node.token, sides[0], sides[1], node.line)

    def _unary(self, node: Node, context: Context) -> Steps:
        complaint = f'Operator "{node.token}" needs a right-hand-side argument'
        operand = as_expression((yield from self.part(node.right, context, STRING, complaint, node.line)))
        return Unary("!" if node.token == "!" else "-", operand, node.line)

    def _ternary(self, node: Node, context: Context) -> Steps:
        choice = node.right or NOTHING
        if choice.token != ":":
            complaint = 'Operator "?" must have a ":" operator as right-hand-side argument'
            self.diagnostics.parse(complaint, node.line)
            return Ternary(MISSING, MISSING, MISSING, node.line)
        complaint = 'Operator "?" needs a left-hand-side argument'
        condition = as_expression((yield from self.part(node.left, context, STRING, complaint, node.line)))
        complaint = 'Operator ":" of operator "?" needs a left-hand-side argument'
        yes = as_expression((yield from self.part(choice.left, context, ANY, complaint, node.line)))
        complaint = (
            'Operator ":" of operator "?" needs a right-hand-side argument'
            " with the same return type as the left-hand-side argument"
        )
        alike = frozenset({return_type(yes)})
        no = as_expression((yield from self.part(choice.right, context, alike, complaint, node.line)))
        return Ternary(condition, yes, no, node.line)

    def _tag_value(self, node: Node, context: Context) -> Steps:
        if not self.has_context(node, context, Context.ELEMENT):
            return None
        if node.left is None or not node.left.is_leaf or node.left.token != "t":
            complaint = 'Tag evaulation needs function name "t" before the left bracket'
            self.diagnostics.parse(complaint, node.line)
            return None
        if node.right is None:
            self.diagnostics.parse('Operator "[" needs a tag key as argument', node.line)
            return None
        key = yield from self.part(node.right, context, STRING, "t[...] needs an argument", node.line)
        return TagValue(as_expression(key), node.line)

    # ------------------------------------------------------------------------------------ parentheses and dots

    def _parenthesis(self, node: Node, context: Context, wanted: Wanted) -> Steps:
        if node.left is not None:
            return (yield from self._called(node, node.left.token, context, wanted))
        if node.right is not None:
            return (yield (node.right, context, wanted))
        self.diagnostics.static("Empty parentheses cannot be evaluated.", node.line)
        return None

    def _dot(self, node: Node, context: Context, wanted: Wanted) -> Steps:
        called = node.right
        if node.left and called and called.token == "(" and called.left:
            return (yield from self._called(node, called.left.token, context, wanted))
        if context not in VALUE_CONTEXTS or not node.left_token or not node.right_token:
            return None
        return self._fitting(SetKey(node.left_token, node.right_token, node.line), wanted, node)

    def _called(self, node: Node, name: str, context: Context, wanted: Wanted) -> Steps:
        return self._fitting((yield from self.calls.read(node, name, context)), wanted, node)
