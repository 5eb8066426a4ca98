"""Run files: one JSON line a sample, after an optional header line with the run's facts.

    {"run": {"name": "my-model", "model": "…", "date": "2025-01-31", "mode": "single-shot"}}
    {"task": "monaco-cafes", "epoch": 1, "reply": "…"}

The facts may stand in a side file instead, ``<run>.meta.json`` beside ``<run>.jsonl``. Reading is strict: whatever is
not understood is an ``InputError`` that names file and line.
"""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, ValidationError

from overworld.core.errors import CorruptFileError, InputError, UnknownNameError
from overworld.core.files import sha256_of_bytes, write_atomically

Model = TypeVar("Model", bound=BaseModel)
_STRICT = ConfigDict(extra="forbid", frozen=True)
SHOWN: Final = 80
"""Longer names are cut in messages."""
Name = Annotated[StrictStr, Field(min_length=1, max_length=200)]


class RunFacts(BaseModel):
    """What a run says of itself. Only ``name`` is needed; ``settings`` takes anything else (temperature, seed, …).

    ``prompt``: SHA-256 of the conventions and prompt that the model was given.
    """

    model_config = _STRICT

    name: Name
    model: StrictStr | None = None
    agent: StrictStr | None = None
    date: StrictStr | None = None
    mode: StrictStr | None = None
    prompt: StrictStr | None = None
    notes: StrictStr | None = None
    settings: dict[str, Any] = Field(default_factory=dict)


class RunSample(BaseModel):
    """One reply of a run."""

    model_config = _STRICT

    task: Name
    epoch: Annotated[StrictInt, Field(ge=1)] = 1
    reply: StrictStr
    model: StrictStr | None = None
    transcript: list[Any] | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """A whole run file. ``sha256`` is of the file's bytes; ``lines``: the line of each sample, for messages."""

    facts: RunFacts
    samples: tuple[RunSample, ...]
    path: Path
    sha256: str
    lines: tuple[int, ...] = field(default=())


def read_run(path: Path, tasks: Collection[str] | None = None) -> Run:
    """Read a run file; with ``tasks``, samples of any other task are refused.

    Raises ``InputError`` or ``CorruptFileError`` with file and line: no such file, a line that is not whole JSON or not
    UTF-8, an unknown or missing field, an unknown task, a (task, epoch) that is there twice, no sample at all.
    """
    data = _bytes_of(path)
    header: RunFacts | None = None
    samples: list[RunSample] = []
    lines: list[int] = []
    seen: dict[tuple[str, int], int] = {}
    for number, content in _objects(data, path):
        if "run" in content:
            if header is not None or samples:
                raise InputError('a header ("run") may only be the first line', path=path, line=number)
            header = _header(content, path, number)
            continue
        sample = _checked(RunSample, content, path, number)
        _check_task(sample.task, tasks, path, number)
        first = seen.setdefault((sample.task, sample.epoch), number)
        if first != number:
            raise InputError(
                f"task {sample.task}, epoch {sample.epoch} is there twice, first in line {first}",
                path=path,
                line=number,
            )
        samples.append(sample)
        lines.append(number)
    if not samples:
        raise InputError("the run holds no samples", path=path)
    return Run(_facts(path, header), tuple(samples), path, sha256_of_bytes(data), tuple(lines))


def write_run(path: Path, facts: RunFacts, samples: Collection[RunSample]) -> None:
    """Write a run file with a header line; the same run gives the same bytes."""
    lines: list[dict[str, Any]] = [{"run": facts.model_dump(exclude_defaults=True)}]
    lines += [{"task": one.task, "epoch": one.epoch, **_rest(one)} for one in samples]
    write_atomically(path, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))


def _rest(sample: RunSample) -> dict[str, Any]:
    return {"reply": sample.reply, **sample.model_dump(include={"model", "transcript"}, exclude_none=True)}


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise UnknownNameError("no such run file", path=path) from None
    except OSError as error:
        raise InputError(f"cannot read the run: {error.strerror}", path=path) from error


def _objects(data: bytes, path: Path) -> list[tuple[int, dict[str, Any]]]:
    """(line number, object) of each line that is not blank."""
    lines = data.split(b"\n")
    result = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            result.append((number, _object(line, path, number, last=number == len(lines))))
    return result


def _object(line: bytes, path: Path, number: int, *, last: bool) -> dict[str, Any]:
    # A whole line ends with a newline: a broken last piece without one was cut off while it was written.
    cut = "the last line is cut off" if last else "not a JSON object"
    remedy = "complete or remove the line" if last else "each line is one JSON object"
    try:
        content = json.loads(line.decode("utf-8"), object_pairs_hook=_no_repeats)
    except UnicodeDecodeError:
        raise CorruptFileError("the line is not UTF-8", path=path, line=number, remedy=remedy) from None
    except _RepeatedField as error:
        raise InputError(f"field {error.args[0]!r} is there twice", path=path, line=number) from None
    except (ValueError, RecursionError):
        raise CorruptFileError(cut, path=path, line=number, remedy=remedy) from None
    if not isinstance(content, dict):
        raise CorruptFileError("not a JSON object", path=path, line=number, remedy="each line is one JSON object")
    return content


class _RepeatedField(Exception):  # noqa: N818 - never leaves this module
    pass


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        repeated = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise _RepeatedField(_shortened(repeated))
    return result


def _header(content: dict[str, Any], path: Path, number: int) -> RunFacts:
    if set(content) != {"run"}:
        extra = sorted(set(content) - {"run"})[0]
        raise InputError(f"unknown field {extra!r} beside the header's run", path=path, line=number)
    if not isinstance(content["run"], dict):
        raise InputError("run must be an object with the run's facts", path=path, line=number)
    return _checked(RunFacts, content["run"], path, number)


def _facts(path: Path, header: RunFacts | None) -> RunFacts:
    """The facts from the header or from the side file; without either, the name of the file."""
    side = path.with_suffix(".meta.json")
    if not side.is_file():
        return header or RunFacts(name=path.parent.name if path.name == "run.jsonl" else path.stem)
    if header is not None:
        raise InputError(f"the run has a header and a side file {side.name}", path=path, line=1, remedy="keep one")
    try:
        content = json.loads(side.read_text(encoding="utf-8"), object_pairs_hook=_no_repeats)
    except _RepeatedField as error:
        raise InputError(f"field {error.args[0]!r} is there twice", path=side) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=side) from None
    except (ValueError, RecursionError) as error:
        raise CorruptFileError(f"not a JSON object: {error}", path=side) from None
    if not isinstance(content, dict):
        raise CorruptFileError("not a JSON object", path=side)
    return _checked(RunFacts, content, side, None)


def _checked(model: type[Model], content: dict[str, Any], path: Path, line: int | None) -> Model:
    """``content`` as ``model``; the first thing wrong with it as one line."""
    try:
        return model.model_validate(content)
    except ValidationError as error:
        # A misspelt name gives two errors, of which "missing" helps less.
        first = min(error.errors(), key=lambda one: one["type"] != "extra_forbidden")
        name = _shortened(".".join(str(part) for part in first["loc"]))
        if first["type"] == "extra_forbidden":
            near = difflib.get_close_matches(name, model.model_fields, n=1)
            remedy = f"did you mean {near[0]}?" if near else f"known fields: {', '.join(model.model_fields)}"
            raise InputError(f"unknown field {name!r}", path=path, line=line, remedy=remedy) from None
        if first["type"] == "missing":
            raise InputError(f"field {name!r} is missing", path=path, line=line) from None
        raise InputError(f"field {name!r}: {first['msg']}", path=path, line=line) from None


def _shortened(name: str) -> str:
    """A name as a message shows it."""
    return name if len(name) <= SHOWN else f"{name[:SHOWN]}…"


def _check_task(task: str, tasks: Collection[str] | None, path: Path, line: int) -> None:
    if tasks is None or task in tasks:
        return
    near = difflib.get_close_matches(task, tasks, n=1)
    remedy = f"did you mean {near[0]}?" if near else "bench tasks lists the tasks"
    raise UnknownNameError(f"unknown task {task!r}", path=path, line=line, remedy=remedy)
