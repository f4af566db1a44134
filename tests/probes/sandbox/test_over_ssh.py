"""The sandbox on a machine behind SSH: the same code, and nothing left when the way is cut."""

import pytest

from probes.errors import LeadlineError
from probes.sandbox.sandbox import find_server, start
from probes.targets.connect import open_target
from tests.probes.sandbox.traces import MIB, commands_with
from tests.waiting import wait_until


class NobodyAsked:
    def password(self, account, sentence):
        pytest.fail(f"asked for a password of {account}")

    def accept_host_key(self, host, key_type, fingerprint):
        pytest.fail("asked for a host key")


@pytest.fixture
def remote(ssh_spec, token):
    with open_target(ssh_spec, NobodyAsked(), token) as target:
        if find_server(target) is None:
            pytest.skip("no mariadbd or mysqld is installed")
        yield target


def test_serves_over_ssh_as_well(remote, token, home):
    with start(remote, str(home), token) as sandbox:
        list(sandbox.fill(16 * MIB, token))
        work = sandbox.work()
        assert work.login.socket == sandbox.socket
        with sandbox.connect(token) as session:
            rows = session.rows("SELECT COUNT(*) AS n FROM leadline.lookups")
        assert work.tables["uncached"].max_key == rows[0]["n"]


def test_a_cut_connection_leaves_nothing_there(remote, token, home, sshd):
    with pytest.raises(LeadlineError), start(remote, str(home), token) as sandbox:
        for event in sandbox.fill(128 * MIB, token):
            if event.done_bytes:
                sshd.cut()
    assert wait_until(lambda: not list(home.iterdir()))
    assert wait_until(lambda: not commands_with(str(home)))
