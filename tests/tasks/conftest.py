"""A task in a file, and the real world that it is about: a park with a bench."""

from __future__ import annotations

from pathlib import Path

import pytest

from overworld.tasks.library import load_task
from overworld.tasks.task import Task
from overworld.world.build import Origin, build_world
from overworld.world.objects import ObjectCollector
from overworld.world.store import World

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def task_text() -> str:
    """The task's file."""
    return (DATA / "benches.yaml").read_text(encoding="utf-8")


@pytest.fixture
def task() -> Task:
    """The task."""
    return load_task(DATA / "benches.yaml")


@pytest.fixture(scope="session")
def real() -> World:
    """The real world: node/1 is a bench in way/10, a park."""
    collector = ObjectCollector()
    collector.node(1, 500050000, 80050000, {"amenity": "bench"})
    for one, (lat, lon) in {2: (0, 0), 3: (0, 100000), 4: (100000, 100000), 5: (100000, 0)}.items():
        collector.node(one, 500000000 + lat, 80000000 + lon)
    collector.way(10, [2, 3, 4, 5, 2], {"leisure": "park", "name": "Park"})
    return build_world(collector.objects(), Origin("small", snapshot="2024-01-01"))
