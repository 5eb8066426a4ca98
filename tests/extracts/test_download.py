"""Download: from addresses in order, checked before it takes its place, nothing left when it goes wrong."""

from __future__ import annotations

import http.server
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from overworld.core.errors import CorruptFileError, InputError
from overworld.core.files import sha256_of_bytes
from overworld.extracts.download import fetch_extract
from overworld.extracts.registry import Extract, Use

DATA = b"a map in some bytes" * 50_000


def extract(*addresses: str) -> Extract:
    return Extract(
        name="oslo",
        title="Oslo",
        file="oslo.osm.pbf",
        bytes=len(DATA),
        sha256=sha256_of_bytes(DATA),
        snapshot="2024-01-31",
        bounds=(59.8, 10.6, 60.0, 10.9),
        attribution="© OpenStreetMap contributors",
        licence="ODbL-1.0",
        origin="drawn",
        use=Use.TESTS,
        addresses=addresses,
    )


class Handler(http.server.BaseHTTPRequestHandler):
    """``/good``, ``/flipped``, ``/short`` (an honest length, too few bytes), ``/broken`` (cut off), ``/endless``."""

    def do_GET(self) -> None:
        bodies = {
            "/good": DATA,
            "/flipped": b"b" + DATA[1:],
            "/short": DATA[:-1],
            "/broken": DATA[:1000],
            "/endless": DATA * 3,
        }
        body = bodies.get(self.path)
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Length", str(len(DATA) if self.path == "/broken" else len(body or b"")))
        self.end_headers()
        try:
            self.wfile.write(body or b"")
        except OSError:
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Nothing on stderr."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as one:
        thread = threading.Thread(target=one.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{one.server_address[1]}"
        one.shutdown()
        thread.join()


@pytest.fixture
def session() -> Iterator[requests.Session]:
    with requests.Session() as one:
        one.trust_env = False
        yield one


def test_downloaded_once(server: str, session: requests.Session, tmp_path: Path) -> None:
    received: list[int] = []
    wanted = extract(f"{server}/good")
    fetched = fetch_extract(wanted, tmp_path / "new", session, received.append)
    assert fetched.address == f"{server}/good"
    assert fetched.path.read_bytes() == DATA
    assert sum(received) == len(DATA)
    assert fetch_extract(wanted, tmp_path / "new", session).address is None


def test_a_file_address(session: requests.Session, tmp_path: Path) -> None:
    source = tmp_path / "a file.bin"
    source.write_bytes(DATA)
    assert fetch_extract(extract(source.as_uri()), tmp_path / "new", session).path.read_bytes() == DATA


def test_the_next_address_when_one_does_not_answer(server: str, session: requests.Session, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{free.getsockname()[1]}/good"
    missing = (tmp_path / "missing").as_uri()
    wanted = extract(nobody, f"{server}/none", f"{server}/broken", missing, f"{server}/good")
    assert fetch_extract(wanted, tmp_path, session).address == f"{server}/good"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/flipped", f"expected sha256 {sha256_of_bytes(DATA)}, got sha256"),
        ("/short", f"expected {len(DATA)} bytes, got {len(DATA) - 1} bytes"),
        ("/endless", f"expected {len(DATA)} bytes, got more than {len(DATA)} bytes"),
    ],
)
def test_what_is_not_the_pinned_file_is_thrown_away(
    server: str, session: requests.Session, tmp_path: Path, path: str, message: str
) -> None:
    with pytest.raises(CorruptFileError) as caught:
        fetch_extract(extract(server + path), tmp_path, session)
    text = str(caught.value)
    assert message in text
    assert server + path in text
    assert "the download was cut off, or the address now gives another version" in text
    assert list(tmp_path.iterdir()) == []


def test_no_address_answers(server: str, session: requests.Session, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be downloaded") as caught:
        fetch_extract(extract(f"{server}/none", f"{server}/broken"), tmp_path, session)
    assert "404" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_no_address_at_all(session: requests.Session, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the registry has no address for it"):
        fetch_extract(extract(), tmp_path, session)


def test_a_file_that_is_there_and_wrong_is_left_for_the_person(
    server: str, session: requests.Session, tmp_path: Path
) -> None:
    (tmp_path / "oslo.osm.pbf").write_bytes(b"mine")
    with pytest.raises(CorruptFileError, match="the file was damaged or replaced"):
        fetch_extract(extract(f"{server}/good"), tmp_path, session)
    assert (tmp_path / "oslo.osm.pbf").read_bytes() == b"mine"
