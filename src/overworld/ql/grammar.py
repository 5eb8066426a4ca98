"""The language in tables: what OverpassQL is made of, word by word.

Whoever wants to know which statements, filters, functions, operators and settings there are (the parser, the printers,
graders that compare queries, makers of mutants) looks here. Source: Overpass API/Overpass QL on the OpenStreetMap wiki,
checked against osm3s 0.7.62.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal

# ---------------------------------------------------------------------------------------------- statements

QUERY_TYPES: Final = frozenset({"node", "way", "relation", "nwr", "nw", "wr", "nr", "derived", "area"})
"""Types of a query statement; ``rel`` is short for ``relation``."""

BLOCK_STATEMENTS: Final = frozenset({"(", "for", "foreach", "complete", "if", "retro"})
"""First words of the statements that hold other statements (``compare`` may hold some, too)."""

RECURSE_TYPES: Final = {">": "down", ">>": "down-rel", "<": "up", "<<": "up-rel"}
"""The recurse statements and their names in the XML form."""

MAX_NESTING: Final = 1023
DEFAULT_LOOP_LIMIT: Final = 4096
MAX_LOOP_LIMIT: Final = 1_048_576

OUT_MODES: Final = {
    "ids": "ids_only",
    "tags": "tags",
    "skel": "skeleton",
    "body": "body",
    "meta": "meta",
    "quirks": "quirks",
    "count": "count",
}
OUT_GEOMETRIES: Final = {"geom": "full", "bb": "bounds", "center": "center"}
OUT_ORDERS: Final = {"qt": "quadtile", "asc": "id"}
LOCALIZE_TYPES: Final = frozenset({"l", "ll", "llb"})

# ---------------------------------------------------------------------------------------------- settings

OUTPUT_FORMATS: Final = frozenset({"xml", "json", "csv", "custom", "popup"})
SETTINGS: Final = {"maxsize": "element-limit", "out": "output", "diff": "from", "adiff": "from"}
"""Settings whose name in the XML form differs."""

SETTING_ATTRIBUTES: Final = frozenset(
    {"bbox", "timeout", "element-limit", "output", "output-config", "date", "from", "augmented"}
)
DEFAULT_TIMEOUT_S: Final = 180
DEFAULT_MAXSIZE: Final = 536_870_912
SIZE_SUFFIXES: Final = {"ki": 2**10, "Mi": 2**20, "Gi": 2**30, "k": 10**3, "M": 10**6, "G": 10**9}

# ---------------------------------------------------------------------------------------------- filters

RECURSE_FILTERS: Final = frozenset({"w", "r", "bn", "bw", "br", "way_cnt", "way_link"})
CLOSURE_FILTERS: Final = frozenset(RECURSE_TYPES)
USER_FILTERS: Final = frozenset({"user", "uid", "user_touched", "uid_touched"})

RECURSE_RESULTS: Final = {
    "r": {
        "node": "relation-node",
        "way": "relation-way",
        "relation": "relation-relation",
        "nwr": "relation-nwr",
        "nw": "relation-nw",
        "wr": "relation-wr",
        "nr": "relation-nr",
    },
    "w": {"node": "way-node"},
    "way_link": {"node": "way-link"},
    "way_cnt": {"node": "way-count"},
    "br": {"relation": "relation-backwards"},
    "bw": {"relation": "way-relation"},
    "bn": {"way": "node-way", "relation": "node-relation", "wr": "node-wr"},
}
"""Recurse filter → type of the query → name in the XML form."""

RECURSE_PRODUCTS: Final = {
    "r": "nodes, ways, or relations",
    "w": "nodes",
    "way_link": "nodes",
    "way_cnt": "nodes",
    "br": "relations",
    "bw": "relations",
    "bn": "ways or relations",
}

STANDALONE: Final = {
    "around": frozenset({"node"}),
    "bbox": frozenset({"node"}),
    "pivot": frozenset({"node"}),
    "poly": frozenset({"node"}),
    "id": frozenset({"node", "way", "relation"}),
}
"""Filters that are a statement of their own when they are the only filter, and for which query types. A recurse filter
is one for every type but ``nwr``."""

# ---------------------------------------------------------------------------------------------- expressions

OPERATOR_PRIORITY: Final = {
    ",": 1,
    "=": 2,
    "?": 3,
    ":": 4,
    "||": 5,
    "&&": 6,
    "==": 7,
    "!=": 7,
    "<": 8,
    "<=": 8,
    ">": 8,
    ">=": 8,
    "+": 10,
    "-": 10,
    "*": 11,
    "/": 11,
    "%": 11,
    ".": 12,
    "->": 12,
    "!": 13,
    "::": 15,
}
"""Weak to strong. ``%`` and ``->`` have a priority, but no meaning in an expression."""

UNARY_PRIORITY: Final = 13
SUBTRACTION_PRIORITY: Final = 10

BINARY_OPERATORS: Final = {
    "||": "eval-or",
    "&&": "eval-and",
    "==": "eval-equal",
    "!=": "eval-not-equal",
    "<": "eval-less",
    "<=": "eval-less-equal",
    ">": "eval-greater",
    ">=": "eval-greater-equal",
    "+": "eval-plus",
    "-": "eval-minus",
    "*": "eval-times",
    "/": "eval-divided-by",
}
UNARY_OPERATORS: Final = {"!": "eval-not", "-": "eval-negate"}

ReturnType = Literal["string", "container", "geometry"]


class Context(Enum):
    """Where an expression stands, which decides what it may ask."""

    MAKE = "an assignment of make"
    CONVERT = "an assignment of convert"
    VALUE = "a value without an element"
    ELEMENT = "a value of an element"
    MEMBER = "a value of a member of an element"


VALUE_CONTEXTS: Final = frozenset({Context.VALUE, Context.ELEMENT, Context.MEMBER})
ELEMENT_CONTEXTS: Final = frozenset({Context.ELEMENT, Context.MEMBER})


class Arguments(Enum):
    """What a function wants between its parentheses."""

    NONE = "nothing"
    ONE = "one expression"
    TWO = "two expressions"
    SOME = "one or more expressions"
    KEY = "a literal key"
    ROLE = "a literal role and optionally a member type"
    MEMBER_TYPE = "optionally a member type"
    OBJECT_TYPE = "a type of objects"


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the language.

    ``needs``: the context it must stand in (None: any). ``argument``: the return type its arguments must have.
    ``of_set``: it may be called as ``set.name(…)``. ``argument_context``: the context of its argument, if not its own.
    """

    element: str
    arguments: Arguments = Arguments.NONE
    needs: Context | None = None
    returns: ReturnType = "string"
    argument: ReturnType = "string"
    of_set: bool = False
    argument_context: Context | None = None


def _of_element(element: str, returns: ReturnType = "string") -> Function:
    return Function(element, needs=Context.ELEMENT, returns=returns)


def _of_member(element: str) -> Function:
    return Function(element, needs=Context.MEMBER)


def _per_member(element: str) -> Function:
    return Function(element, Arguments.ONE, Context.ELEMENT, argument_context=Context.MEMBER)


def _count_of_element(arguments: Arguments) -> Function:
    return Function("eval-prop-count", arguments, Context.ELEMENT)


def _of_string(element: str, arguments: Arguments = Arguments.ONE) -> Function:
    return Function(element, arguments)


def _of_geometry(element: str, arguments: Arguments = Arguments.ONE, argument: ReturnType = "geometry") -> Function:
    return Function(element, arguments, returns="geometry", argument=argument)


def _aggregate(element: str, kind: ReturnType = "string") -> Function:
    return Function(element, Arguments.ONE, returns=kind, argument=kind, of_set=True, argument_context=Context.ELEMENT)


FUNCTIONS: Final = {
    "id": _of_element("eval-id"),
    "type": _of_element("eval-type"),
    "keys": _of_element("eval-all-keys", "container"),
    "version": _of_element("eval-version"),
    "timestamp": _of_element("eval-timestamp"),
    "changeset": _of_element("eval-changeset"),
    "uid": _of_element("eval-uid"),
    "user": _of_element("eval-user"),
    "is_closed": _of_element("eval-is-closed"),
    "geom": _of_element("eval-geometry", "geometry"),
    "length": _of_element("eval-length"),
    "lat": _of_element("eval-lat"),
    "lon": _of_element("eval-lon"),
    "is_tag": Function("eval-is-tag", Arguments.KEY, Context.ELEMENT),
    "count_tags": _count_of_element(Arguments.NONE),
    "count_members": _count_of_element(Arguments.MEMBER_TYPE),
    "count_distinct_members": _count_of_element(Arguments.MEMBER_TYPE),
    "count_by_role": _count_of_element(Arguments.ROLE),
    "count_distinct_by_role": _count_of_element(Arguments.ROLE),
    "per_member": _per_member("eval-per-member"),
    "per_vertex": _per_member("eval-per-vertex"),
    "pos": _of_member("eval-pos"),
    "mtype": _of_member("eval-membertype"),
    "ref": _of_member("eval-ref"),
    "role": _of_member("eval-role"),
    "angle": _of_member("eval-angle"),
    "number": _of_string("eval-number"),
    "is_number": _of_string("eval-is-number"),
    "suffix": _of_string("eval-suffix"),
    "abs": _of_string("eval-abs"),
    "date": _of_string("eval-date"),
    "is_date": _of_string("eval-is-date"),
    "lrs_in": _of_string("eval-lrs-in", Arguments.TWO),
    "lrs_isect": _of_string("eval-lrs-isect", Arguments.TWO),
    "lrs_union": _of_string("eval-lrs-union", Arguments.TWO),
    "lrs_max": _of_string("eval-lrs-max"),
    "lrs_min": _of_string("eval-lrs-min"),
    "center": _of_geometry("eval-center"),
    "trace": _of_geometry("eval-trace"),
    "hull": _of_geometry("eval-hull"),
    "pt": _of_geometry("eval-point", Arguments.TWO, "string"),
    "lstr": _of_geometry("eval-linestring", Arguments.SOME),
    "poly": _of_geometry("eval-polygon", Arguments.SOME),
    "u": _aggregate("eval-union"),
    "set": _aggregate("eval-set"),
    "min": _aggregate("eval-min"),
    "max": _aggregate("eval-umax"),
    "sum": _aggregate("eval-sum"),
    "gcat": _aggregate("eval-geom-concat", "geometry"),
    "count": Function("eval-set-count", Arguments.OBJECT_TYPE, of_set=True),
}

COUNTED_OBJECTS: Final = ("nodes", "ways", "relations", "deriveds", "nwr", "nw", "wr", "nr")
MEMBER_TYPES: Final = ("nodes", "ways", "relations", "rels")
