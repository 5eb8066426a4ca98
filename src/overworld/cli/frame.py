"""What both commands share: how sub-commands are registered, and how errors become one line and an exit code.

A sub-command is a plain function in a file of its own. Its first parameter is ``settings: Settings``; the others are
its arguments and options, as Typer reads them. It prints its result and returns an ``ExitCode`` (None is done)::

    def show(
        settings: Settings,
        name: Annotated[str, typer.Argument(metavar="NAME", help="Name of a built world.")],
        as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    ) -> ExitCode | None:
        \"\"\"Show what a world holds.\"\"\"
        from overworld.world.library import open_world  # heavy: imported when the command runs

Trouble is raised as an ``OverworldError``, never printed by the command.
"""

from __future__ import annotations

import errno
import functools
import inspect
import io
import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Protocol, get_type_hints, runtime_checkable

import typer

from overworld import __version__
from overworld.cli.environment import DEBUG, settings_from
from overworld.core.errors import ExitCode, OverworldError, QueryError

INTERRUPTED = 130
BROKEN_PIPE = 141
SURROUNDINGS = frozenset(
    {
        errno.EACCES,
        errno.EDQUOT,
        errno.EEXIST,
        errno.EFBIG,
        errno.EIO,
        errno.EISDIR,
        errno.ELOOP,
        errno.EMFILE,
        errno.ENOENT,
        errno.ENAMETOOLONG,
        errno.ENOSPC,
        errno.ENOTDIR,
        errno.EPERM,
        errno.EROFS,
    }
)
"""Errors of the operating system that are none of the program."""
BUG = 70
"""Exit code of an error that nobody foresaw (``EX_SOFTWARE``)."""

Command = Callable[..., ExitCode | None]

Project = Annotated[
    Path | None,
    typer.Option(
        "--project",
        metavar="DIR",
        help="Repository with extracts/, specs/ and runs/ [env: OVERWORLD_PROJECT; default: found upwards from here].",
        show_default=False,
    ),
]
WorldsDir = Annotated[
    Path | None,
    typer.Option(
        "--worlds-dir",
        metavar="DIR",
        help="Where built worlds are kept [env: OVERWORLD_WORLDS_DIR; default: the user's cache folder].",
        show_default=False,
    ),
]
Progress = Annotated[
    bool | None,
    typer.Option(
        "--progress/--no-progress",
        help="Show progress bars [default: where stderr is a terminal].",
        show_default=False,
    ),
]
SHARED_OPTIONS: tuple[tuple[str, Any], ...] = (("project", Project), ("worlds_dir", WorldsDir), ("progress", Progress))


def application(summary: str, commands: Mapping[str, Command]) -> typer.Typer:
    """A Typer app with one sub-command for each entry of ``commands`` (name on the command line, function), in order.

    The shared options may stand before or after the name of the sub-command.
    """
    app = typer.Typer(
        help=summary,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_shared)
    for name, command in commands.items():
        app.command(name, short_help=_summary(command))(_with_settings(command))
    return app


def _summary(command: Command) -> str:
    """What the list of commands says of it, whole: Typer would cut it off after 45 characters."""
    return " ".join((inspect.getdoc(command) or "").split("\n\n")[0].split())


def run(app: typer.Typer, name: str, arguments: Sequence[str] | None = None) -> int:
    """Run ``app`` as the program ``name`` and give the exit code; errors end here, each as one line on stderr."""
    _replace_closed_streams()
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        result = app(args=given or ["--help"], prog_name=name, standalone_mode=False)
        sys.stdout.flush()
        return int(result or ExitCode.DONE)
    except OverworldError as error:
        _say(error.errors[0] if isinstance(error, QueryError) else f"error: {error}")
        return int(error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        return _nobody_reads()
    except OSError as error:
        return _bug(error) if error.errno not in SURROUNDINGS else _cannot(error)
    except Exception as error:
        if isinstance(error, _UsageComplaint):
            asked = getattr(getattr(error, "ctx", None), "command_path", name)
            _say(f"error: {error.format_message()} (see {asked} --help)")
            return int(ExitCode.USAGE)
        return _bug(error)


@runtime_checkable
class _UsageComplaint(Protocol):
    """What Typer raises for wrong usage, wherever its own classes live."""

    exit_code: int

    def format_message(self) -> str: ...


def _say(text: str) -> None:
    print(" ".join(text.split("\n")), file=sys.stderr)


def _nobody_reads() -> int:
    # The interpreter flushes stdout once more at exit: give it somewhere to write to.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BROKEN_PIPE


def _cannot(error: OSError) -> int:
    """What the machine refuses is no bug: no space, no permission, a folder in place of a file."""
    what = "standard output" if error.filename is None else error.filename
    _say(f"error: {what}: {error.strerror}")
    if error.filename is None:
        _nobody_reads()
    return int(ExitCode.USAGE)


def _replace_closed_streams() -> None:
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - as long as the process
        elif isinstance(stream := getattr(sys, name), io.TextIOWrapper):
            # What a terminal's encoding lacks is written as its code: names of places are in every script.
            stream.reconfigure(errors="backslashreplace")


def _bug(error: Exception) -> int:
    if os.environ.get(DEBUG):
        traceback.print_exception(error)
    else:
        _say(
            f"error: unexpected {type(error).__name__}: {error} (this is a bug in overworld: "
            f"run again with {DEBUG}=1 and report what it prints)"
        )
    return BUG


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"overworld {__version__}")
        raise typer.Exit


def _shared(
    context: typer.Context,
    project: Project = None,
    worlds_dir: WorldsDir = None,
    progress: Progress = None,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    context.obj = {"project": project, "worlds_dir": worlds_dir, "progress": progress}


def _with_settings(command: Command) -> Callable[..., ExitCode | None]:
    """``command`` as Typer shall see it: the shared options in place of ``settings``."""

    @functools.wraps(command)
    def run_command(context: typer.Context, **options: Any) -> ExitCode | None:
        own = {name: options.pop(name) for name, _ in SHARED_OPTIONS}
        shared = {name: context.obj[name] if value is None else value for name, value in own.items()}
        try:
            return command(settings_from(os.environ, **shared), **options)
        except BrokenPipeError:
            # Typer would make it exit code 1, which means something else here.
            raise typer.Exit(_nobody_reads()) from None

    hints = get_type_hints(command, include_extras=True)
    parameters = [
        parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
        for name, parameter in inspect.signature(command).parameters.items()
        if name != "settings"
    ]
    shared = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=hint)
        for name, hint in SHARED_OPTIONS
    ]
    context = inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    signature = inspect.Signature([context, *parameters, *shared])
    run_command.__signature__ = signature  # type: ignore[attr-defined]
    run_command.__annotations__ = {name: one.annotation for name, one in signature.parameters.items()}
    del run_command.__wrapped__
    return run_command
