"""What a query answers: the tagged objects that it printed, or a count. Computed here and nowhere else."""

from __future__ import annotations

import numpy as np

from overworld.core.elements import AREA_OF_RELATION_OFFSET, AREA_OF_WAY_OFFSET, ElementType, ObjectId
from overworld.core.records import Answer
from overworld.engine.protocol import Printed, Response
from overworld.grade.worlds import GradedWorld, Ids

OBJECT_TYPES = (ElementType.NODE, ElementType.WAY, ElementType.RELATION)


def answer_of(response: Response, world: GradedWorld) -> Answer:
    """Reduce what was printed to an answer.

    An object is tagged if the world says so, whatever the out mode shows of it. Areas count as the relation or way they
    were made from. Derived elements do not count. The count is the total over all ``out count``, None without one.
    """
    listed = [printed for printed in response.printed if printed.counts is None]
    counted = [printed.counts["total"] for printed in response.printed if printed.counts is not None]
    objects = (
        ObjectId(kind, one) for kind in OBJECT_TYPES for one in world.tagged(kind, _ids_of(listed, kind)).tolist()
    )
    return Answer(frozenset(objects), sum(counted) if counted else None)


def printed_only_counts(response: Response) -> bool:
    """Whether at least one ``out count`` ran, and no other ``out``."""
    return bool(response.printed) and all(printed.counts is not None for printed in response.printed)


def number_of(answer: Answer) -> int:
    """What an answer says to a count task: its count, or the number of its objects where it has none."""
    return len(answer.objects) if answer.count is None else answer.count


def _ids_of(listed: list[Printed], kind: ElementType) -> Ids:
    """The ids of one type in all that was listed, areas mapped back."""
    parts = [np.empty(0, dtype=np.int64)]
    for printed in listed:
        areas = printed.ids[printed.types == ElementType.AREA]
        parts.append(printed.ids[printed.types == kind])
        if kind is ElementType.RELATION:
            parts.append(areas[areas >= AREA_OF_RELATION_OFFSET] - AREA_OF_RELATION_OFFSET)
        elif kind is ElementType.WAY:
            of_ways = (areas >= AREA_OF_WAY_OFFSET) & (areas < AREA_OF_RELATION_OFFSET)
            parts.append(areas[of_ways] - AREA_OF_WAY_OFFSET)
    return np.concatenate(parts)
