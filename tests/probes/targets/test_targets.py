"""What every target does, this computer and one behind SSH alike."""

from __future__ import annotations

import getpass
import hashlib
import json
import os
import socket
import threading
import time
from pathlib import Path

import pytest

from probes.cancel import CancelToken
from probes.errors import Cancelled, CommandFailed, ConnectionLost, TargetUnreachable
from probes.targets import local_stream
from probes.targets.listener import Listener
from probes.targets.ssh import stream as ssh_stream
from probes.targets.target import SocketAddress, Stream, Target
from tests.waiting import HANG_S, alive, wait_until


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ends what lingers after a moment."""
    monkeypatch.setattr(local_stream, "LINGER_S", 0.3)
    monkeypatch.setattr(ssh_stream, "LINGER_S", 0.3)


def read_line(stream: Stream, limit_s: float = HANG_S) -> bytes | None:
    """The next line, or None at the end."""
    deadline = time.monotonic() + limit_s
    while time.monotonic() < deadline:
        line = stream.read_line(0.5)
        if line != b"":
            return line
    raise AssertionError("no line came")


def test_output_status_and_errors_of_a_command(target: Target) -> None:
    done = target.run(["sh", "-c", "printf out; printf err >&2; exit 3"])
    assert (done.status, done.stdout, done.stderr) == (3, b"out", b"err")


def test_arguments_arrive_as_they_are(target: Target, odd: Path) -> None:
    arguments = [str(odd), "a\nb", "", "*", "--", 'x"y`z\\', "-n"]
    done = target.run(["printf", "%s\\n--\\n", *arguments])
    assert done.stdout.decode() == "".join(f"{word}\n--\n" for word in arguments)


def test_standard_input_of_a_command(target: Target) -> None:
    data = os.urandom(3 << 20)
    assert target.run(["sha256sum"], stdin=data).stdout.split()[0].decode() == (
        hashlib.sha256(data).hexdigest()
    )
    assert target.run(["cat"]).stdout == b""


def test_a_command_that_does_not_read_its_input(target: Target) -> None:
    assert target.run(["true"], stdin=bytes(4 << 20)).status == 0


def test_much_output_on_both_channels(target: Target) -> None:
    done = target.run(["sh", "-c", "head -c 5000000 /dev/zero; head -c 300000 /dev/zero >&2"])
    assert len(done.stdout) == 5_000_000
    assert done.stderr


def test_a_missing_command_has_a_shell_s_status(target: Target) -> None:
    assert target.run(["no-such-command-anywhere"]).status == 127


def test_a_killed_command_has_a_negative_status(target: Target) -> None:
    assert target.run(["sh", "-c", "kill -9 $$"]).status < 0


@pytest.mark.usefixtures("impatient")
def test_a_command_that_takes_too_long_is_ended(target: Target, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    with pytest.raises(CommandFailed, match="1\u202fs") as caught:
        target.run(["sh", "-c", f"echo $$ > {note}; exec sleep 60"], timeout_s=1)
    assert target.name in caught.value.sentence
    assert wait_until(lambda: not _runs(note))


def _runs(note: Path) -> bool:
    """Whether the command runs that writes its id; a slow machine may not even have begun it."""
    said = note.read_text() if note.exists() else ""
    return said.endswith("\n") and alive(int(said))


def test_a_stream_answers_line_by_line(target: Target) -> None:
    with target.stream(["cat"], token=CancelToken()) as stream:
        assert stream.read_line(0.05) == b""
        stream.send(b"one\ntwo\nthr")
        assert [read_line(stream), read_line(stream)] == [b"one", b"two"]
        assert stream.read_line(0.05) == b""
        stream.send(b"ee")
        stream.close_input()
        assert read_line(stream) == b"three"
        assert read_line(stream) is None
        assert stream.finish(HANG_S).status == 0


def test_a_stream_s_rest_and_errors(target: Target) -> None:
    with target.stream(
        ["sh", "-c", "echo a; echo b; echo bad >&2; exit 4"], token=CancelToken()
    ) as stream:
        assert read_line(stream) == b"a"
        done = stream.finish(HANG_S)
    assert (done.status, done.stdout, done.stderr) == (4, b"b\n", b"bad\n")


def test_cancelling_closes_a_stream_s_input_at_once(target: Target) -> None:
    token = CancelToken()
    with target.stream(["sh", "-c", "cat; echo over"], token=token) as stream:
        timer = threading.Timer(0.2, token.cancel)
        timer.start()
        assert read_line(stream) == b"over"
        timer.join()
        with pytest.raises(ConnectionLost):
            stream.send(b"more")
    with pytest.raises(Cancelled), target.stream(["cat"], token=token):
        pass


@pytest.mark.usefixtures("impatient")
def test_leaving_a_stream_ends_a_command_that_lingers(target: Target) -> None:
    with target.stream(["sh", "-c", "echo $$; exec sleep 60"], token=CancelToken()) as stream:
        pid = int(read_line(stream) or b"0")
        assert alive(pid)
    assert wait_until(lambda: not alive(pid))


def test_a_stream_whose_command_is_missing(target: Target) -> None:
    try:
        with target.stream(["no-such-command-anywhere"], token=CancelToken()) as stream:
            assert read_line(stream) is None
            assert stream.finish(HANG_S).status == 127
    except CommandFailed as error:
        assert "no-such-command-anywhere" in error.sentence


def test_files_go_and_come(target: Target, odd: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(os.urandom(1 << 20))
    there = f"{odd}/cöpy"
    target.put_file(source, there, 0o700)
    assert Path(there).read_bytes() == source.read_bytes()
    assert Path(there).stat().st_mode & 0o777 == 0o700
    assert target.read_file(there) == source.read_bytes()
    assert target.read_file(there, limit_bytes=10) == source.read_bytes()[:10]
    assert target.read_file("/proc/version").startswith(b"Linux")


def test_files_that_can_t_be_had(target: Target, odd: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(b"x")
    missing = f"{odd}/none/file"
    for attempt in (
        lambda: target.read_file(missing),
        lambda: target.put_file(source, missing, 0o600),
    ):
        with pytest.raises(CommandFailed) as caught:
            attempt()
        assert missing in caught.value.sentence
        assert "No such file" in caught.value.sentence


def test_a_tcp_socket(target: Target) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        ours = target.open_socket(SocketAddress(host="127.0.0.1", port=port)).carrier
        theirs, _ = server.accept()
        with theirs:
            talk(ours, theirs)
    ours.close()
    with pytest.raises(TargetUnreachable, match=str(port)):
        target.open_socket(SocketAddress(host="127.0.0.1", port=port))


def test_a_unix_socket(target: Target, odd: Path) -> None:
    path = f"{odd}/s.sock"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        greeting = threading.Thread(target=greet, args=(server,))
        greeting.start()
        joined = target.open_socket(SocketAddress(unix_path=path))
        assert joined.listener == Listener(getpass.getuser(), private=True)
        ours = joined.carrier
        ours.settimeout(HANG_S)
        assert ours.recv(5) == b"hello"
        ours.sendall(b"bye")
        assert ours.recv(3) == b"bye"
        ours.close()
        greeting.join(HANG_S)
    assert not greeting.is_alive()
    with pytest.raises(TargetUnreachable, match="sock"):
        target.open_socket(SocketAddress(unix_path=path))


def greet(server: socket.socket) -> None:
    connection, _ = server.accept()
    with connection:
        connection.sendall(b"hello")
        while data := connection.recv(100):
            connection.sendall(data)


def talk(ours: object, theirs: socket.socket) -> None:
    ours.settimeout(HANG_S)  # type: ignore[attr-defined]
    theirs.settimeout(HANG_S)
    ours.sendall(b"a question")  # type: ignore[attr-defined]
    assert theirs.recv(100) == b"a question"
    theirs.sendall(b"an answer")
    assert ours.recv(100) == b"an answer"  # type: ignore[attr-defined]
    ours.settimeout(0.05)  # type: ignore[attr-defined]
    with pytest.raises(TimeoutError):
        ours.recv(1)  # type: ignore[attr-defined]


def test_the_agent_runs(target: Target) -> None:
    told = json.loads(target.run([target.agent(), "version"]).stdout)
    assert told["protocol"] == 2
    assert target.agent() == target.agent()


def test_what_was_said_while_this_program_was_stopped_is_heard(target: Target) -> None:
    """The time is over when the program goes on: what waits is read before that is judged."""
    heard: list[bytes | None] = []

    def listen() -> bool:
        heard.append(stream.read_line(-60.0))
        return heard[-1] != b""

    with target.stream(["sh", "-c", "echo said; exec cat"], token=CancelToken()) as stream:
        assert wait_until(listen)
    assert heard[-1] == b"said"
