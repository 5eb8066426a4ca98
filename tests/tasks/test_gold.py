"""What is compared of an answer, and what a message shows of it."""

from __future__ import annotations

import pytest

from overworld.core.elements import ObjectId
from overworld.core.errors import CheckError
from overworld.core.records import Answer, AnswerType
from overworld.tasks.gold import check_gold, value_of

OBJECTS = frozenset(ObjectId.parse(f"node/{i}") for i in range(1, 9))

VALUES = {
    "objects": (Answer(OBJECTS, None), AnswerType.OBJECTS, OBJECTS),
    "objects-beside-a-count": (Answer(OBJECTS, 3), AnswerType.OBJECTS, OBJECTS),
    "count": (Answer(frozenset(), 3), AnswerType.COUNT, 3),
    "count-beside-objects": (Answer(OBJECTS, 3), AnswerType.COUNT, 3),
    "count-of-zero": (Answer(OBJECTS, 0), AnswerType.COUNT, 0),
    "objects-where-a-count-is-asked-for": (Answer(OBJECTS, None), AnswerType.COUNT, 8),
}


@pytest.mark.parametrize(("answer", "kind", "value"), VALUES.values(), ids=VALUES.keys())
def test_value(answer, kind, value):
    assert value_of(answer, kind) == value


def test_readings_may_differ_on_the_real_world(task, real):
    check_gold(task, real, {"benches": Answer(OBJECTS), "seats": Answer(frozenset(list(OBJECTS)[:2]))}, None)


def test_gold_of_the_real_world_is_not_empty(task, real):
    with pytest.raises(CheckError, match="task benches, world small: reading seats finds nothing"):
        check_gold(task, real, {"benches": Answer(OBJECTS), "seats": Answer(frozenset())}, None)


def test_a_message_shows_a_few_of_many(task, real):
    with pytest.raises(
        CheckError, match="only the first finds node/1, node/2, node/3, node/4, node/5 and 3 more, only"
    ):
        answers = {"benches": Answer(OBJECTS), "seats": Answer(frozenset({ObjectId.parse("way/1")}))}
        check_gold(task, real, answers, task.witness.worlds[0])
