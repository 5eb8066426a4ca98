"""``trace``: the points and lines of a geometry, each once, with lines split where they meet."""

from __future__ import annotations

from collections import Counter

from overworld.engine.embedded.geometries import CompoundGeometry, Geometry, LineGeometry, PointGeometry, Vertex

Line = tuple[Vertex, ...]


def collect(geometry: Geometry, points: list[Vertex], lines: list[Line]) -> None:
    """Add the points and lines of a geometry and its components; rings count as lines."""
    if geometry.components is not None:
        for component in geometry.components:
            collect(component, points, lines)
    elif geometry.line is not None:
        lines.append(geometry.line)
    elif geometry.rings is not None:
        lines += geometry.rings
    elif geometry.center is not None:
        points.append(geometry.center)


def trace(geometry: Geometry) -> Geometry:
    """A collection of the points, sorted, and of the stretches of lines between vertices that occur more than once."""
    points: list[Vertex] = []
    lines: list[Line] = []
    collect(geometry, points, lines)
    lines = [line for line in lines if line]
    points = sorted(set(points))
    uses = Counter(points)
    for line in lines:
        uses.update((line[0], line[0], line[-1], line[-1], *line[1:-1]))
    stretches: dict[Line, Line] = {}
    for line in lines:
        for stretch in _split(line, uses):
            stretches.setdefault(min(stretch, stretch[::-1], key=_ends), stretch)
    return CompoundGeometry((*map(PointGeometry, points), *map(LineGeometry, stretches.values())))


def _ends(line: Line) -> tuple[Vertex, Vertex]:
    return line[0], line[-1]


def _split(line: Line, uses: Counter[Vertex]) -> list[Line]:
    """The stretches between vertices that are used more than once. A line of one vertex becomes one of two."""
    stretches: list[Line] = []
    stretch = [line[0]]
    for vertex in line[1:-1]:
        stretch.append(vertex)
        if uses[vertex] > 1:
            stretches.append(tuple(stretch))
            stretch = [vertex]
    return [*stretches, (*stretch, line[-1])]
