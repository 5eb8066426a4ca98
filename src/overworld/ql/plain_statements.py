"""Statements that hold no others and are no queries: recursion, ``is_in``, ``map_to_area``, ``local``, ``timeline``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from overworld.ql.diagnostics import Diagnostics
from overworld.ql.filters import check_box
from overworld.ql.grammar import LOCALIZE_TYPES
from overworld.ql.numbers import to_float, to_int
from overworld.ql.sets import read_into
from overworld.ql.tokens import Cursor
from overworld.ql.tree import HistoryStatement, IsIn, Localize, MapToArea, Recurse


@dataclass(frozen=True, slots=True)
class PlainReader:
    """Reads these statements; the cursor is on their word."""

    cursor: Cursor
    diagnostics: Diagnostics

    def recurse(self, source: str) -> Recurse:
        """``>``, ``>>``, ``<``, ``<<``."""
        cursor = self.cursor
        line, direction = cursor.line, cursor.token
        cursor.advance()
        into = read_into(cursor)
        cursor.skip_past(";")
        return Recurse(cast(Any, direction), source or "_", into, line)

    def is_in(self, source: str) -> IsIn:
        """``is_in`` and ``is_in(lat,lon)``."""
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
        into = read_into(cursor)
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

    def map_to_area(self, source: str) -> MapToArea:
        """``map_to_area``."""
        cursor = self.cursor
        line = cursor.line
        cursor.advance()
        into = read_into(cursor)
        cursor.skip_past(";")
        return MapToArea(source or "_", into, line)

    def localize(self, source: str) -> Localize:
        """``local``."""
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
        into = read_into(cursor)
        cursor.skip_past(";")
        if kind not in LOCALIZE_TYPES:
            complaint = 'Localize must have one of the values "l", "ll", or "llb". "l" is the default value.'
            self.diagnostics.attribute(complaint, line)
        box = check_box("bbox-query", sides, self.diagnostics.attribute, line) if any(sides) else None
        written = cast("tuple[str, str, str, str]", tuple(sides))
        return Localize(kind, box, source or "_", into, line, written)

    def timeline(self) -> HistoryStatement:
        """``timeline(type,id,version)``."""
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
        into = read_into(cursor)
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
