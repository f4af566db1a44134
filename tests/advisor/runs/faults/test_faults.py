"""Drives that fill up, fail or hang while they are probed, and a cut connection; each real."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.run import RunState
from advisor.store.store import Store
from probes.errors import AgentFailed, ProbeError
from probes.events import PointDone
from probes.kinds.kind import Kind
from probes.plans.wishes import Wishes
from probes.points import Probe
from probes.targets.address import SshAddress, TargetKind, TargetSpec
from tests.advisor.runs.faults.faulty import Drive, Told, loop_drive, probed, run
from tests.probes.engines.measuring import agents
from tests.servers.sshd import Sshd
from tests.waiting import all_ended

pytestmark = [
    pytest.mark.usefixtures("unhurried_plan"),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount drives and make groups"),
]


@pytest.fixture
def small_drive() -> Iterator[Drive]:
    with loop_drive() as drive:
        yield drive


FILL = """
import os, sys
free = os.statvfs(sys.argv[1])
with open(sys.argv[1] + "/other", "wb") as other:
    os.posix_fallocate(other.fileno(), 0, (free.f_bavail - 512) * free.f_frsize)
    os.lseek(other.fileno(), 0, os.SEEK_END)
    try:
        while True:
            os.write(other.fileno(), bytes(65536))
    except OSError as full:
        print(full.strerror)
"""


def test_a_directory_that_fills_up_costs_what_needs_new_files(
    store: Store, small_drive: Drive
) -> None:
    def fill() -> None:
        run(sys.executable, "-c", FILL, small_drive.folder)
        assert os.statvfs(small_drive.folder).f_bavail < 64

    told = probed(store, small_drive.folder, Kind.STORAGE, Kind.REDO, after=1, act=fill)
    assert told.fault is None
    assert told.run.state is RunState.DONE
    # What had its files goes on; nothing that needs new ones is tried or makes the matter worse.
    assert len(told.points) >= 2
    assert len(told.kept) == len(told.points)
    assert Probe.REDO_SYNC not in {point.setting.probe for point in told.points}
    full = [each for each in told.warnings if each.code == "no_space"]
    assert full
    assert all(str(small_drive.folder) in each.message for each in full)
    assert len({each.message for each in full}) == len(full), "each is told once"


def test_a_drive_that_refuses_writes_ends_the_run(store: Store, small_drive: Drive) -> None:
    kinds = (Kind.STORAGE, Kind.REDO)
    told = probed(store, small_drive.folder, *kinds, after=2, act=small_drive.fail_writes)
    assert_failed_by_its_drive(told, small_drive)
    assert len(told.kept) >= 2


def test_a_drive_that_vanishes_ends_the_run(store: Store, small_drive: Drive) -> None:
    wishes = Wishes(threads=(1, 4), block_sizes=(4096,))
    vanish, at = small_drive.vanish, PointDone
    told = probed(
        store, small_drive.folder, Kind.STORAGE, wishes=wishes, after=1, at=at, act=vanish
    )
    assert_failed_by_its_drive(told, small_drive)
    assert len(told.kept) == 1


def assert_failed_by_its_drive(told: Told, drive: Drive) -> None:
    assert type(told.fault) is ProbeError
    assert told.fault.sentence == f"The drive under {drive.folder} failed: input/output error."
    assert "kept" in told.fault.advice
    assert told.run.state is RunState.FAILED
    assert told.run.reason == told.fault.sentence
    assert len(told.kept) == len(told.points)
    assert all_ended(agents())


# A process that waits for its drive outlives the one who started it, in whatever order they end.
@pytest.mark.filterwarnings("ignore:subprocess .* is still running:ResourceWarning")
def test_a_drive_that_hangs_does_not_hold_leadline(
    store: Store, small_drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck: set[int] = set()

    def freeze() -> None:
        stuck.update(agents())
        run("fsfreeze", "--freeze", small_drive.folder)
        monkeypatch.setattr("probes.engines.agent.patience.STUCK_S", 1.0)

    try:
        told = probed(store, small_drive.folder, Kind.REDO, after=1, at=PointDone, act=freeze)
    finally:
        run("fsfreeze", "--unfreeze", small_drive.folder)
    assert isinstance(told.fault, AgentFailed)
    assert "Nothing has come of redo_sync" in told.fault.sentence
    assert "may hang" in told.fault.advice
    assert len(told.kept) == len(told.points) == 1
    # It can't be ended before its drive answers again, so nobody has waited for that; then it is.
    assert stuck
    assert all_ended(stuck)
    # Its object warns as it goes, which the fault's traceback would put off until another test.
    del told
    gc.collect()


def test_a_cut_connection_keeps_the_points_and_leaves_nothing(
    store: Store, disk: Path, sshd: Sshd, ssh_spec: TargetSpec
) -> None:
    started: set[int] = set()

    def cut() -> None:
        started.update(agents())
        sshd.cut()

    spec = TargetSpec(kind=TargetKind.SSH, directory=str(disk), ssh=ssh_spec.ssh)
    assert isinstance(spec.ssh, SshAddress)
    wishes = Wishes(threads=(1, 4), block_sizes=(4096,))
    told = probed(store, spec, Kind.STORAGE, wishes=wishes, after=2, act=cut)
    assert told.fault is not None
    assert "was cut" in told.fault.sentence
    assert told.run.state is RunState.FAILED
    assert len(told.kept) == len(told.points) >= 2
    assert started
    assert all_ended(started)
