"""``is_in``: the areas and closed ways that cover a point or the nodes of a set, borders included.

Source: Overpass API/Overpass QL, "Query for areas (is_in)".
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from overworld.engine.embedded.context import Context
from overworld.engine.embedded.elementgeometry import LAT_OFFSET_E7
from overworld.engine.embedded.sets import EMPTY, ElementSet, Rows
from overworld.engine.embedded.spatial.areas import area_border, area_boxes
from overworld.engine.embedded.spatial.borders import point_states
from overworld.engine.embedded.spatial.coverage import ways_covering
from overworld.engine.embedded.spatial.joins import Boxes, overlapping_pairs
from overworld.ql.tree import IsIn
from overworld.world.store import World

I64 = npt.NDArray[np.int64]


def evaluate_is_in(context: Context, statement: IsIn) -> None:
    """Put what covers the point, or any node of the set."""
    context.enter("coord-query", statement.line)
    lat, lon = _points(context, statement)
    ways = ways_covering(context, lat, lon, of_set=statement.point is None)
    context.put(statement.into, ElementSet(ways=ways, areas=_areas(context, lat, lon)))


def _points(context: Context, statement: IsIn) -> tuple[I64, I64]:
    """The points in 1e-7 degree."""
    if statement.point is None:
        nodes, rows = context.world.nodes, context.get(statement.set_name).nodes
        return nodes.lat[rows].astype(np.int64), nodes.lon[rows].astype(np.int64)
    lat, lon = statement.point
    units = int((lat + 91.0) * 10_000_000 + 0.5) - LAT_OFFSET_E7, int(lon * 10_000_000 + (0.5 if lon > 0 else -0.5))
    return np.array(units[:1], dtype=np.int64), np.array(units[1:], dtype=np.int64)


def _areas(context: Context, lat: I64, lon: I64) -> Rows:
    """The areas of relations. Nodes of a set at the same place cancel each other out in the engine's count."""
    places, times = np.unique(np.column_stack((lat, lon)), axis=0, return_counts=True)
    lat, lon, counted = places[:, 0], places[:, 1], times % 2 == 1
    found = []
    for row, points in _by_area(context.world, lat, lon):
        states = point_states(area_border(context, row).line, lat[points] + LAT_OFFSET_E7, lon[points])
        if (states.on_border | (states.toggled & counted[points])).any():
            found.append(row)
    return np.array(found, dtype=np.int32) if found else EMPTY


def _by_area(world: World, lat: I64, lon: I64) -> list[tuple[int, I64]]:
    """The areas whose box holds some points, and these points."""
    boxes = area_boxes(world)
    points = Boxes(*(side.astype(np.float64) for side in (lat, lon, lat, lon)))
    areas, held = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for area, point in overlapping_pairs(boxes, points):
        areas.append(area)
        held.append(point)
    area, point = np.concatenate(areas), np.concatenate(held)
    return [(int(row), point[area == row]) for row in np.unique(area)]
