"""Statements and blocks: reads the tokens after the settings into the statements of a script."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, cast

from overworld.core.boxes import Box
from overworld.ql import trampoline
from overworld.ql.diagnostics import Diagnostics
from overworld.ql.elements import has_result, statement_element
from overworld.ql.expressions import STRING, STRING_OR_CONTAINER, ExpressionReader, element_name
from overworld.ql.filters import FilterReader, RegexCheck, check_box, check_tag_filter, is_standalone, read_tag_filter
from overworld.ql.grammar import (
    DEFAULT_LOOP_LIMIT,
    LOCALIZE_TYPES,
    MAX_LOOP_LIMIT,
    MAX_NESTING,
    OUT_GEOMETRIES,
    OUT_MODES,
    OUT_ORDERS,
    QUERY_TYPES,
    Context,
)
from overworld.ql.numbers import UINT32_MAX, to_float, to_int, to_int32
from overworld.ql.operator_tree import NOTHING, Node, read_tree
from overworld.ql.tokens import Cursor
from overworld.ql.tree import (
    Assignment,
    Complete,
    Convert,
    Difference,
    Expression,
    Filter,
    For,
    Foreach,
    HistoryStatement,
    If,
    IsIn,
    Item,
    Localize,
    Make,
    MapToArea,
    Print,
    Query,
    QueryType,
    Recurse,
    SetFilter,
    Statement,
    TagFilter,
    Union,
)

Steps = Generator[int, Statement | None, Statement | None]
Block = Generator[int, Statement | None, tuple[Statement, ...]]
Sides = tuple[str, str, str, str]


class TooDeepError(Exception):
    """Statements nest deeper than the engine allows: it never comes to an end with such a query."""


class StatementReader:
    """Reads one statement after the other. ``box`` is the global bounding box, if any."""

    def __init__(self, cursor: Cursor, diagnostics: Diagnostics, box: Box | None, valid_regex: RegexCheck) -> None:
        self.cursor = cursor
        self.diagnostics = diagnostics
        self.box = box
        self.valid_regex = valid_regex
        self.expressions = ExpressionReader(diagnostics, cursor.tokens)
        self.filters = FilterReader(diagnostics, self.expressions)

    def read_all(self) -> tuple[Statement, ...]:
        """All statements to the end of the text."""
        statements = []
        while self.cursor.good:
            statement: Statement | None = trampoline.run(0, self._read)
            if statement is not None:
                statements.append(statement)
        return tuple(statements)

    # ------------------------------------------------------------------------------------ choice by word

    def _read(self, depth: int) -> Statement | Steps | None:
        cursor = self.cursor
        if not cursor.good:
            return None
        if depth > MAX_NESTING:
            cursor.report(f"Nesting of statements is limited to {MAX_NESTING} levels")
            raise TooDeepError
        match cursor.token:
            case "(":
                return self._union(depth)
            case "for":
                return self._for(depth)
            case "foreach":
                return self._foreach(depth)
            case "complete":
                return self._complete(depth)
            case "if":
                return self._if(depth)
            case "retro":
                return self._retro(depth)
            case "timeline":
                return self._timeline()
        return self._read_with_input(self._read_set_before(), depth)

    def _read_set_before(self) -> str:
        """``.set`` in front of a statement or behind a query type; any token passes as a name."""
        cursor = self.cursor
        name = ""
        if cursor.good and cursor.token == ".":
            cursor.advance()
            if cursor.good:
                name = cursor.token
                cursor.advance()
        return name

    def _read_with_input(self, source: str, depth: int) -> Statement | Steps | None:
        cursor = self.cursor
        if cursor.good:
            match cursor.token:
                case "out":
                    return self._print(source)
                case "convert" | "make":
                    return self._make(source)
                case "<" | "<<" | ">" | ">>":
                    return self._recurse(source)
                case "is_in":
                    return self._is_in(source)
                case "map_to_area":
                    return self._map_to_area(source)
                case "local":
                    return self._localize(source)
                case "compare":
                    return self._compare(source, depth)
        query_type = ""
        if cursor.token != "out" and source == "":
            query_type = "relation" if cursor.token == "rel" else cursor.token
            if query_type not in QUERY_TYPES:
                cursor.report(f'Unknown type "{query_type}"')
            cursor.advance()
        source = self._read_set_before() or source
        return self._query(query_type, source)

    # ------------------------------------------------------------------------------------ sets

    def _into(self) -> str:
        cursor = self.cursor
        if not (cursor.good and cursor.token == "->"):
            return "_"
        cursor.advance()
        cursor.skip_past(".")
        return cursor.read_identifier("Variable") if cursor.good else "_"

    def _from(self) -> str:
        cursor = self.cursor
        if not (cursor.good and cursor.token == "."):
            return "_"
        cursor.advance()
        return cursor.read_identifier("Variable") if cursor.good else "_"

    # ------------------------------------------------------------------------------------ blocks

    def _block(self, depth: int) -> Block:
        """``{…}`` or ``(…)``."""
        cursor = self.cursor
        statements: list[Statement] = []
        cursor.skip_to("(", "{")
        if not cursor.good:
            return ()
        closing = ")" if cursor.token == "(" else "}"
        cursor.advance()
        while cursor.good and cursor.token != closing:
            statement = yield depth + 1
            if statement is not None:
                statements.append(statement)
        cursor.advance()
        return tuple(statements)

    def _end_of_block(self) -> None:
        if self.cursor.token == ";":
            self.cursor.advance()

    def _union(self, depth: int) -> Steps:
        cursor = self.cursor
        line = cursor.line
        statements: list[Statement] = []
        is_difference = False
        cursor.skip_past("(")
        count = 0
        while cursor.good and cursor.token != ")":
            statement = yield depth + 2
            count += 1
            if statement is not None:
                statements.append(statement)
            if count == 1 and cursor.token == "-":
                is_difference = True
                cursor.advance()
            elif count == 2 and is_difference and cursor.token != ")":
                cursor.report("difference always requires two operands")
                cursor.skip_to(")")
        cursor.advance()
        into = self._into()
        cursor.skip_past(";")
        element = "difference" if is_difference else "union"
        for statement in statements:
            if not has_result(statement):
                complaint = f'Element "{statement_element(statement)}" cannot be subelement of element "{element}".'
                self.diagnostics.attribute(complaint, line)
        return (Difference if is_difference else Union)(tuple(statements), into, line)

    def _foreach(self, depth: int) -> Steps:
        cursor = self.cursor
        line = cursor.line
        cursor.advance()
        source, into = self._from(), self._into()
        statements = yield from self._block(depth + 1)
        self._end_of_block()
        return Foreach(statements, source, into, line)

    def _for(self, depth: int) -> Steps:
        cursor = self.cursor
        line = cursor.line
        cursor.advance()
        source, into = self._from(), self._into()
        key = self._condition(Context.ELEMENT, STRING_OR_CONTAINER)
        statements = yield from self._block(depth + 1)
        self._end_of_block()
        if key is None:
            self._without_evaluator("A For", len(statements) + 1, line)
        return For(cast(Expression, key), statements, source, into, line)

    def _complete(self, depth: int) -> Steps:
        cursor = self.cursor
        line = cursor.line
        cursor.advance()
        written = ""
        if cursor.token == "(":
            cursor.advance()
            written = cursor.read_text("maximum loop number")
            cursor.skip_past(")")
        source, into = self._from(), self._into()
        statements = yield from self._block(depth)
        self._end_of_block()
        limit = to_int32(written) if written else DEFAULT_LOOP_LIMIT
        if limit <= 0 or limit > MAX_LOOP_LIMIT:
            complaint = 'Maximum loop number for complete must be an integer between "1" and "1048576".'
            self.diagnostics.attribute(complaint, line)
        return Complete(statements, limit, source, into, line, written)

    def _if(self, depth: int) -> Steps:
        cursor = self.cursor
        line = cursor.line
        cursor.advance()
        condition = self._condition(Context.VALUE, STRING)
        statements = yield from self._block(depth)
        otherwise: tuple[Statement, ...] = ()
        if cursor.good and cursor.token == "else":
            cursor.advance()
            otherwise = yield from self._block(depth)
        self._end_of_block()
        if condition is None:
            self._without_evaluator("An If", len(statements) + len(otherwise) + bool(otherwise), line)
        return If(cast(Expression, condition), statements, otherwise, line)

    def _retro(self, depth: int) -> Steps:
        cursor = self.cursor
        line = cursor.line
        cursor.advance()
        condition = self._condition(Context.VALUE, STRING)
        statements = yield from self._block(depth)
        self._end_of_block()
        if condition is None:
            self._without_evaluator("A Retro", len(statements), line)
        return HistoryStatement("retro", condition, (), statements, line=line)

    def _condition(self, context: Context, wanted: Any) -> Expression | None:
        """``(expression)``."""
        cursor = self.cursor
        cursor.skip_past("(")
        tree = read_tree(cursor, in_parentheses=True)
        expression = self.expressions.read(tree, context, wanted)
        cursor.skip_past(")")
        return expression

    def _without_evaluator(self, statement: str, times: int, line: int) -> None:
        for _ in range(times):
            complaint = f"{statement} statement must have an Evaluator as first sub-statement."
            self.diagnostics.attribute(complaint, line)

    # ------------------------------------------------------------------------------------ history

    def _timeline(self) -> Statement:
        cursor = self.cursor
        line = cursor.line
        cursor.advance()
        cursor.skip_past("(")
        kind = cursor.read_text("OSM base type")
        kind = "relation" if kind == "rel" else kind
        cursor.skip_past(",")
        ref = cursor.read_text("OSM element id")
        cursor.skip_to(",", ")")
        version = ""
        if cursor.token == ",":
            cursor.advance()
            version = cursor.read_text("Number")
        cursor.skip_past(")")
        into = self._into()
        cursor.skip_past(";")
        only = 'of the element "timeline" the only allowed values are'
        if kind not in ("node", "way", "relation"):
            complaint = f'For the attribute "type" {only} "node", "way", or "relation".'
            self.diagnostics.attribute(complaint, line)
        if to_int(ref) == 0:
            self.diagnostics.attribute(f'For the attribute "ref" {only} positive integers.', line)
        if version and to_int(version) == 0:
            self.diagnostics.attribute(f'For the attribute "version" {only} positive integers.', line)
        return HistoryStatement("timeline", None, (kind, ref, version), into=into, line=line)

    def _compare(self, source: str, depth: int) -> Steps:
        cursor = self.cursor
        line = cursor.line
        cursor.advance()
        delta = None
        if cursor.token == "(":
            cursor.skip_past("(")
            if cursor.token == "delta":
                cursor.skip_past("delta")
                cursor.skip_past(":")
                tree = read_tree(cursor, in_parentheses=True)
                delta = self.expressions.read(tree, Context.ELEMENT, STRING)
            cursor.skip_past(")")
        into = self._into()
        statements: tuple[Statement, ...] = ()
        if cursor.token in ("(", "{"):
            statements = yield from self._block(depth)
            self._end_of_block()
        else:
            cursor.skip_past(";")
        return HistoryStatement("compare", delta, (), statements, source or "_", into, line)

    # ------------------------------------------------------------------------------------ out

    def _print(self, source: str) -> Statement:
        cursor = self.cursor
        cursor.advance()
        mode, order, limit, geometry, ids = "body", "id", "", "skeleton", True
        sides: Sides = ("", "", "", "")
        while cursor.good and cursor.token != ";":
            word = cursor.token
            if word in OUT_MODES:
                mode = OUT_MODES[word]
            elif word in OUT_GEOMETRIES:
                geometry = OUT_GEOMETRIES[word]
            elif word in OUT_ORDERS:
                order = OUT_ORDERS[word]
            elif word == "noids":
                ids = False
            elif word[0] in "0123456789":
                limit = word
            elif word == "(":
                sides = self._read_clip_box()
            else:
                cursor.report(f'Invalid parameter for print: "{word}"')
            cursor.advance()
        line = cursor.line
        if mode == "quirks":
            self.diagnostics.attribute(
                'For the attribute "mode" of the element "print" the only allowed values are'
                ' "ids_only", "skeleton", "body", "tags",  "count", or "meta".',
                line,
            )
        box = self._clip_box(sides, line)
        cursor.skip_past(";")
        number = to_int(limit) & UINT32_MAX if limit else UINT32_MAX
        return Print(
            cast(Any, mode),
            cast(Any, geometry),
            cast(Any, order),
            ids,
            None if number == UINT32_MAX else number,
            box,
            source or "_",
            line,
            limit,
            sides,
        )

    def _read_clip_box(self) -> Sides:
        cursor = self.cursor
        cursor.advance()
        sides = []
        for is_last in (False, False, False, True):
            sides.append(cursor.read_text("Number"))
            if is_last:
                cursor.skip_to(")")
            else:
                cursor.skip_past(",")
        return cast(Sides, tuple(sides))

    def _clip_box(self, sides: Sides, line: int) -> Box | None:
        if sides == ("", "", "", ""):
            return None
        known = [side or "0" for side in sides]
        return check_box("print", known, self.diagnostics.attribute, line)

    # ------------------------------------------------------------------------------------ make and convert

    def _make(self, source: str) -> Statement:
        cursor = self.cursor
        strategy = cursor.token
        cursor.advance()
        made = cursor.read_identifier("Element class name") if cursor.token != ";" else ""
        context = Context.CONVERT if strategy == "convert" else Context.MAKE
        values = self._read_assignments(read_tree(cursor, in_parentheses=False), context)
        into = self._into()
        line = cursor.line
        if strategy == "make" and source:
            self.diagnostics.attribute('Unknown attribute "from" in element "make".', line)
        if made == "":
            self.diagnostics.attribute("The attribute type must be set to a nonempty string.", line)
        assignments = self._check_assignments(values, strategy, line)
        cursor.skip_past(";")
        if strategy == "make":
            return Make(made, assignments, source or "_", into, line, bool(source))
        return Convert(made, assignments, source or "_", into, line, bool(source))

    def _read_assignments(self, tree: Node | None, context: Context) -> list[Assignment | Expression]:
        """The last assignment is read first."""
        values = []
        if tree is not None:
            while tree.token == ",":
                if tree.right is not None:
                    values.append(self.expressions.read_assignment(tree.right, context))
                tree = tree.left or NOTHING
            values.append(self.expressions.read_assignment(tree, context))
        return [value for value in reversed(values) if value is not None]

    def _check_assignments(
        self, values: list[Assignment | Expression], strategy: str, line: int
    ) -> tuple[Assignment, ...]:
        seen: list[Assignment] = []
        for value in values:
            if not isinstance(value, Assignment):
                complaint = f'Element "{element_name(value)}" cannot be subelement of element "{strategy}".'
                self.diagnostics.attribute(complaint, line)
                continue
            if value.key:
                for _ in [other for other in seen if other.key == value.key]:
                    complaint = f'A key cannot be added twice to an element: "{value.key}"'
                    self.diagnostics.attribute(complaint, line)
            elif any(not other.key and _target(other) == _target(value) for other in seen):
                self._refuse_second(_target(value), strategy, line)
            seen.append(value)
        return tuple(seen)

    def _refuse_second(self, target: str, strategy: str, line: int) -> None:
        what = {
            "id": f"A {strategy} statement can have at most one set-prop statement of subtype setting the id.",
            "geometry": "A make statement can have at most one set-prop statement of subtype setting the geometry.",
            "all": f"A {strategy} statement can have at most one any-key set-prop statement.",
        }
        self.diagnostics.attribute(what[target], line)

    # ------------------------------------------------------------------------------------ other statements

    def _recurse(self, source: str) -> Statement:
        cursor = self.cursor
        line, direction = cursor.line, cursor.token
        cursor.advance()
        into = self._into()
        cursor.skip_past(";")
        return Recurse(cast(Any, direction), source or "_", into, line)

    def _is_in(self, source: str) -> Statement:
        cursor = self.cursor
        line = cursor.line
        cursor.advance()
        lat = lon = ""
        if cursor.token == "(":
            cursor.advance()
            lat = cursor.read_text("Number")
            cursor.skip_to(",", ")")
            if cursor.token == ",":
                cursor.advance()
                lon = cursor.read_text("Number")
                cursor.skip_to(")")
            cursor.advance()
        into = self._into()
        cursor.skip_past(";")
        point = (to_float(lat), to_float(lon)) if lat or lon else None
        if point:
            self._check_point(point, lat, lon, line)
        return IsIn(point, source or "_", into, line, (lat, lon))

    def _check_point(self, point: tuple[float, float], lat: str, lon: str, line: int) -> None:
        only = 'of the element "coord-query" the only allowed values are floats between'
        if point[0] < -90.0 or point[0] > 90.0 or not lat:
            self.diagnostics.attribute(f'For the attribute "lat" {only} -90.0 and 90.0.', line)
        if point[1] < -180.0 or point[1] > 180.0 or not lon:
            self.diagnostics.attribute(f'For the attribute "lon" {only} -180.0 and 180.0.', line)

    def _map_to_area(self, source: str) -> Statement:
        cursor = self.cursor
        line = cursor.line
        cursor.advance()
        into = self._into()
        cursor.skip_past(";")
        return MapToArea(source or "_", into, line)

    def _localize(self, source: str) -> Statement:
        cursor = self.cursor
        line = cursor.line
        cursor.advance()
        kind = "l"
        if cursor.token not in (";", "->", "("):
            kind = cursor.token
            cursor.advance()
        sides = ["", "", "", ""]
        if cursor.token == "(":
            cursor.advance()
            for side in range(4):
                if side == 0 or cursor.token == ",":
                    if side:
                        cursor.advance()
                    sides[side] = cursor.read_text("Value")
                    cursor.skip_to(",", ")")
            cursor.advance()
        into = self._into()
        cursor.skip_past(";")
        if kind not in LOCALIZE_TYPES:
            complaint = 'Localize must have one of the values "l", "ll", or "llb". "l" is the default value.'
            self.diagnostics.attribute(complaint, line)
        box = check_box("bbox-query", sides, self.diagnostics.attribute, line) if any(sides) else None
        written = cast(Sides, tuple(sides))
        return Localize(kind, box, source or "_", into, line, written)

    # ------------------------------------------------------------------------------------ queries

    def _query(self, query_type: str, source: str) -> Statement | None:
        cursor = self.cursor
        line = cursor.line
        plain: list[TagFilter | SetFilter] = []
        trees: list[Node | None] = []
        while cursor.good and cursor.token in ("[", "(", "."):
            if cursor.token == "[":
                found = read_tag_filter(cursor)
                if found is not None:
                    plain.append(found)
            elif cursor.token == "(":
                cursor.advance()
                if not cursor.good:
                    cursor.report("':' or '.' expected.")
                    break
                trees.append(read_tree(cursor, in_parentheses=True))
                cursor.skip_past(")")
            else:
                item_line = cursor.line
                plain.append(SetFilter(self._from(), item_line))
        into = self._into()
        statement = self._assembled(query_type, source, plain, trees, into, line)
        cursor.skip_past(";")
        return statement

    def _assembled(
        self,
        query_type: str,
        source: str,
        plain: list[TagFilter | SetFilter],
        trees: list[Node | None],
        into: str,
        line: int,
    ) -> Statement | None:
        if not plain and not trees:
            return self._without_filters(query_type, source, into, line)
        if len(trees) == 1 and not plain and not source:
            return self._with_one_tree(query_type, trees[0], into, line)
        if len(plain) == 1 and not trees and not source and isinstance(plain[0], SetFilter):
            # A set behind a type without a name for it is a statement of its own.
            return Item(plain[0].set_name, "_", plain[0].line)
        self._check_query_type(query_type, line)
        filters: list[Filter] = [SetFilter(source, line)] if source else []
        for given in plain:
            if isinstance(given, TagFilter):
                check_tag_filter(given, self.diagnostics, self.valid_regex)
            filters.append(given)
        for tree in trees:
            found = self.filters.read(tree, query_type)
            if found is not None:
                filters.append(found)
        return Query(cast(QueryType, query_type), tuple(filters), into, line=line)

    def _without_filters(self, query_type: str, source: str, into: str, line: int) -> Statement | None:
        if source and query_type == "":
            return Item(source, into, line)
        if not source and self.box is None:
            self.cursor.report("An empty query is not allowed")
            return None
        self._check_query_type(query_type, line)
        filters = (SetFilter(source, line),) if source else ()
        return Query(cast(QueryType, query_type), filters, into, line=line)

    def _with_one_tree(self, query_type: str, tree: Node | None, into: str, line: int) -> Statement | None:
        found = self.filters.read(tree, query_type)
        if found is None:
            return None
        if is_standalone(tree, query_type):
            return Query(cast(QueryType, query_type), (found,), into, standalone=True, line=found.line)
        self._check_query_type(query_type, line)
        return Query(cast(QueryType, query_type), (found,), into, line=line)

    def _check_query_type(self, query_type: str, line: int) -> None:
        if query_type not in QUERY_TYPES:
            self.diagnostics.attribute(
                'For the attribute "type" of the element "query" the only allowed values are'
                ' "node", "way", "relation", "nwr", "nw", "wr", "nr", or "area".',
                line,
            )


def _target(assignment: Assignment) -> str:
    """What may be set once: the id, the geometry, and once all tags or those of a set (or one without a key)."""
    return assignment.target if assignment.target in ("id", "geometry") else "all"
