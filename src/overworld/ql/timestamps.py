"""Timestamps as the engine accepts them."""

from __future__ import annotations

import re
from typing import Final

_PATTERN: Final = re.compile(r"(\d{4}).(\d\d).(\d\d).(\d\d).(\d\d).(\d\d)", re.DOTALL | re.ASCII)


def is_timestamp(text: str) -> bool:
    """Whether ``text`` starts like ``yyyy-mm-ddThh:mm:ss``, with any separators, and is not all zeros."""
    return fields(text) is not None


def fields(text: str) -> tuple[int, ...] | None:
    """Year, month, day, hour, minute, second; each kept to the bits that the engine has for it."""
    match = _PATTERN.match(text)
    if match is None:
        return None
    masks = (0x3FFF, 0xF, 0x1F, 0x1F, 0x3F, 0x3F)
    values = tuple(int(digits) & mask for digits, mask in zip(match.groups(), masks, strict=True))
    return values if any(values) else None


def iso(text: str) -> str:
    """The timestamp as the engine writes it."""
    year, month, day, hour, minute, second = fields(text) or (0,) * 6
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"
