"""The one place that reads the environment: variables and options become a ``Settings``."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from overworld.core.errors import InputError, UnknownNameError
from overworld.core.settings import REGISTRY, Settings, project_above

PROJECT = "OVERWORLD_PROJECT"
WORLDS_DIR = "OVERWORLD_WORLDS_DIR"
DEBUG = "OVERWORLD_DEBUG"


def settings_from(
    environment: Mapping[str, str], project: Path | None, worlds_dir: Path | None, progress: bool | None
) -> Settings:
    """The settings of one command: an option wins over its variable, a variable over what is found.

    Raises ``UnknownNameError`` for a project directory that is named but is none.
    """
    return Settings(
        project_dir=_project_dir(environment, project),
        worlds_dir=_worlds_dir(environment, worlds_dir),
        colour=_colour(environment),
        progress=sys.stderr.isatty() if progress is None else progress,
    )


def _project_dir(environment: Mapping[str, str], named: Path | None) -> Path | None:
    if named is None and (value := environment.get(PROJECT)):
        named = Path(value)
    if named is None:
        # The second place is the clone that an editable install points at.
        return project_above(_current_folder()) or project_above(Path(__file__).parent)
    if not (named / REGISTRY).is_file():
        raise UnknownNameError(
            f"{named} is no project: it has no {REGISTRY}", remedy="name a clone of the repository with --project"
        )
    return named.absolute()


def _current_folder() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise InputError("the current folder is not there any more", remedy="change to one that is") from None


def _worlds_dir(environment: Mapping[str, str], named: Path | None) -> Path:
    if named is None and (value := environment.get(WORLDS_DIR)):
        named = Path(value)
    if named is not None:
        if named.exists() and not named.is_dir():
            raise InputError(f"{named} is no folder: worlds cannot be kept there", remedy="name one with --worlds-dir")
        return named.absolute()
    import platformdirs

    try:
        return platformdirs.user_cache_path("overworld") / "worlds"
    except RuntimeError:
        raise InputError(
            "there is no home folder to keep worlds in", remedy=f"name a folder with --worlds-dir or {WORLDS_DIR}"
        ) from None


def _colour(environment: Mapping[str, str]) -> bool:
    if environment.get("NO_COLOR"):
        return False
    return bool(environment.get("FORCE_COLOR")) or sys.stdout.isatty()
