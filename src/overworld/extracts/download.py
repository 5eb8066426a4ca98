"""Download of extracts that are not there."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote, urlsplit

import requests

from overworld.core.errors import InputError
from overworld.extracts.registry import Extract
from overworld.extracts.verify import extract_path, mismatch

BLOCK_BYTES = 1 << 18
TIMEOUT_S = 60.0

Progress = Callable[[int], object]
"""Told the number of bytes that came in since the last call."""


@dataclass(frozen=True)
class Fetched:
    """An extract that is there and whole. ``address``: where it was downloaded from now, None if it was there."""

    extract: Extract
    path: Path
    address: str | None


def fetch_extract(
    extract: Extract, directory: Path, session: requests.Session, progress: Progress = lambda _: None
) -> Fetched:
    """Make sure that the extract's file is there and whole: verify it, or download it from its first good address.

    A download goes to a temporary file, is hashed, and takes its place only if it is the right one. Raises as
    ``extract_path``; ``InputError`` where no address gives the file.
    """
    path = directory / extract.file
    if path.exists():
        return Fetched(extract, extract_path(extract, directory), None)
    if not extract.addresses:
        raise InputError(
            f"the extract {extract.name} is not there, and the registry has no address for it",
            path=path,
            remedy="get it back with git, or put a copy of the file there",
        )
    troubles = []
    for address in extract.addresses:
        try:
            _download(extract, address, path, session, progress)
        except (OSError, requests.RequestException) as error:
            troubles.append(f"{address}: {error}")
        else:
            return Fetched(extract, path, address)
    raise InputError(
        f"the extract {extract.name} cannot be downloaded: {'; '.join(troubles)}",
        remedy="look at the network and at the addresses in the registry",
    )


def _download(extract: Extract, address: str, path: Path, session: requests.Session, progress: Progress) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            size, digest = _copy(_blocks(address, session), stream, extract.bytes, progress)
            stream.flush()
            os.fsync(stream.fileno())
        if size != extract.bytes:
            got = f"more than {extract.bytes} bytes" if size > extract.bytes else f"{size} bytes"
            raise mismatch(extract, path, address, f"{extract.bytes} bytes", got)
        if digest != extract.sha256:
            raise mismatch(extract, path, address, f"sha256 {extract.sha256}", f"sha256 {digest}")
        temporary.chmod(0o644)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _copy(blocks: Iterator[bytes], stream: BinaryIO, limit: int, progress: Progress) -> tuple[int, str]:
    """Size and SHA-256 of what came; stops as soon as it is more than ``limit`` bytes."""
    digest, size = hashlib.sha256(), 0
    for block in blocks:
        stream.write(block)
        digest.update(block)
        size += len(block)
        progress(len(block))
        if size > limit:
            break
    return size, digest.hexdigest()


def _blocks(address: str, session: requests.Session) -> Iterator[bytes]:
    """The bytes behind an ``http``, ``https`` or ``file`` address."""
    parts = urlsplit(address)
    if parts.scheme == "file":
        with Path(unquote(parts.path)).open("rb") as stream:
            yield from iter(lambda: stream.read(BLOCK_BYTES), b"")
        return
    with session.get(address, stream=True, timeout=TIMEOUT_S) as answer:
        answer.raise_for_status()
        yield from answer.iter_content(BLOCK_BYTES)
