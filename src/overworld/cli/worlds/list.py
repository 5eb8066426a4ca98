"""``worlds list``: which worlds there are, and which of them are built."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from overworld.core.errors import ExitCode
from overworld.core.settings import Settings


def list_worlds(
    settings: Settings,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> ExitCode | None:
    """List the worlds: those that can be built here, and those that are built."""
    rows = _rows(settings)
    if as_json:
        print(json.dumps(rows, indent=2, ensure_ascii=False))
        return ExitCode.DONE
    if not rows:
        print("no worlds")
        return ExitCode.DONE
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        counts = row["counts"] or {}
        held = ", ".join(f"{counts[what]:,} {what}" for what in ("nodes", "ways", "relations", "areas") if counts)
        use = ", for tests only" if row["use"] == "tests" else ""
        print(
            f"{row['name']:<{width}}  {row['kind']:<7}  {row['state']:<9}  {held or row['title'] or ''}{use}".rstrip()
        )
    return ExitCode.DONE


def _rows(settings: Settings) -> list[dict[str, Any]]:
    from overworld.extracts.registry import load_registry
    from overworld.world.library import built_worlds, state_of
    from overworld.world.specs import load_specs

    specs = []
    if settings.project_dir is not None:
        specs = load_specs(settings.world_specs_dir, load_registry(settings.registry_path))
    titles = {spec.name: spec.title for spec in specs}
    uses = {spec.name: str(spec.extract.use) for spec in specs}
    rows = []
    for name in sorted({*titles, *built_worlds(settings.worlds_dir)}):
        state, info = state_of(settings.worlds_dir, name)
        rows.append(
            {
                "name": name,
                "title": titles.get(name),
                "kind": "real" if info is None else info.kind,
                "use": uses.get(name),
                "state": state,
                "content_hash": None if info is None else info.content_hash,
                "counts": None if info is None else info.counts,
                "snapshot": None if info is None else info.snapshot,
            }
        )
    return rows
