"""``bench explain``: one task of a run, with everything that is known about its verdict."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from overworld.cli.grading import DEFAULT_MEMORY_MIB, DEFAULT_TIMEOUT_S
from overworld.core.errors import ExitCode, UnknownNameError
from overworld.core.settings import Settings


def explain(
    settings: Settings,
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run file, its folder, or the name of a stored run.")],
    task: Annotated[str, typer.Argument(metavar="TASK", help="The id of a task.")],
    timeout_s: Annotated[
        float, typer.Option("--timeout", metavar="SECONDS", min=0.001, help="Time limit of every query.")
    ] = DEFAULT_TIMEOUT_S,
    memory_mib: Annotated[
        int, typer.Option("--memory", metavar="MIB", min=1, help="Memory limit of every query.")
    ] = DEFAULT_MEMORY_MIB,
) -> ExitCode | None:
    """Grade the samples of one task of a run, and say why each has its verdict. Writes nothing."""
    from overworld.cli.grading import limits_of, run_grader
    from overworld.report.tables import console, explanation
    from overworld.runs.places import find_runs
    from overworld.runs.runfile import read_run
    from overworld.tasks.library import find_task, load_tasks

    tasks = load_tasks(settings.task_specs_dir)
    wanted = find_task(tasks, task).id
    whole = read_run(find_runs([run], settings.runs_dir)[0], tasks)
    samples = tuple(sample for sample in whole.samples if sample.task == wanted)
    if not samples:
        raise UnknownNameError(f"the run {whole.facts.name} has no sample of task {wanted}", path=whole.path)
    grader = run_grader(settings, tasks, [wanted], limits_of(timeout_s, memory_mib))
    screen = console(colour=settings.colour)
    for sample in grader.grade(replace(whole, samples=samples)).samples:
        screen.print(explanation(sample))
    return None
