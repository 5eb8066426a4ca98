"""A query made ready for one world: shortcuts filled in, settings overridden."""

from __future__ import annotations

from overworld.core.boxes import Box
from overworld.core.errors import InputError
from overworld.engine.protocol import Limits
from overworld.grade.overrides import override
from overworld.grade.refusals import RefusedQueryError, filled, needed_view
from overworld.ql.shortcuts import Shortcut
from overworld.world.gazetteer import Gazetteer


def prepare(query: str, gazetteer: Gazetteer, view: Box | None, limits: Limits) -> str:
    """``query`` as it runs on the world of ``gazetteer``.

    Raises ``RefusedQueryError`` for a place name that has no area there, a view where there is none, another shortcut.
    """

    def value(shortcut: Shortcut) -> str:
        if shortcut.name == "bbox":
            return str(needed_view(shortcut, view))
        if shortcut.name == "center":
            return centre_text(needed_view(shortcut, view))
        try:
            return gazetteer.resolve(shortcut.argument).text
        except InputError as error:
            raise RefusedQueryError(f"line {shortcut.line}: {error.message}") from error

    return override(filled(query, value), limits)


def centre_text(view: Box) -> str:
    """The middle of a view as ``lat,lon``."""
    lat, lon = (view.south + view.north) / 2, (view.west + view.east) / 2
    return ",".join(f"{value:.7f}".rstrip("0").rstrip(".") for value in (lat, lon))
