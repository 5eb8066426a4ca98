"""The pages beside the interpreter."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx


def test_status_of_an_idle_server(client: httpx.Client) -> None:
    answer = client.get("/status")
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.text.split("\n") == [
        "Connected as: 2130706433",
        "Current time: 2026-01-01T12:00:00Z",
        "Announced endpoint: none",
        "Rate limit: 2",
        "2 slots available now.",
        "Currently running queries (pid, space limit, time limit, start time):",
        "",
    ]


def test_running_queries_are_listed_and_killed(client: httpx.Client, base: str, engine: Any) -> None:
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(httpx.get, f"{base}/interpreter?data=wait", timeout=20, trust_env=False)
        assert engine.entered.acquire(timeout=10)
        assert client.get("/status").text.split("\n")[4:7] == [
            "1 slots available now.",
            "Currently running queries (pid, space limit, time limit, start time):",
            "1\t536870912\t180\t2026-01-01T12:00:00Z",
        ]
        killed = client.get("/kill_my_queries")
        assert killed.text == "Killing query (pid 1) from IP 127.0.0.1 ...\nDone!\n"
        answer = waiting.result()
        assert answer.status_code == 504
        assert "The query 1 was killed." in answer.text
    engine.gate.set()
    assert client.get("/interpreter?data=json").status_code == 200


def test_nothing_to_kill(client: httpx.Client) -> None:
    assert client.get("/kill_my_queries").text == "No query running from IP 127.0.0.1\n"


def test_timestamp(client: httpx.Client) -> None:
    answer = client.get("/timestamp")
    assert (answer.headers["content-type"], answer.text) == ("text/plain", "2026-01-01T00:00:00Z\n")
