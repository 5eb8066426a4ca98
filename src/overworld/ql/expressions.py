"""From operator trees to expressions: which functions and operators may stand where, and what is refused."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from overworld.ql import trampoline
from overworld.ql.diagnostics import Diagnostics
from overworld.ql.grammar import (
    BINARY_OPERATORS,
    COUNTED_OBJECTS,
    ELEMENT_CONTEXTS,
    FUNCTIONS,
    MEMBER_TYPES,
    UNARY_OPERATORS,
    VALUE_CONTEXTS,
    Arguments,
    Context,
    Function,
    ReturnType,
)
from overworld.ql.numbers import is_float, is_int
from overworld.ql.operator_tree import NOTHING, Node
from overworld.ql.tokens import Tokens, unquote
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

STRING: frozenset[ReturnType] = frozenset({"string"})
GEOMETRY: frozenset[ReturnType] = frozenset({"geometry"})
STRING_OR_CONTAINER: frozenset[ReturnType] = frozenset({"string", "container"})
ANY: frozenset[ReturnType] = frozenset({"string", "container", "geometry"})

_EXPECTATIONS = {
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


def element_name(value: Value) -> str:
    """The name of the element that stands for the value in the XML form."""
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


@dataclass(frozen=True, slots=True)
class ExpressionReader:
    """Reads expressions out of operator trees; what is refused goes to ``diagnostics`` and gives None."""

    diagnostics: Diagnostics
    tokens: Tokens

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
            f"Evaluator for {_EXPECTATIONS[wanted]} expected, but function"
            f' "{element_name(value)}" is an evaluator for {returned}.',
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
            return (yield from self._assignment(node, context))
        if context not in VALUE_CONTEXTS:
            return None
        if token == "?":
            return (yield from self._ternary(node, context)) if node.left and node.right else None
        if token in BINARY_OPERATORS and node.left and node.right:
            return (yield from self._binary(node, context))
        if token in UNARY_OPERATORS and node.left is None and node.right:
            return (yield from self._unary(node, context))
        return None

    def _part(self, node: Node | None, context: Context, wanted: Wanted, complaint: str, line: int) -> Steps:
        """An operand or argument; ``complaint`` follows if it is refused."""
        value = yield (node or NOTHING, context, wanted)
        if value is None:
            self.diagnostics.parse(complaint, line)
        return value

    def _binary(self, node: Node, context: Context) -> Steps:
        sides = []
        for side, name in ((node.left, "left"), (node.right, "right")):
            complaint = f'Operator "{node.token}" needs a {name}-hand-side argument'
            sides.append(_expression((yield from self._part(side, context, STRING, complaint, node.line))))
        return Binary(node.token, sides[0], sides[1], node.line)

    def _unary(self, node: Node, context: Context) -> Steps:
        complaint = f'Operator "{node.token}" needs a right-hand-side argument'
        operand = _expression((yield from self._part(node.right, context, STRING, complaint, node.line)))
        return Unary("!" if node.token == "!" else "-", operand, node.line)

    def _ternary(self, node: Node, context: Context) -> Steps:
        choice = node.right or NOTHING
        if choice.token != ":":
            complaint = 'Operator "?" must have a ":" operator as right-hand-side argument'
            self.diagnostics.parse(complaint, node.line)
            return Ternary(MISSING, MISSING, MISSING, node.line)
        complaint = 'Operator "?" needs a left-hand-side argument'
        condition = _expression((yield from self._part(node.left, context, STRING, complaint, node.line)))
        complaint = 'Operator ":" of operator "?" needs a left-hand-side argument'
        yes = _expression((yield from self._part(choice.left, context, ANY, complaint, node.line)))
        complaint = (
            'Operator ":" of operator "?" needs a right-hand-side argument'
            " with the same return type as the left-hand-side argument"
        )
        alike = frozenset({return_type(yes)})
        no = _expression((yield from self._part(choice.right, context, alike, complaint, node.line)))
        return Ternary(condition, yes, no, node.line)

    def _tag_value(self, node: Node, context: Context) -> Steps:
        if not self._has_context(node, context, Context.ELEMENT):
            return None
        if node.left is None or not node.left.is_leaf or node.left.token != "t":
            complaint = 'Tag evaulation needs function name "t" before the left bracket'
            self.diagnostics.parse(complaint, node.line)
            return None
        if node.right is None:
            self.diagnostics.parse('Operator "[" needs a tag key as argument', node.line)
            return None
        key = yield from self._part(node.right, context, STRING, "t[...] needs an argument", node.line)
        return TagValue(_expression(key), node.line)

    # ------------------------------------------------------------------------------------ parentheses and dots

    def _parenthesis(self, node: Node, context: Context, wanted: Wanted) -> Steps:
        if node.left is not None:
            return (yield from self._function(node, node.left.token, context, wanted))
        if node.right is not None:
            return (yield (node.right, context, wanted))
        self.diagnostics.static("Empty parentheses cannot be evaluated.", node.line)
        return None

    def _dot(self, node: Node, context: Context, wanted: Wanted) -> Steps:
        called = node.right
        if node.left and called and called.token == "(" and called.left:
            return (yield from self._function(node, called.left.token, context, wanted))
        if context not in VALUE_CONTEXTS or not node.left_token or not node.right_token:
            return None
        return self._fitting(SetKey(node.left_token, node.right_token, node.line), wanted, node)

    def _function(self, node: Node, name: str, context: Context, wanted: Wanted) -> Steps:
        function = FUNCTIONS.get(name)
        if function is None:
            self.diagnostics.parse(f'Function "{name}" not known', node.line)
            return None
        if function.arguments is Arguments.OBJECT_TYPE:
            value = self._count(node)
        elif function.of_set:
            value = yield from self._aggregator(node, name, function)
        else:
            value = yield from self._call(node, name, function, context)
        return self._fitting(value, wanted, node)

    # ------------------------------------------------------------------------------------ functions

    def _call(self, node: Node, name: str, function: Function, context: Context) -> Steps:
        if not self._is_function(node) or not self._has_no_set(node):
            return None
        takes_some = function.arguments is not Arguments.NONE
        if function.element != "eval-prop-count" and not self._has_arguments(node, takes_some):
            return None
        if function.needs and not self._has_context(node, context, function.needs):
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
        argument = yield from self._part(node.right, context, wanted, complaint, node.line)
        return Call(name, (_expression(argument),), node.line)

    def _with_two(self, node: Node, name: str, context: Context) -> Steps:
        pair = node.right or NOTHING
        if pair.token != "," or not pair.left or not pair.right:
            self.diagnostics.parse(f"{name}(...) needs two arguments", node.line)
            return Call(name, (MISSING, MISSING), node.line)
        noun = "evaluator" if name == "pt" else "evualator"
        complaint = f"First argument of {name}(...) must be an {noun}"
        first = yield from self._part(pair.left, context, STRING, complaint, node.line)
        complaint = f"Second argument of {name}(...) must be an {noun}"
        # The engine names the column in place of the line here, for all functions but pt.
        place = node.line if name == "pt" else self.tokens.column(node.place)
        second = yield from self._part(pair.right, context, STRING, complaint, place)
        return Call(name, (_expression(first), _expression(second)), node.line)

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
            value = yield from self._part(argument, context, wanted, complaint, argument.line)
            if value is not None:
                arguments.append(_expression(value))
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
        value = yield from self._part(argument, Context.ELEMENT, wanted, complaint, node.line)
        return SetCall(set_name, name, (_expression(value),), node.line)

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
        self.diagnostics.parse(f"{_function_name(node)}(...) cannot have an input set", node.line)
        return False

    def _has_arguments(self, node: Node, expected: bool) -> bool:
        call = node if node.token == "(" else (node.right or NOTHING)
        if (call.right is not None) == expected:
            return True
        complaint = "must have one or more arguments" if expected else "does not accept any arguments"
        self.diagnostics.parse(f"{_function_name(node)}(...) {complaint}", node.line)
        return False

    def _has_context(self, node: Node, context: Context, needed: Context) -> bool:
        fits = context in ELEMENT_CONTEXTS if needed is Context.ELEMENT else context is needed
        if not fits:
            what = "an element" if needed is Context.ELEMENT else "an element's member"
            complaint = f"{_function_name(node)}(...) must be called in a context where it can evaluate {what}"
            self.diagnostics.parse(complaint, node.line)
        return fits

    # ------------------------------------------------------------------------------------ assignments

    def _assignment(self, node: Node, context: Context) -> Steps:
        if node.token == "!" and node.right:
            return self._target_tag(unquote(node.right.token, self.diagnostics), None, node.line)
        if node.left is None:
            complaint = "To set a property it must have a name to the left of the equal sign"
            self.diagnostics.parse(complaint, node.line)
            return None
        if node.right is None:
            complaint = "To set a property it must have a value to the right of the equal sign"
            self.diagnostics.parse(complaint, node.line)
            return None
        target = self._target(node.left, context, node.line)
        if target is None:
            return None
        inner = Context.ELEMENT if context is Context.CONVERT else Context.VALUE
        wanted = GEOMETRY if target.target == "geometry" else STRING
        complaint = "Property assignment needs a right-hand-side value"
        value = yield from self._part(node.right, inner, wanted, complaint, node.line)
        return Assignment(target.target, target.key, _expression(value), target.set_name, node.line)

    def _target(self, node: Node, context: Context, line: int) -> Assignment | None:
        """What is left of the equal sign."""
        if node.token != "::":
            if not node.is_leaf:
                self.diagnostics.parse(
                    f'if special character "{node.token}" is present in property name'
                    " then the property name must be in quotes",
                    line,
                )
                return None
            return self._target_tag(unquote(node.token, self.diagnostics), None, line)
        if node.right is not None:
            if node.right.token == "id":
                return Assignment("id", "", None, "", line)
            if node.right.token == "geom":
                return Assignment("geometry", "", None, "", line)
            self.diagnostics.parse('The only allowed special properties are "id" and "geometry"', line)
        elif node.left is not None:
            return Assignment("copy", "", None, node.left.token, line)
        elif context is Context.CONVERT:
            return Assignment("all", "", None, "", line)
        else:
            self.diagnostics.parse("The generic tag set property can only be called from convert", line)
        return self._target_tag("", None, line)

    def _target_tag(self, key: str, expression: Expression | None, line: int) -> Assignment:
        if key == "":
            self.diagnostics.static(
                'For the statement "set-prop" in mode "keytype"="tag", the attribute "k" must be nonempty.', line
            )
        return Assignment("tag", key, expression, "", line)


_SPECIAL_LEAVES = frozenset({"", "(", ".", "[", "::", "=", "!"})


def _function_name(node: Node) -> str:
    if node.token == "(" and node.left is not None:
        return node.left.token
    return "" if node.right is None else node.right.left_token


def _expression(value: Value | None) -> Expression:
    return MISSING if value is None or isinstance(value, Assignment) else value
