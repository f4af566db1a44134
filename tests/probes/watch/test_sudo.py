"""A watch as root by ``sudo -n``, over a real sshd, with an account that is not root."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from probes.cancel import CancelToken
from probes.errors import TargetError
from probes.targets.address import SshAddress, TargetKind, TargetSpec
from probes.targets.connect import open_target
from probes.targets.target import Target
from probes.watch.machine_series import ANSWER, TRACE, MachineSeries, sudo_refusal
from tests.prompts import Answers
from tests.servers.account import Account, unprivileged_account
from tests.servers.mariadb import MariaDB
from tests.servers.sshd import Sshd, private_sshd
from tests.tracing import INSTANCES
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(not INSTANCES.is_dir(), reason="no tracefs is mounted here")


@pytest.fixture(scope="module")
def account() -> Iterator[Account]:
    with unprivileged_account() as made:
        yield made


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sshd]:
    with private_sshd() as started, pytest.MonkeyPatch.context() as patch:
        # It reads its keys as the account itself.
        started.directory.chmod(0o755)
        (started.directory / "authorized_keys").chmod(0o644)
        patch.setenv("HOME", str(started.write_home(tmp_path_factory.mktemp("home"))))
        patch.delenv("SSH_AUTH_SOCK", raising=False)
        yield started


@pytest.fixture(scope="module")
def spec(account: Account, server: Sshd) -> TargetSpec:
    """The account's own way in."""
    address = SshAddress(server.host, server.port, account.name)
    return TargetSpec(TargetKind.SSH, "there", address, sudo=True)


@pytest.fixture
def target(spec: TargetSpec) -> Iterator[Target]:
    with open_target(spec, Answers(), CancelToken()) as there:
        yield there


def pid_file_of(server: MariaDB) -> Path:
    """What tells the agents of this test from those of others that run at the same time."""
    return server.directory / "sudo-test.pid"


def series(server: MariaDB) -> MachineSeries:
    data = {"data": str(server.directory / "data")}
    pid_file = pid_file_of(server)
    pid_file.write_text(str(server.pid))
    pid_file.chmod(0o644)
    return MachineSeries(data, str(pid_file), 16384, sudo=True)


def test_the_trace_of_an_account_that_is_not_root(
    account: Account, target: Target, mariadb: MariaDB
) -> None:
    account.allow()
    assert target.run(["id", "-u"]).stdout.strip() != b"0"
    looking = series(mariadb)
    with looking.watching(target, 30.0, CancelToken()):
        names = begun(mariadb)
        mariadb.sql("SET GLOBAL innodb_max_dirty_pages_pct = 0")
        mariadb.sql("FLUSH TABLES")
    mariadb.sql("SET GLOBAL innodb_max_dirty_pages_pct = DEFAULT")
    assert looking.missing == []
    said = json.loads(looking.answers[ANSWER])
    assert said["pid"] == mariadb.pid
    assert "trace" in said
    assert not {each["what"] for each in said.get("missing", [])} & {"trace", "server.io"}
    assert gone(names)


def test_a_refusal_is_named_with_what_it_costs_and_the_rest_is_watched(
    account: Account, target: Target, mariadb: MariaDB
) -> None:
    account.forbid()
    looking = series(mariadb)
    with looking.watching(target, 30.0, CancelToken()):
        pass
    ((fact, because),) = looking.missing
    assert fact == TRACE
    assert because.startswith("`sudo -n` was refused (sudo: a password is required); without root")
    said = json.loads(looking.answers[ANSWER])
    assert "trace" not in said
    assert len(said["moments"]) >= 2
    assert "password is required" in sudo_refusal(target, target.agent())


def test_nothing_stays_on_when_sudo_and_the_agent_are_killed(
    account: Account, target: Target, mariadb: MariaDB
) -> None:
    account.allow()
    looking = series(mariadb)
    with looking.watching(target, 30.0, CancelToken()):
        names = begun(mariadb)
        killed = tracing_processes(mariadb)
        assert any(name.startswith("sudo") for _, name in killed)
        for pid, _ in killed:
            os.kill(pid, signal.SIGKILL)
        assert gone(names)
    assert [fact for fact, _ in looking.missing] == [ANSWER]


def test_nothing_stays_on_when_the_connection_is_cut(
    account: Account, spec: TargetSpec, server: Sshd, mariadb: MariaDB
) -> None:
    account.allow()
    looking = series(mariadb)
    with (
        suppress(TargetError),
        open_target(spec, Answers(), CancelToken()) as target,
        looking.watching(target, 30.0, CancelToken()),
    ):
        names = begun(mariadb)
        server.cut()
    assert gone(names)
    assert wait_until(lambda: not tracing_processes(mariadb))


def instances(server: MariaDB) -> set[str]:
    """The trace instances of this test's agent; others may trace on this machine, too."""
    agents = {str(pid) for pid, _ in tracing_processes(server)}
    return {each.name for each in INSTANCES.iterdir() if _agent_of(each.name) in agents}


def _agent_of(name: str) -> str:
    """The process that an instance is named after: ``leadline-PID-START-…``."""
    return name.split("-")[1] if name.startswith("leadline-") else ""


def begun(server: MariaDB) -> set[str]:
    """The same, once there are any."""
    assert wait_until(lambda: bool(instances(server)))
    return instances(server)


def gone(names: set[str]) -> bool:
    """Whether they are away, or go away now."""
    return wait_until(lambda: not names & {each.name for each in INSTANCES.iterdir()})


def tracing_processes(server: MariaDB) -> list[tuple[int, str]]:
    """sudo and the agent that it runs, with the beginnings of their command lines."""
    found, mark = [], str(pid_file_of(server)).encode()
    for place in Path("/proc").glob("[0-9]*"):
        try:
            words = (place / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if mark in b" ".join(words) and b"watch" in words:
            found.append((int(place.name), words[0].decode(errors="replace")))
    return found
