"""How the embedded engine's times and memory grow with a world: the usual queries at random places of the map."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from overworld.core.boxes import E7
from overworld.engine.embedded.engine import EmbeddedEngine
from overworld.engine.protocol import Limits
from overworld.world.open import open_world
from overworld.world.store import World

HALF_HEIGHT, HALF_WIDTH = 0.004, 0.006
"""Half a box, in degrees: about 900 by 900 m at middle latitudes."""

TEMPLATES = {
    "tag+bbox": '[out:json];nwr["building"]({box});out center;',
    "bbox": "[out:json];node({box});out ids;",
    "ways+nodes": '[out:json];way["highway"="footway"]({box});out;>;out skel qt;',
    "regex+bbox": '[out:json];nwr["name"~"^[AR]"]({box});out tags;',
    "around": '[out:json];nwr["amenity"](around:300,{lat},{lon});out;',
    "around set": '[out:json];node["amenity"]({box});way["highway"](around:20);out ids;',
    "id": "[out:json];node({id});way(bn);out geom;",
    "is_in": "[out:json];is_in({lat},{lon});out tags;",
    "area": '[out:json];is_in({lat},{lon})->.a;area.a["admin_level"];nwr["shop"](area);out ids;',
    "recurse up": "[out:json];node({id});<<;out ids;",
}
"""Queries by kind. ``{box}``, ``{lat}``, ``{lon}`` and ``{id}`` are those of a random node of the world."""


@dataclass(frozen=True, slots=True)
class Growth:
    """What was measured of one world. Times in seconds; ``medians_s`` and ``slowest_s`` by kind of query."""

    objects: int
    opening_s: float
    first_answer_s: float
    medians_s: dict[str, float]
    slowest_s: dict[str, float]
    remarks: int


def measure(directory: Path, queries: int, seed: int, clock: Callable[[], float] = time.perf_counter) -> Growth:
    """Open the world in ``directory`` and run ``queries`` queries of all kinds in turn, answers written."""
    start = clock()
    world = open_world(directory)
    opened = clock()
    engine = EmbeddedEngine(world)
    chooser = random.Random(seed)
    times: dict[str, list[float]] = {kind: [] for kind in TEMPLATES}
    kinds = list(TEMPLATES)
    remarks = 0
    first_answer = 0.0
    for number in range(queries):
        kind = kinds[number % len(kinds)]
        query = _filled(TEMPLATES[kind], world, chooser)
        begun = clock()
        response = engine.run(query, Limits())
        response.render()
        times[kind].append(clock() - begun)
        remarks += response.remark is not None
        first_answer = first_answer or clock() - start
    counts = world.info.counts
    return Growth(
        objects=counts["nodes"] + counts["ways"] + counts["relations"],
        opening_s=opened - start,
        first_answer_s=first_answer,
        medians_s={kind: statistics.median(values) for kind, values in times.items() if values},
        slowest_s={kind: max(values) for kind, values in times.items() if values},
        remarks=remarks,
    )


def _filled(template: str, world: World, chooser: random.Random) -> str:
    row = chooser.randrange(len(world.nodes.ids))
    lat, lon = int(world.nodes.lat[row]) / E7, int(world.nodes.lon[row]) / E7
    box = f"{lat - HALF_HEIGHT:.5f},{lon - HALF_WIDTH:.5f},{lat + HALF_HEIGHT:.5f},{lon + HALF_WIDTH:.5f}"
    return template.format(box=box, lat=f"{lat:.5f}", lon=f"{lon:.5f}", id=int(world.nodes.ids[row]))
