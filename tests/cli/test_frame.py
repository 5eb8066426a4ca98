"""What every command does with its settings, its options and its errors."""

from __future__ import annotations

import errno
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import pytest
import typer

from overworld import __version__
from overworld.cli.frame import BROKEN_PIPE, BUG, INTERRUPTED, application, run
from overworld.core.errors import CheckError, CorruptFileError, ExitCode, QueryError, UnknownNameError
from overworld.core.settings import REGISTRY, Settings

VERSION = (
    "import sys; from overworld.cli.worlds import app; from overworld.cli.frame import run; "
    "sys.exit(run(app(), 'worlds', ['--version']))"
)
RAISED = {
    "unknown": UnknownNameError("no world 'x'", remedy="build it"),
    "corrupt": CorruptFileError("not what its hash says", path="a.pbf", line=3),
    "found": CheckError("2 numbers moved"),
    "two-lines": UnknownNameError("one\ntwo"),
    "query": QueryError("parse", 'Unknown type "x"', 1, ('line 1: parse error: Unknown type "x"', "line 2: …")),
    "interrupt": KeyboardInterrupt(),
    "no-permission": PermissionError(errno.EACCES, "Permission denied", "a/b"),
    "folder": IsADirectoryError(errno.EISDIR, "Is a directory", "a"),
    "odd": OSError(errno.EBADF, "Bad file descriptor"),
    "bug": ZeroDivisionError("division by zero"),
}


def show(
    settings: Settings,
    names: Annotated[list[str] | None, typer.Argument(help="Names.")] = None,
    port: Annotated[int, typer.Option("--port", max=9)] = 1,
) -> ExitCode | None:
    """Show what came in: names, a port, folders and whether bars are wanted."""
    print(names, port, settings.worlds_dir, settings.project_dir, settings.progress)
    return ExitCode.FOUND if names == ["found"] else None


def fail(settings: Settings, how: str) -> None:
    """Fail as told."""
    raise RAISED[how]


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OVERWORLD_PROJECT", "OVERWORLD_WORLDS_DIR", "OVERWORLD_DEBUG"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    registry = tmp_path / "clone" / REGISTRY
    registry.parent.mkdir(parents=True)
    registry.touch()
    return tmp_path / "clone"


def toy(*arguments: str) -> int:
    return run(application("A toy.", {"show": show, "fail": fail}), "toy", arguments)


@pytest.mark.parametrize(
    ("how", "code", "line"),
    [
        ("unknown", 2, "error: no world 'x' (build it)"),
        ("corrupt", 2, "error: a.pbf:3: not what its hash says"),
        ("found", 1, "error: 2 numbers moved"),
        ("two-lines", 2, "error: one two"),
        ("query", 2, 'line 1: parse error: Unknown type "x"'),
        ("interrupt", INTERRUPTED, ""),
        ("no-permission", 2, "error: a/b: Permission denied"),
        ("folder", 2, "error: a: Is a directory"),
        (
            "odd",
            BUG,
            (
                "error: unexpected OSError: [Errno 9] Bad file descriptor "
                "(this is a bug in overworld: run again with OVERWORLD_DEBUG=1 and report what it prints)"
            ),
        ),
        (
            "bug",
            BUG,
            (
                "error: unexpected ZeroDivisionError: division by zero "
                "(this is a bug in overworld: run again with OVERWORLD_DEBUG=1 and report what it prints)"
            ),
        ),
    ],
)
def test_errors_are_one_line_and_an_exit_code(
    how: str, code: int, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert toy("fail", how) == code
    assert capsys.readouterr() == ("", f"{line}\n" if line else "")


def test_a_bug_shows_its_traceback_when_debugging(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OVERWORLD_DEBUG", "1")
    assert toy("fail", "bug") == BUG
    assert capsys.readouterr().err.startswith("Traceback (most recent call last):\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["nope"], "No such command 'nope'.", id="unknown command"),
        pytest.param(["show", "--nope"], "No such option: --nope", id="unknown option"),
        pytest.param(["fail"], "Missing argument 'how'.", id="missing argument"),
        pytest.param(["show", "--port", "x"], "Invalid value for '--port':", id="no number"),
        pytest.param(["show", "--port", "10"], "Invalid value for '--port':", id="out of range"),
        pytest.param(["--worlds-dir"], "Option '--worlds-dir' requires an argument.", id="option without value"),
    ],
)
def test_wrong_usage_is_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert toy(*arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"error: {message}")
    assert err.endswith(" --help)\n")


def test_the_result_of_a_command_is_its_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert toy("show") == 0
    assert toy("show", "found") == 1


def test_help_without_arguments_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert toy() == 0
    listed = " ".join(capsys.readouterr().out.split())
    assert "show Show what came in: names, a port, folders and whether bars are wanted." in listed
    assert toy("--version") == 0
    assert capsys.readouterr().out == f"overworld {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "variable", "expected"),
    [
        pytest.param(["show", "--worlds-dir", "/a"], None, "/a", id="option"),
        pytest.param(["--worlds-dir", "/a", "show"], None, "/a", id="option before the command"),
        pytest.param(["--worlds-dir", "/a", "show", "--worlds-dir", "/b"], None, "/b", id="the nearer option wins"),
        pytest.param(["show"], "/c", "/c", id="variable"),
        pytest.param(["show", "--worlds-dir", "/a"], "/c", "/a", id="option before variable"),
        pytest.param(["show"], None, "/cache/overworld/worlds", id="cache of the user"),
    ],
)
def test_where_worlds_are_kept(
    arguments: list[str],
    variable: str | None,
    expected: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: Path("/cache") / name)
    if variable:
        monkeypatch.setenv("OVERWORLD_WORLDS_DIR", variable)
    assert toy(*arguments) == 0
    assert capsys.readouterr().out.split()[2] == expected


def test_the_project_is_found_upwards(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    below = project / "specs" / "tasks"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert toy("show") == 0
    assert capsys.readouterr().out.split()[3] == str(project)


def test_the_project_is_named(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert toy("show", "--project", "clone") == 0
    assert capsys.readouterr().out.split()[3] == str(project)
    monkeypatch.setenv("OVERWORLD_PROJECT", str(tmp_path))
    assert toy("show") == 2
    assert capsys.readouterr().err == (
        f"error: {tmp_path} is no project: it has no extracts/registry.yaml "
        "(name a clone of the repository with --project)\n"
    )


def test_settings_without_a_project_name_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(Exception, match=r"no project here.*--project or OVERWORLD_PROJECT"):
        _ = Settings(None, tmp_path).registry_path


def test_a_closed_pipe_ends_quietly() -> None:
    code = (
        "import sys; from overworld.cli.frame import application, run\n"
        "def flood(settings):\n    [print('x' * 1000) for _ in range(10000)]\n"
        "def nothing(settings): pass\n"
        "flood.__annotations__ = nothing.__annotations__ = {'settings': object}\n"
        "sys.exit(run(application('', {'flood': flood, 'nothing': nothing}), 'toy', ['flood']))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == BROKEN_PIPE


@pytest.mark.parametrize("package", ["worlds", "bench"])
def test_commands_start_without_heavy_imports(package: str) -> None:
    heavy = {"numpy", "osmium", "shapely", "pyproj", "pydantic", "requests", "rich", "starlette", "uvicorn", "docker"}
    code = f"import sys, overworld.cli.{package} as c; c.app(); print(*({heavy!r} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_closed_standard_output_is_no_error() -> None:
    command = "exec " + shlex.join([sys.executable, "-c", VERSION]) + " >&-"
    ended = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_full_disk_is_one_line_and_exit_code_2() -> None:
    command = "exec " + shlex.join([sys.executable, "-c", VERSION]) + " >/dev/full"
    ended = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (2, "error: standard output: No space left on device\n")


def test_a_place_that_cannot_be_a_folder_is_one_line(tmp_path: Path) -> None:
    script = "from overworld.cli.frame import application, run\nfrom pathlib import Path\nimport sys\n"
    script += "def command(settings):\n    Path('/dev/null').mkdir(exist_ok=True)\ncommand.__doc__ = 'Make.'\n"
    script += "sys.exit(run(application('x', {'make': command, 'other': command}), 'x', ['make']))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stderr) == (2, "error: /dev/null: File exists\n")


def test_names_that_the_terminal_cannot_show_are_written_as_codes() -> None:
    script = "from overworld.cli.frame import application, run\nimport sys\n"
    script += "def command(settings):\n    print('Pl\\u00e4tze')\ncommand.__doc__ = 'Print.'\n"
    script += "sys.exit(run(application('x', {'say': command, 'other': command}), 'x', ['say']))"
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stdout) == (0, "Pl\\xe4tze\n")
