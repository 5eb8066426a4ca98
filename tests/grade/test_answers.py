"""What a query answers: tagged objects only, areas mapped back, counts added up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from overworld.core.elements import ElementType, ObjectId
from overworld.grade.answers import answer_of, number_of, printed_only_counts
from overworld.grade.worlds import GradedTask

CASES: list[tuple[str, list[Any], str, int | None]] = [
    ("nothing printed", [], "", None),
    ("objects of all types", ["n1 w10 r20"], "node/1 way/10 relation/20", None),
    ("untagged objects do not count", ["n1 n4 n101 n102"], "node/1", None),
    ("objects that the world lacks do not count", ["n1 n999 w1 r1"], "node/1", None),
    ("repeats and order do not matter", ["n2 n1 n2", "n1"], "node/1 node/2", None),
    ("several outs are one answer", ["n1", "w10", ""], "node/1 way/10", None),
    ("a relation's area is the relation", ["a3600000020"], "relation/20", None),
    ("a way's area is the way", ["a2400000010"], "way/10", None),
    ("an area and its relation are one object", ["r20 a3600000020"], "relation/20", None),
    ("an area of nothing", ["a3600000999 a2400000999"], "", None),
    ("an id that is no area's", ["a5"], "", None),
    ("a count", [3], "", 3),
    ("counts are added up", [3, 4], "", 7),
    ("a count of none", [0], "", 0),
    ("objects and a count", ["n1 n2", 5], "node/1 node/2", 5),
]


def ids(answer: Any) -> str:
    return " ".join(str(one) for one in sorted(answer.objects))


@pytest.mark.parametrize(("outs", "objects", "count"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
@pytest.mark.parametrize("mode", ["ids_only", "skeleton", "body"])
def test_answer(
    bench: Callable[..., GradedTask],
    listed_: Callable[..., Any],
    counted_: Callable[..., Any],
    outs: Sequence[str | int],
    objects: str,
    count: int | None,
    mode: str,
) -> None:
    printed = [listed_(out, mode) if isinstance(out, str) else counted_(out) for out in outs]
    task = bench({"q": printed})
    response: Any = task.real.engine.run("q", None)  # type: ignore[arg-type]
    answer = answer_of(response, task.real)
    assert (ids(answer), answer.count) == (objects, count)
    assert printed_only_counts(response) == (bool(outs) and all(isinstance(out, int) for out in outs))
    assert number_of(answer) == (len(objects.split()) if count is None else count)


def test_derived_elements_do_not_count(bench: Callable[..., GradedTask], listed_: Callable[..., Any]) -> None:
    task = bench({"q": [listed_("n1", derived=4)]})
    response: Any = task.real.engine.run("q", None)  # type: ignore[arg-type]
    assert ids(answer_of(response, task.real)) == "node/1"
    assert not printed_only_counts(response)


def test_tags_of_an_object(bench: Callable[..., GradedTask]) -> None:
    world = bench({}).real
    assert world.tags(ObjectId(ElementType.NODE, 1)) == {"amenity": "cafe", "name": "One"}
    assert world.tags(ObjectId(ElementType.NODE, 4)) == {}
    assert world.tags(ObjectId(ElementType.WAY, 4)) == {}
