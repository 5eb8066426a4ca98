"""``bench reproduce``: grades the stored reference runs again and compares."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from overworld.cli.grading import DEFAULT_MEMORY_MIB, DEFAULT_TIMEOUT_S
from overworld.core.errors import ExitCode
from overworld.core.settings import Settings


def reproduce(
    settings: Settings,
    runs: Annotated[
        Path | None,
        typer.Option("--runs", metavar="DIR", help="The stored runs [default: runs/reference].", show_default=False),
    ] = None,
) -> ExitCode | None:
    """Grade the stored reference runs again, and compare every number, hash and verdict with what is stored.

    Exit codes: 0 nothing moved; 1 something did (each is named); 2 a stored run or result is missing or damaged.
    """
    from overworld.cli.grading import graded_with_progress, limits_of, run_grader
    from overworld.report.tables import console, score_table
    from overworld.runs.places import REFERENCE, ResultPaths, find_runs
    from overworld.runs.reproduction import moved
    from overworld.runs.runfile import read_run
    from overworld.tasks.library import load_tasks

    tasks = load_tasks(settings.task_specs_dir)
    read = [read_run(path, tasks) for path in find_runs([str(runs or settings.runs_dir / REFERENCE)], None)]
    wanted = {sample.task for run in read for sample in run.samples}
    grader = run_grader(settings, tasks, wanted, limits_of(DEFAULT_TIMEOUT_S, DEFAULT_MEMORY_MIB))
    graded = [graded_with_progress(settings, grader, run) for run in read]
    screen = console(colour=settings.colour)
    screen.print(score_table(graded, screen.width))
    changes = [
        f"{one.run.facts.name}: {line}" for one in graded for line in moved(one, ResultPaths.beside(one.run.path))
    ]
    for line in changes:
        print(f"moved: {line}")
    if changes:
        print("if tasks, worlds or the engine were changed on purpose: bench reference stores the runs anew")
        return ExitCode.FOUND
    print(f"reproduced: {len(graded)} runs, nothing moved")
    return None
