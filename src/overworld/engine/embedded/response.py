"""What a run of the embedded engine printed, rendered when someone asks for it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import orjson

from overworld.core.boxes import Box
from overworld.engine.embedded.context import Remark
from overworld.engine.embedded.output import csv
from overworld.engine.embedded.output.head import Head
from overworld.engine.embedded.output.json import JsonWriter
from overworld.engine.embedded.output.worldtext import Coordinates
from overworld.engine.embedded.output.xml import XmlWriter
from overworld.engine.embedded.printing import Batch, Output
from overworld.engine.embedded.rationing import Portions, Ration
from overworld.engine.protocol import Printed
from overworld.ql import tree
from overworld.world.store import World


class Writers:
    """The writers of one engine: they share and keep the text of its world."""

    def __init__(self, world: World) -> None:
        self.world = world
        coordinates = Coordinates(world)
        self.json = JsonWriter(world, coordinates)
        self.xml = XmlWriter(world, coordinates)


class EmbeddedResponse:
    """Ids and counts at once, elements and text on demand. Sets are frozen, so it stays what it was.

    Writing has a ration, see ``Portions``: when that is over, the answer ends early, and a remark says so from then on.
    """

    def __init__(
        self,
        writers: Writers,
        settings: tree.Settings,
        outputs: Sequence[Output],
        box: Box | None,
        areas_used: bool,
        ration: Ration,
    ) -> None:
        self._writers = writers
        self._settings = settings
        self._outputs = tuple(outputs)
        self._box = box
        self._areas_used = areas_used
        self._ration = ration
        self._trouble: Remark | None = None

    @cached_property
    def printed(self) -> Sequence[Printed]:
        """One entry for each ``out`` that ran, in order."""
        world = self._writers.world
        return tuple(one.printed(world) for one in self._outputs if isinstance(one, Batch))

    @property
    def remark(self) -> str | None:
        """All remarks, one after the other as in JSON; None if there is none."""
        remarks = [one for one in (*self._outputs, self._trouble) if isinstance(one, Remark)]
        return "".join(one.text for one in remarks) or None

    @property
    def format(self) -> str:
        """``json``, ``xml`` or ``csv``."""
        return self._settings.output

    def elements(self) -> list[dict[str, Any]]:
        """The printed elements as a JSON reader sees them, in order."""
        portions = Portions(self._outputs, self._ration)
        text = f"[{','.join(self._writers.json.elements(portions))}]"
        self._trouble = portions.trouble
        try:
            read: list[dict[str, Any]] = orjson.loads(text)
        except orjson.JSONDecodeError:
            # Strings of the map that are not UTF-8 are carried as surrogates, which the fast reader refuses.
            read = json.loads(text)
        return read

    def render(self) -> bytes:
        """The whole answer in the query's own format."""
        portions = Portions(self._outputs, self._ration)

        def remark() -> str | None:
            self._trouble = portions.trouble
            return self.remark

        if self._settings.output == "json":
            text = self._writers.json.answer(self._head, portions, remark)
        elif self._settings.output == "csv" and self._settings.csv is not None:
            text = csv.answer(self._writers.world, portions, self._settings.csv)
        else:
            text = self._writers.xml.answer(self._head, portions, self._box)
        self._trouble = portions.trouble
        return text.encode("utf-8", "surrogateescape")

    @property
    def _head(self) -> Head:
        snapshot = self._writers.world.info.snapshot or ""
        time = f"{snapshot}T00:00:00Z" if snapshot and "T" not in snapshot else snapshot
        return Head(time, time if self._areas_used else None)
