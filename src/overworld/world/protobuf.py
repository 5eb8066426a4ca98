"""The parts of the Protocol Buffers wire format that OpenStreetMap files use, many numbers at once.

Source: the encoding guide of Protocol Buffers. A message is a row of fields; a *span* is the start and end of one
field's bytes in the data that it was found in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from overworld.world.csr import offsets_of
from overworld.world.store import I64, U8, Csr

U64 = npt.NDArray[np.uint64]

NUMBER = -1
"""Stands in place of a span's end where a field is a plain number: the number is in place of its start."""

VARINT, EIGHT_BYTES, LENGTH, FOUR_BYTES = 0, 1, 2, 5


class WireError(ValueError):
    """Bytes that are no message."""


def scan(data: bytes, position: int, end: int) -> list[tuple[int, int, int]]:
    """The fields of the message ``data[position:end]``: (field number, start, end), or (field number, value, NUMBER).

    Fields of four and eight bytes are left out. Raises ``WireError``; reading past the data is an ``IndexError``.
    """
    found = []
    while position < end:
        key = data[position]
        position += 1
        if key >= 0x80:
            key, position = _rest(data, key, position)
        kind = key & 7
        if kind in (EIGHT_BYTES, FOUR_BYTES):
            position += 8 if kind == EIGHT_BYTES else 4
            continue
        value = data[position]
        position += 1
        if value >= 0x80:
            value, position = _rest(data, value, position)
        if kind == LENGTH:
            found.append((key >> 3, position, position + value))
            position += value
        elif kind == VARINT:
            found.append((key >> 3, value, NUMBER))
        else:
            raise WireError(f"field of unknown kind {kind}")
    if position != end:
        raise WireError("a field is longer than its message")
    return found


def signed(value: int) -> int:
    """A number of 64 bits with its sign (int64 fields)."""
    return value - (1 << 64) if value >> 63 else value


def unzigzag(values: U64) -> I64:
    """Numbers of sint fields: 0, -1, 1, -2, … are 0, 1, 2, 3, …"""
    halves = (values >> np.uint64(1)).view(np.int64)
    return halves ^ -(values & np.uint64(1)).view(np.int64)


def numbers(data: U8) -> U64:
    """All numbers of a packed field."""
    stops = np.flatnonzero(data < 0x80)
    if len(data) and (len(stops) == 0 or stops[-1] != len(data) - 1):
        raise WireError("the last number of a list is cut off")
    starts = np.zeros(len(stops), dtype=np.int64)
    starts[1:] = stops[:-1] + 1
    lengths = stops - starts + 1
    if len(stops) == 0 or lengths.max() == 1:
        return data.astype(np.uint64)
    if lengths.max() > 10:
        raise WireError("a number is longer than 64 bits")
    place = np.arange(len(data)) - np.repeat(starts, lengths)
    parts = (data & np.uint8(0x7F)).astype(np.uint64) << (place * 7).astype(np.uint64)
    total: U64 = np.add.reduceat(parts, starts)
    return total


def lists_of_numbers(data: U8, spans: Sequence[int]) -> Csr:
    """The numbers (uint64) of many packed fields. ``spans``: start, end, start, end, … in ``data``."""
    bounds = np.array(spans, dtype=np.int64).reshape(-1, 2)
    lengths = bounds[:, 1] - bounds[:, 0]
    offsets = offsets_of(lengths)
    shift = np.repeat(bounds[:, 0] - offsets[:-1], lengths)
    gathered = data[np.arange(len(shift)) + shift]
    stops = np.zeros(len(gathered) + 1, dtype=np.int64)
    np.cumsum(gathered < 0x80, out=stops[1:])
    filled = lengths > 0
    if (gathered[offsets[1:][filled] - 1] >= 0x80).any():
        raise WireError("the last number of a list is cut off")
    values: Any = numbers(gathered)
    return Csr(stops[offsets].astype(np.uint32), values)


def running_sums(deltas: I64, offsets: npt.NDArray[np.uint32]) -> I64:
    """Each list's values from the differences that it holds."""
    sums = np.zeros(len(deltas) + 1, dtype=np.int64)
    np.cumsum(deltas, out=sums[1:])
    lengths = offsets[1:].astype(np.int64) - offsets[:-1]
    return sums[1:] - np.repeat(sums[offsets[:-1]], lengths)


def _rest(data: bytes, first: int, position: int) -> tuple[int, int]:
    """A number of several bytes whose first is known, and where it ends."""
    value, shift = first & 0x7F, 7
    while True:
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, position
        shift += 7
        if shift > 63:
            raise WireError("a number is longer than 64 bits")
