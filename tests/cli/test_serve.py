"""``worlds serve`` as a process of its own."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from overworld.cli.frame import run
from overworld.cli.worlds import app

Worlds = Callable[..., int]


@contextmanager
def serving(worlds_dir: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running server and what it printed first."""
    command = [Path(sys.executable).with_name("worlds"), "serve", *arguments, "--worlds-dir", str(worlds_dir)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield process, process.stdout.readline()
        finally:
            if process.poll() is None:
                process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_serves_until_told_to_stop(worlds_dir: Path, number: signal.Signals) -> None:
    with serving(worlds_dir, "harbour", "--port", "0") as (process, line):
        base = re.fullmatch(r"harbour: (http://127\.0\.0\.1:\d+/harbour/api)\n", line)
        assert base
        url = f"{base[1]}/interpreter?data=[out:csv(::id;false)];node[amenity];out;"
        with urllib.request.urlopen(url, timeout=20) as answer:
            assert answer.read() == b"1\n2\n"
        with urllib.request.urlopen(f"{base[1]}/timestamp", timeout=20) as answer:
            assert answer.read() == b"2026-01-01T00:00:00Z\n"
        os.kill(process.pid, number)
        assert process.wait(20) == 0
        assert process.stdout and process.stderr
        assert process.stdout.read() == f"all: {base[1].removesuffix('harbour/api')}  (Ctrl-C stops)\n"
        assert process.stderr.read() == ""


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        pytest.param([], "error: name the worlds to serve, or give --all", id="nothing named"),
        pytest.param(["harbour", "--all"], "error: name the worlds to serve, or give --all", id="named and all"),
        pytest.param(["nowhere"], "error: unknown world: nowhere (built: harbour)", id="unknown world"),
        pytest.param(["harbour", "--port", "70000"], "error: Invalid value for '--port'", id="no such port"),
    ],
)
def test_refusals_are_one_line(
    worlds: Worlds, arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert worlds("serve", *arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(line)


def test_a_port_in_use_is_named(worlds: Worlds, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert worlds("serve", "harbour", "--port", str(port)) == 2
    message = f"error: port {port} is in use (choose another with --port; 0 takes a free one)\n"
    assert capsys.readouterr() == ("", message)


def test_no_world_is_built_yet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app(), "worlds", ["serve", "--all", "--worlds-dir", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err == "error: no world is built yet (worlds build --all builds them)\n"
