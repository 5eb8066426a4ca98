"""``angle()``: how much a way turns at a node, in degrees, clockwise positive."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from overworld.engine.embedded.expressions.batches import Batch, MemberTable
from overworld.engine.embedded.expressions.columns import Column, column_of, constant
from overworld.engine.embedded.expressions.measures import RADIANS
from overworld.engine.embedded.expressions.values import NOT_A_NUMBER, fixed_text
from overworld.engine.embedded.geometries import Vertex

Vector = tuple[float, float, float]

CENTRE_OF_EARTH: Final[Vector] = (0.0, 0.0, 0.0)
TOO_SHORT: Final = 1e-10


def angles(batch: Batch, members: MemberTable) -> Column:
    """The angle at each member; empty at the ends of open ways and for what is no way."""
    if batch.types.values[0] != "way":
        return constant("")
    closed = batch.closed().true(batch.count).tolist()
    lines = [[_vector(point) for point in geometry.vertices] for geometry in batch.geometries()]
    pairs = zip(members.owner.tolist(), members.position.tolist(), strict=True)
    return column_of([_angle(lines[owner], position, closed=closed[owner]) for owner, position in pairs])


def _vector(point: Vertex | None) -> Vector:
    if point is None:
        return CENTRE_OF_EARTH
    lat, lon = point.lat * RADIANS, point.lon * RADIANS
    cosine = math.cos(lat)
    return (math.sin(lat), cosine * math.sin(lon), cosine * math.cos(lon))


def _angle(line: Sequence[Vector], position: int, *, closed: bool) -> str:
    at_end = position + 1 >= len(line)
    if position == 0 or position >= len(line) or (at_end and not closed):
        return ""
    before, here, after = line[position - 1], line[position], line[1 if at_end else position + 1]
    incoming, outgoing = _cross(here, before), _cross(after, here)
    lengths = _length(incoming), _length(outgoing)
    if min(lengths) < TOO_SHORT:
        return NOT_A_NUMBER
    product = _dot(incoming, outgoing) / lengths[0] / lengths[1]
    if abs(product) > 1:
        return "0.000"
    turn = _dot((here[0] - before[0], here[1] - before[1], here[2] - before[2]), outgoing)
    return fixed_text(math.copysign(math.acos(product) / math.acos(0) * 90.0, turn), 3)


def _cross(a: Vector, b: Vector) -> Vector:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _length(a: Vector) -> float:
    return math.sqrt(_dot(a, a))
