"""Settings from options and variables: what cannot be meant is refused before anything is done."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from overworld.cli.environment import WORLDS_DIR, settings_from
from overworld.core.errors import InputError


def test_a_file_is_no_folder_of_worlds(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match=r"is no folder: worlds cannot be kept there \(name one with --worlds-dir\)"):
        settings_from({WORLDS_DIR: str(file)}, None, None, None)


def test_no_home_folder_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home(*_: object) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr("platformdirs.user_cache_path", no_home)
    with pytest.raises(InputError, match="there is no home folder to keep worlds in"):
        settings_from({}, None, None, None)


def test_a_current_folder_that_is_gone_is_one_line(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = f"import os; os.chdir({str(gone)!r}); os.rmdir({str(gone)!r})\nimport sys; sys.argv = ['worlds', 'list']\n"
    script += "from overworld.cli.worlds import main\nsys.exit(main())"
    environment = {key: value for key, value in os.environ.items() if key != "OVERWORLD_PROJECT"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 2
    assert done.stderr == "error: the current folder is not there any more (change to one that is)\n"
