"""Where runs and their results lie.

A stored run is a folder with ``run.jsonl``; its results stand beside it as ``scores.json``, ``verdicts.jsonl`` and
``report.html``. Beside any other run file ``NAME.jsonl`` they are called ``NAME.scores.json`` and so on.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from overworld.core.errors import InputError, UnknownNameError

RUN_FILE = "run.jsonl"
REFERENCE = "reference"
_RESULTS = ("scores.json", "verdicts.jsonl", "report.html")
_SIDE_FILE = ".meta.json"


@dataclass(frozen=True, slots=True)
class ResultPaths:
    """Where the results of one run go."""

    scores: Path
    verdicts: Path
    report: Path

    @classmethod
    def beside(cls, run: Path) -> ResultPaths:
        """Beside the run file."""
        prefix = "" if run.name == RUN_FILE else f"{run.stem}."
        return cls(*(run.parent / f"{prefix}{name}" for name in _RESULTS))

    @classmethod
    def inside(cls, directory: Path) -> ResultPaths:
        """In a folder of their own."""
        return cls(*(directory / name for name in _RESULTS))


def run_name(path: Path) -> str:
    """The name of a run by its place: of its folder for ``run.jsonl``, of the file otherwise."""
    return path.absolute().parent.name if path.name == RUN_FILE else path.stem


def find_runs(arguments: Sequence[str], runs_dir: Path | None) -> list[Path]:
    """The run files that ``arguments`` mean, each once: files, folders, or names of stored runs in ``runs_dir``.

    A folder means its ``run.jsonl``, or else the runs in the folders right in it. Results and side files that a shell
    pattern gives along with their run are passed over. Raises ``UnknownNameError`` for what means no run.
    """
    found: dict[Path, Path] = {}
    runs = [argument for argument in arguments if not _is_result(Path(argument))]
    if arguments and not runs:
        raise InputError(f"{arguments[0]} is a result, not a run", remedy="name the run file, or its folder")
    for argument in runs:
        for path in _runs_of(argument, runs_dir):
            found.setdefault(path.absolute(), path)
    return list(found.values())


def result_paths(runs: Sequence[Path], out: Path | None) -> list[ResultPaths]:
    """Where the results of each run go: beside it, or in ``out`` (a folder a run where there are several)."""
    if out is None:
        return [ResultPaths.beside(run) for run in runs]
    if len(runs) == 1:
        return [ResultPaths.inside(out)]
    names = [run_name(run) for run in runs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"two of the runs are called {twice!r}", remedy="grade them one at a time, or rename one")
    return [ResultPaths.inside(out / name) for name in names]


def _is_result(path: Path) -> bool:
    is_named_so = path.name in _RESULTS or path.name.endswith((*(f".{name}" for name in _RESULTS), _SIDE_FILE))
    return is_named_so and not path.is_dir()


def _runs_of(argument: str, runs_dir: Path | None) -> list[Path]:
    path = Path(argument)
    if path.is_file():
        return [path]
    if path.is_dir():
        return _runs_in(path)
    stored = _stored(runs_dir)
    if argument in stored:
        return [stored[argument]]
    near = difflib.get_close_matches(argument, stored, n=1)
    remedy = f"did you mean {near[0]}?" if near else "give a run file, its folder, or the name of a stored run"
    raise UnknownNameError(f"no run {argument!r}", remedy=remedy)


def _runs_in(directory: Path) -> list[Path]:
    if (directory / RUN_FILE).is_file():
        return [directory / RUN_FILE]
    runs = sorted(directory.glob(f"*/{RUN_FILE}"))
    if not runs:
        raise UnknownNameError(f"no run in the folder {directory}", remedy=f"a stored run is a folder with {RUN_FILE}")
    return runs


def _stored(runs_dir: Path | None) -> dict[str, Path]:
    if runs_dir is None:
        return {}
    files = [*sorted(runs_dir.glob(f"*/*/{RUN_FILE}")), *sorted(runs_dir.glob(f"*/{RUN_FILE}"))]
    return {run_name(file): file for file in files}
