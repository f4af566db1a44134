"""Ctrl-C ends the program in every state, and leaves nothing.

How soon is measured by ``make bench SUBJECT=interrupts``; here a guard only ends what hangs.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.app.cli.stops import STATES, Stage, State, silent_servers, stop
from tests.servers.sshd import Sshd
from tests.waiting import HANG_S

pytestmark = pytest.mark.skipif(not Path("/proc").exists(), reason="looks into /proc")


@pytest.fixture
def stage(tmp_path: Path, sshd: Sshd) -> Iterator[Stage]:
    directory = tmp_path / "probed"
    directory.mkdir()
    home = tmp_path / "home"
    home.mkdir()
    (home / "endless.json").write_text("{}")
    ssh_home = sshd.write_home(tmp_path / "ssh-home")
    with silent_servers() as (silent, full):
        url = f"ssh://{sshd.user}@127.0.0.1:{sshd.port}"
        yield Stage(directory, home, silent, full, ssh_home, url)


@pytest.mark.parametrize("state", STATES, ids=[state.name for state in STATES])
def test_ctrl_c_ends_it(state: State, stage: Stage) -> None:
    stopped = stop(state, stage)
    assert stopped.code == 4, stopped.said
    assert "Traceback" not in stopped.said
    assert "mistake" not in stopped.said
    assert "Stopped." in stopped.said or "Cancelled." in stopped.said
    assert left_in(stage.directory) == []


@pytest.mark.parametrize("name", ["measuring", "a report", "making a server"])
def test_sigterm_ends_it_too(name: str, stage: Stage) -> None:
    (state,) = (each for each in STATES if each.name == name)
    stopped = stop(replace(state, started=False), stage, signal.SIGTERM)
    assert stopped.code in (4, -signal.SIGTERM), stopped.said
    assert left_in(stage.directory) == []


def left_in(directory: Path) -> list[str]:
    """Files in it, and processes that were started with its path, once guards had their time."""
    ends = time.monotonic() + HANG_S
    while True:
        left = [path.name for path in directory.iterdir()] + users_of(directory)
        if not left or time.monotonic() > ends:
            return left
        time.sleep(0.05)


def users_of(directory: Path) -> list[str]:
    found = []
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = line.read_bytes()
        except OSError:
            continue
        if str(directory).encode() in command:
            found.append(command.replace(b"\0", b" ").decode("utf-8", "replace"))
    return found
