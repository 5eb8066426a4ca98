"""``scripts/conformance``: how often the embedded engine gives the real engine's answers."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from overworld.cli.frame import application, run
from overworld.core.errors import ExitCode, InputError
from overworld.core.settings import Settings


def conformance(
    settings: Settings,
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Corpora: JSON lines, plain or .gz.")],
    extracts: Annotated[
        list[Path] | None,
        typer.Option(
            "--extracts",
            metavar="DIR",
            help="Directory with extracts of worlds, <world>.osm.pbf or .osm.bz2; may be given several times. The "
            "project's extracts and the worlds/ beside a corpus are looked at anyway.",
        ),
    ] = None,
    level: Annotated[str, typer.Option("--level", metavar="LEVEL", help="objects or elements.")] = "objects",
    minimum: Annotated[
        float, typer.Option("--min", metavar="PERCENT", help="Exit with 1 where less than this agrees.")
    ] = 0.0,
    verbose: Annotated[bool, typer.Option("--verbose", help="Print every difference.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with every difference.")] = False,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="FEATURE", help="Only this feature or case id; * stands for anything."),
    ] = None,
    every: Annotated[int, typer.Option("--every", metavar="N", min=1, help="Only every N-th case.")] = 1,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", min=1, help="At most N cases.")] = None,
    processes: Annotated[int, typer.Option("-j", "--jobs", metavar="N", min=1, help="Processes.")] = 1,
    timeout_s: Annotated[float, typer.Option("--timeout", metavar="SECONDS", help="Time limit of a query.")] = 180.0,
) -> ExitCode:
    """Run the queries of corpora and compare the answers with the real engine's, which the corpora hold.

    Exit codes: 0 done; 1 less than the minimum agrees; 2 wrong usage or input.
    """
    from overworld.engine.conformance.comparing import Judge, Level
    from overworld.engine.conformance.corpus import read_corpus
    from overworld.engine.conformance.running import Choice, run_cases
    from overworld.engine.conformance.summary import Summary
    from overworld.engine.conformance.worlds import build_worlds
    from overworld.engine.embedded.engine import EmbeddedEngine
    from overworld.engine.protocol import Limits

    if level not in set(Level):
        raise InputError(f"unknown level {level!r}", remedy=f"one of {', '.join(Level)}")
    cases = Choice(tuple(only or ()), every, limit).of(case for file in files for case in read_corpus(file))
    judge = Judge(Level(level), Limits(timeout_s=timeout_s), xml_form)
    worlds = build_worlds((case.world for case in cases if needs_world(case)), directories(settings, files, extracts))
    engines = {name: EmbeddedEngine(world) for name, world in worlds.items()}
    outcomes = run_cases(cases, engines, judge, processes)
    summary = Summary.of(outcomes)
    if as_json:
        json.dump(summary.document(outcomes), sys.stdout, ensure_ascii=False, indent=1)
        print()
    else:
        if verbose:
            for one in outcomes:
                if not one.agrees:
                    print(f"{one.case.id} [{one.case.feature}] {one.case.query}")
                    print(*(f"    {text}" for text in one.differences), sep="\n")
        print(*summary.lines(), sep="\n")
    return ExitCode.DONE if summary.total.percent >= minimum else ExitCode.FOUND


def directories(settings: Settings, files: list[Path], extracts: list[Path] | None) -> list[Path]:
    """Where extracts are looked for: as named, then the project's, then beside the corpora."""
    project = [] if settings.project_dir is None else [settings.extracts_dir]
    beside = [
        place
        for file in files
        for place in (file.parent / "worlds", file.parent.parent / "worlds", file.parent.parent / "extracts")
    ]
    return list(dict.fromkeys([*(extracts or []), *project, *beside]))


def needs_world(case: object) -> bool:
    """Whether a case is run on a world at all."""
    from overworld.engine.conformance.corpus import Case, CaseKind

    return isinstance(case, Case) and case.kind in (CaseKind.ANSWER, CaseKind.CSV)


def xml_form(query: str) -> str:
    """The XML form of a query."""
    from overworld.ql.parser import parse_unchecked
    from overworld.ql.printing.xml import to_xml

    return to_xml(parse_unchecked(query))


def main() -> int:
    """The program ``conformance``."""
    program = application("Conformance to the real engine.", {"run": conformance})
    return run(program, "conformance", ["run", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
