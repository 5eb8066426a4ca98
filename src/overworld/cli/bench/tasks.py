"""``bench tasks``: the tasks there are."""

from __future__ import annotations

from typing import Annotated

import typer

from overworld.core.errors import ExitCode
from overworld.core.settings import Settings


def tasks(
    settings: Settings,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines: id, request, world, answer, …")] = False,
) -> ExitCode | None:
    """List the tasks."""
    from overworld.report.tables import console, task_table
    from overworld.tasks.library import load_tasks

    found = load_tasks(settings.task_specs_dir)
    if as_json:
        import json

        for task in found.values():
            row = {
                "id": task.id,
                "request": task.request,
                "world": task.world,
                "answer": task.answer.value,
                "view": None if task.view is None else list(task.view),
                "intent": task.intent,
                "pair": task.pair,
                "split": task.split.value,
                "family": task.family.value,
                "difficulty": task.difficulty.value,
                "canary": str(task.canary),
            }
            print(json.dumps(row, ensure_ascii=False))
        return None
    console(colour=settings.colour).print(task_table(found))
    return None
