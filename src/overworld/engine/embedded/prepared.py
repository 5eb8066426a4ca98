"""What queries derive from a world and use again: areas cut into tiles, objects by quadtile index.

Everything here follows from the world alone, so that sharing it between runs changes nothing but their speed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar

from overworld.world.store import World

T = TypeVar("T")

KEPT = 4096
"""How many derived things are kept before the one that was used longest ago is dropped."""


class Prepared:
    """A bounded cache of one engine, for any number of threads. Values must be treated as immutable."""

    def __init__(self, world: World, kept: int = KEPT) -> None:
        self.world = world
        self._kept = kept
        self._values: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, derive: Callable[[World], T]) -> T:
        """The value of ``key``, derived now if it is not there."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                known: T = self._values[key]
                return known
        value = derive(self.world)
        with self._lock:
            self._values[key] = value
            while len(self._values) > self._kept:
                self._values.popitem(last=False)
        return value
