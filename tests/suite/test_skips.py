"""A run that may leave out what is listed alone fails at any other reason, in workers, too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.suite.skips import LISTED

ROOT = Path(__file__).resolve().parents[2]

SKIPPED = """
import pytest

def test_runs():
    pass

@pytest.mark.skipif(True, reason={reason!r})
def test_is_left_out():
    pass
"""


@pytest.mark.parametrize(
    ("reason", "listed", "code", "workers"),
    [
        ("there is no zsh here", "listed", 0, ("-n", "1")),
        ("nobody has thought of this", "listed", 1, ("-n", "1")),
        ("nobody has thought of this", "listed", 1, ()),
        ("nobody has thought of this", "", 0, ()),
    ],
)
def test_only_what_is_listed_may_be_left_out(
    tmp_path: Path, reason: str, listed: str, code: int, workers: tuple[str, ...]
) -> None:
    (tmp_path / "test_some.py").write_text(SKIPPED.format(reason=reason))
    plugin = ["-p", "tests.suite.skips"]
    argv = ["-m", "pytest", "-q", *plugin, "-c", os.devnull, *workers, str(tmp_path)]
    done = subprocess.run(
        [sys.executable, *argv],
        check=False,
        cwd=ROOT,
        env=os.environ | {LISTED: listed},
        capture_output=True,
        text=True,
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert reason in done.stdout
