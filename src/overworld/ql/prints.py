"""``out``: what is printed, in which order, with which geometry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from overworld.core.boxes import Box
from overworld.ql.diagnostics import Diagnostics
from overworld.ql.filters import check_box
from overworld.ql.grammar import OUT_GEOMETRIES, OUT_MODES, OUT_ORDERS
from overworld.ql.numbers import UINT32_MAX, to_int
from overworld.ql.tokens import Cursor
from overworld.ql.tree import Print

Sides = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class PrintReader:
    """Reads ``out`` statements."""

    cursor: Cursor
    diagnostics: Diagnostics

    def read(self, source: str) -> Print:
        """``out …;``: the cursor is on the word."""
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
