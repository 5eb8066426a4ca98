"""The interpreter over HTTP, as its clients use it."""

from __future__ import annotations

import gzip
import socket
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from overworld.server.app import ServedWorld

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize(
    ("query", "media_type"),
    [
        pytest.param("json", "application/json", id="json"),
        pytest.param("xml", "application/osm3s+xml", id="xml"),
        pytest.param("csv", "text/csv", id="csv"),
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_content_types_have_no_charset(client: httpx.Client, method: str, query: str, media_type: str) -> None:
    sent = {"params" if method == "GET" else "data": {"data": query}}
    answer = client.request(method, "/interpreter", **sent)
    assert (answer.status_code, answer.headers["content-type"]) == (200, media_type)
    assert "access-control-allow-origin" not in answer.headers


def test_a_raw_body_is_not_decoded(client: httpx.Client, engine: Any) -> None:
    query = 'node["name"="50%25 A+B&c"];out;'
    assert client.post("/interpreter", content=query, headers=FORM).text == query
    assert engine.seen == [query]


def test_a_post_does_not_read_its_address(client: httpx.Client) -> None:
    answer = client.post("/interpreter?data=xml", content=b"")
    assert answer.status_code == 400
    assert "</strong>: encoding error: Your input is empty. </p>" in answer.text


def test_a_get_without_a_field_is_the_query(client: httpx.Client) -> None:
    assert client.get("/interpreter?node(1);out;").text == "node(1);out;"


def test_jsonp_wraps_json_only(client: httpx.Client) -> None:
    assert client.get("/interpreter", params={"data": "json", "jsonp": "f"}).text == 'f({\n  "elements": []\n});\n'
    assert client.get("/interpreter", params={"data": "xml", "jsonp": "f"}).text == "<osm/>\n"


def test_every_error_line_is_a_paragraph(client: httpx.Client) -> None:
    answer = client.get("/interpreter", params={"data": "bad"})
    assert (answer.status_code, answer.headers["content-type"]) == (400, "text/html; charset=utf-8")
    red = '<p><strong style="color:#FF0000">Error</strong>: '
    assert [line for line in answer.text.split("\n") if red in line] == [
        f"{red}line 1: parse error: Unknown type &quot;x&quot; </p>",
        f"{red}line 1: parse error: ';' expected - '&lt;' found. </p>",
        f"{red}line 2: static error: &quot;a&quot; &amp; b </p>",
    ]


def test_a_remark_is_a_success(client: httpx.Client) -> None:
    answer = client.get("/interpreter", params={"data": "slow"})
    assert answer.status_code == 200
    assert answer.json()["remark"] == "runtime error: too slow"


@pytest.mark.parametrize(
    ("query", "status", "text"),
    [
        pytest.param("gone", 504, "</strong>: runtime error: the container has ended </p>", id="engine's own trouble"),
        pytest.param("bug", 500, "runtime error: Query failed with the exception: ZeroDivisionError", id="bug"),
    ],
)
def test_trouble_of_the_server(client: httpx.Client, query: str, status: int, text: str) -> None:
    answer = client.get("/interpreter", params={"data": query}, headers={"Origin": "http://x.example"})
    assert answer.status_code == status
    assert text in answer.text
    assert answer.headers["access-control-allow-origin"] == "*"
    assert client.get("/interpreter", params={"data": "xml"}).status_code == 200


@pytest.mark.parametrize(
    ("query", "status", "media_type"),
    [
        pytest.param("[out:json];node(1);out;", 200, "application/json", id="json"),
        pytest.param("node(1);out;", 200, "application/osm3s+xml", id="xml"),
        pytest.param("[out:csv(name)];node(1);out;", 200, "text/csv", id="csv"),
        pytest.param("node(1);oot;", 400, "text/html; charset=utf-8", id="error"),
    ],
)
def test_head_checks_and_does_not_run(
    client: httpx.Client, engine: Any, query: str, status: int, media_type: str
) -> None:
    answer = client.head("/interpreter", params={"data": query})
    assert (answer.status_code, answer.headers["content-type"], answer.content) == (status, media_type, b"")
    assert engine.seen == []


@pytest.mark.parametrize("query", ["json", "bad"])
def test_cross_origin_headers(client: httpx.Client, query: str) -> None:
    headers = client.get("/interpreter", params={"data": query}, headers={"Origin": "https://turbo.example"}).headers
    assert headers["access-control-allow-origin"] == "*"
    assert headers["access-control-max-age"] == "600"


def test_preflight(client: httpx.Client, engine: Any) -> None:
    asked = {"Origin": "https://turbo.example", "Access-Control-Request-Headers": "X-Requested-With, Content-Type"}
    answer = client.options("/interpreter", headers=asked)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-methods"] == "GET, POST, OPTIONS"
    assert answer.headers["access-control-allow-headers"] == "X-Requested-With, Content-Type"
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.content == b""
    assert engine.seen == []


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        pytest.param("gzip, deflate, br", "gzip", id="browser"),
        pytest.param("deflate;q=0.5, gzip;q=1.0", "gzip", id="weights"),
        pytest.param("gzip;q=0", None, id="refused"),
        pytest.param("identity", None, id="plain"),
    ],
)
def test_gzip_on_request(base: str, accepted: str, coding: str | None) -> None:
    with httpx.stream(
        "GET", f"{base}/interpreter?data=large", headers={"Accept-Encoding": accepted}, trust_env=False
    ) as answer:
        raw = b"".join(answer.iter_raw())
    assert answer.headers.get("content-encoding") == coding
    assert (gzip.decompress(raw) if coding else raw) == b"x" * 100_000


@pytest.mark.parametrize(
    ("length", "status"),
    [
        pytest.param(16 * 1024 * 1024, 200, id="at the limit"),
        pytest.param(16 * 1024 * 1024 + 1, 413, id="over"),
        pytest.param(40 * 1024 * 1024, 413, id="far over"),
    ],
)
def test_body_limit(client: httpx.Client, length: int, status: int) -> None:
    answer = client.post("/interpreter", content=b"x" * length, headers=FORM)
    assert answer.status_code == status
    if status == 413:
        assert f"Input too long (length: {length})." in answer.text


def test_a_long_address(base: str) -> None:
    with urllib.request.urlopen(f"{base}/interpreter?data={'x' * 500_000}", timeout=20) as answer:
        assert answer.read() == b"x" * 500_000


def test_bytes_on_the_wire(base: str) -> None:
    """A request as a bare socket client writes it."""
    address = urlsplit(base)
    assert address.hostname and address.port
    with socket.create_connection((address.hostname, address.port), 10) as wire:
        wire.sendall(
            b"POST /echo/api/interpreter HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3\r\n"
            b"Content-Type: application/x-www-form-urlencoded\r\n\r\ncsv"
        )
        head, _, body = wire.makefile("rb").read().partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"content-type: text/csv\r\n" in head.lower() + b"\r\n"
    assert body == b"@id\n1\n"


def test_busy_slots_refuse_in_the_real_servers_words(base: str, engine: Any) -> None:
    def ask(query: str) -> httpx.Response:
        return httpx.get(f"{base}/interpreter", params={"data": query}, timeout=20, trust_env=False)

    with ThreadPoolExecutor(5) as pool:
        running = [pool.submit(ask, "wait") for _ in range(2)]
        for _ in running:
            assert engine.entered.acquire(timeout=10)
        waiting = [pool.submit(ask, "json") for _ in range(3)]
        refused = sorted((future.result() for future in waiting), key=lambda answer: answer.status_code)
        assert [answer.status_code for answer in refused] == [429, 429, 504]
        assert "::rate_limited. Please check /api/status for the quota of your IP address. </p>" in refused[0].text
        assert "::timeout. The server is probably too busy to handle your request. </p>" in refused[2].text
        engine.gate.set()
        assert [future.result().status_code for future in running] == [200, 200]
    assert ask("json").status_code == 200


def test_one_path_a_world(start: Callable[..., str], engine: Any) -> None:
    root = start(ServedWorld("one", engine), ServedWorld("two-2", engine))
    with httpx.Client(base_url=root, trust_env=False) as client:
        assert client.get("/one/api/interpreter?data=xml").text == client.get("/two-2/api/interpreter?data=xml").text
        assert client.get("/").json()["worlds"] == [
            {"name": name, "api": f"{root}/{name}/api", "interpreter": f"{root}/{name}/api/interpreter"}
            for name in ("one", "two-2")
        ]
        page = client.get("/", headers={"Accept": "text/html,*/*"})
        assert f"<code>{root}/two-2/api/interpreter</code>" in page.text
        missing = client.get("/three/api/interpreter?data=xml", headers={"Origin": "x"})
        assert (missing.status_code, missing.headers["access-control-allow-origin"]) == (404, "*")
        assert "</strong>: Not Found: GET /three/api/interpreter </p>" in missing.text
        assert client.delete("/one/api/interpreter").status_code == 405
