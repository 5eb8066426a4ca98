"""Tiny worlds and their engines, built in memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from overworld.engine.conformance.worlds import build_worlds
from overworld.engine.embedded.engine import EmbeddedEngine
from overworld.world.store import World

WORLDS = Path(__file__).parents[1] / "conformance" / "worlds"


@pytest.fixture(scope="session")
def tiny_world() -> Callable[[str], World]:
    """A world of tests/conformance/worlds by its name."""
    return cache(lambda name: build_worlds([name], [WORLDS])[name])


@pytest.fixture(scope="session")
def tiny_engine(tiny_world: Callable[[str], World]) -> Callable[[str], EmbeddedEngine]:
    """The embedded engine over a tiny world."""
    return cache(lambda name: EmbeddedEngine(tiny_world(name)))
