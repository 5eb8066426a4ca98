"""The README shows what the commands really print."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from overworld.cli import bench, worlds
from overworld.cli.frame import run

ROOT = Path(__file__).resolve().parents[2]
APPS = {"worlds": worlds.app, "bench": bench.app}
ENDLESS = "serve"
CHANGING = re.compile(r"\d+\.\d s\b")
"""Durations."""


def sessions(text: str) -> Iterator[tuple[str, str]]:
    """Each command after a ``$`` in an indented block, with what the document says it prints."""
    for block in re.findall(r"(?:^(?: {4}.*)\n)+", text, re.MULTILINE):
        lines = [line[4:] for line in block.splitlines()]
        starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
        for start, end in pairwise([*starts, len(lines)]):
            yield lines[start][2:], "\n".join(lines[start + 1 : end])


def pattern_of(shown: str) -> re.Pattern[str]:
    """What matches the real output: ``…`` on a line of its own is any number of lines, elsewhere any words."""
    lines = CHANGING.sub("0.0 s", shown).split("\n")
    return re.compile("".join(map(_line_pattern, lines)))


def _line_pattern(line: str) -> str:
    return r"(?:.*\n)*?" if line.strip() == "…" else re.escape(line).replace("…", ".*") + r"\n"


def test_sessions_are_real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OVERWORLD_PROJECT", str(ROOT))
    monkeypatch.setenv("OVERWORLD_WORLDS_DIR", str(tmp_path / "worlds"))
    monkeypatch.setenv("COLUMNS", "120")
    shown = list(sessions((ROOT / "README.md").read_text(encoding="utf-8")))
    assert {shlex.split(command)[0] for command, _ in shown} == APPS.keys()
    for command, text in shown:
        program, *arguments = shlex.split(command)
        if arguments[0] == ENDLESS:
            continue
        run(APPS[program](), program, arguments)
        printed = re.sub(r" +$", "", CHANGING.sub("0.0 s", "".join(capfd.readouterr())), flags=re.MULTILINE)
        assert pattern_of(text).fullmatch(printed if printed.endswith("\n") else f"{printed}\n"), (command, printed)
