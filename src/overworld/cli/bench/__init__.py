"""The command ``bench``: runs of text-to-OverpassQL answers, graded and scored.

One file a sub-command; each is registered here, by hand, in the order in which a newcomer needs it.
"""

from __future__ import annotations

import typer

from overworld.cli.frame import application, run


def app() -> typer.Typer:
    """The Typer app."""
    return application(
        "Run, grade and score text-to-OverpassQL answers on real and witness worlds.",
        {},
    )


def main() -> int:
    """Run ``bench``; the exit code."""
    return run(app(), "bench")
