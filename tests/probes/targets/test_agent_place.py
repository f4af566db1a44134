"""The agent comes, runs, and is gone again, whatever happens to whom."""

from __future__ import annotations

import getpass
import hashlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from probes.cancel import CancelToken
from probes.errors import AgentFailed, ConnectionLost, TargetUnreachable
from probes.targets import agent_place
from probes.targets.address import TargetSpec
from probes.targets.agent_file import AGENT, LOAD_PROGRAM, program_file, program_name
from probes.targets.connect import open_target
from probes.targets.listener import Listener
from probes.targets.local import LocalTarget
from probes.targets.parse import parse_target
from probes.targets.ssh import sftp as ssh_sftp
from probes.targets.target import CommandResult, SocketAddress, Target
from tests.prompts import Answers
from tests.servers.sshd import Sshd, private_sshd
from tests.waiting import HANG_S, wait_until

SYSTEM = " ".join([os.uname().sysname, os.uname().machine])
NAME = program_name(AGENT, SYSTEM, "this computer")


def place_of(target: Target) -> Path:
    """The directory that was made for the agent."""
    place = Path(target.agent()).parent
    assert place.name.startswith(".leadline-")
    assert place.stat().st_mode & 0o777 == 0o700
    return place


def test_it_is_gone_after_an_orderly_end(ssh_spec: TargetSpec) -> None:
    with open_target(ssh_spec, Answers(), CancelToken()) as target:
        place = place_of(target)
        assert [file.name for file in place.iterdir()] == ["leadline-agent"]
        with program_file(NAME) as shipped:
            assert (place / "leadline-agent").read_bytes() == shipped.read_bytes()
    assert not place.exists()


def test_the_load_program_comes_beside_the_agent(ssh_spec: TargetSpec) -> None:
    with open_target(ssh_spec, Answers(), CancelToken()) as target:
        brought = Path(target.load_program())
        assert target.run([target.load_program(), "version"]).status == 0
        place = place_of(target)
        assert brought.parent == place
        assert sorted(file.name for file in place.iterdir()) == ["leadline-agent", "leadline-load"]
        with program_file(program_name(LOAD_PROGRAM, SYSTEM, "db7")) as shipped:
            assert brought.read_bytes() == shipped.read_bytes()
    assert not place.exists()


def test_this_computer_uses_the_shipped_load_program_itself() -> None:
    name = program_name(LOAD_PROGRAM, SYSTEM, "this computer")
    with closing(LocalTarget()) as target, program_file(name) as shipped:
        assert target.load_program() == str(shipped)


def test_it_is_gone_after_a_cut_connection(ssh_spec: TargetSpec, sshd: Sshd) -> None:
    with open_target(ssh_spec, Answers(), CancelToken()) as target:
        place = place_of(target)
        sshd.cut()
        assert wait_until(lambda: not place.exists())


CLIENT = """
import sys, time
from probes.cancel import CancelToken
from probes.targets.connect import open_target
from probes.targets.parse import parse_target
with open_target(parse_target(sys.argv[1]), None, CancelToken()) as target:
    print(target.agent(), flush=True)
    with target.stream([target.agent(), "guard", "--", "sleep", "300"], token=CancelToken()) as s:
        print(s.read_line(600).decode(), flush=True)
        time.sleep(600)
"""


def test_it_is_gone_after_leadline_was_killed(ssh_spec: TargetSpec, sshd: Sshd) -> None:
    argv = [sys.executable, "-c", CLIENT, ssh_spec.name]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, cwd=Path.cwd()) as client:
        assert client.stdout is not None
        place = Path(client.stdout.readline().decode().strip()).parent
        assert b"started" in client.stdout.readline()
        assert place.is_dir()
        client.send_signal(signal.SIGKILL)
    assert wait_until(lambda: not place.exists())
    assert wait_until(lambda: not sshd.sessions())


def test_a_local_copy_is_gone_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_place.AgentPlace, "_in_place", lambda _self, _file: "")
    with closing(LocalTarget()) as target:
        place = place_of(target)
    assert not place.exists()


def test_this_computer_uses_the_shipped_file_itself() -> None:
    with closing(LocalTarget()) as target, program_file(NAME) as shipped:
        assert target.agent() == str(shipped)


def test_what_an_appimage_has_mounted_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """Root, as whom a watch may run the agent, could not read it there."""
    with program_file(NAME) as shipped:
        monkeypatch.setenv("APPDIR", str(shipped.parents[2]))
    with closing(LocalTarget()) as target:
        place = place_of(target)
    assert not place.exists()


def test_a_wheel_may_lose_the_mode_of_the_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with shipped_agents(monkeypatch, tmp_path, lambda content: content) as file:
        file.chmod(0o644)
        with closing(LocalTarget()) as target:
            place = place_of(target)
            assert target.run([target.agent(), "version"]).status == 0
    assert not place.exists()


def test_a_server_without_sftp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with private_sshd(sftp=False) as server:
        monkeypatch.setenv("HOME", str(server.write_home(tmp_path)))
        with open_target(spec_of(server), Answers(), CancelToken()) as target:
            place = place_of(target)
            assert target.run([target.agent(), "version"]).status == 0
        assert not place.exists()


CHATTY = (
    "ForceCommand echo 'mesg: ttyname failed: it is \"odd\"' >&2; echo '{}' >&2;"
    ' eval "$SSH_ORIGINAL_COMMAND"'
)


def test_what_a_shell_says_at_its_start_hides_not_who_listens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.sock"

    def greet() -> None:
        connection, _ = listening.accept()
        with connection:
            connection.sendall(b"hello")

    with private_sshd([CHATTY], sftp=False) as server, socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        monkeypatch.setenv("HOME", str(server.write_home(tmp_path)))
        with open_target(spec_of(server), Answers(), CancelToken()) as target:
            greeting = threading.Thread(target=greet)
            greeting.start()
            joined = target.open_socket(SocketAddress(unix_path=str(path)))
            greeting.join(HANG_S)
            assert joined.listener == Listener(getpass.getuser(), private=True)
            joined.carrier.close()
            with pytest.raises(TargetUnreachable, match="no such file or directory"):
                target.open_socket(SocketAddress(unix_path=f"{path}.gone"))


SFTP_SERVERS = {
    "silent": "exec cat >/dev/null",
    "one byte now and then": "while printf x; do sleep 0.3; done",
    "nonsense": "head -c 100000 /dev/zero; exec cat >/dev/null",
    "a packet without an end": "printf '\\377\\377\\377\\377'; exec cat >/dev/null",
    "another version": "printf '\\0\\0\\0\\1\\7'; exec cat >/dev/null",
    "gone at once": "exit 3",
}


@pytest.mark.parametrize("does", SFTP_SERVERS)
def test_an_sftp_server_that_is_none_is_gone_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does: str
) -> None:
    monkeypatch.setattr(ssh_sftp, "SEND_LIMIT_S", 1.0)
    script = tmp_path / "sftp"
    script.write_text(f"#!/bin/sh\n{SFTP_SERVERS[does]}\n")
    script.chmod(0o755)
    with private_sshd([f"Subsystem sftp {script}"], sftp=False) as server:
        monkeypatch.setenv("HOME", str(server.write_home(tmp_path)))
        with open_target(spec_of(server), Answers(), CancelToken()) as target:
            assert target.run([target.agent(), "version"]).status == 0


def test_a_place_where_nothing_may_run_is_passed_over(tmp_path: Path) -> None:
    refused = tmp_path / "noexec"
    refused.mkdir()
    with mounted_noexec(refused):
        place = first_place({"XDG_RUNTIME_DIR": str(refused), "HOME": str(tmp_path)})
        assert place
        assert not place.startswith(str(refused))
        assert list(refused.iterdir()) == []


def test_places_are_tried_in_order(tmp_path: Path) -> None:
    odd = tmp_path / "rün time"
    odd.mkdir()
    assert first_place({"XDG_RUNTIME_DIR": str(odd)}).startswith(f"{odd}/.leadline-")
    assert first_place({"XDG_RUNTIME_DIR": str(tmp_path / "none")}).startswith("/tmp/.leadline-")
    assert list(odd.iterdir()) == []


def test_an_agent_that_was_damaged_on_its_way(
    remote: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    def put_less(source: Path, destination: str, mode: int) -> None:
        Path(destination).write_bytes(source.read_bytes()[:-1])
        Path(destination).chmod(mode)

    monkeypatch.setattr(remote, "put_file", put_less)
    with pytest.raises(AgentFailed, match="damaged"):
        remote.agent()


def test_the_checksum_is_read_back_where_there_is_no_sha256sum(
    remote: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = remote.run

    def without(argv: list[str], **more: object) -> CommandResult:
        missing = CommandResult(127, b"", b"")
        return missing if argv[0] == "sha256sum" else run(argv, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(remote, "run", without)
    assert run([remote.agent(), "version"]).status == 0


@pytest.mark.parametrize(
    ("system", "said"),
    [("Darwin arm64", "Linux"), ("Linux riscv64", "riscv64"), ("", "another system")],
)
def test_systems_without_an_agent(monkeypatch: pytest.MonkeyPatch, system: str, said: str) -> None:
    with closing(LocalTarget()) as target:
        monkeypatch.setattr(
            target, "run", lambda _argv, **_more: CommandResult(0, system.encode(), b"")
        )
        with pytest.raises(AgentFailed, match=said) as caught:
            target.agent()
    assert caught.value.advice


def test_a_unix_socket_where_no_agent_runs(remote: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "agent", refusing)
    with pytest.raises(TargetUnreachable, match="no processor fits") as caught:
        remote.open_socket(SocketAddress(unix_path="/run/some.sock"))
    assert "/run/some.sock" in caught.value.sentence
    assert caught.value.advice


def refusing() -> str:
    raise AgentFailed("no processor fits")


def test_a_copy_of_leadline_without_its_agent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with shipped_agents(monkeypatch, tmp_path, lambda content: content) as file:
        file.unlink()
        with closing(LocalTarget()) as target, pytest.raises(AgentFailed, match="make agent"):
            target.agent()


def test_a_copy_of_leadline_with_another_agent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with (
        shipped_agents(monkeypatch, tmp_path, lambda content: content + b"!"),
        closing(LocalTarget()) as target,
        pytest.raises(AgentFailed, match="checksum"),
    ):
        target.agent()


def test_the_agent_of_a_cut_connection(remote: Target, sshd: Sshd) -> None:
    sshd.cut()
    with pytest.raises(ConnectionLost):
        remote.agent()


def spec_of(server: Sshd) -> TargetSpec:
    return parse_target(f"ssh://{server.user}@{server.host}:{server.port}")


def first_place(environment: dict[str, str]) -> str:
    """The directory that the keeping shell reports with this environment; removed at the end."""
    with subprocess.Popen(
        ["sh", "-c", agent_place._KEEP_PLACE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={"PATH": os.environ["PATH"]} | environment,
    ) as shell:
        assert shell.stdout is not None
        place = shell.stdout.readline().decode().strip()
        assert Path(place).is_dir()
        shell.terminate()
        time.sleep(0.05)
        assert Path(place).is_dir()
    assert not Path(place).exists()
    return place


@contextmanager
def mounted_noexec(directory: Path) -> Iterator[None]:
    mount = ["mount", "-t", "tmpfs", "-o", "noexec,size=1m", "tmpfs", str(directory)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("mounting a noexec file system is not allowed here")
    try:
        yield
    finally:
        subprocess.run(["umount", str(directory)], check=True)


@contextmanager
def shipped_agents(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, change: Callable[[bytes], bytes]
) -> Iterator[Path]:
    """A copy of Leadline's agents as the package, with the checksum of the one that was built."""
    folder = tmp_path / "resources" / "agents"
    folder.mkdir(parents=True)
    with program_file(NAME) as shipped:
        content = shipped.read_bytes()
    file = folder / NAME
    file.write_bytes(change(content))
    file.chmod(0o755)
    (folder / "SHA256SUMS").write_text(f"{hashlib.sha256(content).hexdigest()}  {NAME}\n")
    monkeypatch.setattr(
        "probes.targets.agent_file.resources.files", lambda _package: tmp_path / "resources"
    )
    yield file
