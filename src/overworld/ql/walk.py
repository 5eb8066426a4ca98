"""Walks over syntax trees and changes them, however deep they are."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Generator, Iterator
from typing import Any, Final

from overworld.ql import trampoline
from overworld.ql.tree import (
    Assignment,
    Binary,
    Call,
    Complete,
    Convert,
    Difference,
    Expression,
    Filter,
    For,
    Foreach,
    HistoryFilter,
    HistoryStatement,
    If,
    IfFilter,
    Make,
    Query,
    Script,
    SetCall,
    Statement,
    TagValue,
    Ternary,
    Unary,
    Union,
)

Node = Statement | Filter | Assignment | Expression

PARTS: Final[dict[type[Any], tuple[str, ...]]] = {
    Script: ("statements",),
    Query: ("filters",),
    Union: ("statements",),
    Difference: ("statements",),
    Foreach: ("statements",),
    For: ("key", "statements"),
    If: ("condition", "statements", "otherwise"),
    Complete: ("statements",),
    Make: ("assignments",),
    Convert: ("assignments",),
    HistoryStatement: ("expression", "statements"),
    IfFilter: ("condition",),
    Assignment: ("expression",),
    Unary: ("operand",),
    Binary: ("left", "right"),
    Ternary: ("condition", "yes", "no"),
    TagValue: ("key",),
    Call: ("args",),
    SetCall: ("args",),
}
"""Where a node holds others: one, a tuple of them, or None. Nodes of other types hold none."""


def children(node: Script | Node) -> list[Node]:
    """The nodes right below ``node`` in the order of the query."""
    found: list[Node] = []
    for name in PARTS.get(type(node), ()):
        part = getattr(node, name)
        if isinstance(part, tuple):
            found.extend(part)
        elif part is not None:
            found.append(part)
    return found


def walk(script: Script) -> Iterator[Node]:
    """All statements, filters, assignments and expressions, each before what is below it."""
    stack = children(script)[::-1]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))


def rewrite(script: Script, change: Callable[[Node], Node]) -> Script:
    """The script with each node replaced by what ``change`` gives for it, from the bottom up. What is not changed stays
    the same object."""

    def serve(node: Script | Node) -> Any:
        return steps(node) if isinstance(node, Script) or type(node) in PARTS else change(node)

    def steps(node: Script | Node) -> Generator[Node, Any, Any]:
        changed: dict[str, Any] = {}
        for name in PARTS[type(node)]:
            part = getattr(node, name)
            if isinstance(part, tuple):
                new: Any = []
                for one in part:
                    new += [(yield one)]
                new = tuple(new) if any(a is not b for a, b in zip(new, part, strict=True)) else part
            else:
                new = None if part is None else (yield part)
            if new is not part:
                changed[name] = new
        node = dataclasses.replace(node, **changed) if changed else node
        return node if isinstance(node, Script) else change(node)

    result: Script = trampoline.run(script, serve)
    return result


def shape(script: Script) -> tuple[Any, ...]:
    """Everything of a script but its lines, flat: equal for two scripts that differ in lines only."""
    own: list[Any] = [script.settings]
    for node in walk(script):
        parts = PARTS.get(type(node), ())
        own.append(type(node).__name__)
        for field in dataclasses.fields(node):
            value = getattr(node, field.name)
            if field.name in parts:
                own.append(len(value) if isinstance(value, tuple) else value is not None)
            elif field.name != "line":
                own.append(value)
    return tuple(own)


def unsupported(script: Script) -> tuple[tuple[str, int], ...]:
    """What a world without history and users cannot answer: each construct (``date``, ``newer``, ``retro``, …) and its
    line."""
    found = [(name, 1) for name in script.settings.history]
    found += [(node.kind, node.line) for node in walk(script) if isinstance(node, HistoryFilter | HistoryStatement)]
    return tuple(found)
