"""YAML files that are hostile, damaged or no files: one message with the file, and no time or memory lost."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from overworld.core.documents import read_document
from overworld.core.errors import InputError

BOMB = "a: &a [x, x]\n" + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [{f'*{chr(97 + i)}, ' * 9}x]\n" for i in range(12))


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (BOMB, None, "aliases are not read here"),
        ("a: &a {b: 1}\nc:\n  <<: *a\n", None, "aliases are not read here"),
        ("a: 1\nb: !!python/object/apply:os.system [x]\n", 2, "tags are not read here"),
        ("a: !thing {b: 1}\n", 1, "tags are not read here"),
        ("a:\n  - !thing b\n", 2, "tags are not read here"),
        ("a: !!binary aGk=\n", 1, "tags are not read here"),
        ("a: !!set {b}\n", 1, "tags are not read here"),
        ("[" * 300_000, None, "values are nested too deeply"),
        ("a: !!int x\n", None, "not valid YAML"),
        ("a: 2001-99-99\n", None, "not valid YAML"),
        ("a: \0\n", None, "not valid YAML"),
    ],
    ids=lambda value: repr(value)[:24] if isinstance(value, str) else None,
)
def test_is_refused_at_once(tmp_path: Path, text: str, line: int | None, said: str) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(text, encoding="utf-8")
    start = time.process_time()
    with pytest.raises(InputError) as refusal:
        read_document(path)
    assert time.process_time() - start < 5
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert str(path) in str(refusal.value)
    assert line is None or f":{line}:" in str(refusal.value)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be read: Is a directory"):
        read_document(tmp_path)
