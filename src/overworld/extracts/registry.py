"""The registry of pinned extracts: ``registry.yaml`` as a frozen, checked object."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator, model_validator

from overworld.core.boxes import Box
from overworld.core.documents import Document, read_document
from overworld.core.errors import InputError, UnknownNameError

NAME_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*$"
ADDRESS_PATTERN = r"^(https?|file)://\S+$"

Name = Annotated[str, StringConstraints(pattern=NAME_PATTERN, max_length=80)]
FileName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Address = Annotated[str, StringConstraints(pattern=ADDRESS_PATTERN)]
Text = Annotated[str, StringConstraints(min_length=1)]
Degrees = Annotated[float, Field(ge=-180, le=180)]

_STRICT = ConfigDict(extra="forbid", frozen=True)


class Use(StrEnum):
    """What an extract is for."""

    BENCHMARK = "benchmark"
    TESTS = "tests"


class Extract(BaseModel):
    """One pinned extract: a file that is known by its hash.

    ``bounds``: south, west, north, east in degrees, as its maker cut it. ``snapshot``: ISO date of the map data.
    ``addresses``: where it can be downloaded, tried in order.
    """

    model_config = _STRICT

    name: Name
    title: Text
    file: FileName
    bytes: Annotated[int, Field(gt=0)]
    sha256: Sha256
    snapshot: str
    bounds: tuple[Degrees, Degrees, Degrees, Degrees]
    attribution: Text
    licence: Text
    origin: Text
    use: Use
    addresses: tuple[Address, ...] = ()

    @field_validator("snapshot")
    @classmethod
    def _is_a_date(cls, value: str) -> str:
        date.fromisoformat(value)
        return value

    @field_validator("bounds")
    @classmethod
    def _is_a_box(cls, value: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        if not (-90 <= value[0] <= value[2] <= 90):
            raise ValueError("bounds are south, west, north, east in degrees, south below north")
        return value

    @property
    def box(self) -> Box:
        """The bounds as a box."""
        return Box(*self.bounds)


class Registry(BaseModel):
    """All pinned extracts, in the order of the file."""

    model_config = _STRICT

    extracts: tuple[Extract, ...]

    @model_validator(mode="after")
    def _names_are_distinct(self) -> Registry:
        for what, values in (
            ("name", [one.name for one in self.extracts]),
            ("file", [one.file for one in self.extracts]),
        ):
            twice = next((value for value in values if values.count(value) > 1), None)
            if twice is not None:
                raise ValueError(f"{what} {twice} stands twice")
        return self

    def __iter__(self) -> Iterator[Extract]:  # type: ignore[override]
        return iter(self.extracts)

    def find(self, name: str) -> Extract:
        """The extract of that name. Raises ``UnknownNameError``, which lists near names."""
        for one in self.extracts:
            if one.name == name:
                return one
        names = [one.name for one in self.extracts]
        raise UnknownNameError(f"unknown extract: {name}", remedy=near_names(name, names))

    def select(self, names: Iterable[str]) -> list[Extract]:
        """The extracts of these names in their order, all of them where no name is given."""
        return [self.find(name) for name in names] or list(self.extracts)


def load_registry(path: Path) -> Registry:
    """Read and check ``registry.yaml``. Raises ``InputError`` with file, field and line of the first mistake."""
    document = read_document(path)
    try:
        return Registry.model_validate(document.values)
    except ValidationError as error:
        raise first_mistake(document, error) from None


def near_names(name: str, names: Iterable[str]) -> str:
    """What to tell someone who gave a name that does not exist."""
    known = list(names)
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    return f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(known) or 'none'}"


def first_mistake(document: Document, error: ValidationError) -> InputError:
    """The most telling mistake that pydantic found in ``document``, with its line."""
    # A misspelt field is unknown, and missing under its right name: the first is what helps.
    found: Any = min(error.errors(), key=lambda one: one["type"] != "extra_forbidden")
    where = tuple(found["loc"])
    field = ".".join(str(part) for part in where)
    message = "unknown field" if found["type"] == "extra_forbidden" else found["msg"].removeprefix("Value error, ")
    return InputError(f"{field}: {message}" if field else message, path=document.path, line=document.line_of(where))
