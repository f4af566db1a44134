"""The way to a server: configuration, jumps, proxy commands, and servers that are not there."""

from __future__ import annotations

import shlex
import socket
import sys
import threading
from pathlib import Path

import pytest

from probes.cancel import CancelToken
from probes.errors import (
    Cancelled,
    ConnectionLost,
    HostKeyRejected,
    LeadlineError,
    TargetUnreachable,
    UsageError,
)
from probes.targets.address import SshAddress, TargetKind, TargetSpec
from probes.targets.connect import open_target
from probes.targets.ssh import link as ssh_link
from probes.targets.ssh.config import parse_jump, resolve_hop
from tests.prompts import Answers
from tests.servers.sshd import Sshd, private_sshd
from tests.waiting import wait_until


def named(host: str, port: int | None = None) -> TargetSpec:
    return TargetSpec(TargetKind.SSH, host, SshAddress(host, port))


def configure(home: Path, text: str) -> None:
    (home / ".ssh" / "config").write_text(text)


def connect(spec: TargetSpec, token: CancelToken | None = None) -> str:
    """Connect, run something, and return how messages call the target."""
    with open_target(spec, Answers(), token or CancelToken()) as target:
        assert target.run(["echo", "hello"]).stdout == b"hello\n"
        return target.name


def test_an_alias(sshd: Sshd, ssh_home: Path) -> None:
    key = ssh_home / "the key"
    (ssh_home / ".ssh" / "id_ed25519").rename(key)
    configure(
        ssh_home,
        f"Host db7 db8\n  HostName {sshd.host}\n  Port {sshd.port}\n  User {sshd.user}\n"
        f'  IdentityFile "{key}"\n  IdentitiesOnly yes\nHost *\n  Port 1\n',
    )
    assert connect(named("db7")) == f"{sshd.user}@db7:{sshd.port}"


def test_what_the_user_names_wins(sshd: Sshd, ssh_home: Path) -> None:
    configure(ssh_home, f"Host *\n  Port 1\n  User nobody\n  HostName {sshd.host}\n")
    spec = TargetSpec(TargetKind.SSH, "x", SshAddress("x", sshd.port, sshd.user))
    assert connect(spec) == f"{sshd.user}@x:{sshd.port}"


def test_included_files(sshd: Sshd, ssh_home: Path) -> None:
    folder = ssh_home / ".ssh" / "conf.d"
    folder.mkdir()
    (folder / "a.conf").write_text(f"Host db7\n  HostName {sshd.host}\n  User {sshd.user}\n")
    # What follows an Include belongs to no block of the included file.
    configure(ssh_home, f"Include conf.d/*.conf ~/none\nPort {sshd.port}\n")
    connect(named("db7"))


def test_a_jump_through_the_same_server_twice(sshd: Sshd, ssh_home: Path) -> None:
    configure(
        ssh_home,
        f"Host gate inner db7\n  HostName {sshd.host}\n  Port {sshd.port}\n  User {sshd.user}\n"
        "Host db7\n  ProxyJump gate,inner\n",
    )
    with open_target(named("db7"), Answers(), CancelToken()) as target:
        assert len(sshd.sessions()) == 3
        assert target.run(["sh", "-c", "echo $SSH_CONNECTION"]).stdout.count(b"127.0.0.1") == 2
        assert target.run([target.agent(), "version"]).status == 0
    assert wait_until(lambda: not sshd.sessions())


def test_a_jump_that_jumps_itself(sshd: Sshd, ssh_home: Path) -> None:
    here = f"{sshd.user}@{sshd.host}:{sshd.port}"
    configure(
        ssh_home,
        f"Host db7 inner\n  HostName {sshd.host}\n  Port {sshd.port}\n"
        f"Host db7\n  ProxyJump inner\nHost inner\n  ProxyJump {here}\n",
    )
    with open_target(named("db7"), Answers(), CancelToken()):
        assert len(sshd.sessions()) == 3


def test_a_jump_to_a_host_that_is_down(sshd: Sshd, ssh_home: Path) -> None:
    configure(ssh_home, f"Host db7\n  HostName 127.0.0.1\n  ProxyJump {sshd.host}:{sshd.port}\n")
    with pytest.raises(TargetUnreachable, match="jump host") as caught:
        connect(named("db7", 1))
    assert "127.0.0.1:1" in caught.value.sentence
    assert wait_until(lambda: not sshd.sessions())


def test_a_jump_that_forbids_forwarding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with private_sshd(["AllowTcpForwarding no"]) as server:
        home = server.write_home(tmp_path)
        monkeypatch.setenv("HOME", str(home))
        configure(home, f"Host db7\n  ProxyJump {server.host}:{server.port}\n")
        with pytest.raises(TargetUnreachable, match="prohibited"):
            connect(named("db7"))


def test_the_jump_s_host_key_is_checked_too(sshd: Sshd, ssh_home: Path) -> None:
    (ssh_home / ".ssh" / "known_hosts").write_text("")
    configure(ssh_home, f"Host db7\n  ProxyJump {sshd.host}:{sshd.port}\n")
    with pytest.raises(HostKeyRejected, match=str(sshd.port)):
        connect(named("db7"))


def test_jumps_in_a_circle(ssh_home: Path) -> None:
    configure(ssh_home, "Host a\n  ProxyJump b\nHost b\n  ProxyJump a\n")
    with pytest.raises(UsageError, match="jumps"):
        connect(named("a"))


PIPE = """
import os, socket, sys, threading
line = socket.create_connection((sys.argv[1], int(sys.argv[2])))
def out():
    while data := line.recv(65536):
        os.write(1, data)
threading.Thread(target=out, daemon=True).start()
while data := os.read(0, 65536):
    line.sendall(data)
"""


def test_a_proxy_command(sshd: Sshd, ssh_home: Path) -> None:
    script = ssh_home / "a pipe.py"
    script.write_text(PIPE)
    command = f"{sys.executable} {shlex.quote(str(script))} %h %p"
    configure(ssh_home, f"Host db7\n  HostName {sshd.host}\n  ProxyCommand {command}\n")
    with open_target(named("db7", sshd.port), Answers(), CancelToken()) as target:
        assert target.run([target.agent(), "version"]).status == 0
    assert wait_until(lambda: not sshd.sessions())


def test_a_proxy_command_is_told_no_password(
    ssh_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEADLINE_MYSQL_PASSWORD", "hunter2")
    told = tmp_path / "told"
    configure(ssh_home, f"Host db7\n  ProxyCommand sh -c 'env > {told}'\n")
    with pytest.raises(TargetUnreachable):
        connect(named("db7"))
    assert "PATH=" in told.read_text()
    assert "hunter2" not in told.read_text()


def test_a_proxy_command_that_leads_nowhere(ssh_home: Path) -> None:
    configure(ssh_home, "Host db7\n  ProxyCommand sh -c 'echo no way >&2; exit 1'\n")
    with pytest.raises(TargetUnreachable, match="ProxyCommand") as caught:
        connect(named("db7"))
    assert caught.value.details == "no way"


def test_a_closed_port(ssh_home: Path) -> None:
    with pytest.raises(TargetUnreachable, match="refuses connections to port 1") as caught:
        connect(named("127.0.0.1", 1))
    assert caught.value.advice


def test_an_unknown_name(ssh_home: Path) -> None:
    with pytest.raises(TargetUnreachable, match=r"no-such-host\.invalid is not known"):
        connect(named("no-such-host.invalid"))


def test_a_host_that_does_not_answer(ssh_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(*_arguments: object) -> socket.socket:
        raise TimeoutError("timed out")

    monkeypatch.setattr(ssh_link, "connect_tcp", silent)
    with pytest.raises(TargetUnreachable, match="does not answer"):
        connect(named("127.0.0.1"))


@pytest.mark.parametrize("greeting", [b"220 mail ESMTP\r\n" * 3, b"\x4a\0\0\0\x0a9.7.4\0", b""])
def test_what_is_no_ssh_server(ssh_home: Path, greeting: bytes, capfd: object) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        def serve() -> None:
            connection, _ = server.accept()
            connection.sendall(greeting)
            connection.close()

        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(TargetUnreachable, match="does not speak SSH"):
            connect(named("127.0.0.1", port))
        thread.join()
    said = capfd.readouterr()  # type: ignore[attr-defined]
    assert (said.out, said.err) == ("", "")


@pytest.mark.parametrize("limit", ["CONNECT_LIMIT_S", "_HANDSHAKE_LIMIT_S"])
def test_a_server_that_keeps_silent(
    ssh_home: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(ssh_link, limit, 0.3)
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        pytest.raises(TargetUnreachable, match="does not speak SSH"),
    ):
        connect(named("127.0.0.1", server.getsockname()[1]))


def test_cancelling_while_a_server_keeps_silent(ssh_home: Path) -> None:
    token = CancelToken()
    with socket.create_server(("127.0.0.1", 0)) as server:
        timer = threading.Timer(0.3, token.cancel)
        timer.start()
        with pytest.raises(Cancelled):
            connect(named("127.0.0.1", server.getsockname()[1]), token)
        timer.join()
    with pytest.raises(Cancelled):
        connect(named("127.0.0.1"), token)


@pytest.mark.parametrize(
    "text", ["Port many\n", "Port 0\n", "Match exec\n", "nonsense\n", "ProxyJump a:b\n"]
)
def test_a_configuration_that_makes_no_sense(ssh_home: Path, text: str) -> None:
    configure(ssh_home, f"Host db7\n  {text}")
    with pytest.raises(UsageError) as caught:
        connect(named("db7"))
    assert caught.value.advice


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("db7", SshAddress("db7")),
        ("me@db7:2222", SshAddress("db7", 2222, "me")),
        ("ssh://me@[::1]:2222/", SshAddress("::1", 2222, "me")),
        ("[::1]", SshAddress("::1")),
    ],
)
def test_jumps_as_they_are_written(text: str, address: SshAddress) -> None:
    assert parse_jump(text) == address


@pytest.mark.parametrize("text", ["", "me@", "::1", "db7:", "db7:x", "[::1]x"])
def test_what_is_no_jump(text: str) -> None:
    if text == "db7:":
        assert parse_jump(text) == SshAddress("db7")
        return
    with pytest.raises(UsageError):
        parse_jump(text)


def test_defaults_without_a_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    hop = resolve_hop(SshAddress("Db7.Example"))
    assert (hop.hostname, hop.port, hop.known_as) == ("Db7.Example", 22, "Db7.Example")
    assert hop.key_files[0] == tmp_path / ".ssh" / "id_ed25519"
    assert hop.known_hosts[0] == tmp_path / ".ssh" / "known_hosts"


class TestCut:
    """The connection ends in the middle of something."""

    def test_while_a_stream_is_read(self, ssh_spec: TargetSpec, sshd: Sshd) -> None:
        with (
            open_target(ssh_spec, Answers(), CancelToken()) as target,
            target.stream(["sleep", "600"], token=CancelToken()) as stream,
        ):
            timer = threading.Timer(0.2, sshd.cut)
            timer.start()
            with pytest.raises(ConnectionLost, match="cut") as caught:
                while stream.read_line(1.0) == b"":
                    pass
            timer.join()
        assert target.name in caught.value.sentence

    def test_while_a_command_runs(self, ssh_spec: TargetSpec, sshd: Sshd) -> None:
        with open_target(ssh_spec, Answers(), CancelToken()) as target:
            timer = threading.Timer(0.2, sshd.cut)
            timer.start()
            with pytest.raises(ConnectionLost):
                target.run(["sleep", "30"])
            timer.join()

    # Paramiko's own thread may trip over a channel that is opened as the connection is cut.
    @pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
    def test_and_then_anything(self, ssh_spec: TargetSpec, sshd: Sshd, tmp_path: Path) -> None:
        source = tmp_path / "source"
        source.write_bytes(b"x")
        with open_target(ssh_spec, Answers(), CancelToken()) as target:
            sshd.cut()
            for attempt in (
                lambda: target.run(["true"]),
                lambda: target.read_file("/etc/hostname"),
                lambda: target.put_file(source, str(tmp_path / "there"), 0o600),
                target.agent,
            ):
                with pytest.raises(ConnectionLost):
                    attempt()

    def test_through_a_jump(self, sshd: Sshd, ssh_home: Path) -> None:
        configure(
            ssh_home,
            f"Host gate db7\n  HostName {sshd.host}\n  Port {sshd.port}\n"
            "Host db7\n  ProxyJump gate\n",
        )
        with open_target(named("db7"), Answers(), CancelToken()) as target:
            sshd.cut()
            with pytest.raises(LeadlineError):
                target.run(["true"])
