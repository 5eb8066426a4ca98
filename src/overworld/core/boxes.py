"""Coordinates as int32 in units of 1e-7 degree, and bounding boxes."""

from __future__ import annotations

from typing import NamedTuple

E7 = 10_000_000


def to_e7(degrees: float) -> int:
    """Degrees to units of 1e-7 degree, rounded half away from zero."""
    return int(degrees * E7 + (0.5 if degrees >= 0 else -0.5))


class Box(NamedTuple):
    """A bounding box in degrees, in Overpass order. ``west > east`` crosses the 180th meridian."""

    south: float
    west: float
    north: float
    east: float

    def __str__(self) -> str:
        return ",".join(f"{value:.7f}".rstrip("0").rstrip(".") for value in self)
