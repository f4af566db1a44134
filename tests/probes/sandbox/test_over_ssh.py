"""The sandbox on a machine behind SSH: the same code, and nothing left when the way is cut."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from probes.cancel import CancelToken
from probes.errors import LeadlineError
from probes.sandbox.sandbox import find_server, start
from probes.targets.address import TargetSpec
from probes.targets.connect import open_target
from probes.targets.target import Target
from tests.probes.sandbox.traces import MIB, commands_with
from tests.prompts import Unasked
from tests.servers.sshd import Sshd
from tests.waiting import wait_until


@pytest.fixture
def remote(ssh_spec: TargetSpec, token: CancelToken) -> Iterator[Target]:
    with open_target(ssh_spec, Unasked(), token) as target:
        if find_server(target) is None:
            pytest.skip("no mariadbd or mysqld is installed")
        yield target


def test_serves_over_ssh_as_well(remote: Target, token: CancelToken, home: Path) -> None:
    with start(remote, str(home), token) as sandbox:
        list(sandbox.fill(16 * MIB, token))
        work = sandbox.work()
        assert work.login.socket == sandbox.socket
        with sandbox.connect(token) as session:
            rows = session.rows("SELECT COUNT(*) AS n FROM leadline.lookups")
        assert work.tables["uncached"].max_key == rows[0]["n"]


def test_a_cut_connection_leaves_nothing_there(
    remote: Target, token: CancelToken, home: Path, sshd: Sshd
) -> None:
    with pytest.raises(LeadlineError), start(remote, str(home), token) as sandbox:
        for event in sandbox.fill(128 * MIB, token):
            if event.done_bytes:
                sshd.cut()
    assert wait_until(lambda: not list(home.iterdir()))
    assert wait_until(lambda: not commands_with(str(home)))
