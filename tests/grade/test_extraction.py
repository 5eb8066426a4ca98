"""The query in a reply: every rule has a row in replies.yaml."""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from overworld.grade.extraction import query_of

ROWS = YAML(typ="safe").load(Path(__file__).with_name("replies.yaml"))


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_query_of_reply(row: dict[str, str | None]) -> None:
    assert query_of(row["reply"] or "") == row["query"]
