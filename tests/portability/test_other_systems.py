"""Leadline starts, and answers in sentences, on systems that lack what Linux has.

`make portability` runs all pure tests there, too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.portability import other_system
from tests.servers.sshd import Sshd
from tests.waiting import HANG_S

SYSTEMS = {"win32": "Windows", "darwin": "macOS"}


def there(system: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the other system's Python."""
    return subprocess.run(
        [sys.executable, "-m", "tests.portability.other_system", system, *words],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=HANG_S,
        check=False,
    )


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEADLINE_HOME", str(tmp_path / "home"))


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_module_can_be_imported(system: str) -> None:
    """That is what the self-test begins with; it also opens a store."""
    done = there(system, "leadline", "--self-test")
    assert done.returncode == 0, done.stderr
    assert {"modules", "rules", "store", "agents"} <= set(done.stdout.split())


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_that_system_lacks_is_really_out_of_reach(system: str) -> None:
    """The views are no test if they let everything through."""
    seen = other_system.views(system)
    for module, names in other_system.MISSING_NAMES[system].items():
        assert all(not hasattr(seen[module], name) for name in names)
        assert any(hasattr(sys.modules[module], name) for name in names)
    assert seen["sys"].platform == system
    assert seen["os"].environ is os.environ


@pytest.mark.parametrize(("system", "name"), SYSTEMS.items())
def test_this_computer_as_a_target_is_declined_in_a_sentence(system: str, name: str) -> None:
    done = there(system, "leadline", "check", "--no-load")
    assert done.returncode == 1
    assert f"This computer runs {name}, and Leadline measures Linux machines alone." in done.stderr
    assert "ssh://user@host" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_linux_machine_behind_ssh_is_measured_from_windows(
    sshd: Sshd, ssh_home: Path, tmp_path: Path
) -> None:
    """By the agent that ships for it."""
    address = f"ssh://{sshd.user}@{sshd.host}:{sshd.port}"
    place = ("--dir", str(tmp_path))
    few = ("--probe", "random_read", "--block-sizes", "16k", "--threads", "1")
    done = there("win32", "short", "probe", "storage", address, *place, *few, "--json")
    assert "Traceback" not in done.stderr
    # Whether a moment on a busy machine gives a point that can be used is another matter.
    content = json.loads(done.stdout)
    assert [point for curve in content["runs"] for point in curve["points"]]


def test_the_window_opens_and_says_why_this_computer_is_no_target() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.portability.window", "win32"],
        cwd=ROOT,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=HANG_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "This computer runs Windows" in done.stdout


@pytest.mark.parametrize("word", ["rules", "targets"])
def test_commands_that_need_no_target_answer_on_windows(word: str) -> None:
    done = there("win32", "leadline", word)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
