"""What is wrong with a query, collected in the order in which it is found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from overworld.core.errors import QueryError


@dataclass(frozen=True, slots=True)
class Finding:
    """One error: its kind, the engine's text and the line it names."""

    kind: Literal["parse", "static"]
    message: str
    line: int

    @property
    def text(self) -> str:
        return f"line {self.line}: {self.kind} error: {self.message}"


@dataclass(slots=True)
class Diagnostics:
    """Collects findings; reading goes on after each. ``checks`` False keeps quiet about the statements' own attributes,
    as the converter to the XML form does."""

    checks: bool = True
    findings: list[Finding] = field(default_factory=list)

    def parse(self, message: str, line: int) -> None:
        self.findings.append(Finding("parse", message, line))

    def static(self, message: str, line: int) -> None:
        self.findings.append(Finding("static", message, line))

    def attribute(self, message: str, line: int) -> None:
        """A static error about a statement's attributes or its place, as against those in a filter or expression."""
        if self.checks:
            self.static(message, line)

    def error(self) -> QueryError | None:
        """The first finding as the error to raise, with the lines of all of them."""
        if not self.findings:
            return None
        first = self.findings[0]
        return QueryError(first.kind, first.message, first.line, tuple(finding.text for finding in self.findings))
