"""Assignments of ``make`` and ``convert``: ``key=…``, ``::id=…``, ``::geom=…``, ``::=…``, ``set::=…``, ``!key``."""

from __future__ import annotations

from dataclasses import dataclass

from overworld.ql.expression_parts import GEOMETRY, STRING, PartReader, Steps, as_expression
from overworld.ql.grammar import Context
from overworld.ql.operator_tree import Node
from overworld.ql.tokens import unquote
from overworld.ql.tree import Assignment, Expression


@dataclass(frozen=True, slots=True)
class AssignmentReader(PartReader):
    """Reads assignments out of operator trees."""

    def read(self, node: Node, context: Context) -> Steps:
        """The assignment under an equal sign or an exclamation mark."""
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
        value = yield from self.part(node.right, inner, wanted, complaint, node.line)
        return Assignment(target.target, target.key, as_expression(value), target.set_name, node.line)

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
