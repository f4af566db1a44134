"""The way back on a machine behind SSH: the connection, or its sshd, dies in the middle."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from probes.cancel import CancelToken
from probes.errors import LeadlineError
from probes.mysql.connection import connect
from probes.targets.address import MySQLAddress, TargetSpec
from probes.targets.connect import open_target
from probes.targets.silent import Silent
from probes.trial.agent_hand import agent_hand
from probes.trial.counters import Sources
from probes.trial.settings import Side, TriedSetting
from probes.trial.way_back import new_lock
from tests.servers.eleven import RunningServer, chosen
from tests.servers.sshd import Sshd
from tests.waiting import HANG_S

NAME = "innodb_lru_scan_depth"


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with chosen()[-1].start() as running:
        yield running


def value(server: RunningServer) -> str:
    return str(server.sql(f"SELECT @@GLOBAL.{NAME} AS said")[0]["said"])


def test_an_sshd_that_is_killed_leaves_the_old_value(
    server: RunningServer, sshd: Sshd, ssh_spec: TargetSpec
) -> None:
    old = value(server)
    settings = (TriedSetting(NAME, old, str(int(old) // 2), number=True),)
    address = MySQLAddress(user="root", socket=server.socket)
    token = CancelToken()
    with (
        pytest.raises(LeadlineError),
        open_target(ssh_spec, Silent(), token) as target,
        connect(
            address, via=target, prompts=Silent(), token=token, password="", own_server=True
        ) as asking,
        agent_hand(target, asking, settings, Sources(False, False), new_lock()) as hand,
    ):
        hand.set(Side.NEW)
        assert value(server) == settings[0].new
        sshd.cut()
        deadline = time.monotonic() + HANG_S
        while value(server) != old:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        while time.monotonic() < deadline:
            hand.look()
            time.sleep(0.05)
    assert value(server) == old
