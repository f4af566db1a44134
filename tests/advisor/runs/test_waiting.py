"""Two runs on one drive: the second waits, whichever way it reaches the machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.run import RunState
from advisor.runs.events import CheckEvent, Finished, Queued, RunStarted
from advisor.runs.link import linked
from advisor.runs.requests import CheckRequest
from advisor.runs.session import measure
from advisor.runs.waiting import drives_of
from advisor.store.store import Store
from probes.cancel import CancelToken, closable
from probes.errors import Cancelled
from probes.targets.address import SshAddress, TargetKind, TargetSpec
from probes.targets.silent import Silent
from tests.advisor.runs.checks import only, until
from tests.advisor.runs.faults.faulty import ONE_LEVEL
from tests.servers.sshd import Sshd


def local(directory: Path, name: str = "local") -> CheckRequest:
    spec = TargetSpec(name=name, directory=str(directory))
    return CheckRequest(spec, window_s=0.0, wishes=ONE_LEVEL)


@pytest.fixture
def first(store: Store, disk: Path, short_plan: None) -> Iterator[Iterator[CheckEvent]]:
    """A run that has begun to measure the disk."""
    with closing(closable(measure(store, local(disk), Silent(), CancelToken()))) as events:
        until(events, RunStarted)
        yield events


@pytest.fixture
def second_store(store: Store, tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store" / "leadline.sqlite3") as opened:
        yield opened


def test_the_second_run_waits_for_the_first_and_begins_by_itself(
    first: Iterator[CheckEvent], second_store: Store, disk: Path
) -> None:
    other = measure(second_store, local(disk, "again"), Silent(), CancelToken())
    with closing(closable(other)) as events:
        queued = until(events, Queued)
        assert queued.text == (
            "This drive is being measured by a run of this computer. This one starts when that one "
            "ends: two at once would measure each other."
        )
        assert len(second_store.runs()) == 1
        assert until(first, Finished)
        assert list(first) == []
        came = list(events)
    assert isinstance(came[-1], Finished)
    assert not only(came, Queued)
    assert [run.state for run in second_store.runs()] == [RunState.DONE, RunState.DONE]


def test_a_run_that_waits_can_be_cancelled(
    first: Iterator[CheckEvent], second_store: Store, disk: Path
) -> None:
    token = CancelToken()
    with closing(closable(measure(second_store, local(disk), Silent(), token))) as events:
        until(events, Queued)
        token.cancel()
        with pytest.raises(Cancelled):
            list(events)
    assert len(second_store.runs()) == 1
    assert until(first, Finished)


def test_start_anyway_does_not_wait(
    first: Iterator[CheckEvent], second_store: Store, disk: Path
) -> None:
    request = replace(local(disk), start_anyway=True)
    with closing(closable(measure(second_store, request, Silent(), CancelToken()))) as events:
        for event in events:
            assert not isinstance(event, Queued)
            if isinstance(event, RunStarted):
                break
    assert len(second_store.runs()) == 2


def test_a_drive_is_the_same_whichever_way_it_is_reached(
    disk: Path, sshd: Sshd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(sshd.write_home(tmp_path / "home")))
    spec = TargetSpec(
        TargetKind.SSH,
        "there",
        SshAddress(sshd.host, sshd.port, sshd.user, str(sshd.key)),
        directory=str(disk.parent),
    )
    here, there = local(disk), CheckRequest(spec, window_s=0.5)
    found = []
    for request in (here, there):
        with linked(request.target, Silent(), CancelToken()) as link:
            found.append(drives_of(link, request))
    assert found[0]
    assert found[0] == found[1]
