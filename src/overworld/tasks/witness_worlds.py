"""The witness worlds of a task: built from its spec, checked by its readings, stored beside the real worlds."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from overworld.core.elements import ObjectId
from overworld.core.errors import CorruptFileError, InputError, UnknownNameError
from overworld.core.files import directory_written_atomically
from overworld.core.locks import exclusive
from overworld.tasks.gold import AnswerQuery, check_gold, gold_answers, query_of
from overworld.tasks.task import Task
from overworld.witness.builder import Surroundings, build_witness, spec_hash
from overworld.witness.report import BuildReport
from overworld.witness.spec import WorldSpec
from overworld.world.build import FORMAT_VERSION, Origin, build_world
from overworld.world.library import world_directory
from overworld.world.open import open_world, read_info, write_world
from overworld.world.store import World, WorldInfo

REPORT_FILE = "witness.json"
"""The build report, beside ``world.json``."""


@dataclass(frozen=True)
class WitnessWorld:
    """A stored witness world. ``built``: it was built now; it was there and up to date otherwise."""

    directory: Path
    info: WorldInfo
    report: BuildReport
    built: bool


@dataclass(frozen=True)
class WitnessBuilder:
    """Builds the witness worlds of ``task`` out of its real world into the folder of worlds.

    ``find_area`` gives the relation or way that a place name stands for in the real world.
    """

    task: Task
    real: World
    worlds_dir: Path
    find_area: Callable[[str], ObjectId]
    answer: AnswerQuery

    def build_all(self) -> list[WitnessWorld]:
        """All of them, in the order of the task's file. Raises as ``build``."""
        return [self.build(spec) for spec in self.task.witness.worlds]

    def build(self, spec: WorldSpec) -> WitnessWorld:
        """Build one, unless it is stored and was made from the same.

        Every accepted reading is run on it, stored already or not: nothing is written that readings disagree on.
        Raises ``InputError`` for a spec that the real world cannot meet, ``CheckError`` where the readings are not fit
        to grade by.
        """
        name = f"{self.task.id}-{spec.id}"
        directory = world_directory(self.worlds_dir, name)
        sources = witness_sources(self.task, spec, self.real.info)
        stored = _stored(directory, sources)
        if stored is not None:
            self._check(stored, spec)
            return WitnessWorld(directory, stored.info, read_report(directory), built=False)
        made = build_witness(self.task.witness, spec, name, self._surroundings())
        info = self.real.info
        world = build_world(made.objects, Origin(name, "witness", sources, info.snapshot, info.attribution))
        self._check(world, spec)
        with exclusive(self.worlds_dir / f".{name}.lock"), directory_written_atomically(directory) as temporary:
            write_world(world, temporary)
            text = json.dumps(made.report.to_json(), indent=1, ensure_ascii=False)
            (temporary / REPORT_FILE).write_text(text + "\n", encoding="utf-8")
        return WitnessWorld(directory, world.info, made.report, built=True)

    def _check(self, world: World, spec: WorldSpec) -> None:
        check_gold(self.task, world, gold_answers(self.task, world, self.answer), spec)

    def _surroundings(self) -> Surroundings:
        def run_query(query: str) -> frozenset[ObjectId]:
            with query_of("witness.rebuild"):
                return self.answer(self.real, query, self.task.view).objects

        return Surroundings(self.real, self.find_area, run_query, self.task.view)


def witness_sources(task: Task, spec: WorldSpec, real: WorldInfo) -> dict[str, str]:
    """What a witness world is made from: the content hash of its real world, and the hash of its spec."""
    return {
        f"world {real.name}": real.content_hash,
        f"witness spec {task.id}/{spec.id}": spec_hash(task.witness, spec, task.view),
    }


def read_report(directory: Path) -> BuildReport:
    """The build report of the witness world in ``directory``."""
    path = directory / REPORT_FILE
    try:
        return BuildReport.from_json(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise UnknownNameError(
            "no witness world here", path=directory, remedy="build it: worlds build --task"
        ) from None
    except (ValueError, KeyError, TypeError) as error:
        raise CorruptFileError(f"not a build report: {error}", path=path, remedy="build the world again") from None


def _stored(directory: Path, sources: dict[str, str]) -> World | None:
    """The stored world if it was made from ``sources`` and is whole."""
    try:
        info = read_info(directory)
        read_report(directory)
        if info.sources != sources or info.format_version != FORMAT_VERSION:
            return None
        return open_world(directory, verify=True)
    except InputError:
        return None
