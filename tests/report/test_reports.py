"""Tables and pages: what a reader must be told is there, and nothing in a reply becomes markup."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console, RenderableType

from overworld.core.elements import ObjectId
from overworld.core.records import VerdictKind
from overworld.engine.protocol import Limits
from overworld.grade.verdicts import CaughtBy, Difference, Listing, TaggedObject, Verdict
from overworld.report.page import report_page
from overworld.report.tables import explanation, score_table, verdict_table
from overworld.report.wording import reasons
from overworld.runs.grading import GradedRun, GradedSample
from overworld.runs.runfile import Run, RunFacts
from overworld.score.provenance import Provenance
from overworld.score.samples import Sample, TaskFacts
from overworld.score.scores import score_run

CAFE = TaggedObject(ObjectId.parse("node/1"), {"name": "<Zoé & Co>", "amenity": "cafe"})
WRONG = Verdict(
    VerdictKind.WRONG_WITNESS,
    "right on the real world, wrong on a witness world",
    query='node["a"="<b>"];\nout;',
    world="cafes-w1",
    real_pass=True,
    difference=Difference("gold", Listing(0, ()), Listing(25, (CAFE,)), expected=2, got=27),
    caught_by=(CaughtBy("probe closed-cafe", ObjectId.parse("node/1"), "a cafe that is no more"),),
    world_why="a query that forgets what is disused",
)


def graded(name: str = "mine", **verdicts: Verdict) -> GradedRun:
    """A run with one sample a task."""
    facts = {task: TaskFacts(task, task, None, "monaco", "dev", "areas", "easy", "rare", ("area",)) for task in "abc"}
    samples = tuple(GradedSample(task, 1, verdict) for task, verdict in verdicts.items())
    rows = [Sample(one.task, 1, one.verdict.kind, one.verdict.real_pass) for one in samples]
    provenance = Provenance(
        package_version="0.1",
        source_revision=None,
        tasks={"a": "1" * 64},
        gold={"a": None},
        run_file="2" * 64,
        prompt=None,
        worlds={"monaco": "3" * 64},
        engines=(("embedded", "1", "sha256:4"),),
        limits=Limits(9.0, 10),
        bootstrap_seed=1,
        bootstrap_draws=100,
        interval_method="method",
        unscored=0,
        canary="the-canary",
    )
    run = Run(RunFacts(name=name), (), Path("run.jsonl"), "2" * 64)
    return GradedRun(run, samples, score_run(rows, facts, seed=1, draws=100), provenance)


def text_of(content: RenderableType, width: int = 160) -> str:
    screen = Console(file=io.StringIO(), width=width, force_terminal=False)
    screen.print(content)
    return screen.file.getvalue()  # type: ignore[attr-defined, no-any-return]


PASS = Verdict(VerdictKind.PASS, "equals reading gold on every world", reading="gold", real_pass=True)
GONE = Verdict(None, "container gone", world="monaco")


def test_score_table_tells_shares_intervals_and_verdicts() -> None:
    text = text_of(score_table([graded(a=PASS, b=WRONG, c=WRONG)], 160))
    assert "0.333 [" in text
    assert "1.000 [" in text
    assert "+0.667" in text
    assert "pass 1, wrong_witness 2" in text


def test_narrow_score_table_leaves_intervals_out() -> None:
    text = text_of(score_table([graded(a=PASS, b=WRONG, c=WRONG)], 80), 80)
    assert "0.333" in text
    assert "[" not in text


def test_unscored_samples_and_tasks_left_out_are_said() -> None:
    run = graded(a=PASS, b=GONE)
    for text in (text_of(score_table([run], 160)), report_page(run)):
        assert "mine: 1 of 2 samples unscored (engine trouble): b (epoch 1)" in text
        assert "mine: no sample for 1 of the tasks: c" in text


def test_a_run_without_any_score() -> None:
    text = text_of(score_table([graded(a=GONE)], 160))
    assert "unscored 1" in text
    assert "–" in text


def test_names_are_no_markup() -> None:
    run = graded("[red]<b>x</b>", a=WRONG)
    assert "[red]<b>x</b>" in text_of(score_table([run], 160))
    page = report_page(run)
    assert "<b>x</b>" not in page
    assert "&lt;b&gt;x" in page
    assert "&lt;Zoé &amp; Co&gt;" in page
    assert '<b>"' not in page


def test_reasons_are_complete() -> None:
    assert reasons(WRONG) == [
        "right on the real world, wrong on a witness world",
        "decided by world cafes-w1, which catches a query that forgets what is disused",
        "caught by probe closed-cafe (node/1): a cafe that is no more",
        "nearest reading: gold",
        "expected 2, got 27",
        "too much: 25: node/1 (amenity=cafe, name=<Zoé & Co>); and 24 more",
    ]


@pytest.mark.parametrize("make", [verdict_table, lambda run: explanation(run.samples[0])])
def test_single_samples(make: object) -> None:
    text = text_of(make(graded(a=WRONG)))  # type: ignore[operator]
    assert "wrong_witness" in text
    assert "right on the real world" in text


def test_page_loads_nothing_and_names_its_provenance() -> None:
    page = report_page(graded(a=PASS, b=WRONG, c=GONE))
    assert "default-src 'none'" in page
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "")
    for word in ("the-canary", "1" * 64, "2" * 64, "3" * 64, "seed 1, 100 draws", "image sha256:4", "OpenStreetMap"):
        assert word in page
