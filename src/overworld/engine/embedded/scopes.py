"""Named sets while statements run: block statements open scopes, and each scope shadows those around it.

A statement writes into the innermost scope only; reading falls through to the scopes around it. When a block ends, what
its scope holds replaces the sets of the same names one scope further out. Several things that surprise follow from it:
after ``foreach`` the loop's set is empty, and a loop in a loop over a set that the outer body has not written sees
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from overworld.engine.embedded.sets import EMPTY_SET, ElementSet


@dataclass(slots=True)
class Scope:
    """Sets and their properties (``for`` gives its set the property ``val``) of one block."""

    sets: dict[str, ElementSet] = field(default_factory=dict)
    properties: dict[str, dict[str, str]] = field(default_factory=dict)

    def put(self, name: str, value: ElementSet) -> None:
        """Replace a set; its properties are gone."""
        self.sets[name] = value
        self.properties.pop(name, None)


@dataclass(slots=True)
class Scopes:
    """The scopes from the outermost to the innermost; there is always one."""

    stack: list[Scope] = field(default_factory=lambda: [Scope()])

    @property
    def top(self) -> Scope:
        """The innermost scope."""
        return self.stack[-1]

    def find(self, name: str) -> ElementSet | None:
        """The set of that name as seen from the innermost scope; None if nothing was ever put there."""
        for scope in reversed(self.stack):
            if name in scope.sets:
                return scope.sets[name]
        return None

    def get(self, name: str) -> ElementSet:
        """The set of that name; empty if nothing was ever put there."""
        found = self.find(name)
        return EMPTY_SET if found is None else found

    def put(self, name: str, value: ElementSet) -> None:
        """Replace the set of that name in the innermost scope."""
        self.top.put(name, value)

    def take(self, name: str) -> ElementSet:
        """What the innermost scope itself holds under that name; it holds the empty set from now on."""
        held = self.top.sets.get(name, EMPTY_SET)
        self.top.put(name, EMPTY_SET)
        return held

    def set_property(self, name: str, key: str, value: str) -> None:
        """Give the set of that name in the innermost scope a property."""
        self.top.properties.setdefault(name, {})[key] = value

    def get_property(self, name: str, key: str) -> str:
        """A property of a set, as seen from the innermost scope; empty if there is none."""
        for scope in reversed(self.stack):
            if name in scope.properties:
                return scope.properties[name].get(key, "")
            if name in scope.sets:
                return ""
        return ""

    # ------------------------------------------------------------------------------ blocks

    def open(self) -> None:
        """A block begins."""
        self.stack.append(Scope())

    def close(self, keep: str | None = None) -> None:
        """The block ends: its sets replace those of the scope around it, all but the set ``keep`` (None: all)."""
        inner = self.stack.pop()
        for name, value in inner.sets.items():
            if name != keep:
                self.top.put(name, value)

    @property
    def outer(self) -> Scope:
        """The scope around the innermost one."""
        return self.stack[-2]

    def find_outside(self, name: str) -> ElementSet:
        """The set of that name as seen from the scope around the innermost one."""
        for scope in reversed(self.stack[:-1]):
            if name in scope.sets:
                return scope.sets[name]
        return EMPTY_SET

    def copy_outward(self, source: str, target: str) -> None:
        """The innermost scope gets a copy of a set of the scopes around it (``complete``)."""
        self.put(target, self.find_outside(source))

    def move_outward(self, name: str) -> None:
        """The innermost scope takes a set over from the scope around it, which holds the empty set from now on.

        If a scope further out holds it, it stays there and is copied (``union`` begins with this).
        """
        value = self.find_outside(name)
        if name in self.outer.sets or len(self.stack) == 2:
            self.outer.put(name, EMPTY_SET)
        self.put(name, value)

    def union_inward(self, source: str, target: str) -> bool:
        """Add a set, as seen from the innermost scope, to a set of the scope around it; whether that grew."""
        added = self.find(source)
        self.outer.properties.pop(source, None)
        if added is None:
            return False
        before = self.outer.sets.get(target, EMPTY_SET)
        self.outer.sets[target] = united = before.union(added)
        return len(united) > len(before)

    def copy_inward(self, source: str, target: str) -> None:
        """The scope around the innermost one gets a copy of a set as seen from the innermost (``difference``)."""
        self.outer.put(target, self.get(source))

    def subtract_inward(self, source: str, target: str) -> None:
        """Take a set, as seen from the innermost scope, from a set of the scope around it (``difference``)."""
        held = self.outer.sets.get(target, EMPTY_SET)
        self.outer.put(target, held.difference(self.get(source)))
