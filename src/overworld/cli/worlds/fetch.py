"""``worlds fetch``: the pinned extracts, verified, and downloaded where they are not there."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from overworld.core.errors import ExitCode
from overworld.core.settings import Settings


def fetch(
    settings: Settings,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Names of extracts [default: all].")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> ExitCode | None:
    """Verify the pinned extracts by size and SHA-256, and download those that are not there."""
    import requests
    from tqdm import tqdm

    from overworld.extracts.download import fetch_extract
    from overworld.extracts.registry import load_registry

    wanted = load_registry(settings.registry_path).select(names or [])
    fetched = []
    with requests.Session() as session:
        for extract in wanted:
            bar = tqdm(
                total=extract.bytes,
                desc=extract.name,
                unit="B",
                unit_scale=True,
                disable=not settings.progress,
                leave=False,
            )
            with bar:
                one = fetch_extract(extract, settings.extracts_dir, session, bar.update)
            fetched.append(one)
            if not as_json:
                how = "verified" if one.address is None else f"downloaded from {one.address}"
                print(f"{extract.name}: {how}, {extract.bytes:,} bytes, sha256 {extract.sha256}")
    if as_json:
        rows = [
            {
                "name": one.extract.name,
                "path": str(one.path),
                "bytes": one.extract.bytes,
                "sha256": one.extract.sha256,
                "downloaded_from": one.address,
            }
            for one in fetched
        ]
        print(json.dumps(rows, indent=2, ensure_ascii=False))
    return ExitCode.DONE
