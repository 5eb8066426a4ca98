"""What a task's programs must be graded, and what is said where they are not."""

from __future__ import annotations

from overworld.core.records import VerdictKind
from overworld.tasks.validation import expectations, validate


def test_expectations_in_the_order_of_the_file(task):
    found = [(one.what, one.verdict.value, one.query) for one in expectations(task)]
    assert found == [
        ("reading benches", "pass", "nwr[amenity=bench]"),
        ("reading seats", "pass", 'nwr[amenity~"^bench$"]'),
        ("rewrite 1", "pass", "(node[amenity=bench];way[amenity=bench];)"),
        ("mutant 1", "wrong_witness", "node[amenity=bench]"),
    ]


def test_a_good_task_has_no_failures(task):
    verdicts = {one.query: one.verdict for one in expectations(task)}
    assert validate(task, lambda _, query: verdicts[query]) == []


def test_failures_say_what_was_expected_and_what_came(task):
    verdicts = {task.rewrites[0].query: None, task.mutants[0].query: VerdictKind.PASS}
    failures = validate(task, lambda _, query: verdicts.get(query, VerdictKind.PASS))
    assert [str(one) for one in failures] == [
        "task benches, rewrite 1: expected pass, got no verdict (nodes and ways apart)",
        "task benches, mutant 1: expected wrong_witness, got pass (nodes only)",
    ]
