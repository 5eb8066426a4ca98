"""The command ``bench``: runs of text-to-OverpassQL answers, graded and scored.

One file a sub-command; each is registered here, by hand, in the order in which a newcomer needs it.
"""

from __future__ import annotations

import typer

from overworld.cli.bench.explain import explain
from overworld.cli.bench.grade import grade
from overworld.cli.bench.reference import reference
from overworld.cli.bench.reproduce import reproduce
from overworld.cli.bench.tasks import tasks
from overworld.cli.frame import application, run


def app() -> typer.Typer:
    """The Typer app."""
    return application(
        "Run, grade and score text-to-OverpassQL answers on real and witness worlds.",
        {
            "tasks": tasks,
            "grade": grade,
            "explain": explain,
            "reference": reference,
            "reproduce": reproduce,
        },
    )


def main() -> int:
    """Run ``bench``; the exit code."""
    return run(app(), "bench")
