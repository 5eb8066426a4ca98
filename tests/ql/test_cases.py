from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from overworld.core.errors import QueryError
from overworld.ql.parser import parse
from overworld.ql.printing import convert, to_compact, to_pretty, to_xml
from overworld.ql.walk import shape

CASES = Path(__file__).parent / "cases"


def rows(name: str) -> list[Any]:
    lines = (CASES / name).read_text(encoding="utf-8").splitlines()
    return [pytest.param(row, id=row["id"]) for row in map(json.loads, lines)]


@pytest.mark.parametrize("case", rows("accepted.jsonl"))
def test_accepted(case: dict[str, str]) -> None:
    script = parse(case["ql"])
    assert convert(case["ql"]) == case["xml"]
    assert to_xml(script) == case["xml"]


@pytest.mark.parametrize("case", rows("accepted.jsonl"))
@pytest.mark.parametrize("written", [to_pretty, to_compact])
def test_written_ql_reads_back(case: dict[str, str], written: Any) -> None:
    script = parse(case["ql"])
    if "nan" in case["ql"]:
        assert written(parse(written(script))) == written(script)
    else:
        assert shape(parse(written(script))) == shape(script)


@pytest.mark.parametrize("case", rows("refused.jsonl"))
def test_refused(case: dict[str, Any]) -> None:
    with pytest.raises(QueryError) as refusal:
        parse(case["ql"])
    error = refusal.value
    assert list(error.errors) == case["errors"]
    assert error.kind in ("parse", "static")
    if not case["errors"][0].startswith("encoding"):
        assert error.text == case["errors"][0]


@pytest.mark.parametrize("case", [row for row in rows("refused.jsonl") if row.values[0]["converter"] is not None])
def test_converter_refuses_less(case: dict[str, Any]) -> None:
    if case["converter"]:
        with pytest.raises(QueryError) as refusal:
            convert(case["ql"])
        assert list(refusal.value.errors) == case["converter"]
    else:
        assert convert(case["ql"]) == case["xml"]
