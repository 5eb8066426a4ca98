"""``make`` and ``convert``: statements that derive elements."""

from __future__ import annotations

from dataclasses import dataclass

from overworld.ql.diagnostics import Diagnostics
from overworld.ql.elements import value_element
from overworld.ql.expressions import ExpressionReader
from overworld.ql.grammar import Context
from overworld.ql.operator_tree import NOTHING, Node, read_tree
from overworld.ql.sets import read_into
from overworld.ql.tokens import Cursor
from overworld.ql.tree import Assignment, Convert, Expression, Make


@dataclass(frozen=True, slots=True)
class DerivationReader:
    """Reads ``make`` and ``convert`` statements."""

    cursor: Cursor
    diagnostics: Diagnostics
    expressions: ExpressionReader

    def read(self, source: str) -> Make | Convert:
        """``make …;`` or ``convert …;``: the cursor is on the word."""
        cursor = self.cursor
        strategy = cursor.token
        cursor.advance()
        made = cursor.read_identifier("Element class name") if cursor.token != ";" else ""
        context = Context.CONVERT if strategy == "convert" else Context.MAKE
        values = self._read_assignments(read_tree(cursor, in_parentheses=False), context)
        into = read_into(cursor)
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
        kept: list[Assignment] = []
        for value in values:
            if not isinstance(value, Assignment):
                complaint = f'Element "{value_element(value)}" cannot be subelement of element "{strategy}".'
                self.diagnostics.attribute(complaint, line)
                kept.append(Assignment("tag", "", value))
                continue
            if value.key:
                for _ in [other for other in seen if other.key == value.key]:
                    complaint = f'A key cannot be added twice to an element: "{value.key}"'
                    self.diagnostics.attribute(complaint, line)
            elif any(not other.key and _target(other) == _target(value) for other in seen):
                self._refuse_second(_target(value), strategy, line)
            seen.append(value)
            kept.append(value)
        return tuple(kept)

    def _refuse_second(self, target: str, strategy: str, line: int) -> None:
        what = {
            "id": f"A {strategy} statement can have at most one set-prop statement of subtype setting the id.",
            "geometry": "A make statement can have at most one set-prop statement of subtype setting the geometry.",
            "all": f"A {strategy} statement can have at most one any-key set-prop statement.",
        }
        self.diagnostics.attribute(what[target], line)


def _target(assignment: Assignment) -> str:
    """What may be set once: the id, the geometry, and once all tags or those of a set (or one without a key)."""
    return assignment.target if assignment.target in ("id", "geometry") else "all"
