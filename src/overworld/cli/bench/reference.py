"""``bench reference``: makes and grades the runs that need no model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from overworld.cli.grading import DEFAULT_MEMORY_MIB, DEFAULT_TIMEOUT_S
from overworld.core.errors import ExitCode
from overworld.core.settings import Settings


def reference(
    settings: Settings,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Where the runs go [default: runs/reference].", show_default=False),
    ] = None,
) -> ExitCode | None:
    """Make the reference runs (empty, everything, copy-ids) over all tasks, grade them, and store both.

    The same tasks and worlds give the same files, byte for byte, but for the source revision in scores.json.
    """
    from overworld.cli.grading import graded_with_progress, limits_of, run_grader, write_all
    from overworld.report.tables import console, score_table
    from overworld.runs.places import REFERENCE, RUN_FILE, ResultPaths
    from overworld.runs.reference import AGENTS, reference_run
    from overworld.runs.runfile import read_run, write_run
    from overworld.tasks.library import load_tasks

    directory = out or settings.runs_dir / REFERENCE
    tasks = load_tasks(settings.task_specs_dir)
    limits = limits_of(DEFAULT_TIMEOUT_S, DEFAULT_MEMORY_MIB)
    grader = run_grader(settings, tasks, tasks, limits)
    graded = []
    for name, agent in AGENTS.items():
        path = directory / name / RUN_FILE
        write_run(path, *reference_run(name, agent, list(grader.tasks.values()), limits))
        graded.append(graded_with_progress(settings, grader, read_run(path, tasks)))
        write_all(graded[-1], ResultPaths.inside(directory / name))
    screen = console(colour=settings.colour)
    screen.print(score_table(graded, screen.width))
    print(f"stored in {directory}")
    return None
