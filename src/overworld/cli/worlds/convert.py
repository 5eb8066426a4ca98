"""``worlds convert``: a query in another form."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from overworld.cli.worlds.query import read_query
from overworld.core.errors import ExitCode
from overworld.core.settings import Settings


class Form(StrEnum):
    """The forms of a query."""

    XML = "xml"
    PRETTY = "pretty"
    COMPACT = "compact"


def convert(
    settings: Settings,
    text: Annotated[
        str,
        typer.Argument(metavar="QUERY", help="The query; @FILE reads it from a file, - from standard input."),
    ],
    form: Annotated[
        Form,
        typer.Option("--to", help="Overpass XML, OverpassQL with one statement a line, or OverpassQL in one line."),
    ] = Form.XML,
) -> ExitCode | None:
    """Print a query in another form: as Overpass XML, as the real engine's converter writes it, or as tidy OverpassQL.

    Exit codes: 0 done; 2 the query is none (the engine's error line is on standard error).
    """
    from overworld.ql.parser import parse_unchecked
    from overworld.ql.printing import to_compact, to_pretty, to_xml

    write = {Form.XML: to_xml, Form.PRETTY: to_pretty, Form.COMPACT: to_compact}[form]
    sys.stdout.buffer.write(write(parse_unchecked(read_query(text))).encode("utf-8", "surrogateescape"))
    return ExitCode.DONE
