"""Reading of OpenStreetMap files (.osm.pbf, .osm.bz2, .osm.gz, .osm, .opl) into map objects, without metadata.

Only ids, places, refs, members, roles and tags are taken over: users, uids, changesets, versions and timestamps are
never read into memory.
"""

from __future__ import annotations

from pathlib import Path

import osmium

from overworld.core.elements import ElementType
from overworld.core.errors import CorruptFileError, InputError
from overworld.world.objects import NOWHERE_LAT_E7, NOWHERE_LON_E7, MapObjects, ObjectCollector

SUFFIXES = (".osm.pbf", ".pbf", ".osm.bz2", ".osm.gz", ".osm", ".opl")
MEMBER_TYPES = {"n": int(ElementType.NODE), "w": int(ElementType.WAY), "r": int(ElementType.RELATION)}


def read_objects(path: Path) -> MapObjects:
    """The objects of the file at ``path``; deleted ones are left out.

    Raises ``InputError`` where there is no such file or its format is not known, ``CorruptFileError`` where it is
    damaged or cut off.
    """
    if not path.name.endswith(SUFFIXES):
        raise InputError(f"format not known by its name (one of {', '.join(SUFFIXES)})", path=path)
    if not path.is_file():
        raise InputError("no such file", path=path)
    collector = ObjectCollector()
    try:
        _collect(osmium.FileProcessor(str(path)), collector)
    except (RuntimeError, UnicodeDecodeError) as error:
        raise CorruptFileError(
            f"not a whole OpenStreetMap file: {error}", path=path, remedy="fetch the file again"
        ) from error
    return collector.objects()


def _collect(source: osmium.FileProcessor, collector: ObjectCollector) -> None:
    """One loop over all objects, written flat: it runs once for each of millions."""
    nodes, ways = collector.nodes, collector.ways
    pair_numbers = collector.pair_numbers
    lat_e7, lon_e7, refs = collector.lat_e7, collector.lon_e7, collector.refs
    for thing in source:
        if isinstance(thing, osmium.osm.Node):
            if thing.deleted:
                continue
            lists = nodes
            place = thing.location
            if place.valid():
                lat_e7.append(place.y)
                lon_e7.append(place.x)
            else:
                lat_e7.append(NOWHERE_LAT_E7)
                lon_e7.append(NOWHERE_LON_E7)
        elif isinstance(thing, osmium.osm.Way):
            if thing.deleted:
                continue
            lists = ways
            found = [ref.ref for ref in thing.nodes]
            refs += found
            collector.ref_counts.append(len(found))
        elif isinstance(thing, osmium.osm.Relation):
            if thing.deleted:
                continue
            lists = collector.relations
            members = [(one.ref, MEMBER_TYPES[one.type], collector.role(one.role)) for one in thing.members]
            collector.members += [member[0] for member in members]
            collector.member_types += [member[1] for member in members]
            collector.member_roles += [member[2] for member in members]
            collector.member_counts.append(len(members))
        else:
            continue
        lists.ids.append(thing.id)
        tags = thing.tags
        if tags:
            numbers = [pair_numbers.setdefault((key, value), len(pair_numbers)) for key, value in tags]
            lists.tags += numbers
            lists.tag_counts.append(len(numbers))
        else:
            lists.tag_counts.append(0)
