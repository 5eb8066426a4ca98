"""``scores.json``: scores and provenance as a JSON document, the same bytes for the same input on every machine."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from overworld.score.intervals import CONFIDENCE, Interval
from overworld.score.provenance import Provenance
from overworld.score.scores import Gap, Group, Proportion, Scores

FORMAT = 1
DIGITS = 6
"""Shares are rounded to this many digits: the last bits of a sum differ between machines."""


def document(run: Mapping[str, Any], scores: Scores, provenance: Provenance) -> dict[str, Any]:
    """The whole score file. ``run``: the facts that the run file gives of itself."""
    return {
        "canary": provenance.canary,
        "format": FORMAT,
        "run": dict(run),
        "confidence": CONFIDENCE,
        "counts": {
            "tasks": scores.tasks,
            "epochs": scores.epochs,
            "samples": scores.samples,
            "scored": scores.samples - len(scores.unscored),
            "unscored": len(scores.unscored),
            "tasks_without_sample": list(scores.tasks_without_sample),
            "unscored_samples": [{"task": task, "epoch": epoch} for task, epoch in scores.unscored],
        },
        "accuracy": _proportion(scores.accuracy),
        "real_world_only_accuracy": _proportion(scores.real_world_only),
        "inflation": _gap(scores.inflation),
        "pair_consistency": _proportion(scores.pair_consistency, "pairs"),
        "pass_k": [{"k": k, "pass_at_k": _rounded(at), "pass_hat_k": _rounded(hat)} for k, at, hat in scores.pass_k],
        "verdicts": _groups(scores.verdicts),
        "breakdowns": {way: _groups(groups) for way, groups in scores.breakdowns.items()},
        "provenance": _provenance(provenance),
    }


def rendered(content: Mapping[str, Any]) -> str:
    """The document as text, indented, in the order it was made."""
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _rounded(value: float) -> float:
    # Adding 0.0 turns a negative zero into zero.
    return round(value, DIGITS) + 0.0


def _interval(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [_rounded(interval.low), _rounded(interval.high)]


def _proportion(value: Proportion | None, unit: str = "tasks") -> dict[str, Any] | None:
    if value is None:
        return None
    return {
        "share": _rounded(value.share),
        "interval": _interval(value.wilson.interval),
        "bootstrap_interval": _interval(value.bootstrap),
        unit: value.tasks,
        "intents": value.intents,
        "n_effective": _rounded(value.wilson.n_effective),
        "design_effect": _rounded(value.wilson.design_effect),
    }


def _gap(value: Gap | None) -> dict[str, Any] | None:
    return None if value is None else {"value": _rounded(value.value), "bootstrap_interval": _interval(value.bootstrap)}


def _groups(groups: Sequence[Group]) -> dict[str, Any]:
    return {
        group.name: {
            "samples": group.samples,
            "tasks": group.tasks,
            "share": None if group.share is None else _rounded(group.share),
            "interval": _interval(group.interval),
        }
        for group in groups
    }


def _provenance(provenance: Provenance) -> dict[str, Any]:
    return {
        "package_version": provenance.package_version,
        "source_revision": provenance.source_revision,
        "run_file": provenance.run_file,
        "prompt": provenance.prompt,
        "tasks": dict(sorted(provenance.tasks.items())),
        "gold": dict(sorted(provenance.gold.items())),
        "worlds": dict(sorted(provenance.worlds.items())),
        "engines": [{"name": name, "version": version, "image": image} for name, version, image in provenance.engines],
        "limits": {"timeout_s": provenance.limits.timeout_s, "memory_bytes": provenance.limits.memory_bytes},
        "bootstrap": {"seed": provenance.bootstrap_seed, "draws": provenance.bootstrap_draws},
        "interval_method": provenance.interval_method,
        "unscored": provenance.unscored,
        "canary": provenance.canary,
    }
