"""Real agents on real devices: memory, a throttled drive, and one that somebody else uses, too.

The devices are loop devices of the test's own, so that what others do to the machine's drive does
not count. They need root, and the throttle needs the kernel's blkio control group (version 1).
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from advisor.wording.measured.findings import sentence
from probes.cancel import CancelToken
from probes.engines.agent.engine import AgentEngine
from probes.events import EngineReady, PointDone, SampleTaken
from probes.inventory.ask import ask
from probes.inventory.read import read
from probes.plans.plan import FileSet, Plan, PlanName, Step
from probes.plans.spend.chooser import InOrder
from probes.points import LimitedBy, Point, Probe, Setting, Trust
from probes.targets.local import LocalTarget
from probes.trust.arrival.rate import half_width
from probes.trust.change_points import read_phases
from probes.trust.findings import FindingName, findings
from probes.trust.review import Surroundings, review
from probes.trust.throttle import FLAT, WIDEST
from tests.points import asked_no_drive, doubts_of
from tests.probes.engines.measuring import agents
from tests.waiting import HANG_S

MIB = 1 << 20
BLKIO = Path("/sys/fs/cgroup/blkio")
SHM = Path("/dev/shm")
PAGE = 16384


def reads(folder: str, *threads: int, size: int = PAGE) -> list[Setting]:
    return [Setting(Probe.RANDOM_READ, level, size, 1, folder) for level in threads]


def syncs(folder: str) -> Setting:
    return Setting(Probe.REDO_SYNC, 1, 512, 1, folder, {"sync": "fdatasync"})


def measure(
    folder: str, settings: Sequence[Setting], *, seconds: float = 0.6,
    ready: Callable[[], None] = lambda: None, after_s: float = -math.inf,
) -> list[Point]:  # fmt: skip
    """The points of ``settings``; ``ready`` is called when the agent runs, or after a time."""
    steps = tuple(Step(setting, seconds, 0.1) for setting in settings)
    plan = Plan(PlanName.QUICK, (FileSet(folder, 1, 32 * MIB),), steps, 0.0, sandbox=False)
    points: list[Point] = []
    called = False
    with closing(LocalTarget()) as target:
        engine = AgentEngine(target)
        for event in engine.measure(plan, InOrder(plan), mysql=None, token=CancelToken()):
            now = event.sample.at_s if isinstance(event, SampleTaken) else -math.inf
            if isinstance(event, EngineReady | SampleTaken) and now >= after_s and not called:
                called = True
                ready()
            elif isinstance(event, PointDone):
                points.append(event.point)
    return points


def surroundings(folder: str) -> Surroundings:
    with closing(LocalTarget()) as target:
        asking = ask(target, None, directory=folder, token=CancelToken())
        while True:
            try:
                next(asking)
            except StopIteration as told:
                return Surroundings.of(read(told.value), folder)


def run(*command: str | Path) -> str:
    return subprocess.run(
        [str(word) for word in command], check=True, capture_output=True, text=True
    ).stdout.strip()


@contextmanager
def drive() -> Iterator[tuple[str, str]]:
    """A loop device of 1 GiB with ext4 on it: its folder and its MAJOR:MINOR."""
    if os.geteuid() != 0 or not Path("/dev/loop-control").exists():
        pytest.skip("only root can make a loop device")
    with ExitStack() as undo:
        home = Path(undo.enter_context(TemporaryDirectory(dir="/var/tmp")))
        image, folder = home / "image", home / "mount"
        folder.mkdir()
        with image.open("wb") as file:
            file.truncate(1024 * MIB)
        device = run("losetup", "--find", "--show", image)
        undo.callback(run, "losetup", "--detach", device)
        run("mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", device)
        run("mount", device, folder)
        undo.callback(run, "umount", folder)
        yield str(folder), Path(f"/sys/block/{Path(device).name}/dev").read_text().strip()


@contextmanager
def throttle(limit: str, of: str, most: int) -> Iterator[Callable[[], None]]:
    """A limit (``read_iops``, ``write_bps``) of a device for agents, from when it is called on."""
    name = f"blkio.throttle.{limit}_device"
    if not (BLKIO / name).exists():
        pytest.skip("this kernel has no blkio control group of version 1")
    group = BLKIO / f"leadline-test-{os.getpid()}"
    group.mkdir()
    (group / name).write_text(f"{of} {most}")

    def move() -> None:
        for pid in agents():
            (group / "cgroup.procs").write_text(str(pid))

    try:
        yield move
    finally:
        group.rmdir()


OTHER = """
import mmap, os, sys
with open(sys.argv[1], "wb") as file:
    file.write(os.urandom(8 << 20))
    os.fsync(file.fileno())
opened = os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECT)
into = mmap.mmap(-1, 1 << 20)
print("reading", flush=True)
while True:
    for at in range(8):
        os.preadv(opened, [into], at << 20)
"""


@contextmanager
def somebody_reading(path: Path) -> Iterator[None]:
    with subprocess.Popen([sys.executable, "-c", OTHER, path], stdout=subprocess.PIPE) as other:
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == b"reading\n"
            yield
        finally:
            other.kill()
    path.unlink()


def names_others(point: Point) -> bool:
    return any("Others used loop" in reason for reason in doubts_of(point))


def beside_others(folder: str) -> list[Point]:
    """A point that others read beside: a busy machine may leave them no turn in the first."""
    hangs_at = time.monotonic() + HANG_S
    while True:
        points = measure(folder, reads(folder, 1))
        if any(map(names_others, points)) or time.monotonic() > hangs_at:
            return points


@pytest.mark.skipif(not SHM.is_dir(), reason="there is no /dev/shm")
def test_a_drive_of_memory_is_rejected() -> None:
    with TemporaryDirectory(dir=SHM) as folder:
        points = measure(
            folder, [*reads(folder, 1, 4), *reads(folder, 1, size=4096), syncs(folder)]
        )
        named = review(points, surroundings(folder))
    assert [point.trust for point in named] == [Trust.REJECTED] * 4
    assert all("tmpfs lives in memory" in " ".join(doubts_of(point)) for point in named)
    # Where nothing is known of the place, it is too fast to be a drive.
    unnamed = review(points, Surroundings())
    assert unnamed[2].trust is Trust.REJECTED
    assert "too fast for any drive" in doubts_of(unnamed[2])[-1]
    asked_no_drive(unnamed[3])


def test_a_throttled_drive_is_named_as_throttled() -> None:
    # So low a limit is reached however little of the processors is left to the agent.
    with drive() as (folder, device), throttle("read_iops", device, 500) as move:
        points = measure(folder, reads(folder, 4, 4, 8, 16, 32, 64), seconds=1.2, ready=move)
        del points[0]  # It began before the limit.
        found = findings(review(points, surroundings(folder)), surroundings(folder))
    told = [sentence(one) for one in found if one.name is FindingName.THROTTLED]
    rates = [(point.rate_per_s, point.limited_by) for point in points]
    if all(limit is LimitedBy.CPU for _, limit in rates):
        # On a busy machine the points themselves say that they are none of the drive's doing.
        assert max(rate for rate, _ in rates) < 1000
        return
    swings = max(map(half_width, points)) > WIDEST
    if swings or max(rates)[0] > (1 + FLAT) * min(rates)[0]:
        return  # Beside a busy machine's other work these are no plateau.
    assert told, rates
    assert "16\u202fKiB reads stay at" in told[0]
    # A rate that lies a little beside the figure is called a round one.
    assert "(500 = P10" in told[0] or "a round figure" in told[0]


def test_a_limit_that_sets_in_is_a_cliff() -> None:
    with drive() as (folder, device), throttle("write_bps", device, 16 * MIB) as limit:
        setting = Setting(Probe.STEADY_WRITE, 2, MIB, 1, folder)
        points = measure(folder, [setting], seconds=7.0, ready=limit, after_s=3.4)
    cliffs = [one for one in findings(points, Surroundings()) if one.name is FindingName.CLIFF]
    if not cliffs:
        # On a busy machine the rate swings so much that nothing stands out, and is not believed.
        assert points[0].trust is not Trust.OK
        return
    [found] = cliffs
    before, after = read_phases(found.points[0].details)[-2:]
    # When the agent's group was changed is the kernel's and this process's matter.
    assert after.start_s > 1.0
    assert after.rate_per_s < before.rate_per_s / 3
    assert sentence(found).startswith("A long write fell from")


def test_an_unthrottled_drive_is_not_named_and_others_reads_are_seen() -> None:
    with drive() as (folder, _):
        alone = measure(folder, [*reads(folder, 1, 4), syncs(folder)])
        with somebody_reading(Path(folder, "other")):
            shared = beside_others(folder)
        place = surroundings(folder)
    assert not any(map(names_others, alone))
    assert FindingName.THROTTLED not in [one.name for one in findings(alone, place)]
    assert shared[0].trust is Trust.DOUBTFUL
    assert names_others(shared[0])
    assert FindingName.FOREIGN_IO in [one.name for one in findings(shared, place)]
