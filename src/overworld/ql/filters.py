"""The filters of a query in parentheses, from operator trees, with the checks of their values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from overworld.core.boxes import Box
from overworld.ql.diagnostics import Diagnostics
from overworld.ql.expression_parts import STRING
from overworld.ql.expressions import ExpressionReader
from overworld.ql.grammar import (
    CLOSURE_FILTERS,
    RECURSE_FILTERS,
    STANDALONE,
    USER_FILTERS,
    Context,
)
from overworld.ql.numbers import read_pairs, to_float, to_int, to_unsigned
from overworld.ql.operator_tree import NOTHING, Node
from overworld.ql.recursion import read_closure, read_recursion
from overworld.ql.timestamps import is_timestamp
from overworld.ql.tokens import unquote
from overworld.ql.tree import (
    AreaFilter,
    AroundFilter,
    BoxFilter,
    Filter,
    HistoryFilter,
    IdFilter,
    IfFilter,
    PivotFilter,
    PolygonFilter,
)


def is_standalone(tree: Node | None, query_type: str) -> bool:
    """Whether the filter, as the only one of a query of that type, is a statement of its own."""
    name = _name(tree or NOTHING)
    if name in RECURSE_FILTERS:
        return query_type != "nwr"
    return query_type in STANDALONE.get(name, ())


def _name(tree: Node) -> str:
    """Which filter a tree is: by its first word; numbers alone are ids, four or so of them a bounding box."""
    word = tree.leftmost().token
    digits = word[1:] if word[:1] == "-" else word
    if digits[:1].isascii() and digits[:1].isdigit():
        return "bbox" if tree.token == "," else "id"
    return word


@dataclass(frozen=True, slots=True)
class FilterReader:
    """Reads filters out of operator trees; what is refused goes to ``diagnostics`` and gives None."""

    diagnostics: Diagnostics
    expressions: ExpressionReader

    def read(self, tree: Node | None, query_type: str) -> Filter | None:
        """The filter of a tree in a query of that type."""
        tree = tree or NOTHING
        name = _name(tree)
        if name in RECURSE_FILTERS:
            return read_recursion(tree, query_type, self.diagnostics)
        if name in CLOSURE_FILTERS:
            return read_closure(tree)
        if name in USER_FILTERS:
            return self._users(tree)
        match name:
            case "bbox":
                return self._box(tree)
            case "id":
                return self._ids(tree, query_type)
            case "area":
                return self._area(tree)
            case "around":
                return self._around(tree)
            case "poly":
                return self._polygon(tree)
            case "pivot":
                return PivotFilter(tree.right_token if tree.token == "." and tree.right else "_", tree.line)
            case "if":
                return self._condition(tree)
            case "newer":
                return self._newer(tree)
            case "changed":
                return self._changed(tree)
        self.diagnostics.parse("Unknown query clause", tree.leftmost().line)
        return None

    def _condition(self, tree: Node) -> Filter | None:
        if tree.token == ":" and tree.right and tree.left_token == "if":
            condition = tree.right
        else:
            condition = tree.without_left_operator() or NOTHING
        expression = self.expressions.read(condition, Context.ELEMENT, STRING)
        return None if expression is None else IfFilter(expression, tree.line)

    def _box(self, tree: Node) -> Filter | None:
        texts: list[str] = []
        rest = tree
        for _ in range(3):
            if rest.token != "," or not rest.left or not rest.right:
                self.diagnostics.parse("bbox requires four arguments", tree.line)
                return None
            texts.insert(0, rest.right.token)
            rest = rest.left
        texts.insert(0, rest.token)
        return BoxFilter(check_box("bbox-query", texts, self.diagnostics.static, tree.line), tree.line)

    def _ids(self, tree: Node, query_type: str) -> Filter:
        texts: list[str] = []
        rest = tree
        while rest.token == "," and rest.left and rest.right:
            texts.append(rest.right.token)
            rest = rest.left
        texts.append(rest.right.token if rest.token == ":" and rest.right else rest.token)
        if query_type not in ("node", "way", "relation", "area", "nwr", "nw", "wr", "nr", ""):
            self.diagnostics.static(
                'For the attribute "type" of the element "id-query"'
                ' the only allowed values are "node", "way", "relation", or "area".',
                tree.line,
            )
        refs = [to_unsigned(text) for text in reversed(texts)]
        if not _last_by_name(refs):
            self.diagnostics.static(
                'For the attribute "ref" of the element "id-query" the only allowed values are positive integers.',
                tree.line,
            )
        return IdFilter(tuple(sorted({ref for ref in refs if ref})), tree.line)

    def _area(self, tree: Node) -> Filter:
        rest, ref = tree, ""
        if rest.token == ":" and rest.right:
            ref, rest = rest.right.token, rest.left or NOTHING
        set_name = rest.right.token if rest.token == "." and rest.right else "_"
        area_id = to_int(ref)
        if area_id <= 0 and ref:
            self.diagnostics.static(
                'For the attribute "ref" of the element "area-query" the only allowed values are positive integers.',
                tree.line,
            )
        return AreaFilter(set_name, area_id if area_id > 0 else None, tree.line)

    def _around(self, tree: Node) -> Filter | None:
        texts: list[str] = []
        rest = tree
        while rest.token == "," and rest.left and rest.right:
            texts.insert(0, rest.right.token)
            rest = rest.left
            if rest.token != "," or not rest.left or not rest.right:
                self.diagnostics.parse("around requires an odd number of arguments", tree.line)
                return None
            texts.insert(0, rest.right.token)
            rest = rest.left
        if rest.token != ":" or not rest.right:
            self.diagnostics.parse("around requires the radius as first argument", tree.line)
            return None
        radius = unquote(rest.right.token, self.diagnostics)
        rest = rest.left or NOTHING
        set_name = rest.right.token if rest.token == "." and rest.right else "_"
        if to_float(radius) < 0.0 or radius == "":
            self.diagnostics.static(
                'For the attribute "radius" of the element "around" the only allowed values are nonnegative floats.',
                tree.line,
            )
        return AroundFilter(to_float(radius), self._around_points(texts, tree.line), set_name, tree.line)

    def _around_points(self, texts: list[str], line: int) -> tuple[tuple[float, float], ...]:
        """The centre or the vertices; only the last of several is checked."""
        points = [(to_float(lat), to_float(lon)) for lat, lon in zip(texts[::2], texts[1::2], strict=True)]
        if not points:
            return ()
        lat, lon = points[-1]
        names = ('a latitude entry in the attribute "polyline"',) * 2
        if len(points) == 1:
            names = ('the attribute "lat"', 'the attribute "lon"')
        only = 'of the element "around" the only allowed values are floats between'
        if lat < -90.0 or lat > 90.0:
            self.diagnostics.static(f"For {names[0]} {only} -90.0 and 90.0 or an empty value.", line)
        if lon < -180.0 or lon > 180.0:
            self.diagnostics.static(f"For {names[1]} {only} -1800.0 and 180.0 or an empty value.", line)
        return tuple(points)

    def _polygon(self, tree: Node) -> Filter | None:
        if tree.token != ":" or not tree.right:
            return None
        points, complete = read_pairs(unquote(tree.right.token, self.diagnostics))
        of = 'For the attribute "bounds" of the element "polygon-query"'
        if not complete:
            self.diagnostics.static(f"{of} an even number of float values must be provided.", tree.line)
        if len(points) < 3:
            self.diagnostics.static(f"{of} at least 3 lat/lon float value pairs must be provided.", tree.line)
        for lat, lon in points:
            if lat < -90.0 or lat > 90.0:
                only = "the only allowed values for latitude are floats between -90.0 and 90.0."
                self.diagnostics.static(f"{of} {only}", tree.line)
            if lon < -180.0 or lon > 180.0:
                only = "the only allowed values for longitude are floats between -180.0 and 180.0."
                self.diagnostics.static(f"{of} {only}", tree.line)
        return PolygonFilter(tuple(points), tree.line)

    # ------------------------------------------------------------------------------------ history and users

    def _newer(self, tree: Node) -> Filter | None:
        if tree.token != ":" or not tree.right:
            return None
        than = unquote(tree.right.token, self.diagnostics)
        if not is_timestamp(than):
            self.diagnostics.static(
                'The attribute "than" must contain a timestamp exactly in the form yyyy-mm-ddThh:mm:ssZ.', tree.line
            )
        return HistoryFilter("newer", (than,), tree.line)

    def _changed(self, tree: Node) -> Filter | None:
        left = tree.left
        if tree.token == ":" and tree.right:
            since = until = unquote(tree.right.token, self.diagnostics)
        elif tree.token == "," and left and left.token == ":" and left.right and tree.right:
            since = unquote(left.right.token, self.diagnostics)
            until = unquote(tree.right.token, self.diagnostics)
        elif tree.token == "changed":
            since = until = "auto"
        elif tree.token == ":":
            self.diagnostics.parse('Date required after "changed" with colon', tree.line)
            return None
        else:
            self.diagnostics.parse(f'Unexpected token "{tree.token}" after "changed"', tree.line)
            return None
        self._check_span(since, until, tree.line)
        return HistoryFilter("changed", (since, until), tree.line)

    def _check_span(self, since: str, until: str, line: int) -> None:
        if since == "init":
            return
        if (since == "auto") != (until == "auto"):
            self.diagnostics.static('The attributes "since" and "until" must be set either both or none.', line)
        for name, value in (("since", since), ("until", until)):
            if value != "auto" and not is_timestamp(value):
                self.diagnostics.static(
                    f'The attribute "{name}" must contain a timestamp exactly in the form "yyyy-mm-ddThh:mm:ssZ".',
                    line,
                )

    def _users(self, tree: Node) -> Filter:
        texts: list[str] = []
        rest = tree
        while rest.token == "," and rest.left and rest.right:
            texts.insert(0, rest.right.token)
            rest = rest.left
        if rest.token == ":" and rest.right:
            texts.insert(0, rest.right.token)
        name = rest.left_token
        by_name = name in ("user", "user_touched")
        if not name and texts:
            for attribute in ["", *sorted(f"_{place + 1}" for place in range(len(texts)))]:
                self.diagnostics.static(f'Unknown attribute "{attribute}" in element "user".', tree.line)
            texts = []
        if by_name:
            texts = [unquote(text, self.diagnostics) for text in reversed(texts)][::-1]
        known = [text for text in texts if (text if by_name else to_int(text) % 2**32)]
        if not known:
            complaint = 'Exactly one of the two attributes "name" and "uid" must be set.'
            self.diagnostics.static(complaint, tree.line)
        return HistoryFilter("user" if by_name else "uid", tuple(texts), tree.line, name.endswith("_touched"))


def _last_by_name(refs: list[int]) -> int:
    """The id that decides whether the list is accepted: the one with the greatest name of ``ref``, ``ref_1``, ….

    Names are compared as text, so that of ten ids and more it is not the last one.
    """
    return refs[max(range(len(refs)), key=lambda place: f"ref_{place}" if place else "")]


def check_box(element: str, texts: list[str], report: Callable[[str, int], None], line: int) -> Box:
    """South, west, north, east as numbers, with the checks that ``element`` has for them."""
    south, west, north, east = (to_float(text) for text in texts)

    def check(name: str, text: str, value: float, limit: float) -> None:
        if value < -limit or value > limit or text == "":
            report(
                f'For the attribute "{name}" of the element "{element}"'
                f" the only allowed values are floats between -{limit} and {limit}.",
                line,
            )

    check("s", texts[0], south, 90.0)
    check("n", texts[2], north, 90.0)
    if north < south:
        report(
            f'The value of attribute "n" of the element "{element}"'
            ' must always be greater or equal than the value of attribute "s".',
            line,
        )
    check("w", texts[1], west, 180.0)
    check("e", texts[3], east, 180.0)
    return Box(south, west, north, east)
