"""``worlds serve``: built worlds as Overpass APIs on this machine."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from overworld.core.errors import ExitCode, InputError
from overworld.core.settings import Settings

if TYPE_CHECKING:
    from overworld.server.app import ServedWorld


def serve(
    settings: Settings,
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Names of built worlds.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Serve every built world.")] = False,
    port: Annotated[
        int,
        typer.Option("--port", metavar="PORT", min=0, max=65535, help="On the loopback interface; 0 takes a free one."),
    ] = 8099,
    slots: Annotated[int, typer.Option("--slots", metavar="N", min=1, help="How many queries may run at once.")] = 4,
    timeout_s: Annotated[
        float, typer.Option("--timeout", metavar="SECONDS", min=0.1, help="Cap on the time limit of a query.")
    ] = 900.0,
    memory_mib: Annotated[
        int, typer.Option("--memory", metavar="MIB", min=1, help="Cap on the memory limit of a query.")
    ] = 2048,
) -> ExitCode | None:
    """Serve built worlds as Overpass APIs on 127.0.0.1, each under a path of its own, until Ctrl-C.

    Prints the base address of each world: what overpy, OSMnx, overpass turbo or QuickOSM want as the server's address.
    """
    from overworld.engine.protocol import Limits
    from overworld.server.app import ServerOptions, build_app
    from overworld.server.serving import LOOPBACK, Server, listen

    served = _open(settings, names or [], every)
    listener = listen(port)
    options = ServerOptions(limits=Limits(timeout_s, memory_mib * 1024 * 1024), slots=slots)
    app = build_app(served, options, time.time)
    root = f"http://{LOOPBACK}:{listener.getsockname()[1]}"
    for world in served:
        print(f"{world.name}: {root}/{world.name}/api")
    print(f"all: {root}/  (Ctrl-C stops)", flush=True)
    Server(app, listener).run()
    for world in served:
        world.engine.close()
    return ExitCode.DONE


def _open(settings: Settings, names: list[str], every: bool) -> list[ServedWorld]:
    from overworld.world.library import built_worlds

    if every == bool(names):
        raise InputError("name the worlds to serve, or give --all", remedy="worlds list shows the built ones")
    wanted = built_worlds(settings.worlds_dir) if every else list(dict.fromkeys(names))
    if not wanted:
        raise InputError("no world is built yet", remedy="worlds build --all builds them")
    return [_served(settings, name) for name in wanted]


def _served(settings: Settings, name: str) -> ServedWorld:
    from overworld.engine.embedded.engine import EmbeddedEngine
    from overworld.server.app import ServedWorld
    from overworld.world.library import open_world

    world = open_world(settings.worlds_dir, name)
    day = world.info.snapshot or ""
    return ServedWorld(name, EmbeddedEngine(world), f"{day}T00:00:00Z" if day and "T" not in day else day)
