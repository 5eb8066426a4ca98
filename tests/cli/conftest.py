"""A folder with one small built world, and the command ``worlds`` over it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from overworld.cli.frame import run
from overworld.cli.worlds import app
from overworld.core.elements import ElementType
from overworld.core.files import directory_written_atomically
from overworld.world.build import Origin, build_world
from overworld.world.objects import ObjectCollector
from overworld.world.open import write_world

Worlds = Callable[..., int]


@pytest.fixture
def worlds_dir(tmp_path: Path) -> Path:
    """One world, ``harbour``: two cafés, a pier and a relation."""
    objects = ObjectCollector()
    objects.node(1, 437300000, 74200000, {"amenity": "cafe", "name": "Chez Zoé"})
    objects.node(2, 437310000, 74210000, {"amenity": "cafe"})
    objects.node(3, 437320000, 74220000)
    objects.way(10, [1, 2, 3], {"man_made": "pier"})
    objects.relation(20, [(ElementType.WAY, 10, "outer")], {"type": "site"})
    world = build_world(objects.objects(), Origin("harbour", snapshot="2026-01-01"))
    with directory_written_atomically(tmp_path / "worlds" / "harbour") as directory:
        write_world(world, directory)
    return tmp_path / "worlds"


@pytest.fixture
def worlds(worlds_dir: Path) -> Worlds:
    """Run ``worlds`` with some arguments; gives the exit code."""
    return lambda *arguments: run(app(), "worlds", [*arguments, "--worlds-dir", str(worlds_dir)])
