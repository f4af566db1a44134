"""A lab of an account without privileges: over SSH, and on this computer."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.run import RunState
from advisor.runs.lab.events import LabEvent, LabFinished, TurnDone
from advisor.store.store import Store
from probes.errors import TargetError
from probes.targets.address import SshAddress, TargetKind, TargetSpec
from tests.advisor.runs.lab.small_labs import asked, events_of, left_out, request, turns
from tests.app.cli.forked import ForkServer
from tests.app.cli.running.labs import lab_below
from tests.probes.sandbox.traces import commands_with
from tests.servers.account import Account, unprivileged_account
from tests.servers.sshd import Sshd, private_sshd
from tests.waiting import wait_until


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


@pytest.fixture
def spec(account: Account, server: Sshd, home: Path) -> TargetSpec:
    """The account's own way in; the lab's folder is its own."""
    shutil.chown(home, account.name)
    address = SshAddress(server.host, server.port, account.name)
    return TargetSpec(TargetKind.SSH, "there", address)


def owner_of(pid: int) -> str:
    """Whose process it is; "" once it has ended."""
    try:
        return Path(f"/proc/{pid}").owner()
    except OSError:
        return ""


def test_a_lab_over_ssh(store: Store, home: Path, spec: TargetSpec, account: Account) -> None:
    events: list[LabEvent] = []
    owners = set()
    programs: set[str] = set()
    for event in events_of(store, request(asked("innodb_doublewrite=ON,OFF"), home, target=spec)):
        events.append(event)
        if isinstance(event, TurnDone):
            owners |= {owner_of(pid) for pid in commands_with(f"--datadir={home}")}
            # Labs of other tests run at the same time.
            programs |= {
                command[0]
                for pid, command in commands_with("/leadline-load").items()
                if owner_of(pid) == account.name
            }
    assert isinstance(events[-1], LabFinished)
    assert not left_out(events)
    assert owners - {""} == {account.name}
    assert len({each.turn.variant for each in turns(events)}) == 3
    # It was brought there, into a folder of its own, which is gone.
    [brought] = {Path(each) for each in programs if ".leadline-" in each}
    assert wait_until(lambda: not brought.parent.exists())


def test_a_way_that_is_cut_leaves_nothing_there(
    store: Store, home: Path, spec: TargetSpec, server: Sshd
) -> None:
    question = asked("innodb_doublewrite=ON,OFF", budget_s=300)
    seen: list[LabEvent] = []

    def all_of_it() -> None:
        for event in events_of(store, request(question, home, target=spec)):
            seen.append(event)
            if isinstance(event, TurnDone):
                server.cut()

    with pytest.raises(TargetError):
        all_of_it()
    assert store.runs()[0].state is RunState.FAILED
    assert len(store.lab(store.runs()[0].id).turns) == len(turns(seen))


def test_a_lab_on_this_computer(
    home: Path, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.chown(home, account.name)
    may = ["runuser", "-u", account.name, "--", "test", "-x", sys.executable, "-a", "-r", __file__]
    if subprocess.run(may, check=False).returncode != 0:
        pytest.skip("runuser may not be used here")
    own = Path("/home") / account.name
    monkeypatch.setenv("HOME", str(own))
    monkeypatch.setenv("LEADLINE_HOME", str(own / "leadline"))
    server = ForkServer(["runuser", "-u", account.name, "--"])
    try:
        with lab_below(home, of=server) as program:
            said, told = program.communicate()
            assert program.wait() == 0, told
    finally:
        server.close()
    assert "round 2" in said
    assert "Left out" not in said
