"""What a grading leaves behind: ``scores.json`` and ``verdicts.jsonl``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from overworld.core.files import write_atomically
from overworld.grade.verdicts import Difference, Listing, Verdict
from overworld.runs.grading import GradedRun, GradedSample
from overworld.runs.places import ResultPaths
from overworld.score.document import document, rendered


def score_document(graded: GradedRun) -> dict[str, Any]:
    """The content of ``scores.json``."""
    facts = graded.run.facts.model_dump(exclude_defaults=True)
    return document(facts, graded.scores, graded.provenance)


def verdict_row(sample: GradedSample) -> dict[str, Any]:
    """One line of ``verdicts.jsonl``. What does not apply is left out; ``verdict`` is null for an unscored sample."""
    verdict = sample.verdict
    row = {
        "task": sample.task,
        "epoch": sample.epoch,
        "verdict": None if verdict.kind is None else verdict.kind.value,
        "message": verdict.message,
        "real_pass": verdict.real_pass,
        "world": verdict.world,
        "world_why": verdict.world_why,
        "caught_by": _caught_by(verdict),
        "reading": verdict.reading,
        "difference": None if verdict.difference is None else _difference(verdict.difference),
        "query": verdict.query,
    }
    return {name: value for name, value in row.items() if name == "verdict" or (value is not None and value != [])}


def write_results(graded: GradedRun, paths: ResultPaths) -> None:
    """Write both files, each atomically."""
    header = {"verdicts": {"run": graded.run.facts.name, "canary": graded.provenance.canary}}
    lines: list[Mapping[str, Any]] = [header, *(verdict_row(sample) for sample in graded.samples)]
    write_atomically(paths.verdicts, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    write_atomically(paths.scores, rendered(score_document(graded)))


def _caught_by(verdict: Verdict) -> list[dict[str, Any]]:
    return [
        {"what": one.what, "object": str(one.object)} | ({} if one.why is None else {"why": one.why})
        for one in verdict.caught_by
    ]


def _difference(difference: Difference) -> dict[str, Any]:
    row: dict[str, Any] = {"reading": difference.reading}
    if difference.expected is not None:
        row |= {"expected": difference.expected, "got": difference.got}
    for name, listing in (("missing", difference.missing), ("extra", difference.extra)):
        if listing is not None:
            row[name] = _listing(listing)
    return row


def _listing(listing: Listing) -> dict[str, Any]:
    return {
        "total": listing.total,
        "shown": [{"id": str(one.object), "tags": dict(sorted(one.tags.items()))} for one in listing.shown],
    }
