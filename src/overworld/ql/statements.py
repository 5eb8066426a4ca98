"""Statements and blocks: reads the tokens after the settings into the statements of a script."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, cast

from overworld.core.boxes import Box
from overworld.ql import trampoline
from overworld.ql.derivations import DerivationReader
from overworld.ql.diagnostics import Diagnostics
from overworld.ql.elements import has_result, statement_element
from overworld.ql.expression_parts import STRING, STRING_OR_CONTAINER
from overworld.ql.expressions import expression_reader
from overworld.ql.filters import FilterReader
from overworld.ql.grammar import (
    DEFAULT_LOOP_LIMIT,
    MAX_LOOP_LIMIT,
    MAX_NESTING,
    QUERY_TYPES,
    Context,
)
from overworld.ql.numbers import to_int32
from overworld.ql.operator_tree import read_tree
from overworld.ql.plain_statements import PlainReader
from overworld.ql.prints import PrintReader
from overworld.ql.queries import QueryReader
from overworld.ql.sets import read_before, read_from, read_into
from overworld.ql.tag_filters import RegexCheck
from overworld.ql.tokens import Cursor
from overworld.ql.tree import (
    Complete,
    Difference,
    Expression,
    For,
    Foreach,
    HistoryStatement,
    If,
    Statement,
    Union,
)

Steps = Generator[int, Statement | None, Statement | None]
Block = Generator[int, Statement | None, tuple[Statement, ...]]


class TooDeepError(Exception):
    """Statements nest deeper than the engine allows: it never comes to an end with such a query."""


class StatementReader:
    """Reads one statement after the other. ``box`` is the global bounding box, if any."""

    def __init__(self, cursor: Cursor, diagnostics: Diagnostics, box: Box | None, valid_regex: RegexCheck) -> None:
        self.cursor = cursor
        self.diagnostics = diagnostics
        self.expressions = expression_reader(diagnostics, cursor.tokens)
        filters = FilterReader(diagnostics, self.expressions)
        self.queries = QueryReader(cursor, diagnostics, filters, box, valid_regex)
        self.prints = PrintReader(cursor, diagnostics)
        self.derivations = DerivationReader(cursor, diagnostics, self.expressions)
        self.plain = PlainReader(cursor, diagnostics)

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
                return self.plain.timeline()
        return self._read_with_input(read_before(self.cursor), depth)

    def _read_with_input(self, source: str, depth: int) -> Statement | Steps | None:
        cursor = self.cursor
        if cursor.good:
            match cursor.token:
                case "out":
                    return self.prints.read(source)
                case "convert" | "make":
                    return self.derivations.read(source)
                case "<" | "<<" | ">" | ">>":
                    return self.plain.recurse(source)
                case "is_in":
                    return self.plain.is_in(source)
                case "map_to_area":
                    return self.plain.map_to_area(source)
                case "local":
                    return self.plain.localize(source)
                case "compare":
                    return self._compare(source, depth)
        query_type = ""
        if cursor.token != "out" and source == "":
            query_type = "relation" if cursor.token == "rel" else cursor.token
            if query_type not in QUERY_TYPES:
                cursor.report(f'Unknown type "{query_type}"')
            cursor.advance()
        source = read_before(self.cursor) or source
        return self.queries.read(query_type, source)

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
        into = read_into(cursor)
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
        source, into = read_from(cursor), read_into(cursor)
        statements = yield from self._block(depth + 1)
        self._end_of_block()
        return Foreach(statements, source, into, line)

    def _for(self, depth: int) -> Steps:
        cursor = self.cursor
        line = cursor.line
        cursor.advance()
        source, into = read_from(cursor), read_into(cursor)
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
        source, into = read_from(cursor), read_into(cursor)
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
        into = read_into(cursor)
        statements: tuple[Statement, ...] = ()
        if cursor.token in ("(", "{"):
            statements = yield from self._block(depth)
            self._end_of_block()
        else:
            cursor.skip_past(";")
        return HistoryStatement("compare", delta, (), statements, source or "_", into, line)
