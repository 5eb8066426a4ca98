"""``worlds build``: real worlds from their extracts, and the witness worlds of tasks."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from overworld.core.errors import ExitCode, InputError, UnknownNameError
from overworld.core.settings import Settings

if TYPE_CHECKING:
    from overworld.world.realworlds import StoredWorld


def build(
    settings: Settings,
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Names of real worlds.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Build the real worlds of the benchmark.")] = False,
    tasks: Annotated[
        list[str] | None,
        typer.Option("--task", metavar="ID", help="Build the witness worlds of this task; may be given again."),
    ] = None,
    verify: Annotated[
        bool,
        typer.Option("--verify", help="Hash stored worlds, too; damaged ones are built again."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> ExitCode | None:
    """Build worlds into the folder of worlds: verified, stripped of all metadata, hashed, written as a whole.

    A world that is there, whole, and made from the same extract is left as it is.
    """
    if bool(names) + every + bool(tasks) != 1:
        raise InputError("name the worlds to build, or give --all or --task", remedy="worlds list shows their names")
    if tasks:
        from overworld.cli.taskworlds import build_task_worlds

        rows = build_task_worlds(settings, tasks, say=_quiet if as_json else print)
    else:
        rows = _build_real_worlds(settings, names or [], verify, as_json)
    if as_json:
        print(json.dumps(rows, indent=2, ensure_ascii=False))
    return ExitCode.DONE


def _build_real_worlds(settings: Settings, names: list[str], verify: bool, as_json: bool) -> list[dict[str, Any]]:
    from tqdm import tqdm

    from overworld.extracts.registry import load_registry
    from overworld.world.realworlds import ensure_world
    from overworld.world.specs import load_specs, select_specs

    known = load_specs(settings.world_specs_dir, load_registry(settings.registry_path))
    _refuse_witness_worlds(settings, {*names} - {spec.name for spec in known})
    specs = select_specs(known, names)
    rows = []
    with tqdm(total=len(specs), unit="world", disable=not settings.progress, leave=False) as bar:
        for spec in specs:
            started = time.monotonic()

            def tell(stage: str, name: str = spec.name) -> None:
                bar.set_description(f"{name}: {stage}")

            stored = ensure_world(spec.extract, settings.extracts_dir, settings.worlds_dir, verify=verify, stage=tell)
            seconds = time.monotonic() - started
            bar.update()
            rows.append(_row(stored, seconds))
            if not as_json:
                bar.clear()
                print(_line(stored, seconds), flush=True)
    return rows


def _refuse_witness_worlds(settings: Settings, names: Iterable[str]) -> None:
    for task in sorted(path.stem for path in settings.task_specs_dir.glob("*.yaml")):
        for name in names:
            if name.startswith(f"{task}-"):
                raise UnknownNameError(
                    f"no real world: {name}", remedy=f"for witness worlds: worlds build --task {task}"
                )


def _line(stored: StoredWorld, seconds: float) -> str:
    info = stored.info
    if not stored.built:
        return f"{info.name}: up to date, nothing to do; content hash {info.content_hash}"
    counts = ", ".join(f"{info.counts[what]:,} {what}" for what in ("nodes", "ways", "relations", "areas"))
    return f"{info.name}: built in {seconds:.1f} s, {counts}; content hash {info.content_hash}"


def _row(stored: StoredWorld, seconds: float) -> dict[str, Any]:
    return {
        "name": stored.info.name,
        "built": stored.built,
        "seconds": round(seconds, 3),
        "directory": str(stored.directory),
        "content_hash": stored.info.content_hash,
        "counts": stored.info.counts,
        "sources": stored.info.sources,
    }


def _quiet(_: str) -> None:
    """Prints nothing: JSON comes at the end."""
