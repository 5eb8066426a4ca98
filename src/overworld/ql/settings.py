"""The settings block: ``[out:json][timeout:25][bbox:…];`` and the configurations of output formats."""

from __future__ import annotations

from overworld.core.boxes import Box
from overworld.ql.diagnostics import Diagnostics
from overworld.ql.grammar import (
    DEFAULT_MAXSIZE,
    DEFAULT_TIMEOUT_S,
    OUTPUT_FORMATS,
    SETTING_ATTRIBUTES,
    SETTINGS,
    SIZE_SUFFIXES,
)
from overworld.ql.numbers import UINT32_MAX, int_prefix, to_float
from overworld.ql.strings import quote
from overworld.ql.timestamps import is_timestamp
from overworld.ql.tokens import Cursor
from overworld.ql.tree import CsvFormat, Settings


class SettingsReader:
    """Reads the settings at the start of a script, then checks them.

    ``box`` is the global bounding box once the settings are checked; the converter to the XML form never checks them,
    and so knows no global bounding box.
    """

    def __init__(self, cursor: Cursor, diagnostics: Diagnostics) -> None:
        self.cursor = cursor
        self.diagnostics = diagnostics
        self.attributes: dict[str, str] = {}
        self.csv: CsvFormat | None = None
        self.output: str | None = None
        self.box: Box | None = None

    def read(self) -> Settings:
        """Read and check all settings; the cursor ends on what follows them."""
        cursor = self.cursor
        while cursor.good and cursor.token == "[":
            self._read_setting()
        if self.diagnostics.checks:
            self._check(cursor.line)
        settings = self._settings()
        if self.attributes:
            cursor.skip_past(";")
        return settings

    def _read_setting(self) -> None:
        cursor = self.cursor
        cursor.advance()
        name = cursor.read_identifier("Keyword")
        cursor.skip_past(":")
        value = cursor.read_text("Value")
        if name == "out":
            self._read_output(value)
        elif name in ("diff", "adiff"):
            self._read_difference(name)
        elif name == "bbox":
            value = self._read_box(value)
        elif name in ("maxsize", "timeout"):
            while cursor.good and cursor.token != "]":
                value += " " + cursor.token
                cursor.advance()
            cursor.skip_past("]")
        else:
            cursor.skip_past("]")
        self.attributes[SETTINGS.get(name, name)] = value

    def _read_difference(self, name: str) -> None:
        """``[diff:"from","to"]``, ``[adiff:"from","to"]``: behind the first date."""
        cursor = self.cursor
        if name == "adiff":
            self.attributes["augmented"] = "deletions"
        cursor.skip_to(",", "]")
        if cursor.token == ",":
            cursor.advance()
            self.attributes["date"] = cursor.read_text("Value")
            cursor.skip_past("]")
        else:
            cursor.advance()

    def _read_box(self, value: str) -> str:
        """``[bbox:south,west,north,east]``: behind the first number."""
        cursor = self.cursor
        cursor.skip_to(",", "]")
        for is_last in (False, False, True):
            if cursor.token == ",":
                cursor.advance()
                value += "," + cursor.read_text("Value")
                if is_last:
                    cursor.skip_past("]")
                else:
                    cursor.skip_to(",", "]")
        return value

    # ------------------------------------------------------------------------------------ output

    def _read_output(self, name: str) -> None:
        cursor = self.cursor
        if name not in OUTPUT_FORMATS:
            cursor.report(f"Unknown output format: {name}")
        else:
            self.output = name
            self.csv = None
            self.attributes["output-config"] = ""
            if name == "csv":
                self.csv = self._read_csv()
                self.attributes["output-config"] = csv_configuration(self.csv)
            elif name == "popup":
                self._read_popup()
        cursor.skip_past("]")

    def _read_csv(self) -> CsvFormat:
        cursor = self.cursor
        fields: list[str] = []
        header, separator = "", "\t"
        cursor.skip_to("(")
        if cursor.token != "(":
            return CsvFormat(())
        while True:
            cursor.advance()
            prefix = ""
            if cursor.token == "::":
                cursor.advance()
                prefix = "::"
            fields.append(prefix + cursor.read_text("CSV format specification"))
            cursor.skip_to(",", ";", ")")
            if not (cursor.good and cursor.token == ","):
                break
        if cursor.token == ";":
            cursor.advance()
            header = cursor.read_text("CSV output header line (true or false)")
            cursor.skip_to(";", ")")
        if cursor.token == ";":
            cursor.advance()
            separator = cursor.read_text("CSV separator character")
        cursor.skip_past(")")
        return CsvFormat(tuple(fields), header != "false", separator)

    def _read_popup(self) -> None:
        """Categories ``("title";[filter]…;…;"title key";)``: read for errors only."""
        cursor = self.cursor
        cursor.skip_to("(", "]")
        while cursor.good and cursor.token == "(":
            cursor.advance()
            cursor.read_text("title")
            cursor.skip_past(";", ")")
            while cursor.good and cursor.token == "[":
                while cursor.good and cursor.token == "[":
                    self._read_popup_filter()
                cursor.skip_past(";")
            if cursor.token != ")":
                cursor.read_text("title key")
                cursor.skip_past(";")
            cursor.skip_past(")")

    def _read_popup_filter(self) -> None:
        cursor = self.cursor
        cursor.advance()
        cursor.read_text("Key")
        cursor.skip_to("!", "~", "=", "!=", "]")
        if cursor.token == "!":
            cursor.advance()
            cursor.skip_to("~", "=", "]")
        if cursor.token in ("=", "!=", "~"):
            cursor.advance()
            cursor.read_text("Value")
        cursor.skip_past("]")

    # ------------------------------------------------------------------------------------ checks

    def _check(self, line: int) -> None:
        attributes = self.attributes
        report = self.diagnostics.static
        for name in sorted(attributes.keys() - SETTING_ATTRIBUTES):
            report(f'Unknown attribute "{name}" in element "osm-script".', line)
        for name in ("timeout", "element-limit"):
            if size(attributes.get(name, "1")) <= 0:
                report(
                    f'For the attribute "{name}" of the element "osm-script" the only allowed values are positive'
                    ' integers optionally with suffix "ki", "Mi", or "Gi".',
                    line,
                )
        if self.output is None:
            output = attributes.get("output", "xml")
            if output in OUTPUT_FORMATS:
                self.output = output
            else:
                report(f"Unknown output format: {output}", line)
        if attributes.get("bbox"):
            self.box = self._checked_box(attributes["bbox"], line)
        self._check_dates(line)

    def _checked_box(self, text: str, line: int) -> Box | None:
        report = self.diagnostics.static
        parts = text.split(",", 3)
        for _ in range(4 - len(parts)):
            report("A bounding box needs four comma-separated values.", line)
        *first, last = parts
        parts = [*first, *[""] * (3 - len(first)), last]
        south, west, north, east = (to_float(part) for part in parts)
        good = True
        if not (-90.0 <= south <= 90.0 and -90.0 <= north <= 90.0):
            good = False
            if south == south and north == north:
                report("Latitudes in bounding boxes must be between -90.0 and 90.0.", line)
        if not (-180.0 <= west <= 180.0 and -180.0 <= east <= 180.0):
            good = False
            if west == west and east == east:
                report("Longitudes in bounding boxes must be between -180.0 and 180.0.", line)
        return Box(south, west, north, east) if good and south <= north else None

    def _check_dates(self, line: int) -> None:
        attributes = self.attributes
        report = self.diagnostics.static
        form = 'must be empty or contain a timestamp exactly in the form "yyyy-mm-ddThh:mm:ssZ".'
        date, start, augmented = (attributes.get(name, "") for name in ("date", "from", "augmented"))
        if date and not is_timestamp(date):
            report(f'The attribute "date" {form}', line)
        if start and not is_timestamp(start):
            report(f'The attribute "from" {form}', line)
        elif start and self.output not in (None, "xml"):
            report("The selected output format does not support the diff or adiff mode.", line)
        if augmented and augmented != "deletions":
            report('The only allowed values for "augmented" are an empty value or "deletions".', line)
        if augmented and not start:
            report('The attribute "augmented" can only be set if the attribute "from" is set.', line)

    # ------------------------------------------------------------------------------------ result

    def _settings(self) -> Settings:
        attributes = self.attributes
        timeout = size(attributes.get("timeout", "")) if "timeout" in attributes else None
        maxsize = size(attributes.get("element-limit", "")) if "element-limit" in attributes else None
        history = []
        if attributes.get("from"):
            history.append("adiff" if attributes.get("augmented") else "diff")
        elif attributes.get("date"):
            history.append("date")
        return Settings(
            self.output or attributes.get("output", "xml"),
            self.csv,
            None if timeout is None else timeout & UINT32_MAX,
            maxsize,
            self.box,
            tuple(history),
            tuple(sorted(attributes.items())),
        )


def effective_limits(settings: Settings) -> tuple[int, int]:
    """Timeout in seconds and maxsize in bytes that hold for the script: those set, or the engine's own."""
    timeout = DEFAULT_TIMEOUT_S if settings.timeout_s is None else settings.timeout_s
    return timeout, DEFAULT_MAXSIZE if settings.maxsize is None else settings.maxsize


def size(text: str) -> int:
    """A number with one of the suffixes of sizes; 0 for what is none."""
    value, end, fits = int_prefix(text)
    if not fits:
        return 0
    suffix = text[end:].removeprefix(" ")
    if text[end:] == "":
        return value
    return _wrapped(value * SIZE_SUFFIXES.get(suffix, 0))


def _wrapped(value: int) -> int:
    """Products wrap around at 64 bits."""
    return (value + 2**63) % 2**64 - 2**63


def csv_configuration(csv: CsvFormat) -> str:
    """The configuration of CSV output as the engine writes it, in parentheses."""
    fields = ",".join(name if name.startswith("::") else quote(name) for name in csv.fields)
    if csv.separator != "\t":
        return f"({fields};{'true' if csv.header else 'false'};{quote(csv.separator)})"
    return f"({fields}{'' if csv.header else ';false'})"
