"""A server that logs somebody in, and then answers what it is asked for late, wrongly or never."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import paramiko
import pytest
from paramiko.common import OPEN_SUCCEEDED

from probes.cancel import CancelToken
from probes.errors import LeadlineError
from probes.targets.address import SshAddress
from probes.targets.ssh import request as ssh_request
from probes.targets.ssh import sftp as ssh_sftp
from probes.targets.ssh import stream as ssh_stream
from probes.targets.ssh.target import SshTarget
from probes.targets.target import SocketAddress, Target
from tests.probes.targets.ssh.fake_ssh import FakeSsh, fake_ssh
from tests.prompts import Answers
from tests.waiting import HANG_S


class Odd(FakeSsh):
    """Opens sessions; ``asked`` is what it does with a request for a command or SFTP in one."""

    @staticmethod
    def asked(channel: paramiko.Channel) -> bool:
        raise NotImplementedError

    def check_channel_request(self, kind: str, chanid: int) -> int:
        return OPEN_SUCCEEDED

    def check_channel_exec_request(self, channel: paramiko.Channel, command: bytes) -> bool:
        return self.asked(channel)

    def check_channel_subsystem_request(self, channel: paramiko.Channel, name: str) -> bool:
        return self.asked(channel)


@contextmanager
def logged_in(asked: Callable[[paramiko.Channel], bool]) -> Iterator[Target]:
    odd = type("Asked", (Odd,), {"asked": staticmethod(asked)})
    with (
        fake_ssh(behaves=odd) as fake,
        closing(
            SshTarget(SshAddress("127.0.0.1", fake.port, "me"), Answers(trust=True), CancelToken())
        ) as target,
    ):
        yield target


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".ssh").mkdir(mode=0o700)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (ssh_request, ssh_sftp, ssh_stream):
        monkeypatch.setattr(module, "OPEN_LIMIT_S", 0.5)


def copied(target: Target, _limit_s: float) -> None:
    target.put_file(Path(__file__), "/nowhere/at/all", 0o600)


def joined(target: Target, limit_s: float) -> None:
    target.open_socket(SocketAddress(unix_path="/run/mysqld/mysqld.sock"), limit_s)


STEPS: dict[str, Callable[[Target, float], object]] = {
    "a command": lambda target, limit_s: target.run(["true"], timeout_s=limit_s),
    "a copy": copied,
    "a socket": joined,
}


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("step", STEPS)
def test_a_request_that_nobody_answers_ends(step: str) -> None:
    """In another thread, as a fault would last without end."""
    never = threading.Event()

    def silent(_: paramiko.Channel) -> bool:
        never.wait()
        return False

    told: list[LeadlineError] = []

    def ask(target: Target) -> None:
        try:
            STEPS[step](target, 0.5)
        except LeadlineError as error:
            told.append(error)

    with logged_in(silent) as target:
        asking = threading.Thread(target=ask, args=(target,), daemon=True)
        asking.start()
        asking.join(HANG_S)
        try:
            assert not asking.is_alive()
        finally:
            never.set()
    (error,) = told
    # It opens nothing more either, where a second way is tried.
    assert re.search(r"it did not answer within|Timeout opening channel\.$", error.sentence)


def refuses(_: paramiko.Channel) -> bool:
    return False


def hangs_up(channel: paramiko.Channel) -> bool:
    channel.get_transport().close()
    return True


def closes(channel: paramiko.Channel) -> bool:
    channel.close()
    return True


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("asked", [refuses, hangs_up, closes])
def test_any_other_answer_is_told(step: str, asked: Callable[[paramiko.Channel], bool]) -> None:
    with logged_in(asked) as target, pytest.raises(LeadlineError) as caught:
        STEPS[step](target, HANG_S)
    assert not re.search(r"did not answer within|Timeout", caught.value.sentence)
