"""From spatial filters to the regions that they select."""

from __future__ import annotations

from overworld.engine.embedded.context import Context
from overworld.engine.embedded.spatial.areas import AreaRegion
from overworld.engine.embedded.spatial.around import AroundRegion
from overworld.engine.embedded.spatial.boxes import BoxRegion
from overworld.engine.embedded.spatial.polygons import PolygonRegion
from overworld.engine.embedded.spatial.shapes import Region
from overworld.ql.tree import AreaFilter, AroundFilter, BoxFilter, PolygonFilter


def region_of(context: Context, wanted: BoxFilter | AroundFilter | PolygonFilter | AreaFilter) -> Region:
    """The region that a filter selects."""
    if isinstance(wanted, BoxFilter):
        return BoxRegion(context.world, context.prepared, wanted.box)
    if isinstance(wanted, AroundFilter):
        return AroundRegion(context, wanted)
    if isinstance(wanted, PolygonFilter):
        return PolygonRegion(context, wanted)
    return AreaRegion(context, wanted)
