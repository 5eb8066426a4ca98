"""The checklist's fixed words: families, constructs, difficulties, frequency bands, splits, decisions of a review."""

from __future__ import annotations

from enum import StrEnum


class Family(StrEnum):
    """What a task tests. The eleven families."""

    TAG_GROUNDING = "tag-grounding"
    """Which tags stand for the words of the request."""
    ELEMENT_TYPES = "element-types"
    """A feature counts whatever its element type, unless the request names a geometry."""
    AREAS = "areas"
    """Areas and place names."""
    MAP_VIEW = "map-view"
    PROXIMITY = "proximity"
    RELATIONS = "relations"
    """Relations and roles."""
    NEGATION = "negation"
    """Negation and absence."""
    NAMES = "names"
    """Names and text."""
    COUNTING = "counting"
    RECURSION = "recursion"
    """Recursion and geometry."""
    JUDGMENT = "judgment"
    """Judgment calls."""


class Construct(StrEnum):
    """A construct of the query language that a task needs."""

    TAG_FILTER = "tag-filter"
    KEY_FILTER = "key-filter"
    REGEX = "regex"
    NEGATED_FILTER = "negated-filter"
    ELEMENT_TYPE = "element-type"
    AREA = "area"
    BBOX = "bbox"
    AROUND = "around"
    POLYGON = "polygon"
    ID = "id"
    UNION = "union"
    DIFFERENCE = "difference"
    INTERSECTION = "intersection"
    SETS = "sets"
    RECURSE_DOWN = "recurse-down"
    RECURSE_UP = "recurse-up"
    ROLE = "role"
    IS_IN = "is-in"
    PIVOT = "pivot"
    CONDITION = "condition"
    """An ``if:`` filter."""
    LOOP = "loop"
    COUNT = "count"


class Difficulty(StrEnum):
    """How many steps a careful mapper needs."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class Frequency(StrEnum):
    """How many objects of the task's world have the task's rarest tag."""

    RARE = "rare"
    """Fewer than 10."""
    UNCOMMON = "uncommon"
    """10 to 99."""
    COMMON = "common"
    """100 and more."""

    @classmethod
    def of_count(cls, count: int) -> Frequency:
        """The band of a number of objects."""
        return cls.RARE if count < 10 else cls.UNCOMMON if count < 100 else cls.COMMON


class Split(StrEnum):
    """``dev`` tasks may be shown whole; of ``test`` tasks only what a model gets is published."""

    DEV = "dev"
    TEST = "test"


class Decision(StrEnum):
    """What a review decided."""

    ACCEPT = "accept"
    FIX_READING = "fix-reading"
    ADD_READING = "add-reading"
    REWORD = "reword"
    DROP = "drop"
