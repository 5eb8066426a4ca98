"""The command ``worlds``: pinned extracts, built worlds, and an Overpass API over them.

One file a sub-command; each is registered here, by hand, in the order in which a newcomer needs it.
"""

from __future__ import annotations

import typer

from overworld.cli.frame import application, run
from overworld.cli.worlds.build import build
from overworld.cli.worlds.convert import convert
from overworld.cli.worlds.fetch import fetch
from overworld.cli.worlds.list import list_worlds
from overworld.cli.worlds.query import query
from overworld.cli.worlds.serve import serve
from overworld.cli.worlds.show import show


def app() -> typer.Typer:
    """The Typer app."""
    return application(
        "Fetch pinned OpenStreetMap extracts, build worlds of them, and query or serve those.",
        {
            "fetch": fetch,
            "build": build,
            "list": list_worlds,
            "show": show,
            "query": query,
            "serve": serve,
            "convert": convert,
        },
    )


def main() -> int:
    """Run ``worlds``; the exit code."""
    return run(app(), "worlds")
