from __future__ import annotations

import math

import pytest

from overworld.ql import numbers
from overworld.ql.settings import size


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5.0),
        ("-5.25e1x", -52.5),
        (" \t+.5", 0.5),
        ("5.", 5.0),
        ("0x1F", 31.0),
        ("0x1p-1", 0.5),
        ("0x.8z", 0.5),
        ("inf", math.inf),
        ("-Infinity", -math.inf),
        ("1e999", math.inf),
        ("0x1p99999", math.inf),
        ("abc", 0.0),
        ("", 0.0),
        ("1_000", 1.0),
        ("٣", 0.0),
        ("5\x006", 5.0),
    ],
)
def test_to_float(text: str, value: float) -> None:
    assert numbers.to_float(text) == value


def test_not_a_number() -> None:
    assert math.isnan(numbers.to_float("nan(5)"))


@pytest.mark.parametrize(
    ("text", "is_int", "is_float"),
    [
        ("5", True, True),
        ("010", True, True),
        ("08", False, True),
        ("0x1f", True, True),
        ("0x", False, False),
        ("1e5", False, True),
        ("1e", False, False),
        ("-.", False, False),
        ("nan", False, True),
        ("99999999999999999999", True, True),
        ("5 ", False, False),
        ("", False, False),
    ],
)
def test_whole_numbers(text: str, is_int: bool, is_float: bool) -> None:
    assert (numbers.is_int(text), numbers.is_float(text)) == (is_int, is_float)


@pytest.mark.parametrize(
    ("text", "signed", "unsigned", "low"),
    [
        ("12abc", 12, 12, 12),
        ("-1", -1, 2**64 - 1, -1),
        ("99999999999999999999", 2**63 - 1, 2**63 - 1, -1),
        ("4294967297", 4294967297, 4294967297, 1),
        ("2147483648", 2147483648, 2147483648, -(2**31)),
        ("010", 10, 10, 10),
        ("x", 0, 0, 0),
    ],
)
def test_to_int(text: str, signed: int, unsigned: int, low: int) -> None:
    assert (numbers.to_int(text), numbers.to_unsigned(text), numbers.to_int32(text)) == (signed, unsigned, low)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("25", 25),
        ("1 ki", 1024),
        ("1Mi", 2**20),
        ("2 G", 2 * 10**9),
        ("0x10", 16),
        ("010", 8),
        ("5 s", 0),
        ("5  k", 0),
        ("99999999999999999999", 0),
        ("-5", -5),
        ("abc", 0),
    ],
)
def test_size(text: str, value: int) -> None:
    assert size(text) == value


@pytest.mark.parametrize(
    ("text", "pairs", "complete"),
    [
        ("1 2 3 4", [(1, 2), (3, 4)], True),
        (" 1\n2\t", [(1, 2)], False),
        ("1 2 3", [(1, 2)], False),
        ("1 x", [(1, 0)], True),
        ("1,2 3", [(1, 0)], True),
        ("", [], False),
        ("1e1 -2.5e-1", [(10, -0.25)], True),
        ("1e 2", [], False),
    ],
)
def test_read_pairs(text: str, pairs: list[tuple[float, float]], complete: bool) -> None:
    assert numbers.read_pairs(text) == (pairs, complete)


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.0, "1"), (0.1, "0.1"), (1e-7, "1e-07"), (1e20, "1e+20"), (1.2345678901234567, "1.2345678901235"), (-0.0, "-0")],
)
def test_format_float(value: float, text: str) -> None:
    assert numbers.format_float(value) == text
