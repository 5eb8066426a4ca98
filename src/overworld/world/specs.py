"""Specs of real worlds: one YAML file each, which says what extract a world is built from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from overworld.core.documents import read_document
from overworld.core.errors import InputError, UnknownNameError
from overworld.extracts.registry import Extract, Name, Registry, Text, Use, first_mistake, near_names

SUFFIX = ".yaml"


class _SpecFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Name
    title: Text
    extract: Name


@dataclass(frozen=True)
class RealWorldSpec:
    """A real world: its name, a title for people, and its extract."""

    name: str
    title: str
    extract: Extract


def load_specs(directory: Path, registry: Registry) -> list[RealWorldSpec]:
    """All specs of a directory, in order of their names. Raises ``InputError`` with file, field and line."""
    return [load_spec(path, registry) for path in sorted(directory.glob(f"*{SUFFIX}"))]


def load_spec(path: Path, registry: Registry) -> RealWorldSpec:
    """Read one spec. Raises ``InputError`` with file, field and line of the first mistake."""
    document = read_document(path)
    try:
        spec = _SpecFile.model_validate(document.values)
    except ValidationError as error:
        raise first_mistake(document, error) from None
    if path.stem != spec.name:
        line = document.line_of(("name",))
        raise InputError(f"world {spec.name} must be in a file {spec.name}{SUFFIX}", path=path, line=line)
    try:
        return RealWorldSpec(spec.name, spec.title, registry.find(spec.extract))
    except UnknownNameError as error:
        raise InputError(error.message, remedy=error.remedy, path=path, line=document.line_of(("extract",))) from None


def select_specs(specs: Iterable[RealWorldSpec], names: Iterable[str]) -> list[RealWorldSpec]:
    """The specs of these names; the worlds of the benchmark where no name is given. Raises ``UnknownNameError``."""
    by_name = {spec.name: spec for spec in specs}
    wanted = list(names)
    for name in wanted:
        if name not in by_name:
            raise UnknownNameError(f"unknown world: {name}", remedy=near_names(name, by_name))
    if wanted:
        return [by_name[name] for name in dict.fromkeys(wanted)]
    return [spec for spec in by_name.values() if spec.extract.use is Use.BENCHMARK]
