"""The operator tree of an expression or of a filter in parentheses: tokens ordered by the operators' priorities.

The tree says nothing yet about meaning: ``a.b(c,d)`` is a dot over ``a`` and a parenthesis over ``b`` and a comma.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from overworld.ql.grammar import OPERATOR_PRIORITY, SUBTRACTION_PRIORITY
from overworld.ql.tokens import Cursor

_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")
_END: Final = frozenset({";", "->"})


@dataclass(slots=True, eq=False)
class Node:
    """A token with what stands left and right of it, if anything. A parenthesis or bracket has its function or ``t`` on
    the left and its content on the right."""

    token: str
    line: int
    left: Node | None = None
    right: Node | None = None
    place: int = 0
    """The number of the token in the text."""

    @property
    def is_leaf(self) -> bool:
        return self.left is None and self.right is None

    @property
    def left_token(self) -> str:
        return "" if self.left is None else self.left.token

    @property
    def right_token(self) -> str:
        return "" if self.right is None else self.right.token

    def leftmost(self) -> Node:
        node = self
        while node.left is not None:
            node = node.left
        return node

    def without_left_operator(self) -> Node | None:
        """This tree with its leftmost operator (or, if there is none, its only token) replaced by what is right of it:
        ``if:a?b:c`` without its first colon is ``a?b:c``."""
        spine = [self]
        while spine[-1].left is not None and spine[-1].left.left is not None:
            spine.append(spine[-1].left)
        node = spine.pop().right
        while spine:
            above = spine.pop()
            node = Node(above.token, above.line, node, above.right)
        return node


NOTHING: Final = Node("", 0)
"""Stands for a missing tree; errors about it name line 0."""


def read_tree(cursor: Cursor, *, in_parentheses: bool) -> Node | None:
    """Read up to ``;`` or ``->`` or, ``in_parentheses``, to the one that closes them. None: there is nothing."""
    root = Node("", 0)
    stack = [root]
    while cursor.index < cursor.end and cursor.token not in _END:
        token = cursor.token
        if token in _OPENING:
            stack.append(_put(stack[-1], token, cursor))
        elif token in _CLOSING:
            if not _close(stack):
                if in_parentheses:
                    return root.right
                cursor.report(f"Unmatched {token}")
        else:
            _read_token(stack, token, cursor)
        cursor.advance()
    for node in reversed(stack):
        if node.token in _OPENING:
            cursor.report(f"Left {node.token} not closed.")
            break
    return root.right


def _put(parent: Node, token: str, cursor: Cursor) -> Node:
    """Take the place of what is right of ``parent``, with that on the left."""
    node = Node(token, cursor.line, parent.right, None, cursor.index)
    parent.right = node
    return node


def _close(stack: list[Node]) -> bool:
    """Leave the innermost parenthesis of any kind; whether there was one."""
    for place in range(len(stack) - 1, 0, -1):
        if stack[place].token in _OPENING:
            del stack[place:]
            return True
    return False


def _read_token(stack: list[Node], token: str, cursor: Cursor) -> None:
    parent = stack[-1]
    is_subtraction = len(token) >= 2 and token[0] == "-" and parent.right is not None
    priority = SUBTRACTION_PRIORITY if is_subtraction else OPERATOR_PRIORITY.get(token, 0)
    if priority:
        while len(stack) > 1 and OPERATOR_PRIORITY.get(stack[-1].token, 0) >= priority:
            stack.pop()
        node = _put(stack[-1], "-" if is_subtraction else token, cursor)
        stack.append(node)
        if is_subtraction:
            node.right = Node(token[1:], cursor.line)
    elif parent.right is None:
        parent.right = Node(token, cursor.line)
    else:
        cursor.report(f'Operator expected, but "{token}"found.')
