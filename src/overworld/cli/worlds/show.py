"""``worlds show``: what a world holds and what it was made from."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from overworld.core.errors import ExitCode
from overworld.core.settings import Settings

if TYPE_CHECKING:
    from overworld.world.store import World
    from overworld.world.summary import Summary


def show(
    settings: Settings,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of a built world.")],
    top: Annotated[int, typer.Option("--top", metavar="N", min=0, help="How many of the most used keys.")] = 15,
    verify: Annotated[bool, typer.Option("--verify", help="Hash the world's file, too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> ExitCode | None:
    """Show what a built world holds: counts, keys, areas, what is missing, hashes and sources."""
    from overworld.world.library import open_world, world_directory
    from overworld.world.summary import summarise

    world = open_world(settings.worlds_dir, name, verify=verify)
    summary = summarise(world, top)
    size = sum(path.stat().st_size for path in world_directory(settings.worlds_dir, name).iterdir())
    if as_json:
        print(json.dumps(_document(world, summary, size), indent=2, ensure_ascii=False))
    else:
        print("\n".join(_lines(world, summary, size)))
    return ExitCode.DONE


def _document(world: World, summary: Summary, size: int) -> dict[str, Any]:
    info = asdict(world.info)
    info["box"] = None if world.info.box is None else dict(world.info.box._asdict())
    return {**info, "bytes": size, **asdict(summary)}


def _lines(world: World, summary: Summary, size: int) -> list[str]:
    info, missing = world.info, summary.missing
    counts = info.counts
    lacking = f"{missing.member_nodes:,} nodes, {missing.member_ways:,} ways, {missing.member_relations:,} relations"
    lines = [
        f"{info.name} ({info.kind} world, format {info.format_version}, {size:,} bytes)",
        f"  data          {info.attribution}" + (f", as of {info.snapshot}" if info.snapshot else ""),
        f"  content hash  {info.content_hash}",
        *[f"  made from     {source}, sha256 {digest}" for source, digest in info.sources.items()],
        f"  box           {info.box if info.box is not None else 'empty'}  (south, west, north, east)",
        f"  nodes         {counts['nodes']:,}, {summary.tagged_nodes:,} tagged",
        f"  ways          {counts['ways']:,}, {summary.tagged_ways:,} tagged, {summary.closed_ways:,} closed",
        f"  relations     {counts['relations']:,}, {summary.tagged_relations:,} tagged",
        f"  missing       {missing.way_nodes:,} nodes of {missing.incomplete_ways:,} ways",
        f"                {lacking} of {missing.incomplete_relations:,} relations",
        "  metadata      none (no user, uid, changeset, version or timestamp)",
        f"  tags          {summary.distinct_keys:,} keys, {summary.distinct_tags:,} different tags",
    ]
    if summary.top_keys:
        lines.append("  most used keys (nodes, ways, relations)")
        lines += [f"    {one.key:<20} {one.nodes:>8,} {one.ways:>8,} {one.relations:>6,}" for one in summary.top_keys]
    lines.append(f"  areas of relations: {len(summary.areas)}")
    lines += [f"    {one.id}  relation/{one.relation}  {one.name or ''}".rstrip() for one in summary.areas]
    return lines
