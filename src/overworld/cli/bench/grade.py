"""``bench grade``: verdicts and scores of runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from overworld.cli.grading import DEFAULT_MEMORY_MIB, DEFAULT_TIMEOUT_S
from overworld.core.errors import ExitCode
from overworld.core.settings import Settings


def grade(
    settings: Settings,
    runs: Annotated[
        list[str], typer.Argument(metavar="RUN...", help="A run file, a folder of runs, or the name of a stored run.")
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Where results go [default: beside each run].", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the score files as JSON lines, not a table.")] = False,
    details: Annotated[bool, typer.Option("--details", help="Print every sample with its verdict, too.")] = False,
    timeout_s: Annotated[
        float, typer.Option("--timeout", metavar="SECONDS", min=0.001, help="Time limit of every query.")
    ] = DEFAULT_TIMEOUT_S,
    memory_mib: Annotated[
        int, typer.Option("--memory", metavar="MIB", min=1, help="Memory limit of every query.")
    ] = DEFAULT_MEMORY_MIB,
) -> ExitCode | None:
    """Grade runs: writes scores.json, verdicts.jsonl and report.html for each, and prints a table.

    Exit codes: 0 graded, whatever the scores are; 2 an unknown run, or a run file that cannot be read (nothing is
    written then).
    """
    from overworld.cli.grading import graded_with_progress, limits_of, run_grader, write_all
    from overworld.report.tables import console, score_table, verdict_table
    from overworld.runs.places import find_runs, result_paths
    from overworld.runs.results import score_document
    from overworld.runs.runfile import read_run
    from overworld.tasks.library import load_tasks

    tasks = load_tasks(settings.task_specs_dir)
    paths = find_runs(runs, settings.runs_dir)
    places = result_paths(paths, out)
    read = [read_run(path, tasks) for path in paths]
    wanted = {sample.task for run in read for sample in run.samples}
    grader = run_grader(settings, tasks, wanted, limits_of(timeout_s, memory_mib))
    graded = [graded_with_progress(settings, grader, run) for run in read]
    for one, place in zip(graded, places, strict=True):
        write_all(one, place)
    if as_json:
        import json

        for one in graded:
            print(json.dumps(score_document(one), ensure_ascii=False))
        return None
    screen = console(colour=settings.colour)
    screen.print(score_table(graded, screen.width))
    for one in graded if details else []:
        screen.print()
        screen.print(verdict_table(one))
    for one, place in zip(graded, places, strict=True):
        print(f"{one.run.facts.name}: scores in {place.scores}, report in {place.report}")
    return None
