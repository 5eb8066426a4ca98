"""Hashes of files and atomic writes: a partial file is never taken for a whole one."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def sha256_of_bytes(data: bytes) -> str:
    """Hexadecimal SHA-256 of ``data``."""
    return hashlib.sha256(data).hexdigest()


def sha256_of_file(path: Path) -> str:
    """Hexadecimal SHA-256 of the file at ``path``, read in blocks."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def write_atomically(path: Path, data: bytes | str) -> None:
    """Write ``data`` to ``path`` so that a reader sees the old file or the whole new one, whatever happens."""
    path.parent.mkdir(parents=True, exist_ok=True)
    blob = data.encode() if isinstance(data, str) else data
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(blob)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException as error:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)
        raise


@contextmanager
def directory_written_atomically(path: Path) -> Iterator[Path]:
    """Yield a temporary directory beside ``path`` that takes its place when the block ends without an error.

    An older directory at ``path`` is replaced. On an error nothing at ``path`` changes.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp"))
    try:
        yield temporary
        temporary.chmod(0o755)
        if path.exists():
            retired = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.", suffix=".old"))
            path.replace(retired / "old")
            Path(temporary).replace(path)
            shutil.rmtree(retired)
        else:
            Path(temporary).replace(path)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
