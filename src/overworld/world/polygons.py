"""Areas as bags of border segments: points inside them, and whether a point is inside.

Segments are int32 (m, 4): lat, lon, lat, lon in 1e-7 degree, in any order and direction; rings of any nesting. What is
enclosed an odd number of times is inside. Nothing here crosses the 180th meridian.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from overworld.world.store import I32

Floats = npt.NDArray[np.float64]


def contains(ends: I32, lat: float, lon: float) -> bool:
    """Whether the point (1e-7 degree) is inside; on the border either answer may come."""
    return bool(np.count_nonzero(_crossings(ends, lat) < lon) % 2)


def interior_point(ends: I32) -> tuple[float, float] | None:
    """A point (lat, lon in 1e-7 degree) well inside: the middle of the widest stretch at half height, or near it.

    None where the segments enclose nothing.
    """
    south = min(int(ends[:, 0].min()), int(ends[:, 2].min())) if len(ends) else 0
    north = max(int(ends[:, 0].max()), int(ends[:, 2].max())) if len(ends) else 0
    for share in (0.5, 0.4, 0.6, 0.25, 0.75):
        # Half a unit off any vertex: no line of latitude touches a corner.
        lat = int(south + share * (north - south)) + 0.5
        stretches = _crossings(ends, lat)
        if len(stretches) >= 2:
            widths = stretches[1::2] - stretches[: len(stretches) // 2 * 2 : 2]
            widest = int(np.argmax(widths))
            return lat, float(stretches[2 * widest] + widths[widest] / 2)
    return None


def _crossings(ends: I32, lat: float) -> Floats:
    """Longitudes, sorted, where the border crosses a line of latitude (lower end included, upper end not)."""
    one, two = ends[:, 0], ends[:, 2]
    crossing = (one <= lat) != (two <= lat)
    lat_1, lon_1, lat_2, lon_2 = ends[crossing].astype(np.float64).T
    longitudes: Floats = np.sort(lon_1 + (lat - lat_1) / (lat_2 - lat_1) * (lon_2 - lon_1))
    return longitudes
