"""Recurse filters: ``(w)``, ``(r.set:"role")``, ``(bn:1,-1)``, ``(way_cnt:2-)``, ``(>)`` and their kin."""

from __future__ import annotations

from typing import cast

from overworld.ql.diagnostics import Diagnostics
from overworld.ql.grammar import RECURSE_PRODUCTS, RECURSE_RESULTS, RECURSE_TYPES
from overworld.ql.numbers import UINT32_MAX, to_int, to_int32
from overworld.ql.operator_tree import NOTHING, Node
from overworld.ql.tokens import unquote
from overworld.ql.tree import RecurseFilter, RecurseKind

_WITH_ROLE = frozenset(
    {
        "relation-relation",
        "relation-backwards",
        "relation-way",
        "relation-node",
        "relation-nwr",
        "relation-nw",
        "relation-wr",
        "relation-nr",
        "node-relation",
        "way-relation",
    }
)
_WITH_POSITIONS = frozenset({"way-node", "node-way"})


def read_closure(tree: Node) -> RecurseFilter | None:
    """``(>)``, ``(>>)``, ``(<)``, ``(<<)``."""
    set_name, rest = _split_set(tree)
    if rest.token not in RECURSE_TYPES:
        return None
    return RecurseFilter(cast(RecurseKind, rest.token), set_name, line=tree.line)


def read_recursion(tree: Node, query_type: str, diagnostics: Diagnostics) -> RecurseFilter | None:
    """``(w)``, ``(r)``, ``(bn)``, ``(bw)``, ``(br)``, ``(way_cnt)``, ``(way_link)`` with their restrictions."""
    line = tree.line
    words: list[str] = []
    rest = tree
    while rest.token == "," and rest.left and rest.right:
        words.append(rest.right.token)
        rest = rest.left
    restriction = rest.right if rest.token == ":" else None
    bounds = ("", "")
    if restriction is not None:
        if restriction.token == "-":
            bounds = (restriction.left_token, restriction.right_token)
        elif restriction.is_leaf:
            words.append(unquote(restriction.token, diagnostics))
        else:
            diagnostics.parse("Simple role token expected, structured syntax tree found.", line)
        rest = rest.left or NOTHING
    set_name, rest = _split_set(rest)
    kind = rest.token
    if kind not in RECURSE_RESULTS:
        return None
    recursion = RECURSE_RESULTS[kind].get(query_type, "")
    if not recursion:
        diagnostics.parse(f"A recursion of type '{kind}' produces {RECURSE_PRODUCTS[kind]}.", line)
    plain = RecurseFilter(cast(RecurseKind, kind), set_name, line=line)
    if restriction is None:
        _check_type(recursion, diagnostics, line)
        return plain
    return _restrict(plain, recursion, query_type, words, bounds, diagnostics)


def _split_set(tree: Node) -> tuple[str, Node]:
    if tree.token == "." and tree.right:
        return tree.right.token, tree.left or NOTHING
    return "_", tree


def _restrict(
    plain: RecurseFilter,
    recursion: str,
    query_type: str,
    words: list[str],
    bounds: tuple[str, str],
    diagnostics: Diagnostics,
) -> RecurseFilter:
    """Roles for relations, positions for ways, numbers of ways for the rest. ``words`` are in reverse order."""
    kind, set_name, line = plain.kind, plain.set_name, plain.line
    first = words[-1] if words else ""
    if kind == "r" or query_type == "relation":
        _check_type(recursion, diagnostics, line)
        if recursion not in _WITH_ROLE:
            diagnostics.static(
                'A role can only be specified for values "relation-relation", "relation-backwards",'
                '"relation-way", "relation-node", "way-relation",or "node-relation".',
                line,
            )
        return RecurseFilter(kind, set_name, role=first, line=line)
    if kind == "w" or query_type == "way":
        _check_type(recursion, diagnostics, line)
        positions = ",".join(words)
        if positions and recursion not in _WITH_POSITIONS:
            complaint = 'A role can only be specified for values "way-node" or "node-way",'
            diagnostics.static(complaint, line)
        return RecurseFilter(kind, set_name, positions=_positions(positions, recursion, diagnostics, line), line=line)
    if kind in ("way_cnt", "way_link"):
        _check_type(recursion, diagnostics, line)
        lower, upper = _count_bounds((first, first) if words else bounds, diagnostics, line)
        return RecurseFilter(kind, set_name, lower=lower, upper=upper, line=line)
    diagnostics.parse(f"A recursion of type '{kind}' cannot have restrictions.", line)
    _check_type(recursion, diagnostics, line)
    return plain


def _check_type(recursion: str, diagnostics: Diagnostics, line: int) -> None:
    if not recursion:
        diagnostics.static(
            'For the attribute "type" of the element "recurse" the only allowed values are "relation-relation",'
            ' "relation-backwards","relation-way", "relation-node", "way-node", "way-relation","node-relation",'
            ' "node-way", "down", "down-rel", "up", or "up-rel".',
            line,
        )


def _positions(text: str, recursion: str, diagnostics: Diagnostics, line: int) -> tuple[int, ...]:
    if not text or recursion not in _WITH_POSITIONS:
        return ()
    positions = []
    for word in text.split(","):
        position = to_int32(word)
        if position == 0:
            diagnostics.static(f"Invalid pos '{word}' in positions list.", line)
        positions.append(position)
    return tuple(sorted(positions))


def _count_bounds(texts: tuple[str, str], diagnostics: Diagnostics, line: int) -> tuple[int | None, int | None]:
    if texts == ("", ""):
        return None, None
    lower, upper = to_int(texts[0]), to_int(texts[1])
    if lower <= 0:
        diagnostics.static("lower must be an integer greater or equal 1", line)
    if not texts[1]:
        return lower & UINT32_MAX, None
    if upper < lower:
        diagnostics.static("upper must be an integer greater or equal lower", line)
    return lower & UINT32_MAX, upper & UINT32_MAX
