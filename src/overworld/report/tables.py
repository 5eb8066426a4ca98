"""Tables for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from overworld.core.records import VerdictKind
from overworld.report import wording
from overworld.runs.grading import GradedRun, GradedSample, counts_by_verdict
from overworld.tasks.task import Task

NARROW = 100
"""Columns below which the score table leaves the intervals out."""
PLAIN_WIDTH = 160
"""Columns of what is not written to a terminal."""
_COLOURS = {VerdictKind.PASS.value: "green", wording.UNSCORED: "yellow"}


def score_table(runs: Sequence[GradedRun], width: int) -> RenderableType:
    """One line a run: shares with their 95 % intervals, and how many samples have each verdict."""
    wide = width >= NARROW
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("run", no_wrap=True)
    table.add_column("samples", justify="right")
    for name in ("accuracy", "real world only", "inflation", "pairs"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("verdicts")
    for run in runs:
        scores = run.scores
        shown = wording.proportion if wide else lambda value: wording.share(None if value is None else value.share)
        table.add_row(
            Text(run.run.facts.name),
            str(scores.samples),
            shown(scores.accuracy),
            shown(scores.real_world_only),
            wording.gap(scores.inflation),
            wording.share(None if scores.pair_consistency is None else scores.pair_consistency.share),
            _counts(run),
        )
    return Group(table, *(Text(note, style="yellow") for run in runs for note in notes(run)))


def notes(run: GradedRun) -> list[str]:
    """What a reader of the numbers must know: samples without a verdict, tasks without a sample."""
    name, scores = run.run.facts.name, run.scores
    lines = []
    if scores.unscored:
        which = ", ".join(f"{task} (epoch {epoch})" for task, epoch in scores.unscored[:5])
        lines.append(f"{name}: {len(scores.unscored)} of {scores.samples} samples unscored (engine trouble): {which}")
    if scores.tasks_without_sample:
        missing = scores.tasks_without_sample
        lines.append(f"{name}: no sample for {len(missing)} of the tasks: {', '.join(missing[:5])}")
    return lines


def verdict_table(run: GradedRun) -> RenderableType:
    """One line a sample: its verdict and why."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("task", "epoch", "verdict", "why"):
        table.add_column(name, no_wrap=name != "why")
    for sample in run.samples:
        verdict = wording.verdict_name(sample.verdict)
        table.add_row(
            Text(sample.task),
            str(sample.epoch),
            Text(verdict, style=_COLOURS.get(verdict, "red")),
            Text(wording.reasons(sample.verdict)[0]),
        )
    return table


def explanation(sample: GradedSample) -> RenderableType:
    """Everything that is known about one sample."""
    lines = [f"{sample.task}, epoch {sample.epoch}: {wording.verdict_name(sample.verdict)}"]
    lines += [f"  {line}" for line in wording.reasons(sample.verdict)]
    if sample.verdict.query is not None:
        lines += ["  query:", *(f"    {line}" for line in sample.verdict.query.split("\n"))]
    return Text("\n".join(lines))


def task_table(tasks: Mapping[str, Task]) -> RenderableType:
    """One line a task."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("task", "world", "answer", "family", "difficulty", "pair", "witness worlds", "request"):
        table.add_column(name, no_wrap=name == "task", justify="right" if name == "witness worlds" else "left")
    for task in tasks.values():
        table.add_row(
            *map(
                Text,
                (
                    task.id,
                    task.world,
                    task.answer.value,
                    task.family.value,
                    task.difficulty.value,
                    task.pair or wording.NOTHING,
                    str(len(task.witness.worlds)),
                    task.request,
                ),
            )
        )
    return table


def console(*, colour: bool) -> Console:
    """A console for standard output, with colours only if wanted; wide where it is no terminal."""
    screen = Console(no_color=not colour, force_terminal=colour or None, highlight=False, markup=False, emoji=False)
    if not screen.is_terminal:
        screen.width = PLAIN_WIDTH
    return screen


def _counts(run: GradedRun) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts_by_verdict(run.samples).items())
