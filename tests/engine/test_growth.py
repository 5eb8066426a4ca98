"""The growth benchmark runs every kind of query on the world that it is given."""

from __future__ import annotations

from pathlib import Path

from overworld.engine.growth import TEMPLATES, measure
from overworld.world.build import Origin, build_world
from overworld.world.grow import grow
from overworld.world.objects import ObjectCollector
from overworld.world.open import write_world


def test_every_kind_is_measured_on_a_grown_world(tmp_path: Path) -> None:
    collector = ObjectCollector()
    for number in range(1, 10):
        collector.node(number, 471_000_000 + 1_000 * number, 95_000_000 + 500 * number * number, {"amenity": "bench"})
    collector.way(1, [1, 2, 3, 1], {"building": "yes"})
    collector.way(2, [4, 5, 6], {"highway": "footway", "name": "Allee"})
    write_world(build_world(grow(collector.objects(), 4), Origin("grown")), tmp_path)
    ticks = iter(range(10_000))
    growth = measure(tmp_path, queries=2 * len(TEMPLATES), seed=7, clock=lambda: float(next(ticks)))
    assert growth.objects == 4 * (9 + 2)
    assert growth.opening_s == 1.0
    assert growth.medians_s == dict.fromkeys(TEMPLATES, 1.0)
    assert growth.slowest_s == growth.medians_s
    assert growth.remarks == 0
