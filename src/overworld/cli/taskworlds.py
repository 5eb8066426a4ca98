"""The witness worlds of tasks, built for a command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from overworld.core.errors import InputError
from overworld.core.settings import Settings


def build_task_worlds(settings: Settings, task_ids: Sequence[str], say: Callable[[str], None]) -> list[dict[str, Any]]:
    """Build the witness worlds of these tasks, and the real worlds that they need.

    ``say`` is told one line a world. Returns one row a world: ``name``, ``built``, ``seconds``, ``directory``,
    ``content_hash``, ``counts``, ``sources``.
    """
    raise InputError("worlds build --task: not supported yet")
