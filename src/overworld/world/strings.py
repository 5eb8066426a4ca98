"""Strings and tag pairs into dictionaries with a canonical order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from overworld.world.csr import offsets_of
from overworld.world.store import U32, Strings, TagDictionary


def to_bytes(text: str) -> bytes:
    """UTF-8; bytes that were no UTF-8 where the text came from stay as they were."""
    return text.encode("utf-8", "surrogateescape")


def strings_of(texts: Iterable[str]) -> tuple[Strings, dict[str, int]]:
    """The distinct ``texts`` in UTF-8 byte order, and the index of each."""
    encoded = sorted((to_bytes(text), text) for text in set(texts))
    data = np.frombuffer(b"".join([blob for blob, _ in encoded]), dtype=np.uint8)
    lengths = np.array([len(blob) for blob, _ in encoded], dtype=np.int64)
    return Strings(offsets_of(lengths), data), {text: index for index, (_, text) in enumerate(encoded)}


def tag_dictionary(pairs: Sequence[tuple[str, str]]) -> tuple[TagDictionary, U32]:
    """The dictionary of the distinct ``pairs``, and the canonical number of each (uint32, parallel to ``pairs``)."""
    keys, key_numbers = strings_of(key for key, _ in pairs)
    values, value_numbers = strings_of(value for _, value in pairs)
    pair_keys = np.array([key_numbers[key] for key, _ in pairs], dtype=np.uint32)
    pair_values = np.array([value_numbers[value] for _, value in pairs], dtype=np.uint32)
    order = np.lexsort((pair_values, pair_keys))
    numbers = np.empty(len(pairs), dtype=np.uint32)
    numbers[order] = np.arange(len(pairs), dtype=np.uint32)
    counts = np.bincount(pair_keys, minlength=len(keys)) if len(pairs) else np.zeros(len(keys), dtype=np.int64)
    return TagDictionary(keys, values, pair_keys[order], pair_values[order], offsets_of(counts)), numbers
