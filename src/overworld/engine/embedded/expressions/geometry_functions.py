"""Expressions that give geometries: ``geom``, ``center``, ``trace``, ``hull``, ``pt``, ``lstr``, ``poly``, ``gcat``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from overworld.engine.embedded.expressions.evaluator import Evaluator
from overworld.engine.embedded.expressions.values import double
from overworld.engine.embedded.geometries import (
    CompoundGeometry,
    Geometry,
    LineGeometry,
    NullGeometry,
    PointGeometry,
    Vertex,
)
from overworld.engine.embedded.hulls import hull
from overworld.engine.embedded.polygons import polygon
from overworld.engine.embedded.traces import trace
from overworld.ql.tree import Call, Expression, SetCall, Ternary

Geometries = list[Geometry | None]
CHECKED_EVERY: Final = 256
"""So many geometries are made before the clock is looked at."""


def geometries(evaluator: Evaluator, expression: Expression) -> Geometries | None:
    """The geometry of the expression for each element, None for no geometry; None for no value at all."""
    match expression:
        case Ternary():
            return _chosen(evaluator, expression)
        case SetCall(name="gcat"):
            known, whole = evaluator.scope.once(expression, lambda: _gathered(evaluator, expression))
            return [whole] * evaluator.count if known else None
        case Call(name="geom"):
            return [None] if evaluator.batch is None else list(evaluator.batch.geometries())
        case Call(name="pt"):
            return _points(evaluator, expression)
        case Call(name="lstr"):
            return [_line(parts) for parts in _parts(evaluator, expression)]
        case Call(name="poly"):
            return [_polygon(parts) for parts in _parts(evaluator, expression)]
        case Call(name="center" | "trace" | "hull"):
            found = geometries(evaluator, expression.args[0]) or [None] * evaluator.count
            return _mapped(evaluator, _FUNCTIONS[expression.name], found)
    return None


def _mapped(evaluator: Evaluator, function: Callable[[Geometry], Geometry], found: Geometries) -> Geometries:
    mapped: Geometries = []
    for one in found:
        if len(mapped) % CHECKED_EVERY == 0:
            evaluator.scope.context.check()
        mapped.append(None if one is None else function(one))
    return mapped


def _chosen(evaluator: Evaluator, expression: Ternary) -> Geometries:
    condition = evaluator.text(expression.condition).true(evaluator.count).tolist()
    nothing: Geometries = [None] * evaluator.count
    yes = geometries(evaluator, expression.yes) or nothing
    no = geometries(evaluator, expression.no) or nothing
    return [yes[place] if true else no[place] for place, true in enumerate(condition)]


def _gathered(evaluator: Evaluator, call: SetCall) -> tuple[bool, Geometry | None]:
    """``gcat``: everything that the expression gives for the elements of the set; whether it has a value at all."""
    scope = evaluator.scope
    elements = scope.find(call.set_name)
    if elements is None:
        return False, None
    members: list[Geometry] = []
    for batch in scope.batches(elements):
        scope.context.check()
        found = geometries(Evaluator(scope, batch, key=scope.key), call.args[0])
        if found is None:
            return False, None
        members += [one for one in found if one is not None]
    return True, CompoundGeometry(tuple(members)) if members else None


def _points(evaluator: Evaluator, call: Call) -> Geometries:
    lats = evaluator.text(call.args[0]).texts(evaluator.count)
    lons = evaluator.text(call.args[1]).texts(evaluator.count)
    return [_point(lat, lon) for lat, lon in zip(lats, lons, strict=True)]


def _point(lat_text: str, lon_text: str) -> Geometry:
    lat, lon = double(lat_text), double(lon_text)
    if lat is None or lon is None or not (-90 <= lat <= 90 and -180 <= lon <= 180):
        return NullGeometry()
    return PointGeometry(Vertex(lat, lon))


def _parts(evaluator: Evaluator, call: Call) -> list[list[Geometry]]:
    """The geometries that the arguments give, for each element."""
    given = [found for found in (geometries(evaluator, one) for one in call.args) if found is not None]
    parts: list[list[Geometry]] = []
    for place in range(evaluator.count):
        here = (found[place] for found in given)
        parts.append([one for one in here if one is not None])
    return parts


def _line(parts: Sequence[Geometry]) -> Geometry:
    return LineGeometry(tuple(part.center for part in parts if part.center is not None))


def _polygon(parts: Sequence[Geometry]) -> Geometry:
    return polygon([part.line for part in parts if part.line is not None])


def _center(geometry: Geometry) -> Geometry:
    return NullGeometry() if geometry.center is None else PointGeometry(geometry.center)


_FUNCTIONS: Final[dict[str, Callable[[Geometry], Geometry]]] = {"center": _center, "trace": trace, "hull": hull}
