"""QL text of expressions and assignments that reads back as the same tree."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from overworld.ql import trampoline
from overworld.ql.grammar import MEMBER_TYPES, OPERATOR_PRIORITY, UNARY_PRIORITY
from overworld.ql.printing import words
from overworld.ql.strings import quote
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

Steps = Generator[Expression, str, str]

_ATOM = max(OPERATOR_PRIORITY.values()) + 1
_MINUS = OPERATOR_PRIORITY["-"]


def expression_text(expression: Expression) -> str:
    """The expression as QL."""
    text: str = trampoline.run(expression, _serve)
    return text


def assignment_text(assignment: Assignment) -> str:
    """``key=expression``, ``::id=…``, ``::geom=…``, ``::=…``, ``set::=…`` or ``!key``."""
    if assignment.expression is None:
        return "!" + words.key(assignment.key)
    target = {
        "tag": words.key(assignment.key) if assignment.target == "tag" else "",
        "id": "::id",
        "geometry": "::geom",
        "all": "::",
        "copy": f"{words.set_name(assignment.set_name)}::",
    }[assignment.target]
    return f"{target}={expression_text(assignment.expression)}"


def _serve(expression: Expression) -> str | Steps:
    match expression:
        case Fixed():
            return words.constant(expression.value)
        case GenericTag():
            return "::"
        case SetKey():
            return _set_key(expression)
        case Unary():
            return _unary(expression)
        case Binary():
            return _binary(expression)
        case Ternary():
            return _ternary(expression)
        case TagValue():
            return _tag_value(expression)
        case SetCall():
            return _set_call(expression)
        case Call():
            return _call(expression)


def _priority(expression: Expression) -> int:
    match expression:
        case Unary():
            return _MINUS if expression.op == "-" else UNARY_PRIORITY
        case Binary():
            return OPERATOR_PRIORITY[expression.op]
        case Ternary():
            return OPERATOR_PRIORITY["?"]
    return _ATOM


def _unary(expression: Unary) -> Steps:
    operand = expression.operand
    text = yield operand
    # Right behind a minus a number would become a part of it.
    if _priority(operand) <= _priority(expression) or (expression.op == "-" and isinstance(operand, Fixed)):
        text = f"({text})"
    return expression.op + text


def _binary(expression: Binary) -> Steps:
    priority = _priority(expression)
    left = yield expression.left
    if _priority(expression.left) < priority:
        left = f"({left})"
    right = yield expression.right
    if _priority(expression.right) <= priority:
        right = f"({right})"
    return left + expression.op + right


def _ternary(expression: Ternary) -> Steps:
    condition = yield expression.condition
    yes = yield expression.yes
    if isinstance(expression.yes, Ternary):
        yes = f"({yes})"
    no = yield expression.no
    if isinstance(expression.no, Ternary):
        no = f"({no})"
    return f"{condition}?{yes}{_colon(yes, no)}{no}"


def _colon(before: str, after: str) -> str:
    """A colon that does not run together with ``::`` on either side."""
    return (" " if before.endswith(":") else "") + ":" + (" " if after.startswith(":") else "")


def after_colon(text: str) -> str:
    """An expression behind a colon."""
    return _colon("", text) + text


def _tag_value(expression: TagValue) -> Steps:
    return f"t[{(yield expression.key)}]"


def _set_call(expression: SetCall) -> Steps:
    argument = expression.args[0]
    prefix = "" if expression.set_name == "_" else words.before_dot(expression.set_name)
    inner = argument.value if expression.name == "count" and isinstance(argument, Fixed) else (yield argument)
    text = f"{prefix}{expression.name}({inner})"
    return text if words.is_plain(expression.set_name) else f"({text})"


def _set_key(expression: SetKey) -> str:
    text = words.before_dot(expression.set_name) + words.set_name(expression.key)
    return text if words.is_plain(expression.set_name) and words.is_plain(expression.key) else f"({text})"


def _call(expression: Call) -> Steps:
    arguments: list[Any] = []
    for argument in expression.args:
        if isinstance(argument, Fixed) and expression.name.startswith(("count_", "is_tag")):
            arguments.append(_literal(argument.value, is_type=_is_type(expression, argument)))
        else:
            arguments.append((yield argument))
    return f"{expression.name}({','.join(arguments)})"


def _is_type(expression: Call, argument: Fixed) -> bool:
    """Whether a literal argument says which members count."""
    takes_role = expression.name.endswith("by_role")
    return expression.name.startswith("count_") and (not takes_role or argument is not expression.args[0])


def _literal(text: str, *, is_type: bool) -> str:
    return text if is_type and text in MEMBER_TYPES else quote(text)
