"""The task files of a project: one YAML file a task, ``<id>.yaml``."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from overworld.core.documents import Document, Where, read_document
from overworld.core.errors import InputError, UnknownNameError
from overworld.tasks.task import Task

SUFFIX = ".yaml"
MISSING = ("missing", "missing_argument")


def load_task(path: Path) -> Task:
    """Read one task file. Raises ``InputError`` that names the file, the field and the line of the first mistake."""
    document = read_document(path)
    try:
        task = TypeAdapter(Task).validate_python(document.values)
    except ValidationError as error:
        raise _mistake(document, error) from None
    if path.stem != task.id:
        line = document.line_of(("id",))
        raise InputError(f"task {task.id} must be in a file {task.id}{SUFFIX}", path=path, line=line)
    return task


def load_tasks(directory: Path) -> dict[str, Task]:
    """All tasks of a directory by id, in order of their ids. Checks that pairs are pairs."""
    tasks = {path.stem: load_task(path) for path in sorted(directory.glob(f"*{SUFFIX}"))}
    _check_pairs(tasks, directory)
    return tasks


def select_tasks(tasks: Mapping[str, Task], names: Iterable[str]) -> list[Task]:
    """The tasks of these names, in order. Raises ``UnknownNameError``, which lists near names."""
    return [find_task(tasks, name) for name in names]


def find_task(tasks: Mapping[str, Task], name: str) -> Task:
    """The task of that name. Raises ``UnknownNameError``, which lists near names."""
    if name in tasks:
        return tasks[name]
    near = difflib.get_close_matches(name, tasks, n=3, cutoff=0.5)
    hint = "did you mean " + " or ".join(near) + "?" if near else f"there are: {', '.join(tasks) or 'none'}"
    raise UnknownNameError(f"unknown task: {name}", remedy=hint)


def task_path(directory: Path, task: Task) -> Path:
    """The file of a task."""
    return directory / f"{task.id}{SUFFIX}"


def _check_pairs(tasks: Mapping[str, Task], directory: Path) -> None:
    for task in tasks.values():
        if task.pair is None:
            continue
        members = [one for one in tasks.values() if one.pair == task.pair]
        if len(members) != 2 or members[0].intent != members[1].intent:
            raise InputError(
                f"pair {task.pair} is not two tasks with one intent: it has {', '.join(one.id for one in members)}",
                path=task_path(directory, task),
            )


def _mistake(document: Document, error: ValidationError) -> InputError:
    """The first mistake of a file, as one line that names the field, where it stands, and the likely right field."""
    found = error.errors()
    # What is wrong with the parts of a thing also shows in the thing as a whole.
    mistakes = [one for one in found if not any(_is_part(other["loc"], one["loc"]) for other in found)]
    # A misspelt field also misses where it should be: it is what the person has to mend, so it goes first.
    first = min(mistakes, key=lambda one: (one["type"] != "unexpected_keyword_argument", _line(document, one["loc"])))
    where, kind = first["loc"], first["type"]
    field = ".".join(map(str, where))
    more = "" if len(mistakes) == 1 or kind == "unexpected_keyword_argument" else f"; {len(mistakes) - 1} more"
    remedy = None
    if kind == "unexpected_keyword_argument":
        known = _fields_at(where[:-1])
        near = difflib.get_close_matches(str(where[-1]), known, n=1, cutoff=0.5)
        message = f"unknown field {field}"
        remedy = f"did you mean {near[0]}?" if near else f"known here: {', '.join(known)}"
    elif kind in MISSING:
        absent = [".".join(map(str, one["loc"])) for one in mistakes if one["type"] in MISSING]
        message = f"field {field} is missing" if len(absent) == 1 else f"fields {_listed(absent)} are missing"
        more = "" if len(absent) == len(mistakes) else f"; {len(mistakes) - len(absent)} more"
    elif kind == "too_short":
        message = f"field {field}: at least one entry is needed"
    else:
        text = str(first["msg"]).removeprefix("Value error, ")
        message = f"field {field}: {text}" if field else text
    return InputError(message + more, remedy=remedy, path=document.path, line=_line(document, where))


def _listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _is_part(inner: Where, outer: Where) -> bool:
    return len(inner) > len(outer) and inner[: len(outer)] == outer


def _line(document: Document, where: Where) -> int:
    return document.line_of(where)


def _fields_at(where: Where) -> list[str]:
    """The names that the fields of the dataclass at ``where`` have in the file."""
    kind: Any = Task
    for step in where:
        kind = get_type_hints(kind)[_attribute(kind, step)] if isinstance(step, str) else kind
        kind = _dataclass_in(kind)
        if kind is None:
            return []
    return [_name_in_file(one) for one in fields(kind)]


def _attribute(kind: Any, name: str) -> str:
    return next(one.name for one in fields(kind) if _name_in_file(one) == name)


def _name_in_file(field: Any) -> str:
    return field.default.alias or field.name if isinstance(field.default, FieldInfo) else field.name


def _dataclass_in(kind: Any) -> Any:
    """The dataclass in ``X``, ``X | None``, ``tuple[X, ...]``, or None."""
    if is_dataclass(kind):
        return kind
    return next((one for part in get_args(kind) if (one := _dataclass_in(part)) is not None), None)
