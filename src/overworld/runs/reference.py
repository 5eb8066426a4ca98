"""Reference runs: agents that need no model show what nothing, everything and luck are worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from overworld.core.elements import ElementType, ObjectId
from overworld.core.errors import CheckError
from overworld.engine.protocol import Limits
from overworld.grade.execution import Failed, execute
from overworld.grade.overrides import listing_form
from overworld.grade.preparation import prepare
from overworld.grade.worlds import GradedTask
from overworld.runs.runfile import RunFacts, RunSample

EVERYTHING = '[out:json];\nnwr[~"."~"."];\nout ids;'
NOTHING_FOUND = "node(1);out ids;"
MODE = "reference"

Agent = Callable[[GradedTask, Limits], str]


def empty(task: GradedTask, limits: Limits) -> str:
    """Submits nothing."""
    return ""


def everything(task: GradedTask, limits: Limits) -> str:
    """Asks for every tagged object of the world."""
    return fenced(EVERYTHING)


def copy_ids(task: GradedTask, limits: Limits) -> str:
    """Lists by id the objects that the first accepted reading returns on the real world."""
    reading = task.task.accepted[0]
    query = prepare(listing_form(reading.query), task.real.gazetteer, task.task.view, limits)
    outcome = execute(query, task.real, limits)
    if isinstance(outcome, Failed):
        raise CheckError(f"task {task.task.id}, reading {reading.name}: {outcome.message}", remedy="mend the reading")
    return fenced(query_by_ids(outcome.answer.objects))


AGENTS: Mapping[str, Agent] = {"empty": empty, "everything": everything, "copy-ids": copy_ids}


def reference_run(
    name: str, agent: Agent, tasks: Sequence[GradedTask], limits: Limits
) -> tuple[RunFacts, list[RunSample]]:
    """The run of one agent over ``tasks``, in order of their ids. The same tasks and worlds give the same run."""
    ordered = sorted(tasks, key=lambda task: task.task.id)
    samples = [RunSample(task=task.task.id, epoch=1, reply=agent(task, limits)) for task in ordered]
    notes = (agent.__doc__ or "").strip()
    return RunFacts(name=name, agent=name, mode=MODE, notes=notes), samples


def query_by_ids(objects: Iterable[ObjectId]) -> str:
    """A query that lists exactly ``objects`` by id."""
    ordered = sorted(objects)
    words = {ElementType.NODE: "node", ElementType.WAY: "way", ElementType.RELATION: "rel"}
    parts = []
    for kind, word in words.items():
        ids = ",".join(str(one.id) for one in ordered if one.type is kind)
        if ids:
            parts.append(f"  {word}(id:{ids});\n")
    return f"[out:json];\n(\n{''.join(parts)});\nout ids;" if parts else NOTHING_FOUND


def fenced(query: str) -> str:
    """``query`` as a model would submit it: in a code block."""
    return f"```overpassql\n{query}\n```"
