"""The numbers of a run, and their document."""

from __future__ import annotations

import json

import pytest

from overworld.core.records import VerdictKind
from overworld.engine.protocol import EngineIdentity, Limits
from overworld.score.document import document, rendered
from overworld.score.provenance import Provenance, engines_of
from overworld.score.repeats import pass_at_k, pass_hat_k, repeated
from overworld.score.samples import Sample, TaskFacts
from overworld.score.scores import Scores, score_run

KINDS = {
    "p": VerdictKind.PASS,
    "n": VerdictKind.NO_QUERY,
    "w": VerdictKind.WRONG_WITNESS,
    "r": VerdictKind.WRONG_REAL,
    "u": None,
}


def facts(name: str, intent: str | None = None, pair: str | None = None, family: str = "areas") -> TaskFacts:
    return TaskFacts(name, intent or name, pair, "monaco", "dev", family, "easy", "rare", ("area", "union"))


def scores_of(tasks: list[TaskFacts], **verdicts: str) -> Scores:
    """Scores of samples given as one letter an epoch: ``a="pw"``."""
    samples = [
        Sample(task, epoch, KINDS[letter], real_pass=letter in "pw")
        for task, letters in verdicts.items()
        for epoch, letter in enumerate(letters, start=1)
    ]
    return score_run(samples, {task.id: task for task in tasks}, seed=1, draws=500)


FOUR = [facts("a", "x", "pair"), facts("b", "x", "pair"), facts("c"), facts("d", family="names")]


def test_accuracy_real_and_inflation() -> None:
    scores = scores_of(FOUR, a="p", b="w", c="w", d="n")
    assert scores.accuracy and scores.real_world_only and scores.inflation
    assert scores.accuracy.share == 0.25
    assert scores.real_world_only.share == 0.75
    assert scores.inflation.value == 0.5
    assert (scores.accuracy.tasks, scores.accuracy.intents) == (4, 3)
    assert scores.inflation.bootstrap.low <= 0.5 <= scores.inflation.bootstrap.high


def test_epochs_are_averaged_within_a_task() -> None:
    # Four epochs of one task weigh as much as one of the other.
    scores = scores_of(FOUR, a="pppr", c="n")
    assert scores.accuracy is not None
    assert scores.accuracy.share == pytest.approx((0.75 + 0) / 2)
    assert scores.accuracy.tasks == 2
    assert (scores.epochs, scores.samples) == (4, 5)


def test_unscored_samples_are_in_no_share_and_are_named() -> None:
    scores = scores_of(FOUR, a="pu", c="u", d="n")
    assert scores.accuracy is not None
    assert scores.accuracy.share == 0.5
    assert scores.unscored == (("a", 2), ("c", 1))
    assert scores.samples == 4
    assert scores.tasks_without_sample == ("b",)


def test_nothing_scored() -> None:
    scores = scores_of(FOUR, a="u")
    assert (scores.accuracy, scores.real_world_only, scores.inflation, scores.pair_consistency) == (None,) * 4
    assert scores.verdicts[0].share is None


@pytest.mark.parametrize(
    ("first", "second", "share"),
    [("p", "p", 1.0), ("p", "r", 0.0), ("pp", "pr", 0.5), ("pu", "pp", 1.0), ("ppr", "rpp", 1 / 3)],
)
def test_pair_consistency(first: str, second: str, share: float) -> None:
    scores = scores_of(FOUR, a=first, b=second, c="n")
    assert scores.pair_consistency is not None
    assert scores.pair_consistency.share == pytest.approx(share)
    assert scores.pair_consistency.tasks == 1


@pytest.mark.parametrize("verdicts", [{"a": "p"}, {"c": "p", "d": "p"}, {"a": "p", "b": "u"}])
def test_no_whole_pair(verdicts: dict[str, str]) -> None:
    assert scores_of(FOUR, **verdicts).pair_consistency is None


def test_under_five_samples_no_share() -> None:
    scores = scores_of(FOUR, a="pp", b="pr", c="p", d="pppp")
    families = {group.name: group for group in scores.breakdowns["family"]}
    assert (families["areas"].samples, families["areas"].tasks, families["areas"].share) == (
        5,
        3,
        pytest.approx(2.5 / 3),
    )
    assert families["areas"].interval is not None
    assert (families["names"].samples, families["names"].share, families["names"].interval) == (4, None, None)


def test_a_task_counts_for_each_of_its_constructs() -> None:
    scores = scores_of(FOUR, a="p", c="n")
    assert [(group.name, group.samples) for group in scores.breakdowns["construct"]] == [("area", 2), ("union", 2)]


def test_verdict_counts() -> None:
    scores = scores_of(FOUR, a="pp", b="w", c="w", d="n")
    counts = {group.name: group.samples for group in scores.verdicts}
    assert counts == {**dict.fromkeys(VerdictKind, 0), "pass": 2, "wrong_witness": 2, "no_query": 1}
    by_name = {group.name: group for group in scores.verdicts}
    assert by_name["wrong_witness"].share == 0.5
    assert sum(group.share or 0 for group in scores.verdicts) == pytest.approx(1)


def test_pass_at_k() -> None:
    # Of 4 samples 2 pass: 1 - C(2,2)/C(4,2) = 5/6 and C(2,2)/C(4,2) = 1/6.
    assert pass_at_k(2, 4, 2) == pytest.approx(5 / 6)
    assert pass_hat_k(2, 4, 2) == pytest.approx(1 / 6)
    assert repeated([(2, 4), (0, 2)]) == [(1, 0.25, 0.25), (2, pytest.approx(5 / 12), pytest.approx(1 / 12))]
    assert repeated([]) == []


def test_document_is_the_same_bytes_and_holds_its_provenance() -> None:
    def text() -> str:
        identities = [EngineIdentity("embedded", "1", "w2"), EngineIdentity("embedded", "1", "w1")]
        provenance = Provenance(
            package_version="0.1",
            source_revision=None,
            tasks={"b": "2", "a": "1"},
            gold={"a": "3"},
            run_file="4",
            prompt=None,
            worlds={"monaco": "5"},
            engines=engines_of(identities),
            limits=Limits(9.0, 10),
            bootstrap_seed=1,
            bootstrap_draws=500,
            interval_method="m",
            unscored=1,
            canary="c",
        )
        return rendered(document({"name": "r"}, scores_of(FOUR, a="pu", b="w", c="p", d="nnn"), provenance))

    first = text()
    assert first == text()
    content = json.loads(first)
    assert content["canary"] == "c"
    assert content["provenance"]["engines"] == [{"name": "embedded", "version": "1", "image": None}]
    assert content["counts"]["unscored_samples"] == [{"task": "a", "epoch": 2}]
    assert content["accuracy"]["share"] == 0.5
    assert content["provenance"]["limits"] == {"timeout_s": 9.0, "memory_bytes": 10}
    assert list(content["provenance"]["tasks"]) == ["a", "b"]
