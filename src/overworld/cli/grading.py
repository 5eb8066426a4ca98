"""What the commands of ``bench`` share: tasks with their worlds and engines, and the grader over them."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from overworld import __version__
from overworld.cli.taskworlds import graded_tasks
from overworld.core.settings import Settings

if TYPE_CHECKING:
    from overworld.engine.protocol import Limits
    from overworld.runs.grading import GradedRun, GradedSample, RunGrader
    from overworld.runs.places import ResultPaths
    from overworld.runs.runfile import Run
    from overworld.tasks.task import Task

DEFAULT_TIMEOUT_S = 30.0
DEFAULT_MEMORY_MIB = 512


def limits_of(timeout_s: float, memory_mib: int) -> Limits:
    """The limits of every query of a grading."""
    from overworld.engine.protocol import Limits

    return Limits(timeout_s=timeout_s, memory_bytes=memory_mib * 1024 * 1024)


def run_grader(settings: Settings, tasks: Mapping[str, Task], wanted: Iterable[str], limits: Limits) -> RunGrader:
    """A grader for runs that answer the ``wanted`` ones of ``tasks``; their worlds are built where they are not yet."""
    from overworld.grade.gold import GoldAnswers
    from overworld.runs.grading import RunGrader, Software, facts_of

    return RunGrader(
        tasks=graded_tasks(settings, [tasks[name] for name in sorted(set(wanted))], limits),
        facts={name: facts_of(task) for name, task in tasks.items()},
        gold=GoldAnswers(limits),
        software=Software(__version__, source_revision(settings.project_dir)),
    )


def graded_with_progress(settings: Settings, grader: RunGrader, run: Run) -> GradedRun:
    """``run``, graded, with a progress bar where one is wanted."""
    from tqdm import tqdm

    with tqdm(total=len(run.samples), unit="sample", disable=not settings.progress, leave=False) as bar:
        bar.set_description(run.facts.name)

        def advance(_: GradedSample) -> None:
            bar.update()

        return grader.grade(run, advance)


def write_all(graded: GradedRun, place: ResultPaths) -> None:
    """Write the scores, the verdicts and the report of a run, each as a whole."""
    from overworld.core.files import write_atomically
    from overworld.report.page import report_page
    from overworld.runs.results import write_results

    write_results(graded, place)
    write_atomically(place.report, report_page(graded))


def source_revision(directory: Path | None) -> str | None:
    """The commit that the source was checked out from, with ``-dirty`` where files differ; None outside a clone."""
    if directory is None:
        return None
    commit = _git(directory, "rev-parse", "HEAD")
    changed = _git(directory, "status", "--porcelain", "--", "src", "pyproject.toml")
    return None if commit is None else commit + ("-dirty" if changed else "")


def _git(directory: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", "-C", str(directory), *arguments], capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None
