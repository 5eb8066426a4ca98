"""Query statements: a type, filters, a set to fill."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from overworld.core.boxes import Box
from overworld.ql.diagnostics import Diagnostics
from overworld.ql.filters import FilterReader, is_standalone
from overworld.ql.grammar import QUERY_TYPES
from overworld.ql.operator_tree import Node, read_tree
from overworld.ql.sets import read_from, read_into
from overworld.ql.tag_filters import RegexCheck, check_tag_filter, read_tag_filter
from overworld.ql.tokens import Cursor
from overworld.ql.tree import Filter, Item, Query, QueryType, SetFilter, TagFilter


@dataclass(frozen=True, slots=True)
class QueryReader:
    """Reads queries. ``box`` is the global bounding box, if any: with one a query needs no filters."""

    cursor: Cursor
    diagnostics: Diagnostics
    filters: FilterReader
    box: Box | None
    valid_regex: RegexCheck

    def read(self, query_type: str, source: str) -> Query | Item | None:
        """The filters and the rest of a query: the cursor is behind its type and the set there."""
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
                plain.append(SetFilter(read_from(cursor), item_line))
        into = read_into(cursor)
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
    ) -> Query | Item | None:
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

    def _without_filters(self, query_type: str, source: str, into: str, line: int) -> Query | Item | None:
        if source and query_type == "":
            return Item(source, into, line)
        if not source and self.box is None:
            self.cursor.report("An empty query is not allowed")
            return None
        self._check_query_type(query_type, line)
        filters = (SetFilter(source, line),) if source else ()
        return Query(cast(QueryType, query_type), filters, into, line=line)

    def _with_one_tree(self, query_type: str, tree: Node | None, into: str, line: int) -> Query | Item | None:
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
