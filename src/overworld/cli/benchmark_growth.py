"""``scripts/benchmark-growth``: how opening, memory and the usual queries grow with the size of a world."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from overworld.cli.frame import application, run
from overworld.core.errors import ExitCode, InputError
from overworld.core.settings import Settings

SIZES = (1, 10, 100, 285)


def benchmark_growth(
    settings: Settings,
    extract: Annotated[str, typer.Argument(metavar="NAME", help="Extract to grow.")] = "monaco",
    times: Annotated[
        list[int] | None,
        typer.Option("--times", metavar="K", min=1, help=f"How many copies (default: {', '.join(map(str, SIZES))})."),
    ] = None,
    queries: Annotated[int, typer.Option("--queries", metavar="N", min=1, help="Queries a world.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Seed of the random places.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    one: Annotated[Path | None, typer.Option("--one", hidden=True)] = None,
) -> ExitCode:
    """Grow a real map, and measure each size in a process of its own: opening, memory, and the usual queries.

    Exit codes: 0 done; 2 wrong usage or input.
    """
    if one is not None:
        print(json.dumps(_measured_here(one, queries, seed)))
        return ExitCode.DONE
    if settings.project_dir is None:
        raise InputError("no project folder with extracts", remedy="run it in a clone, or name one: --project DIR")
    with tempfile.TemporaryDirectory(prefix="overworld-growth-") as folder:
        reports = [_grown(settings, extract, k, queries, seed, Path(folder)) for k in times or SIZES]
    if as_json:
        print(json.dumps(reports, indent=1))
    else:
        for report in reports:
            print(*_lines(report), sep="\n")
    return ExitCode.DONE


def _grown(settings: Settings, extract: str, times: int, queries: int, seed: int, folder: Path) -> dict[str, Any]:
    from overworld.extracts.registry import load_registry
    from overworld.world.build import Origin, build_world
    from overworld.world.grow import grow
    from overworld.world.open import write_world
    from overworld.world.reader import read_objects

    source = settings.extracts_dir / load_registry(settings.extracts_dir / "registry.yaml").find(extract).file
    directory = folder / f"{extract}-x{times}"
    directory.mkdir()
    write_world(build_world(grow(read_objects(source), times), Origin(directory.name, kind="grown")), directory)
    command = [sys.executable, "-m", __spec__.name, "--one", str(directory), "--queries", str(queries)]
    done = subprocess.run([*command, "--seed", str(seed)], check=True, capture_output=True, text=True)
    report: dict[str, Any] = json.loads(done.stdout)
    size = sum(path.stat().st_size for path in directory.iterdir())
    for path in directory.iterdir():
        path.unlink()
    return {"world": directory.name, "bytes": size, **report}


def _measured_here(directory: Path, queries: int, seed: int) -> dict[str, Any]:
    from overworld.engine.growth import measure

    growth = measure(directory, queries, seed)
    return {**asdict(growth), "peak_memory_mib": _peak_memory_kib() / 1024}


def _peak_memory_kib() -> int:
    """The most that this process had resident, mapped files included.

    On Linux the kernel's mark is read: what ``getrusage`` says also counts the parent process before it started this.
    """
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"^VmHWM:\s+(\d+) kB$", status.read_text(), re.MULTILINE)
        if found:
            return int(found[1])
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _lines(report: dict[str, Any]) -> list[str]:
    head = (
        f"{report['world']}: {report['objects']:,} objects, {report['bytes'] / 2**20:,.1f} MiB on disk, "
        f"opening {report['opening_s'] * 1e3:.2f} ms, first answer after {report['first_answer_s'] * 1e3:.1f} ms, "
        f"peak memory {report['peak_memory_mib']:,.0f} MiB, {report['remarks']} remarks"
    )
    return [head] + [
        f"  {kind:<16} median {seconds * 1e3:8.2f} ms  slowest {report['slowest_s'][kind] * 1e3:8.2f} ms"
        for kind, seconds in report["medians_s"].items()
    ]


def main() -> int:
    """The program ``benchmark-growth``."""
    program = application("Growth of the embedded engine.", {"run": benchmark_growth})
    return run(program, "benchmark-growth", ["run", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
