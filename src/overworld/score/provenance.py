"""What a score rests on: two scores can be compared only where tasks, gold answers and worlds agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from overworld.engine.protocol import EngineIdentity, Limits

EngineName = tuple[str, str, str | None]


@dataclass(frozen=True, slots=True)
class Provenance:
    """Hashes are hexadecimal SHA-256, keyed by name. ``source_revision`` None: not run from a clone.

    ``gold``: None where the engine did not give the gold answers. ``prompt``: hash of the conventions and prompt that a
    model was given, as its run file says; None for none. ``engines`` holds the distinct engines as (name, version,
    image digest); their worlds are in ``worlds`` (name to content hash).
    """

    package_version: str
    source_revision: str | None
    tasks: Mapping[str, str]
    gold: Mapping[str, str | None]
    run_file: str
    prompt: str | None
    worlds: Mapping[str, str]
    engines: tuple[EngineName, ...]
    limits: Limits
    bootstrap_seed: int
    bootstrap_draws: int
    interval_method: str
    unscored: int
    canary: str


def engines_of(identities: Iterable[EngineIdentity]) -> tuple[EngineName, ...]:
    """The distinct engines, sorted, whatever their worlds."""
    names = {(one.name, one.version, one.image) for one in identities}
    return tuple(sorted(names, key=lambda name: (name[0], name[1], name[2] or "")))
