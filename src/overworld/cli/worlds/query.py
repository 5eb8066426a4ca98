"""``worlds query``: one query on one world, without a server."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from overworld.core.errors import ExitCode, InputError
from overworld.core.settings import Settings


def query(
    settings: Settings,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of a built world.")],
    text: Annotated[
        str,
        typer.Argument(metavar="QUERY", help="The query; @FILE reads it from a file, - from standard input."),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, whatever format the query asks for.")] = False,
    timeout_s: Annotated[
        float, typer.Option("--timeout", metavar="SECONDS", min=0, help="Cap on the time limit of the query.")
    ] = 180.0,
    memory_mib: Annotated[
        int, typer.Option("--memory", metavar="MIB", min=1, help="Cap on the memory limit of the query.")
    ] = 512,
) -> ExitCode | None:
    """Run a query on a built world and print what the interpreter would send.

    Exit codes: 0 done; 1 the query ended with a remark (it ran out of time or memory, or failed midway: what it printed
    so far is on standard output, the remark on standard error); 2 the engine refuses the query (its first error line
    is on standard error) or there is no such world.
    """
    from overworld.cli.engines import open_engine
    from overworld.engine.protocol import Limits

    engine = open_engine(settings, name)
    wanted = read_query(text)
    if "{{" in wanted:
        print("note: shortcuts such as {{bbox}} are filled in for tasks and replies only", file=sys.stderr)
    response = engine.run(wanted, Limits(timeout_s=timeout_s, memory_bytes=memory_mib * 1024 * 1024))
    if as_json and response.format != "json":
        text = json.dumps({"elements": response.elements()}, ensure_ascii=False, indent=2) + "\n"
        body = text.encode("utf-8", "surrogateescape")
    else:
        body = response.render()
    sys.stdout.buffer.write(body)
    if response.remark is None:
        return ExitCode.DONE
    print(response.remark, file=sys.stderr)
    return ExitCode.FOUND


def read_query(text: str) -> str:
    """The query that an argument means: itself, the file behind ``@``, or standard input for ``-``."""
    if text == "-":
        return sys.stdin.read()
    if not text.startswith("@"):
        return text
    path = Path(text[1:])
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InputError(f"the query cannot be read: {reason}", path=path) from error
