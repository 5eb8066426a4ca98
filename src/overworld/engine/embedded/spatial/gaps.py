"""Where the engine looks for ways; and those that it keeps a geometry of although nodes are missing.

Their box does not tell where they reach, since a missing vertex lies at a place of its own, far away. The engine takes
such a way into account only where a segment between two of its index tiles comes near.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from overworld.core.elements import ElementType
from overworld.engine.embedded.elementgeometry import LAT_OFFSET_E7, keeps_geometry
from overworld.engine.embedded.prepared import Prepared
from overworld.engine.embedded.recursion import parents
from overworld.engine.embedded.sets import EMPTY, Mask, Rows
from overworld.engine.embedded.spatial.joins import Boxes, overlapping_pairs
from overworld.engine.embedded.spatial.shapes import shapes_of
from overworld.engine.embedded.spatial.squares import squares
from overworld.world.quads import COMPOUND, WHOLE_WORLD, common_quads, node_quads
from overworld.world.store import U32, World

I64 = npt.NDArray[np.int64]
TILE = 1 << 16


def ways_with_gaps(world: World) -> Rows:
    """All such ways of a world; usually there are none or few."""
    incomplete = np.flatnonzero(world.ways.complete == 0).astype(np.int32)
    return incomplete[keeps_geometry(world, incomplete)] if len(incomplete) else EMPTY


def gapped_near(prepared: Prepared, find_places: Callable[[], Boxes]) -> Rows:
    """Those of them that the engine looks at for the boxes that ``find_places`` gives (asked if there are such ways).

    Boxes are in 1e-7 degree, latitudes from the equator.
    """
    rows = prepared.get("ways with gaps", ways_with_gaps)
    if len(rows) == 0:
        return EMPTY
    filed = prepared.get("squares of ways with gaps", lambda world: FiledWays.of(world, rows))
    near: Rows = rows[filed.read_for(find_places())]
    return near


def ways_read(world: World, rows: Rows, places: Boxes) -> Mask:
    """Which ways the engine looks at for these boxes."""
    return FiledWays.of(world, rows).read_for(places)


@dataclass(frozen=True)
class FiledWays:
    """The index squares that ways are filed in, in tiles.

    Of a way that keeps a geometry, the squares of more than 4 by 4 tiles that its segments are filed in count, too:
    ``segments``, with the position of each one's way in ``owners``.
    """

    squares: Boxes
    everywhere: Mask
    keeps_geometry: Mask
    owners: I64
    segments: Boxes

    @classmethod
    def of(cls, world: World, rows: Rows) -> FiledWays:
        """The squares of ``rows``."""
        quads = world.ways.quad[rows]
        kept = keeps_geometry(world, rows)
        places = np.flatnonzero(kept)
        shapes = shapes_of(world, rows[places])
        starts = shapes.segment_starts()
        nodes = node_quads(shapes.lat_e7.astype(np.int32), shapes.lon_e7.astype(np.int32))
        pairs = np.column_stack((nodes[starts], nodes[starts + 1])).ravel()
        filed = common_quads(pairs, np.arange(0, len(pairs) + 1, 2))
        chosen = np.flatnonzero(((filed & np.uint32(COMPOUND)) != 0) & (filed != WHOLE_WORLD))
        owners = places[shapes.owners()[starts[chosen]]]
        return cls(_square_boxes(quads), quads == WHOLE_WORLD, kept, owners, _square_boxes(filed[chosen]))

    def read_for(self, places: Boxes) -> Mask:
        """Which of the ways the engine looks at for these boxes: those filed in a square that shares a tile with one.

        Of a way that keeps a geometry, a segment between two tiles must be filed in such a square, too.
        """
        tiles = Boxes(
            np.floor((places.south + LAT_OFFSET_E7) / TILE),
            np.floor(places.west / TILE) + TILE // 2,
            np.floor((places.north + LAT_OFFSET_E7) / TILE),
            np.floor(places.east / TILE) + TILE // 2,
        )
        read = _sharing(self.squares, tiles) | self.everywhere
        near = np.zeros(len(read), dtype=bool)
        near[self.owners[_sharing(self.segments, tiles)]] = True
        return read & (near | ~self.keeps_geometry)


def _square_boxes(quads: U32) -> Boxes:
    lat, lon, reach = (side.astype(np.float64) for side in squares(quads))
    return Boxes(lat, lon, lat + reach, lon + reach)


def _sharing(filed: Boxes, tiles: Boxes) -> Mask:
    """Which of the filed squares share a tile with some of ``tiles``."""
    found = np.zeros(len(filed.south), dtype=bool)
    for first, _ in overlapping_pairs(filed, tiles):
        found[first] = True
    return found


def parents_of_gapped(world: World, prepared: Prepared) -> Rows:
    """The relations that have such a way as a member: their box does not tell where they reach either."""
    return parents(world, ElementType.WAY, prepared.get("ways with gaps", ways_with_gaps))


def squares_of(quads: U32) -> Boxes:
    """The squares of quadtile indices as boxes (1e-7 degree, latitudes from the equator)."""
    lat, lon, reach = squares(quads)
    whole = quads == WHOLE_WORLD
    lat, lon, reach = np.where(whole, 0, lat), np.where(whole, 0, lon), np.where(whole, TILE, reach)
    south, west = lat * TILE - LAT_OFFSET_E7, (lon - TILE // 2) * TILE
    size = (reach + 1) * TILE - 1
    return Boxes(*(side.astype(np.float64) for side in (south, west, south + size, west + size)))


def grown_to_tiles(places: Boxes) -> Boxes:
    """Boxes (1e-7 degree, latitudes from the equator) grown to whole index tiles."""
    south = np.floor((places.south + LAT_OFFSET_E7) / TILE) * TILE - LAT_OFFSET_E7
    north = np.floor((places.north + LAT_OFFSET_E7) / TILE + 1) * TILE - LAT_OFFSET_E7 - 1
    return Boxes(south, np.floor(places.west / TILE) * TILE, north, np.floor(places.east / TILE + 1) * TILE - 1)
