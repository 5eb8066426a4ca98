"""A run's report as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from overworld.report import wording
from overworld.report.tables import notes
from overworld.runs.grading import GradedRun, GradedSample
from overworld.score.scores import Group, Scores

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; }
th, td { text-align: left; padding: .25rem .9rem .25rem 0; border-bottom: 1px solid #ddd; vertical-align: top; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
pre { background: #f5f5f5; padding: .6rem; overflow-x: auto; max-height: 20rem; }
summary { cursor: pointer; } .pass { color: #14692f; } .fail { color: #a11919; } .unscored, .note { color: #8a5a00; }
"""
_CSP = "default-src 'none'; style-src 'unsafe-inline'"


def report_page(graded: GradedRun) -> str:
    """The page: headline, breakdowns, every sample with its verdict and why, provenance. No script, nothing loaded."""
    name = escape(graded.run.facts.name)
    parts = [
        f"<h1>{name}</h1>",
        _facts(graded),
        *(f'<p class="note">{escape(note)}</p>' for note in notes(graded)),
        "<h2>Scores</h2>",
        _headline(graded.scores),
        "<h2>Verdicts</h2>",
        _groups("verdict", graded.scores.verdicts),
        "<h2>Samples</h2>",
        *map(_sample, graded.samples),
        "<h2>Accuracy by kind of task</h2>",
        *(_groups(way, groups) for way, groups in graded.scores.breakdowns.items()),
        "<h2>What this rests on</h2>",
        _provenance(graded),
    ]
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{_CSP}">'
        f'<meta name="viewport" content="width=device-width"><title>{name}: report</title><style>{_STYLE}</style>'
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n' + "\n".join(parts) + "\n</body></html>\n"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>"


def _facts(graded: GradedRun) -> str:
    facts = graded.run.facts.model_dump(exclude_defaults=True)
    return _table(("fact", "value"), [(key, str(value)) for key, value in facts.items() if key != "name"])


def _headline(scores: Scores) -> str:
    rows = []
    for name, value in (
        ("accuracy", scores.accuracy),
        ("real-world-only accuracy", scores.real_world_only),
        ("pair consistency", scores.pair_consistency),
    ):
        bootstrap = wording.interval(None if value is None else value.bootstrap)
        number = wording.share(None if value is None else value.share)
        interval = wording.interval(None if value is None else value.wilson.interval)
        rows.append((name, number, interval, bootstrap, wording.NOTHING if value is None else str(value.tasks)))
    gap = scores.inflation
    bootstrap = wording.interval(None if gap is None else gap.bootstrap)
    rows.insert(2, ("inflation", wording.gap(gap), wording.NOTHING, bootstrap, wording.NOTHING))
    return _table(("", "share", "95 % interval (cluster Wilson-t)", "bootstrap interval", "tasks or pairs"), rows)


def _groups(way: str, groups: Iterable[Group]) -> str:
    rows = [
        (group.name, str(group.samples), wording.share(group.share), wording.interval(group.interval))
        for group in groups
    ]
    return _table((way, "samples", "share", "95 % interval"), rows)


def _sample(sample: GradedSample) -> str:
    verdict = sample.verdict
    name = wording.verdict_name(verdict)
    colour = name if name in ("pass", wording.UNSCORED) else "fail"
    reasons = "".join(f"<li>{escape(reason)}</li>" for reason in wording.reasons(verdict))
    query = "" if verdict.query is None else f"<pre>{escape(verdict.query)}</pre>"
    return (
        f'<details><summary>{escape(sample.task)}, epoch {sample.epoch}: <b class="{colour}">{name}</b></summary>'
        f"<ul>{reasons}</ul>{query}</details>"
    )


def _provenance(graded: GradedRun) -> str:
    one = graded.provenance
    rows = [
        ("package", f"overworld {one.package_version}"),
        ("source revision", one.source_revision or wording.NOTHING),
        ("run file", f"sha256 {one.run_file}"),
        ("limits", f"{one.limits.timeout_s:g} s, {one.limits.memory_bytes} bytes"),
        ("bootstrap", f"seed {one.bootstrap_seed}, {one.bootstrap_draws} draws"),
        ("intervals", one.interval_method),
        *(
            (f"engine {name}", f"{version}{'' if image is None else f', image {image}'}")
            for name, version, image in one.engines
        ),
        *((f"world {name}", content) for name, content in sorted(one.worlds.items())),
        *((f"task {name}", content) for name, content in sorted(one.tasks.items())),
        *((f"gold answers of {name}", content or wording.NOTHING) for name, content in sorted(one.gold.items())),
        ("canary", one.canary),
    ]
    attribution = "<p>Map data © OpenStreetMap contributors, Open Database License 1.0.</p>"
    return _table(("", ""), rows) + attribution
