"""Settings as one frozen object: made once by a command, handed down as an argument."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from overworld.core.errors import InputError

REGISTRY = Path("extracts") / "registry.yaml"
"""The file that marks a project directory: the registry of its pinned extracts."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Where a command reads and writes, and how it talks to the person who started it.

    ``project_dir`` is the repository with ``extracts/``, ``specs/`` and ``runs/``, None where there is none in sight: a
    built world can be queried without it. ``worlds_dir`` holds the built worlds, one directory each. ``colour`` and
    ``progress`` say whether colours and progress bars are wanted.
    """

    project_dir: Path | None
    worlds_dir: Path
    colour: bool = False
    progress: bool = False

    @property
    def project(self) -> Path:
        """The project directory; ``InputError`` where there is none."""
        if self.project_dir is None:
            raise InputError(
                f"no project here: no {REGISTRY} in this directory or above it",
                remedy="go to a clone of the repository, or name one with --project or OVERWORLD_PROJECT",
            )
        return self.project_dir

    @property
    def registry_path(self) -> Path:
        """The registry of pinned extracts."""
        return self.project / REGISTRY

    @property
    def extracts_dir(self) -> Path:
        """The directory of the extracts themselves."""
        return self.project / "extracts"

    @property
    def world_specs_dir(self) -> Path:
        """One file a real world."""
        return self.project / "specs" / "worlds"

    @property
    def task_specs_dir(self) -> Path:
        """One file a task."""
        return self.project / "specs" / "tasks"

    @property
    def runs_dir(self) -> Path:
        """The stored runs and their scores."""
        return self.project / "runs"


def project_above(start: Path) -> Path | None:
    """The nearest project directory at or above ``start``, or None."""
    place = start.absolute()
    return next((path for path in (place, *place.parents) if (path / REGISTRY).is_file()), None)
