"""Private directories and the commands in them end with the way to them."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from probes.cancel import CancelToken
from probes.engines.private import private_directory, run_in, run_to_end
from probes.errors import Cancelled, ConnectionLost, DirectoryUnusable, EngineFailed
from probes.targets.target import Target
from tests.conftest import ROOT
from tests.present import present
from tests.probes.sandbox.traces import commands_with
from tests.servers.sshd import Sshd
from tests.waiting import wait_until


@pytest.fixture
def token() -> CancelToken:
    return CancelToken()


def test_a_directory_and_a_command_in_it(
    target: Target, directory: Path, token: CancelToken
) -> None:
    with private_directory(target, str(directory), token) as made:
        path = Path(made)
        assert path.parent == directory
        assert path.stat().st_mode & 0o777 == 0o700
        argv = ["sh", "-c", "pwd; printf 'a b\\n' > x; echo why >&2; exit 3"]
        said, ended = run_to_end(target, made, argv, silence_s=5, token=token)
        assert said == made
        assert (ended.status, ended.stderr.strip()) == (3, "why")
        assert (path / "x").read_text() == "a b\n"
    assert not path.exists()


def test_a_directory_that_is_none(target: Target, tmp_path: Path, token: CancelToken) -> None:
    with (
        pytest.raises(DirectoryUnusable),
        private_directory(target, str(tmp_path / "none"), token),
    ):
        pass


def test_a_directory_whose_path_has_a_line_break(
    target: Target, tmp_path: Path, token: CancelToken
) -> None:
    others = tmp_path / ".leadline-of-others"
    others.mkdir()
    broken = tmp_path / ".leadline-of-others\nyes 999 x"
    (broken / ".leadline-abcdefgh").mkdir(parents=True)
    with (
        pytest.raises(DirectoryUnusable, match="No directory can be made"),
        private_directory(target, str(broken), token),
    ):
        pass
    assert others.is_dir()
    assert [path.name for path in broken.iterdir()] == [".leadline-abcdefgh"]


def test_a_result_of_many_lines_hears_the_guard_a_few_times_a_second(
    target: Target, directory: Path, token: CancelToken
) -> None:
    beats: list[str] = []
    with private_directory(target, str(directory), token) as made:
        said, _ = run_to_end(
            target, made, ["seq", "2000"], silence_s=9, token=token, beat=lambda: beats.append("")
        )
    assert len(said.splitlines()) == 2000
    assert 0 < len(beats) < 1000


def test_leaving_early_ends_the_command(
    target: Target, directory: Path, token: CancelToken
) -> None:
    with private_directory(target, str(directory), token) as made:
        running = run_in(
            target, made, ["sh", "-c", "echo $$; exec sleep 97"], silence_s=9, token=token
        )
        pid = int(next(running))
        assert Path(f"/proc/{pid}").exists()
        running.close()
        assert wait_until(lambda: not Path(f"/proc/{pid}").exists())


def test_a_command_that_hears_no_signal_is_killed(
    target: Target, directory: Path, token: CancelToken
) -> None:
    stubborn = "trap '' TERM; echo $$; while :; do sleep 1; done"
    with private_directory(target, str(directory), token) as made:
        running = run_in(target, made, ["sh", "-c", stubborn], silence_s=9, token=token)
        pid = int(next(running))
        running.close()
        assert wait_until(lambda: not Path(f"/proc/{pid}").exists())


def test_cancelling_ends_the_command_soon(
    target: Target, directory: Path, token: CancelToken
) -> None:
    with private_directory(target, str(directory), token) as made:
        running = run_in(
            target, made, ["sh", "-c", "echo on; exec sleep 600"], silence_s=300, token=token
        )
        next(running)
        threading.Timer(0.2, token.cancel).start()
        with pytest.raises(Cancelled):
            next(running)


def test_silence_is_a_fault(local: Target, directory: Path, token: CancelToken) -> None:
    with private_directory(local, str(directory), token) as made:
        running = run_in(local, made, ["sleep", "95"], silence_s=0.5, token=token)
        with pytest.raises(EngineFailed, match="has said nothing"):
            next(running)


def test_a_cut_connection_leaves_nothing(
    remote: Target, sshd: Sshd, directory: Path, token: CancelToken
) -> None:
    with (
        pytest.raises(ConnectionLost),
        private_directory(remote, str(directory), token) as made,
    ):
        (Path(made) / "big").write_bytes(b"x" * 1000)
        argv = ["sh", "-c", "echo $$; exec sleep 94"]
        running = run_in(remote, made, argv, silence_s=9, token=token)
        pid = int(next(running))
        sshd.cut()
        next(running)
    assert wait_until(lambda: not Path(f"/proc/{pid}").exists())
    assert wait_until(lambda: not Path(made).exists())


_HOLD = """
import sys
from probes.cancel import CancelToken
from probes.engines.private import private_directory, run_in
from probes.targets.local import LocalTarget
token = CancelToken()
with private_directory(LocalTarget(), sys.argv[1], token) as made:
    for line in run_in(LocalTarget(), made, ["sh", "-c", "echo $$; exec sleep 93"],
                       silence_s=99, token=token):
        print(line, made, flush=True)
"""


def test_killing_leadline_leaves_nothing(directory: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(directory)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        pid, made = present(process.stdout).readline().rstrip("\n").split(" ", 1)
        assert Path(made).is_dir()
        process.kill()
    assert wait_until(lambda: not Path(f"/proc/{pid}").exists())
    assert wait_until(lambda: not Path(made).exists())


def test_a_held_directory_is_seen_by_who_cleans_up(
    local: Target, directory: Path, token: CancelToken
) -> None:
    with private_directory(local, str(directory), token) as made:
        assert commands_with(made)
