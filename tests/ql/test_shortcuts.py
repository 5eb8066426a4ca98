from __future__ import annotations

import time

import pytest

from overworld.ql.shortcuts import Shortcut, UnsupportedShortcutError, fill, find

VALUES = {"bbox": "1,2,3,4", "center": "1,2", "geocodeArea": "area(id:3600000001)"}


def value(shortcut: Shortcut) -> str:
    return VALUES[shortcut.name]


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("node({{bbox}});", "node(1,2,3,4);"),
        ("node(around:5,{{center}});", "node(around:5,1,2);"),
        ('{{geocodeArea:"Kotka"}}->.a;', "area(id:3600000001)->.a;"),
        ("{{ geocodeArea : Kotka }}->.a;", "area(id:3600000001)->.a;"),
        ("{{bbox\n}}\nout;", "1,2,3,4\n\nout;"),
        ("// {{bbox}}\n/* {{center}} */ node['{{bbox}}'];", "// 1,2,3,4\n/* 1,2 */ node['1,2,3,4'];"),
        ("no shortcut } {{ here", "no shortcut } {{ here"),
        ("", ""),
    ],
)
def test_fill(text: str, filled: str) -> None:
    assert fill(text, value) == filled


@pytest.mark.parametrize(
    ("text", "argument"),
    [
        ("{{geocodeArea:Kotka, Finland}}", "Kotka, Finland"),
        ('{{geocodeArea: "Kotka" }}', "Kotka"),
        ("{{geocodeArea:'Kotka'}}", "Kotka"),
        ("{{geocodeArea:Saint-Jean:x}}", "Saint-Jean:x"),
        ("{{geocodeArea:Ål}}", "Ål"),
        ('{{geocodeArea:"}}', '"'),
    ],
)
def test_argument(text: str, argument: str) -> None:
    assert [shortcut.argument for shortcut in find(text)] == [argument]


@pytest.mark.parametrize(
    "text",
    [
        "{{date:1day}}",
        "{{geocodeId:X}}",
        "{{geocodeBbox:X}}",
        "{{style: node { color: red; } }}",
        "{{bbox=area:3606195356}}",
        "{{x=1}}",
        "{{}}",
        "{{geocodeArea}}",
        "{{geocodeArea:}}",
        "{{bbox:5}}",
        "{{Bbox}}",
    ],
)
def test_unsupported(text: str) -> None:
    with pytest.raises(UnsupportedShortcutError) as refusal:
        fill(f"out;\n{text}", value)
    assert refusal.value.shortcut.text == text
    assert f"line 2: unsupported shortcut {text}" in str(refusal.value)


def test_place() -> None:
    (shortcut,) = find("out;\n\n  {{bbox}};")
    assert (shortcut.name, shortcut.start, shortcut.end, shortcut.line) == ("bbox", 8, 16, 3)


@pytest.mark.parametrize(
    "text",
    [
        "{{" * 200_000,
        "{{}" * 200_000,
        "\n{{bbox}}" * 50_000,
        "{{ " + "a " * 200_000 + "}}",
        "{{" + " " * 300_000 + "}}",
    ],
    ids=["never closed", "half closed", "many", "many words", "only space"],
)
def test_time_is_linear_in_the_length(text: str) -> None:
    def seconds(part: str) -> float:
        start = time.process_time()
        list(find(part))
        return time.process_time() - start

    assert seconds(text) < 20 * max(seconds(text[: len(text) // 4]), 0.02)


def test_lines_of_shortcuts_behind_shortcuts_with_line_ends() -> None:
    assert [one.line for one in find("{{a\n\n}}{{b}}\n{{c\n}}\n{{d}}")] == [1, 3, 4, 6]
