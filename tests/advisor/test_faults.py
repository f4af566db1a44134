"""Probes on drives that fill up, fail, hang or are none, and within tight limits, each real.

The drives are loop devices of the test's own, which need root; so do control groups.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from advisor.events import CheckEvent, Finished, RunStarted
from advisor.requests import ProbeRequest
from advisor.session import probe
from advisor.store.runs import RunSummary
from advisor.store.store import RunState, Store
from probes.cancel import CancelToken
from probes.errors import AgentFailed, LeadlineError, ProbeError
from probes.events import PointDone, PointStarted, Warned
from probes.plans.kinds import Kind
from probes.plans.wishes import Wishes
from probes.points import Point, Probe, Trust
from probes.targets.address import SshAddress, TargetKind, TargetSpec
from probes.targets.local import LocalTarget
from tests.advisor.checks import Silent, only
from tests.probes.engines.measuring import agents, all_ended
from tests.servers.processes import program
from tests.servers.sshd import Sshd

MIB = 1 << 20
CGROUPS = Path("/sys/fs/cgroup")
ONE_LEVEL = Wishes(threads=(1,), block_sizes=(4096,))
NOBODY = 64_999
"""A user that has no processes."""

MANY_THREADS = Wishes(threads=(1024,), block_sizes=(65536,))

pytestmark = [
    pytest.mark.usefixtures("short_plan"),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount drives and make groups"),
]


@dataclass
class Drive:
    """An ext4 on a loop device, the file behind it, and where it is mounted."""

    image: int
    folder: Path

    def fail_writes(self) -> None:
        """Each further write ends with EIO, as on a drive that has gone."""
        fcntl.fcntl(self.image, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE)

    def vanish(self) -> None:
        """Of what was on it nothing can be read any more: each read ends with EIO."""
        os.ftruncate(self.image, MIB)


@pytest.fixture
def small_drive() -> Iterator[Drive]:
    """3 GiB that take memory only where something is written to them."""
    with ExitStack() as undo:
        image = os.memfd_create("drive", os.MFD_ALLOW_SEALING)
        undo.callback(os.close, image)
        os.ftruncate(image, 3000 * MIB)
        path = f"/proc/{os.getpid()}/fd/{image}"
        folder = Path(undo.enter_context(TemporaryDirectory(dir="/var/tmp")))
        try:
            run("mkfs.ext4", "-q", "-F", "-m", "0", "-O", "^has_journal", path)
            device = run("losetup", "--find", "--show", path)
        except (FileNotFoundError, subprocess.CalledProcessError) as error:
            pytest.skip(f"no loop device can be made: {error}")
        # Once it is mounted, the device goes with its last user.
        undo.callback(run, "umount", "--lazy", folder)
        run("mount", device, folder)
        run("losetup", "--detach", device)
        yield Drive(image, folder)


@dataclass
class Told:
    """What a run said until its end, and how that was."""

    run: RunSummary
    kept: list[Point]
    events: list[CheckEvent] = field(default_factory=list)
    fault: LeadlineError | None = None

    @property
    def points(self) -> list[Point]:
        return [event.point for event in only(self.events, PointDone)]

    @property
    def warnings(self) -> list[Warned]:
        return only(self.events, Warned)

    @property
    def reviewed(self) -> tuple[Point, ...]:
        (finished,) = only(self.events, Finished)
        return finished.case.points


def probed(
    store: Store,
    where: Path | TargetSpec,
    *kinds: Kind,
    wishes: Wishes = ONE_LEVEL,
    after: int = 0,
    act: Callable[[], None] = lambda: None,
) -> Told:
    """Probe to the end; ``act`` is called as the next point after ``after`` of them starts."""
    spec = where if isinstance(where, TargetSpec) else TargetSpec(directory=str(where))
    events: list[CheckEvent] = []
    fault: LeadlineError | None = None
    acted = False
    try:
        request = ProbeRequest(spec, frozenset(kinds), wishes=wishes)
        for event in probe(store, request, Silent(), CancelToken()):
            events.append(event)
            starts = isinstance(event, PointStarted)
            if starts and not acted and len(only(events, PointDone)) == after:
                acted = True
                act()
    except LeadlineError as error:
        fault = error
    (started,) = only(events, RunStarted)
    return Told(store.run(started.run_id), store.points(started.run_id), events, fault)


def run(*command: str | Path) -> str:
    return subprocess.run(
        [str(word) for word in command], check=True, capture_output=True, text=True
    ).stdout.strip()


FILL = """
import os, sys
free = os.statvfs(sys.argv[1])
with open(sys.argv[1] + "/other", "wb") as other:
    os.posix_fallocate(other.fileno(), 0, (free.f_bavail - 512) * free.f_frsize)
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
    told = probed(
        store, small_drive.folder, Kind.STORAGE, wishes=wishes, after=1, act=small_drive.vanish
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
    monkeypatch.setattr("probes.engines.patience.STUCK_S", 1.0)
    stuck: set[int] = set()
    frozen_at = 0.0

    def freeze() -> None:
        nonlocal frozen_at
        stuck.update(agents())
        run("fsfreeze", "--freeze", small_drive.folder)
        frozen_at = time.monotonic()

    try:
        told = probed(store, small_drive.folder, Kind.REDO, after=1, act=freeze)
        took_s = time.monotonic() - frozen_at
    finally:
        run("fsfreeze", "--unfreeze", small_drive.folder)
    assert isinstance(told.fault, AgentFailed)
    assert "Nothing has come of redo_sync" in told.fault.sentence
    assert "may hang" in told.fault.advice
    assert len(told.kept) == len(told.points) == 1
    # It can't be ended before its drive answers again; then it is.
    assert stuck
    assert took_s < 12
    assert all_ended(stuck)


@contextmanager
def group(controller: str, file: str, limit: str) -> Iterator[None]:
    """This process, and what it starts, in a control group with a limit."""
    parent = CGROUPS / controller
    if not (parent / "cgroup.procs").exists() or not (CGROUPS / "memory").exists():
        pytest.skip("there are no control groups of version 1")
    folder = parent / f"leadline-test-{os.getpid()}"
    folder.mkdir()
    try:
        (folder / file).write_text(limit)
        (folder / "cgroup.procs").write_text(str(os.getpid()))
        yield
    finally:
        (parent / "cgroup.procs").write_text(str(os.getpid()))
        assert all_ended(agents())
        folder.rmdir()


def test_fewer_threads_where_a_group_allows_no_more(store: Store, disk: Path) -> None:
    with group("pids", "pids.max", "100"):
        told = probed(store, disk, Kind.STORAGE, wishes=MANY_THREADS)
    assert told.fault is None
    assert "fewer_threads" in {warned.code for warned in told.warnings}
    assert told.points
    for point in told.points:
        ran = point.details["threads"]
        assert 16 <= ran <= 100  # type: ignore[operator]
        assert point.trust is not Trust.OK
        assert f"Only {ran} of 1024 threads could be started." in point.trust_reasons


def test_fewer_threads_where_a_user_may_have_no_more(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The kernel does not hold root to this limit, so the agent runs as somebody else.
    setpriv = program("setpriv")
    wrapped = LocalTarget.agent

    with TemporaryDirectory(dir="/var/tmp") as base:
        folder, script, agent = (Path(base, name) for name in ("folder", "script", "agent"))
        folder.mkdir()
        for path, mode in ((Path(base), 0o755), (folder, 0o777)):
            path.chmod(mode)
        script.write_text(
            "#!/bin/sh\n"
            f"exec {setpriv} --reuid {NOBODY} --regid {NOBODY} --clear-groups \\\n"
            f'  prlimit --nproc=90 {agent} "$@"\n'
        )
        script.chmod(0o755)

        def limited(self: LocalTarget) -> str:
            if not agent.exists():
                shutil.copy(wrapped(self), agent)
                agent.chmod(0o755)
            return str(script)

        monkeypatch.setattr(LocalTarget, "agent", limited)
        told = probed(store, folder, Kind.STORAGE, wishes=MANY_THREADS)
    assert told.fault is None
    assert "fewer_threads" in {warned.code for warned in told.warnings}
    assert told.points
    for point in told.points:
        ran = point.details["threads"]
        assert 16 <= ran <= 90  # type: ignore[operator]
        assert f"Only {ran} of 1024 threads could be started." in point.trust_reasons


def test_a_memory_limit_is_told_before_the_kernel_ends_the_agent(store: Store, disk: Path) -> None:
    with group("memory", "memory.limit_in_bytes", "120M"):
        told = probed(store, disk, Kind.STORAGE, wishes=MANY_THREADS)
        fitting = probed(store, disk, Kind.STORAGE)
    assert told.points == []
    assert told.fault is not None
    assert "memory limit on this host is too low for 1024 threads" in told.fault.sentence
    assert "fewer threads" in told.fault.advice
    assert told.run.state is RunState.FAILED
    assert fitting.fault is None
    assert fitting.points


@contextmanager
def mounted(folder: Path, kind: str, options: str) -> Iterator[Path]:
    folder.mkdir(exist_ok=True)
    run("mount", "-t", kind, "-o", options, kind, folder)
    try:
        yield folder
    finally:
        run("umount", "--lazy", folder)


@contextmanager
def overlay(base: Path) -> Iterator[Path]:
    for name in ("lower", "upper", "work"):
        (base / name).mkdir()
    where = f"lowerdir={base}/lower,upperdir={base}/upper,workdir={base}/work"
    with mounted(base / "merged", "overlay", where) as folder:
        yield folder


def test_an_overlay_in_memory_is_found_out(store: Store, tmp_path: Path) -> None:
    with mounted(tmp_path / "memory", "tmpfs", "size=2g") as memory, overlay(memory) as folder:
        told = probed(store, folder, Kind.STORAGE, Kind.REDO)
    reads = [each for each in told.reviewed if each.setting.probe is Probe.RANDOM_READ]
    redo = [each for each in told.reviewed if each.setting.probe is Probe.REDO_SYNC]
    assert reads
    assert redo
    for point in reads:
        assert point.trust is not Trust.OK
        assert any("overlay hides whether O_DIRECT" in reason for reason in point.trust_reasons)
    for point in redo:
        assert point.trust is Trust.REJECTED
        assert any("no drive was asked" in reason for reason in point.trust_reasons)


def test_an_overlay_on_a_drive_is_measured(store: Store) -> None:
    with TemporaryDirectory(dir="/var/tmp") as base, overlay(Path(base)) as folder:
        told = probed(store, folder, Kind.STORAGE)
    assert told.points
    assert all(point.direct for point in told.points)
    assert Trust.REJECTED not in {point.trust for point in told.reviewed}


def test_memory_is_rejected_with_its_reason(store: Store, tmp_path: Path) -> None:
    with mounted(tmp_path / "memory", "tmpfs", "size=2g") as folder:
        told = probed(store, folder, Kind.STORAGE)
    assert told.reviewed
    for point in told.reviewed:
        assert point.trust is Trust.REJECTED
        assert "tmpfs lives in memory" in " ".join(point.trust_reasons)


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
    assert len(told.kept) == len(told.points) == 2
    assert started
    assert all_ended(started)


SECOND = """
import sys
from pathlib import Path
from advisor.requests import ProbeRequest
from advisor.session import probe
from advisor.store.store import Store
from probes.cancel import CancelToken
from probes.events import PointDone
from probes.plans.kinds import Kind
from probes.plans.wishes import Wishes
from probes.targets.address import TargetSpec
from tests.advisor.checks import Silent
directory, database = sys.argv[1:]
request = ProbeRequest(TargetSpec(directory=directory), frozenset({Kind.STORAGE}),
                       wishes=Wishes(block_sizes=(4096,), threads=(2,)))
with Store.open(Path(database)) as store:
    for event in probe(store, request, Silent(), CancelToken()):
        if isinstance(event, PointDone):
            print(*event.point.trust_reasons, flush=True)
"""


def test_two_at_once_notice_each_other(store: Store, small_drive: Drive, tmp_path: Path) -> None:
    folders = [small_drive.folder, tmp_path / "second.sqlite3"]
    with subprocess.Popen(
        [sys.executable, "-c", SECOND, *map(str, folders)],
        stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2],
    ) as second:  # fmt: skip
        assert second.stdout is not None
        heard = [second.stdout.readline()]
        wishes = Wishes(threads=(2,), block_sizes=(4096,))
        told = probed(store, small_drive.folder, Kind.STORAGE, wishes=wishes)
        heard += second.stdout.readlines()
    assert second.returncode == 0
    assert told.fault is None
    noticed = [
        point for point in told.points if any("Others used" in one for one in point.trust_reasons)
    ]
    assert noticed
    assert all(point.trust is not Trust.OK for point in noticed)
    assert any("Others used" in line for line in heard)
    assert {path.name for path in small_drive.folder.iterdir()} == {"lost+found"}
