"""Queries in another form, as pages."""

from __future__ import annotations

import html
import re

import httpx
import pytest

QUERY = '[out:json];node[name="A&B"](1.0,2.0,3.0,4.0);out ids;'


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    ("target", "first"),
    [
        pytest.param("xml", '<osm-script output="json" output-config="">\n  <query ', id="xml"),
        pytest.param("mapql", "[out:json]\n;\nnode\n", id="pretty"),
        pytest.param("compact", '[out:json];node["name"="A&B"]', id="compact"),
    ],
)
def test_a_query_in_another_form(client: httpx.Client, method: str, target: str, first: str) -> None:
    sent = {"data": QUERY, "target": target}
    answer = client.request(method, "/convert", **{"params" if method == "GET" else "data": sent})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    written = re.search(r"<pre>\n(.*)</pre>", answer.text, re.DOTALL)
    assert written
    assert html.unescape(written[1]).startswith(first)


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        pytest.param({"data": "node(1);oot;", "target": "xml"}, "line 1: parse error: Unknown type", id="no query"),
        pytest.param({"data": QUERY, "target": "x"}, "encoding error: The target &quot;x&quot; is none", id="no form"),
        pytest.param({}, "encoding error: The target &quot;&quot; is none", id="nothing"),
    ],
)
def test_refusals(client: httpx.Client, sent: dict[str, str], message: str) -> None:
    answer = client.get("/convert", params=sent)
    assert answer.status_code == 400
    assert f"</strong>: {message}" in answer.text
