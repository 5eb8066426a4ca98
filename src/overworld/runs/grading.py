"""The grading of a whole run: a verdict for each sample, the scores, and what they rest on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from overworld.core.errors import EngineUnavailableError
from overworld.core.records import VerdictKind
from overworld.grade.gold import GoldAnswers
from overworld.grade.grader import Grader
from overworld.grade.verdicts import Verdict
from overworld.grade.worlds import GradedTask, all_worlds
from overworld.runs.runfile import Run
from overworld.score.intervals import DRAWS, METHOD
from overworld.score.provenance import Provenance, engines_of
from overworld.score.samples import Sample, TaskFacts
from overworld.score.scores import Scores, score_run
from overworld.tasks.task import CANARY, Task

BOOTSTRAP_SEED = 20240229
"""The default seed of the bootstrap; it stands in every score file."""


@dataclass(frozen=True, slots=True)
class Software:
    """What graded: the package's version, and the revision of its source where it runs from a clone."""

    package_version: str
    source_revision: str | None


@dataclass(frozen=True, slots=True)
class GradedSample:
    """One sample of a run and its verdict."""

    task: str
    epoch: int
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class GradedRun:
    """A run, its verdicts in the order of the run file, its scores and their provenance."""

    run: Run
    samples: tuple[GradedSample, ...]
    scores: Scores
    provenance: Provenance


@dataclass(frozen=True)
class RunGrader:
    """Grades runs on the same tasks, so that gold answers are computed once for all of them.

    ``tasks``: those that the runs answer, with their worlds; ``facts``: all tasks of the benchmark, so that a run that
    leaves some out says so. Both by id.
    """

    tasks: Mapping[str, GradedTask]
    facts: Mapping[str, TaskFacts]
    gold: GoldAnswers
    software: Software
    seed: int = BOOTSTRAP_SEED
    draws: int = DRAWS

    def grade(self, run: Run, on_sample: Callable[[GradedSample], None] = lambda _: None) -> GradedRun:
        """Grade every sample of ``run``, whose tasks are all known. ``on_sample`` hears of each, in order."""
        grader = Grader(self.gold)
        graded = []
        for sample in run.samples:
            verdict = grader.grade(self.tasks[sample.task], sample.reply)
            graded.append(GradedSample(sample.task, sample.epoch, verdict))
            on_sample(graded[-1])
        rows = [Sample(one.task, one.epoch, one.verdict.kind, one.verdict.real_pass) for one in graded]
        scores = score_run(rows, self.facts, seed=self.seed, draws=self.draws)
        return GradedRun(run, tuple(graded), scores, self._provenance(run, scores))

    def _provenance(self, run: Run, scores: Scores) -> Provenance:
        tasks = [self.tasks[name] for name in sorted({sample.task for sample in run.samples})]
        worlds = all_worlds(tasks)
        return Provenance(
            package_version=self.software.package_version,
            source_revision=self.software.source_revision,
            tasks={task.task.id: task.task.hash for task in tasks},
            gold={task.task.id: self._gold_hash(task) for task in tasks},
            run_file=run.sha256,
            prompt=run.facts.prompt,
            worlds={world.name: world.world.info.content_hash for world in worlds},
            engines=engines_of(world.engine.identity for world in worlds),
            limits=self.gold.limits,
            bootstrap_seed=self.seed,
            bootstrap_draws=self.draws,
            interval_method=METHOD,
            unscored=len(scores.unscored),
            canary=str(CANARY),
        )

    def _gold_hash(self, task: GradedTask) -> str | None:
        """None where the engine cannot give the gold answers: every sample that needed them is unscored then."""
        try:
            return self.gold.hash(task)
        except EngineUnavailableError:
            return None


def facts_of(task: Task) -> TaskFacts:
    """What scores need to know of a task."""
    return TaskFacts(
        id=task.id,
        intent=task.intent,
        pair=task.pair,
        world=task.world,
        split=task.split.value,
        family=task.family.value,
        difficulty=task.difficulty.value,
        frequency=task.frequency.value,
        constructs=tuple(construct.value for construct in task.constructs),
    )


def counts_by_verdict(samples: Sequence[GradedSample]) -> dict[str, int]:
    """How many samples have each verdict, in the order of the verdicts, then ``unscored``; those that occur."""
    kinds = [sample.verdict.kind for sample in samples]
    counts = {kind.value: kinds.count(kind) for kind in VerdictKind} | {"unscored": kinds.count(None)}
    return {name: count for name, count in counts.items() if count}
