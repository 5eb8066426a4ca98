"""Extracts are checked against the registry before anything is read from them."""

from __future__ import annotations

from pathlib import Path

from overworld.core.errors import CorruptFileError, InputError
from overworld.core.files import sha256_of_file
from overworld.extracts.registry import Extract


def extract_path(extract: Extract, directory: Path) -> Path:
    """The file of an extract, checked: it is there, and it is what the registry says.

    Raises ``InputError`` where it is not there, ``CorruptFileError`` where it is another file.
    """
    path = directory / extract.file
    if not path.is_file():
        raise InputError(f"the extract {extract.name} is not there", path=path, remedy=f"worlds fetch {extract.name}")
    size = path.stat().st_size
    if size != extract.bytes:
        raise mismatch(extract, path, str(path), f"{extract.bytes} bytes", f"{size} bytes")
    digest = sha256_of_file(path)
    if digest != extract.sha256:
        raise mismatch(extract, path, str(path), f"sha256 {extract.sha256}", f"sha256 {digest}")
    return path


def mismatch(extract: Extract, path: Path, source: str, expected: str, got: str) -> CorruptFileError:
    """The error for a file from ``source`` (a path or an address) that is not the pinned one."""
    if source == str(path):
        cause, remedy = "the file was damaged or replaced", "remove it, then: worlds fetch " + extract.name
    else:
        cause, remedy = (
            "the download was cut off, or the address now gives another version",
            "try again, or correct the registry",
        )
    return CorruptFileError(
        f"the extract {extract.name} from {source} is not the pinned one: expected {expected}, got {got}; {cause}",
        path=path if source != str(path) else None,
        remedy=remedy,
    )
