"""What every answer says of itself."""

from __future__ import annotations

from dataclasses import dataclass

from overworld import __version__

ENGINE_VERSION = "0.7.62"
"""The version of the Overpass API whose behaviour is reproduced."""
COPYRIGHT = "The data included in this document is from www.openstreetmap.org. The data is made available under ODbL."


@dataclass(frozen=True, slots=True)
class Head:
    """``osm_base``: time of the data, empty where unknown. ``areas_base``: the same, None where no areas were used."""

    osm_base: str
    areas_base: str | None

    @property
    def generator(self) -> str:
        """Who made the answer: readers of the real engine's name find it, and see that it is not the real engine."""
        return f"Overpass API {ENGINE_VERSION} (overworld {__version__})"
