"""Calls of functions: which arguments each takes and where it may stand."""

from __future__ import annotations

from dataclasses import dataclass

from overworld.ql.expression_parts import (
    MISSING,
    STRING,
    PartReader,
    Steps,
    Value,
    Wanted,
    as_expression,
    function_name,
)
from overworld.ql.grammar import COUNTED_OBJECTS, FUNCTIONS, MEMBER_TYPES, Arguments, Context, Function
from overworld.ql.operator_tree import NOTHING, Node
from overworld.ql.tokens import Tokens, unquote
from overworld.ql.tree import Call, Fixed, SetCall


@dataclass(frozen=True, slots=True)
class CallReader(PartReader):
    """Reads ``name(…)`` and ``set.name(…)``; the operator tree is that of the parenthesis or of the dot."""

    tokens: Tokens

    def read(self, node: Node, name: str, context: Context) -> Steps:
        """The call of the function ``name``."""
        function = FUNCTIONS.get(name)
        if function is None:
            self.diagnostics.parse(f'Function "{name}" not known', node.line)
            return None
        if function.arguments is Arguments.OBJECT_TYPE:
            return self._count(node)
        if function.of_set:
            return (yield from self._aggregator(node, name, function))
        return (yield from self._call(node, name, function, context))

    def _call(self, node: Node, name: str, function: Function, context: Context) -> Steps:
        if not self._is_function(node) or not self._has_no_set(node):
            return None
        takes_some = function.arguments is not Arguments.NONE
        if function.element != "eval-prop-count" and not self._has_arguments(node, takes_some):
            return None
        if function.needs and not self.has_context(node, context, function.needs):
            return None
        match function.arguments:
            case Arguments.NONE:
                return Call(name, (), node.line) if self._has_arguments(node, False) else None
            case Arguments.KEY:
                return self._is_tag(node)
            case Arguments.ROLE:
                return self._count_by_role(node, name)
            case Arguments.MEMBER_TYPE:
                return self._count_members(node, name)
            case _:
                return (yield from self._evaluated(node, name, function, context))

    def _evaluated(self, node: Node, name: str, function: Function, context: Context) -> Steps:
        """A function whose arguments are expressions."""
        context = function.argument_context or context
        if function.arguments is Arguments.TWO:
            return (yield from self._with_two(node, name, context))
        wanted = frozenset({function.argument})
        if function.arguments is Arguments.SOME:
            return (yield from self._with_some(node, name, context, wanted))
        complaint = f"{name}(...) needs an argument"
        argument = yield from self.part(node.right, context, wanted, complaint, node.line)
        return Call(name, (as_expression(argument),), node.line)

    def _with_two(self, node: Node, name: str, context: Context) -> Steps:
        pair = node.right or NOTHING
        if pair.token != "," or not pair.left or not pair.right:
            self.diagnostics.parse(f"{name}(...) needs two arguments", node.line)
            return Call(name, (MISSING, MISSING), node.line)
        noun = "evaluator" if name == "pt" else "evualator"
        complaint = f"First argument of {name}(...) must be an {noun}"
        first = yield from self.part(pair.left, context, STRING, complaint, node.line)
        complaint = f"Second argument of {name}(...) must be an {noun}"
        # The engine names the column in place of the line here, for all functions but pt.
        place = node.line if name == "pt" else self.tokens.column(node.place)
        second = yield from self.part(pair.right, context, STRING, complaint, place)
        return Call(name, (as_expression(first), as_expression(second)), node.line)

    def _with_some(self, node: Node, name: str, context: Context, wanted: Wanted) -> Steps:
        nodes = []
        rest = node.right or NOTHING
        while rest.token == ",":
            nodes.append(rest.right or NOTHING)
            rest = rest.left or NOTHING
        nodes.append(rest)
        complaint = f"Every argument of {name}(...) must be an evaluator"
        arguments = []
        for argument in reversed(nodes):
            value = yield from self.part(argument, context, wanted, complaint, argument.line)
            if value is not None:
                arguments.append(as_expression(value))
        return Call(name, tuple(arguments), node.line)

    def _is_tag(self, node: Node) -> Value | None:
        key = node.right or NOTHING
        if not key.is_leaf:
            self.diagnostics.parse("is_tag(key) needs a simple string as argument", node.line)
            return None
        return Call("is_tag", (Fixed(unquote(key.token, self.diagnostics), key.line),), node.line)

    def _count_members(self, node: Node, name: str) -> Value | None:
        kind = node.right
        if kind is None:
            return Call(name, (), node.line)
        if not kind.is_leaf or kind.token not in MEMBER_TYPES:
            complaint = f"{name}(...) can only have one of the words nodes, ways, or relations as an argument"
            self.diagnostics.parse(complaint, node.line)
            return None
        return Call(name, (Fixed(kind.token, kind.line),), node.line)

    def _count_by_role(self, node: Node, name: str) -> Value | None:
        given = node.right
        if given is None:
            complaint = f"{name}() must have the name of the wanted role as argument"
            self.diagnostics.parse(complaint, node.line)
            return None
        has_kind = given.token == "," and given.left is not None and given.right is not None
        role = (given.left or NOTHING) if has_kind else given
        if not role.is_leaf:
            complaint = f"{name}() needs a single literal expression as argument for the wanted role"
            self.diagnostics.parse(complaint, node.line)
            return None
        arguments = [Fixed(unquote(role.token, self.diagnostics), role.line)]
        if has_kind:
            kind = given.right or NOTHING
            if not kind.is_leaf or kind.token not in MEMBER_TYPES:
                complaint = f"{name}(...) can only have one of the words nodes, ways, or relations as second argument"
                self.diagnostics.parse(complaint, node.line)
                return None
            arguments.append(Fixed(kind.token, kind.line))
        return Call(name, tuple(arguments), node.line)

    def _count(self, node: Node) -> Value | None:
        if not self._is_function(node) or not self._has_arguments(node, True):
            return None
        if node.token == "(":
            set_name, kind = "_", node.right or NOTHING
        else:
            set_name, kind = node.left_token, (node.right and node.right.right) or NOTHING
        if kind.token not in COUNTED_OBJECTS:
            self.diagnostics.parse(
                '"count" accepts only one of "nodes", "ways", "relations", "deriveds",'
                ' "nwr", "nw", "wr", or "nr" as type argument.',
                node.line,
            )
            return None
        return SetCall(set_name, "count", (Fixed(kind.token, kind.line),), node.line)

    def _aggregator(self, node: Node, name: str, function: Function) -> Steps:
        if node.token == "(":
            set_name, argument = "_", node.right
        else:
            set_name, argument = node.left_token, node.right and node.right.right
        complaint = f"{name}(...) needs an argument"
        if argument is None:
            self.diagnostics.parse(complaint, node.line)
            return None
        wanted = frozenset({function.argument})
        value = yield from self.part(argument, Context.ELEMENT, wanted, complaint, node.line)
        return SetCall(set_name, name, (as_expression(value),), node.line)

    # ------------------------------------------------------------------------------------ what a function stands with

    def _is_function(self, node: Node) -> bool:
        call = node if node.token == "(" else (node.right or NOTHING)
        if call.left is not None and not call.left.is_leaf:
            self.diagnostics.parse("Function name expected, compound expression found", node.line)
            return False
        return True

    def _has_no_set(self, node: Node) -> bool:
        if node.token == "(":
            return True
        self.diagnostics.parse(f"{function_name(node)}(...) cannot have an input set", node.line)
        return False

    def _has_arguments(self, node: Node, expected: bool) -> bool:
        call = node if node.token == "(" else (node.right or NOTHING)
        if (call.right is not None) == expected:
            return True
        complaint = "must have one or more arguments" if expected else "does not accept any arguments"
        self.diagnostics.parse(f"{function_name(node)}(...) {complaint}", node.line)
        return False
