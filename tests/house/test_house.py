"""The rules of the house: floors, sizes of files, and documents that say what the commands do."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from overworld.cli import bench, worlds
from overworld.cli.frame import run

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "src" / "overworld").rglob("*.py"))
LONGEST = 450
"""Lines: files are split by the nouns of the field well before this."""
CONTRACT_TABLES = {"ql/tree.py": 500}
"""One file a contract: the syntax tree is not split."""

DOCUMENTS = [ROOT / "README.md", ROOT / "DEVELOPERS.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
APPS = {"worlds": worlds.app, "bench": bench.app}


def names_of(paths: list[Path]) -> list[str]:
    return [path.relative_to(ROOT).as_posix() for path in paths]


def test_floors() -> None:
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", SOURCES, ids=names_of(SOURCES))
def test_files_are_short(path: Path) -> None:
    name = path.relative_to(ROOT / "src" / "overworld").as_posix()
    assert len(path.read_text(encoding="utf-8").splitlines()) <= CONTRACT_TABLES.get(name, LONGEST)


@pytest.mark.parametrize("path", SOURCES, ids=names_of(SOURCES))
def test_modules_say_what_they_are_for(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), "no docstring"
    body = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    bare = [node.name for node in body if not node.name.startswith("_") and not ast.get_docstring(node)]
    assert bare == []


@pytest.mark.parametrize("path", SOURCES, ids=names_of(SOURCES))
def test_only_the_commands_read_the_environment_or_print(path: Path) -> None:
    if "cli" in path.relative_to(ROOT / "src" / "overworld").parts:
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    read = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert not called & {"print", "input"}
    assert not read & {"environ", "getenv", "argv"}


@pytest.mark.parametrize("path", DOCUMENTS, ids=names_of(DOCUMENTS))
def test_links_of_documents_lead_somewhere(path: Path) -> None:
    prose = re.sub(r"`[^`\n]+`|^ {4}.+$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    targets = re.findall(r"\]\((?!https?://)([^)#]+)", prose)
    assert [target for target in targets if not (path.parent / target).exists()] == []


def commands_in(path: Path) -> set[tuple[str, str]]:
    """Sub-commands that a document shows: in code, after ``worlds`` or ``bench``."""
    text = path.read_text(encoding="utf-8")
    code = re.findall(r"`([^`\n]+)`|^(?: {4}|\$ )(.+)$", text, re.MULTILINE)
    shown = " \n".join(one or other for one, other in code)
    return set(re.findall(r"(?:^|[\s/])(worlds|bench) ([a-z]+)", shown, re.MULTILINE))


@pytest.mark.parametrize("path", DOCUMENTS, ids=names_of(DOCUMENTS))
def test_commands_of_documents_exist(path: Path) -> None:
    there = {(program, command.name) for program, app in APPS.items() for command in app().registered_commands}
    assert commands_in(path) - there == set()


@pytest.mark.parametrize("program", APPS)
def test_every_command_has_a_complete_help(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    app = APPS[program]()
    group = typer.main.get_command(app)
    for command in app.registered_commands:
        assert command.name
        assert run(app, program, [command.name, "--help"]) == 0
        assert f"Usage: {program} {command.name}" in capsys.readouterr().out
        parameters = group.commands[command.name].params  # type: ignore[attr-defined]
        assert [one.name for one in parameters if not one.help] == [], command.name


def test_make_targets_of_the_readme_exist() -> None:
    targets = set(re.findall(r"`make ([a-z]+)`|^    make ([a-z]+)", (ROOT / "README.md").read_text(), re.MULTILINE))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    names = {one or other for one, other in targets}
    assert {"demo", "test", "reproduce"} <= names
    assert [name for name in names if not re.search(rf"^{name}:", makefile, re.MULTILINE)] == []
