"""Text of a world's coordinates and tags, made when first needed and kept: writing an answer is joining of pieces.

One per engine. Deterministic, and only ever added to, so that several threads may share it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from overworld.core.boxes import E7
from overworld.engine.embedded.elementgeometry import positions
from overworld.engine.embedded.sets import Rows
from overworld.world.store import Tagged, World

Objects = npt.NDArray[np.object_]

KEPT_COORDINATES = 1_000_000
"""Worlds with more nodes than this do not keep the text of their coordinates."""


class WorldText:
    """Text of one world in one output format. ``escape`` makes a string safe for the format, ``pair`` writes a tag."""

    def __init__(self, world: World, escape: Callable[[str], str], pair: Callable[[str, str], str]) -> None:
        self.world = world
        self.escape = escape
        self._pair = pair

    @cached_property
    def _pairs(self) -> list[str | None]:
        return [None] * len(self.world.tags.pair_keys)

    @cached_property
    def _roles(self) -> list[str | None]:
        return [None] * len(self.world.relations.roles)

    def tag_lists(self, tagged: Tagged, rows: Rows) -> list[list[str]]:
        """The written tags of each of ``rows``, in the order of their keys."""
        bounds, places = positions(tagged.tags.offsets, rows)
        if len(places) == 0:
            return [[]] * len(rows)
        known, make = self._pairs, self._make_pair
        texts = [known[pair] or make(pair) for pair in tagged.tags.values[places].tolist()]
        cuts = bounds.tolist()
        return [texts[start:end] for start, end in pairwise(cuts)]

    def roles(self, roles: npt.NDArray[np.uint32]) -> list[str]:
        """Escaped roles."""
        known, make = self._roles, self._make_role
        # The commonest role is the empty one, which must not count as lacking.
        return [make(role) if (text := known[role]) is None else text for role in roles.tolist()]

    def _make_pair(self, pair: int) -> str:
        tags = self.world.tags
        key, value = int(tags.pair_keys[pair]), int(tags.pair_values[pair])
        text = self._pair(self.escape(tags.keys[key]), self.escape(tags.values[value]))
        self._pairs[pair] = text
        return text

    def _make_role(self, role: int) -> str:
        text = self.escape(self.world.relations.roles[role])
        self._roles[role] = text
        return text


class Coordinates:
    """Decimal text of the coordinates of nodes, 7 digits after the point."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._kept = len(world.nodes.ids) <= KEPT_COORDINATES

    @cached_property
    def _texts(self) -> tuple[Objects, Objects, npt.NDArray[np.bool_]]:
        count = len(self.world.nodes.ids)
        return (
            np.full(count, "", dtype=object),
            np.full(count, "", dtype=object),
            np.zeros(count, dtype=bool),
        )

    def of(self, rows: Rows) -> tuple[list[str], list[str]]:
        """Latitudes and longitudes of node rows (none negative)."""
        nodes = self.world.nodes
        if not self._kept:
            return decimals(nodes.lat[rows]), decimals(nodes.lon[rows])
        lat, lon, made = self._texts
        lacking = rows[~made[rows]]
        if len(lacking):
            lat[lacking] = decimals(nodes.lat[lacking])
            lon[lacking] = decimals(nodes.lon[lacking])
            made[lacking] = True
        return lat[rows].tolist(), lon[rows].tolist()


def decimals(values_e7: npt.NDArray[np.integer[Any]]) -> list[str]:
    """Degrees with 7 digits of numbers in 1e-7 degree: ``437310770`` becomes ``43.7310770``."""
    return [f"{value:.7f}" for value in (values_e7 / E7).tolist()]


def degrees(value: float) -> str:
    """Degrees as the engine writes them."""
    return f"{value:.7f}"


def slices(items: Sequence[str], offsets: npt.NDArray[np.int64]) -> list[Sequence[str]]:
    """``items`` cut at ``offsets``."""
    cuts = offsets.tolist()
    return [items[start:end] for start, end in pairwise(cuts)]


def way_references(world: World, places: npt.NDArray[np.int64]) -> list[str]:
    """Node ids at ``places`` of the ways' table of nodes, also of nodes that the world lacks."""
    rows = world.ways.nodes.values[places].astype(np.int64)
    ids = np.empty(len(rows), dtype=np.int64)
    absent = rows < 0
    ids[~absent] = world.nodes.ids[rows[~absent]]
    ids[absent] = world.ways.missing[-1 - rows[absent]]
    return [str(one) for one in ids.tolist()]
