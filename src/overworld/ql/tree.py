"""The typed, frozen syntax tree of an OverpassQL script.

Every statement and filter carries ``line``, the line that the engine names in an error about it. Set names are given
without the dot; the default set is ``_``. Numbers that the engine keeps as text (``Fixed``) stay text.
Source: Overpass API/Overpass QL on the OpenStreetMap wiki, and the behaviour of osm3s 0.7.62.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from overworld.core.boxes import Box

QueryType = Literal["node", "way", "relation", "nwr", "nw", "wr", "nr", "area", "derived", ""]
RecurseKind = Literal["w", "r", "bn", "bw", "br", ">", ">>", "<", "<<", "way_cnt", "way_link"]

# ---------------------------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Fixed:
    """A literal: numbers and quoted strings alike are text to the engine."""

    value: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Unary:
    """``!x`` or ``-x``."""

    op: Literal["!", "-"]
    operand: Expression
    line: int = 0


@dataclass(frozen=True, slots=True)
class Binary:
    """Two operands. ``op`` is one of ``|| && == != < <= > >= + - * /``."""

    op: str
    left: Expression
    right: Expression
    line: int = 0


@dataclass(frozen=True, slots=True)
class Ternary:
    """``condition ? yes : no``."""

    condition: Expression
    yes: Expression
    no: Expression
    line: int = 0


@dataclass(frozen=True, slots=True)
class TagValue:
    """``t[key]``: the value of a tag of the current element."""

    key: Expression
    line: int = 0


@dataclass(frozen=True, slots=True)
class GenericTag:
    """``::``: the value of the tag that is being set, in ``convert t ::=::``."""

    line: int = 0


@dataclass(frozen=True, slots=True)
class SetKey:
    """``set.key``: a property of a set, for instance ``_.val`` in ``for``."""

    set_name: str
    key: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Call:
    """A function: ``name(args)``. ``name`` is the QL name (``id``, ``type``, ``count_tags``, ``is_tag``, ``number``,
    ``geom``, ``lrs_in``, ``pt``, …). For ``is_tag``, ``count_members``, ``count_by_role`` and the like the plain
    arguments are ``Fixed``."""

    name: str
    args: tuple[Expression, ...]
    line: int = 0


@dataclass(frozen=True, slots=True)
class SetCall:
    """A function of a set: ``set.count(nodes)``, ``set.u(expr)``, ``min``, ``max``, ``sum``, ``set``, ``gcat``.

    ``set_name`` is ``_`` where the query names none. ``count`` has one ``Fixed`` argument (``nodes``, ``ways``, …)."""

    set_name: str
    name: str
    args: tuple[Expression, ...]
    line: int = 0


Expression = Fixed | Unary | Binary | Ternary | TagValue | GenericTag | SetKey | Call | SetCall


@dataclass(frozen=True, slots=True)
class Assignment:
    """One assignment in ``make`` or ``convert``.

    ``target``: ``tag`` (``key=expr``), ``all`` (``::=expr``: every tag not set otherwise), ``id`` (``::id=expr``),
    ``geometry`` (``::geom=expr``), ``copy`` (``set::=::`` or ``::=set::``: the tags of a set, given by ``set_name``).
    ``expression`` is None for a dropped key (``!key``).
    """

    target: Literal["tag", "all", "id", "geometry", "copy"]
    key: str
    expression: Expression | None
    set_name: str = ""
    line: int = 0


# ---------------------------------------------------------------------------------------------- filters


@dataclass(frozen=True, slots=True)
class TagFilter:
    """``[key]``, ``[key=value]``, ``[key~value,i]``, ``[~key~value]``, each also negated.

    ``op`` is ``has``, ``=`` or ``~``; ``[!key]`` is what the engine makes of it: ``[key!~".*"]``. ``[key!]``,
    ``[key~""]`` and ``[key!~""]`` ask for the key only, too; ``written`` then is the operator that the query has.
    """

    key: str
    op: Literal["has", "=", "~"]
    value: str = ""
    negated: bool = False
    key_is_regex: bool = False
    ignore_case: bool = False
    line: int = 0
    written: Literal["", "!", "~", "!~"] = ""


@dataclass(frozen=True, slots=True)
class SetFilter:
    """``node.set``: members of an input set (the engine's *item*)."""

    set_name: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class IdFilter:
    """``(1)`` or ``(id:1,2)``."""

    ids: tuple[int, ...]
    line: int = 0


@dataclass(frozen=True, slots=True)
class BoxFilter:
    """``(south,west,north,east)``."""

    box: Box
    line: int = 0


@dataclass(frozen=True, slots=True)
class AroundFilter:
    """``(around.set:radius)`` or ``(around:radius,lat,lon,…)``. ``points`` are (lat, lon) in degrees; with two or more
    they are a polyline. Empty ``points``: around the set ``set_name``."""

    radius_m: float
    points: tuple[tuple[float, float], ...] = ()
    set_name: str = "_"
    line: int = 0


@dataclass(frozen=True, slots=True)
class PolygonFilter:
    """``(poly:"lat lon …")``: (lat, lon) pairs in degrees."""

    points: tuple[tuple[float, float], ...]
    line: int = 0


@dataclass(frozen=True, slots=True)
class AreaFilter:
    """``(area.set)`` or ``(area:id)``: ``area_id`` is None for a set."""

    set_name: str = "_"
    area_id: int | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class PivotFilter:
    """``(pivot.set)``: the ways and relations that the areas of the set were made from."""

    set_name: str = "_"
    line: int = 0


@dataclass(frozen=True, slots=True)
class RecurseFilter:
    """``(w)``, ``(r)``, ``(bn)``, ``(bw)``, ``(br)``, ``(>)``, ``(>>)``, ``(<)``, ``(<<)``, ``(way_cnt:2-3)``,
    ``(way_link:2-)``.

    ``role`` restricts relation members to that role (``""`` is a role, None is no restriction). ``positions`` restricts
    to those positions (1-based, negative from the end). ``lower``/``upper`` bound ``way_cnt`` and ``way_link``.
    """

    kind: RecurseKind
    set_name: str = "_"
    role: str | None = None
    positions: tuple[int, ...] = ()
    lower: int | None = None
    upper: int | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class IfFilter:
    """``(if:expr)``."""

    condition: Expression
    line: int = 0


@dataclass(frozen=True, slots=True)
class HistoryFilter:
    """``(newer:…)``, ``(changed:…)``, ``(user:…)``, ``(uid:…)``: parsed, never evaluated. ``touched``:
    ``(user_touched:…)``, ``(uid_touched:…)``."""

    kind: Literal["newer", "changed", "user", "uid"]
    args: tuple[str, ...]
    line: int = 0
    touched: bool = False


Filter = (
    TagFilter
    | SetFilter
    | IdFilter
    | BoxFilter
    | AroundFilter
    | PolygonFilter
    | AreaFilter
    | PivotFilter
    | RecurseFilter
    | IfFilter
    | HistoryFilter
)

# ---------------------------------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Query:
    """``node[…](…)->.into``. ``filters`` are in the engine's order: input set, then tag filters, then the rest.

    ``standalone``: the one filter runs as a statement of its own (``node(1)``, ``way(around:…)``); the engine does not
    apply the global bounding box then.
    """

    type: QueryType
    filters: tuple[Filter, ...]
    into: str = "_"
    standalone: bool = False
    line: int = 0


@dataclass(frozen=True, slots=True)
class Item:
    """``.set;``: copy a set."""

    set_name: str
    into: str = "_"
    line: int = 0


@dataclass(frozen=True, slots=True)
class Recurse:
    """``>``, ``>>``, ``<``, ``<<`` as a statement."""

    direction: Literal[">", ">>", "<", "<<"]
    set_name: str = "_"
    into: str = "_"
    line: int = 0


@dataclass(frozen=True, slots=True)
class IsIn:
    """``is_in`` of the nodes of a set, or of a point (lat, lon in degrees; ``written`` as the query has them)."""

    point: tuple[float, float] | None = None
    set_name: str = "_"
    into: str = "_"
    line: int = 0
    written: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class MapToArea:
    """``map_to_area``."""

    set_name: str = "_"
    into: str = "_"
    line: int = 0


@dataclass(frozen=True, slots=True)
class Localize:
    """``local``: the engine's experimental local output (``l``, ``ll``, ``llb``). ``written``: the sides of the box
    as the query has them."""

    type: str
    box: Box | None
    set_name: str = "_"
    into: str = "_"
    line: int = 0
    written: tuple[str, str, str, str] = ("", "", "", "")


@dataclass(frozen=True, slots=True)
class Union:
    """``(a; b;)``."""

    statements: tuple[Statement, ...]
    into: str = "_"
    line: int = 0


@dataclass(frozen=True, slots=True)
class Difference:
    """``(a; - b;)``."""

    statements: tuple[Statement, ...]
    into: str = "_"
    line: int = 0


@dataclass(frozen=True, slots=True)
class Foreach:
    """``foreach.set->.into(…)``."""

    statements: tuple[Statement, ...]
    set_name: str = "_"
    into: str = "_"
    line: int = 0


@dataclass(frozen=True, slots=True)
class For:
    """``for.set->.into(expr)(…)``."""

    key: Expression
    statements: tuple[Statement, ...]
    set_name: str = "_"
    into: str = "_"
    line: int = 0


@dataclass(frozen=True, slots=True)
class If:
    """``if (expr) {…} else {…}``."""

    condition: Expression
    statements: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()
    line: int = 0


@dataclass(frozen=True, slots=True)
class Complete:
    """``complete(limit).set->.into {…}``. ``limit`` is at most 1,048,576; the engine's default is 4,096. ``written``:
    the limit as the query has it."""

    statements: tuple[Statement, ...]
    limit: int = 4096
    set_name: str = "_"
    into: str = "_"
    line: int = 0
    written: str = ""


@dataclass(frozen=True, slots=True)
class Make:
    """``make type key=expr,…``. ``names_set``: the query names an input set, which the engine refuses to run."""

    type: str
    assignments: tuple[Assignment, ...]
    set_name: str = "_"
    into: str = "_"
    line: int = 0
    names_set: bool = False


@dataclass(frozen=True, slots=True)
class Convert:
    """``convert type key=expr,…``. ``names_set``: the query names the input set, even if it is ``_``."""

    type: str
    assignments: tuple[Assignment, ...]
    set_name: str = "_"
    into: str = "_"
    line: int = 0
    names_set: bool = False


@dataclass(frozen=True, slots=True)
class Print:
    """``out``. ``limit`` None: no limit. ``box``: the clip box of ``out geom(s,w,n,e)``. ``written_limit``,
    ``written_box``: both as the query has them."""

    mode: Literal["ids_only", "skeleton", "body", "tags", "meta", "quirks", "count"] = "body"
    geometry: Literal["skeleton", "center", "bounds", "full"] = "skeleton"
    order: Literal["id", "quadtile"] = "id"
    ids: bool = True
    limit: int | None = None
    box: Box | None = None
    set_name: str = "_"
    line: int = 0
    written_limit: str = ""
    written_box: tuple[str, str, str, str] = ("", "", "", "")


@dataclass(frozen=True, slots=True)
class HistoryStatement:
    """``retro``, ``timeline``, ``compare``: parsed, never evaluated."""

    kind: Literal["retro", "timeline", "compare"]
    expression: Expression | None = None
    args: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()
    set_name: str = "_"
    into: str = "_"
    line: int = 0


Statement = (
    Query
    | Item
    | Recurse
    | IsIn
    | MapToArea
    | Localize
    | Union
    | Difference
    | Foreach
    | For
    | If
    | Complete
    | Make
    | Convert
    | Print
    | HistoryStatement
)

# ---------------------------------------------------------------------------------------------- script


@dataclass(frozen=True, slots=True)
class CsvFormat:
    """``[out:csv(fields;header;separator)]``: ``fields`` as written, ``::id`` style for properties."""

    fields: tuple[str, ...]
    header: bool = True
    separator: str = "\t"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings block. None: not set. ``maxsize`` in bytes. ``history`` names ``date``, ``diff`` or ``adiff`` if
    the script asks for one; ``output`` is ``xml``, ``json``, ``csv``, ``custom`` or ``popup``. ``written``: names and
    values as the XML form has them, by name."""

    output: str = "xml"
    csv: CsvFormat | None = None
    timeout_s: int | None = None
    maxsize: int | None = None
    box: Box | None = None
    history: tuple[str, ...] = ()
    written: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Script:
    """A whole query."""

    settings: Settings
    statements: tuple[Statement, ...] = field(default=())
