"""``scripts/compare-engines``: the embedded engine beside the real one, on the same worlds and queries."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from overworld.cli.conformance import directories
from overworld.cli.frame import application, run
from overworld.core.errors import ExitCode, InputError
from overworld.core.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overworld.engine.conformance.corpus import Case
    from overworld.engine.conformance.sidebyside import Pair
    from overworld.engine.osm3s.database import Binaries
    from overworld.world.store import World

_SUMMED = ("our_import_s", "their_import_s", "our_opening_ms", "their_opening_ms", "our_bytes", "their_bytes")


def compare_engines(
    settings: Settings,
    osm3s: Annotated[
        Path, typer.Option("--osm3s", metavar="BIN_DIR", help="Directory with osm3s_query and update_database.")
    ],
    docker: Annotated[bool, typer.Option("--docker", help="Also ask the pinned images.")] = False,
    corpora: Annotated[
        list[Path] | None,
        typer.Option("--corpus", metavar="FILE", help="Queries to run (default: the project's own cases)."),
    ] = None,
    extracts: Annotated[
        list[Path] | None, typer.Option("--extracts", metavar="DIR", help="Directory with extracts of worlds.")
    ] = None,
    databases: Annotated[
        Path | None,
        typer.Option("--databases", metavar="DIR", help="Ready databases, DIR/<world>: these are not loaded again."),
    ] = None,
    only: Annotated[list[str] | None, typer.Option("--only", metavar="FEATURE", help="Only this feature.")] = None,
    every: Annotated[int, typer.Option("--every", metavar="N", min=1, help="Only every N-th query.")] = 1,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", min=1, help="At most N queries.")] = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Print every query that they answer differently.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> ExitCode:
    """Load worlds into the real engine, run the same queries through both, and compare answers, times and sizes.

    Ratios are ours over theirs: below 1 is faster or smaller. Exit codes: 0 done; 2 wrong usage or input.
    """
    from overworld.engine.conformance.corpus import CaseKind, read_corpus
    from overworld.engine.conformance.running import Choice
    from overworld.engine.osm3s.database import Binaries

    if docker:
        raise InputError("the docker engine is not there yet", remedy="leave --docker away")
    files = corpora or sorted((settings.project / "tests" / "conformance" / "cases").glob("*.jsonl"))
    cases = Choice(tuple(only or ()), every, limit).of(
        case for file in files for case in read_corpus(file) if case.kind is CaseKind.ANSWER
    )
    places = directories(settings, files, extracts)
    report: dict[str, Any] = {}
    pairs: list[Pair] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="overworld-engines-")))
        for name in sorted({case.world for case in cases}):
            world, facts, database = _prepared(name, places, Binaries(osm3s), databases, folder)
            report[name] = facts
            pairs += _pairs(world, [case for case in cases if case.world == name], Binaries(osm3s), database)
            if databases is None:
                shutil.rmtree(database)
    _print(report, pairs, verbose=verbose, as_json=as_json)
    return ExitCode.DONE


def _prepared(
    name: str, places: list[Path], binaries: Binaries, databases: Path | None, folder: Path
) -> tuple[World, dict[str, float], Path]:
    """The world by both engines: our store in memory and on disk, and the real engine's database."""
    from overworld.engine.conformance.worlds import build_worlds
    from overworld.engine.osm3s.database import load_world
    from overworld.world.open import open_world, write_world

    facts: dict[str, float] = {}
    start = time.perf_counter()
    world = build_worlds([name], places)[name]
    store = folder / f"{name}-store"
    store.mkdir()
    write_world(world, store)
    facts["our_import_s"] = time.perf_counter() - start
    database = folder / name
    if databases is None:
        start = time.perf_counter()
        load_world(world, binaries, database)
        facts["their_import_s"] = time.perf_counter() - start
        facts["import"] = facts["our_import_s"] / facts["their_import_s"]
    else:
        database = databases / name
    start = time.perf_counter()
    world = open_world(store)
    facts["our_opening_ms"] = 1e3 * (time.perf_counter() - start)
    facts["their_opening_ms"] = 1e3 * _opening_s(binaries, database)
    facts["opening"] = facts["our_opening_ms"] / facts["their_opening_ms"]
    facts["our_bytes"], facts["their_bytes"] = _bytes(store), _bytes(database)
    facts["size"] = facts["our_bytes"] / facts["their_bytes"]
    return world, facts, database


def _opening_s(binaries: Binaries, database: Path) -> float:
    """Seconds of a process that opens the database and prints nothing: the median of nine."""
    from overworld.engine.conformance.sidebyside import time_process
    from overworld.engine.osm3s.engine import Osm3sEngine
    from overworld.engine.protocol import Limits

    engine = Osm3sEngine(binaries, database, "")
    return sorted(time_process(engine, "[out:json];", Limits()).written_s for _ in range(9))[4]


def _bytes(directory: Path) -> int:
    return sum(path.stat().st_size for path in directory.rglob("*") if path.is_file())


def _pairs(world: World, cases: Sequence[Case], binaries: Binaries, database: Path) -> list[Pair]:
    from overworld.engine.conformance.sidebyside import Pair, time_process, time_query
    from overworld.engine.embedded.engine import EmbeddedEngine
    from overworld.engine.osm3s.engine import Osm3sEngine
    from overworld.engine.protocol import Limits

    ours, theirs = EmbeddedEngine(world), Osm3sEngine(binaries, database, world.info.content_hash)
    limits = Limits()
    return [
        Pair(case, time_query(ours, case.query, limits), time_process(theirs, case.query, limits)) for case in cases
    ]


def _print(report: dict[str, Any], pairs: list[Pair], *, verbose: bool, as_json: bool) -> None:
    from overworld.engine.conformance.sidebyside import Ratios, grouped

    by_world = grouped(pairs, lambda pair: pair.case.world)
    by_feature = grouped(pairs, lambda pair: f"{pair.case.world} {pair.case.feature}")
    if as_json:
        for name, ratios in by_world.items():
            report[name]["queries"] = asdict(ratios)
        features = {name: asdict(ratios) for name, ratios in by_feature.items()}
        json.dump({"worlds": report, "features": features}, sys.stdout, indent=1)
        print()
        return
    width = max((len(name) for name in by_feature), default=0)
    for name, ratios in by_feature.items():
        print(f"{name:<{width}} {ratios}")
    if verbose:
        for pair in pairs:
            if not pair.agrees:
                print(f"{pair.case.id} [{pair.case.feature}] {pair.case.query}")
    for name, facts in report.items():
        loading = f"import {facts['import']:.3f}, " if "import" in facts else ""
        print(
            f"{name}: {loading}opening {facts['opening']:.3f} "
            f"({facts['our_opening_ms']:.2f} ms / {facts['their_opening_ms']:.2f} ms), "
            f"size {facts['size']:.3f} ({facts['our_bytes']:,} / {facts['their_bytes']:,} bytes)"
        )
    for name, ratios in by_world.items():
        print(f"{name:<{width}} {ratios}")
    print(f"all: {_all_worlds(report)}")
    if pairs:
        print(f"{'all':<{width}} {Ratios.of(pairs)}")


def _all_worlds(report: dict[str, Any]) -> str:
    """Ratios over the sums of all worlds."""
    sums = {key: sum(facts.get(key, 0.0) for facts in report.values()) for key in _SUMMED}
    loading = f"import {sums['our_import_s'] / sums['their_import_s']:.3f}, " if sums["their_import_s"] else ""
    opening, size = sums["our_opening_ms"] / sums["their_opening_ms"], sums["our_bytes"] / sums["their_bytes"]
    return f"{loading}opening {opening:.3f}, size {size:.3f}"


def main() -> int:
    """The program ``compare-engines``."""
    program = application("The embedded engine beside the real one.", {"run": compare_engines})
    return run(program, "compare-engines", ["run", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
