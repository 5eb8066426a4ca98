"""From a spec and a real world to the objects of one witness world."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pydantic import TypeAdapter

from overworld.core.boxes import Box
from overworld.core.elements import ObjectId
from overworld.core.errors import InputError
from overworld.core.files import sha256_of_bytes
from overworld.witness.draft import Draft
from overworld.witness.probes import Prober
from overworld.witness.realmap import RealMap
from overworld.witness.report import BuildReport
from overworld.witness.spec import Rebuild, WitnessSpec, WorldSpec, canonical_hash
from overworld.world.objects import MapObjects
from overworld.world.store import World

BUILDER_VERSION = 1
"""Rises when the same spec and the same real world would give other objects than before."""


@dataclass(frozen=True)
class Surroundings:
    """What a spec refers to beside itself.

    ``find_area`` gives the relation or way that a place name stands for in the real world, ``run_query`` the objects
    that a query of ``rebuild`` prints there; ``view`` is the task's map view.
    """

    real: World
    find_area: Callable[[str], ObjectId]
    run_query: Callable[[str], Collection[ObjectId]]
    view: Box | None = None


@dataclass(frozen=True)
class WitnessBuild:
    """The objects of a witness world, before they are written, and what the build has to tell."""

    objects: MapObjects
    report: BuildReport


def build_witness(spec: WitnessSpec, which: WorldSpec, name: str, around: Surroundings) -> WitnessBuild:
    """Put together the world ``which`` of ``spec`` under ``name``.

    The same spec and the same real world give the same objects, on any machine. Raises ``InputError``, which names the
    witness world and the probe, for what the spec asks and the real world cannot give.
    """
    real = RealMap(around.real)
    draft = Draft(real)
    with _naming(f"witness world {which.id}"):
        roots = [one for entry in spec.rebuild for one in _roots(entry, around)]
        draft.rebuild(roots, frozenset(which.remove))
        rebuilt = {word: sum(one.type.word == word for one in draft.objects) for word in ("node", "way", "relation")}
        for change in which.change:
            draft.change(change.object, change.set, change.drop)
        prober = Prober(draft, real, around.find_area, around.view)
        for probe in which.probes:
            with _naming(f"probe {probe.id}"):
                prober.add(probe)
    report = BuildReport(
        world=name,
        why=which.why,
        rebuilt=rebuilt,
        added=len(draft.objects) - sum(rebuilt.values()),
        probes=tuple(prober.built.values()),
        changed=tuple(change.object for change in which.change),
        removed=which.remove,
        lacking=tuple(draft.lacking),
    )
    return WitnessBuild(draft.to_map(), report)


def spec_hash(spec: WitnessSpec, which: WorldSpec, view: Box | None) -> str:
    """SHA-256 over all that the task's file says about one witness world, and the builder's version."""
    parts = [
        f"builder {BUILDER_VERSION}",
        canonical_hash(TypeAdapter(tuple[Rebuild, ...]), spec.rebuild),
        canonical_hash(TypeAdapter(WorldSpec), which),
        str(view),
    ]
    return sha256_of_bytes("\n".join(parts).encode())


def _roots(entry: Rebuild, around: Surroundings) -> list[ObjectId]:
    if entry.area is not None:
        return [around.find_area(entry.area)]
    if entry.query is not None:
        found = sorted(around.run_query(entry.query))
        if not found:
            raise InputError("rebuild: the query finds nothing", remedy="correct the query")
        return found
    return list(entry.objects)


@contextmanager
def _naming(where: str) -> Iterator[None]:
    """Put ``where`` in front of the message of an ``InputError`` that passes."""
    try:
        yield
    except InputError as error:
        message = f"{where}: {error.message}"
        raise type(error)(message, remedy=error.remedy, path=error.path, line=error.line) from None
