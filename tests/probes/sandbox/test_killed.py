"""Sandboxes whose Leadline, guard or both are killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from probes.cancel import CancelToken
from probes.sandbox import leftovers
from probes.sandbox.leftovers import GRACE_S, LOCK, clean_leftovers
from probes.sandbox.sandbox import find_server, start
from probes.targets.target import Target
from tests.present import present
from tests.probes.sandbox.traces import commands_with
from tests.waiting import HANG_S, alive, all_ended, wait_until

ROOT = Path(__file__).parents[3]

HOLD = """
import sys
from probes.cancel import CancelToken
from probes.sandbox.sandbox import start
from probes.targets.local import LocalTarget

token = CancelToken()
with start(LocalTarget(), sys.argv[1], token) as sandbox:
    events = sandbox.fill(64 << 20, token)
    next(events)
    next(events)
    print(sandbox.pid, sandbox.socket, flush=True)
    sys.stdin.read()
"""


Held = tuple[subprocess.Popen[str], int]


@pytest.fixture
def held(target: Target, home: Path) -> Iterator[Held]:
    """A Leadline of its own with a sandbox in the middle of its fill: process and server's pid."""
    if find_server(target) is None:
        pytest.skip("no mariadbd or mysqld is installed")
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(home)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    words = present(process.stdout).readline().split(maxsplit=1)
    assert words, "the sandbox did not start"
    yield process, int(words[0])
    process.kill()
    process.wait()
    present(process.stdin).close()
    present(process.stdout).close()


def guard_of(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("PPid")).split()[1])


def test_killing_leadline_ends_the_server_and_removes_everything(held: Held, home: Path) -> None:
    process, server = held
    process.kill()
    assert all_ended([server])
    assert wait_until(lambda: not list(home.iterdir()))


def test_killing_the_guards_too_leaves_what_the_next_start_removes(
    held: Held, home: Path, target: Target, token: CancelToken
) -> None:
    process, server = held
    guard = guard_of(server)
    process.send_signal(19)  # stopped, so that it can't tidy up when its guard dies
    os.kill(guard, 9)
    assert all_ended([server])
    [directory] = home.iterdir()
    holding = leftovers._users(target, str(directory))
    assert holding, "a shell holds the directory, too"
    for shell in holding:
        os.kill(shell, 9)
    process.kill()
    process.wait()
    [left] = list(home.iterdir())
    assert json.loads((left / LOCK).read_text())["directory"] == str(left)

    with start(target, str(home), token) as sandbox:
        assert list(home.iterdir()) == [Path(sandbox.socket).parent]


def test_a_living_sandbox_is_no_leftover(held: Held, home: Path, target: Target) -> None:
    process, server = held
    assert clean_leftovers(target, str(home)) == ()
    assert alive(server)
    present(process.stdin).close()
    process.wait(HANG_S)
    assert process.returncode == 0


def test_a_server_without_its_guard_is_ended(
    home: Path, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = home / ".leadline-abcdefgh"
    folder.mkdir(mode=0o700)
    monkeypatch.setattr(leftovers, "_ENDING_S", 0.6)
    # A shell that ignores the polite signal stands for a server that hangs.
    script = 'trap "" TERM; echo ready; while :; do sleep 0.1; done'
    with subprocess.Popen(
        ["sh", "-c", script, "sh", f"--datadir={folder}/data"], stdout=subprocess.PIPE
    ) as hanging:
        assert present(hanging.stdout).readline() == b"ready\n"
        assert clean_leftovers(target, str(home)) == (str(folder),)
        assert hanging.wait(HANG_S) == -9
    assert not folder.exists()


def test_a_directory_that_is_just_being_made_is_left_alone(home: Path, target: Target) -> None:
    folder = home / ".leadline-12345678"
    folder.mkdir(mode=0o700)
    assert clean_leftovers(target, str(home)) == ()

    long_ago = folder.stat().st_mtime - GRACE_S - 10
    os.utime(folder, (long_ago, long_ago))
    assert clean_leftovers(target, str(home)) == (str(folder),)


def test_what_is_not_ours_stays(home: Path, target: Target) -> None:
    (home / ".leadline-config").mkdir()
    (home / ".leadline-12345678").write_text("a file")
    (home / ".leadline-abcdefgh").symlink_to(home)
    (home / "leadline-12345678").mkdir()
    for entry in home.iterdir():
        os.utime(entry, (0, 0), follow_symlinks=False)
    before = sorted(home.iterdir())
    assert clean_leftovers(target, str(home)) == ()
    assert sorted(home.iterdir()) == before
    for entry in before:
        entry.rmdir() if entry.is_dir() and not entry.is_symlink() else entry.unlink()


def test_a_directory_that_somebody_works_in_stays(home: Path, target: Target) -> None:
    folder = home / ".leadline-abcdefgh"
    folder.mkdir(mode=0o700)
    (folder / LOCK).write_text("{}")
    with subprocess.Popen(["sh", "-c", "read line", "sh", f"{folder}/x"], stdin=subprocess.PIPE):
        assert clean_leftovers(target, str(home)) == ()
    assert clean_leftovers(target, str(home)) == (str(folder),)


def test_the_server_does_not_outlive_its_guard(held: Held, home: Path, target: Target) -> None:
    process, server = held
    os.kill(guard_of(server), 9)
    assert all_ended([server])
    assert commands_with(f"--datadir={home}") == {}
    present(process.stdin).close()
    process.wait(HANG_S)
