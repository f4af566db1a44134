"""A drive that can be made to fail, and probing to the end whatever becomes of it."""

from __future__ import annotations

import fcntl
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from advisor.run import RunSummary, Voice
from advisor.runs.events import CheckEvent, RunStarted
from advisor.runs.requests import ProbeRequest
from advisor.runs.session import measure
from advisor.store.cases import load_case
from advisor.store.store import Store
from probes.cancel import CancelToken
from probes.errors import LeadlineError
from probes.events import PointDone, PointStarted, Warned
from probes.kinds.kind import Kind
from probes.plans.wishes import Wishes
from probes.points import Point
from probes.targets.address import TargetSpec
from probes.targets.silent import Silent
from tests.advisor.runs.checks import only

MIB = 1 << 20
ONE_LEVEL = Wishes(threads=(1,), block_sizes=(4096,))


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


@contextmanager
def loop_drive() -> Iterator[Drive]:
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
    reviewed: tuple[Point, ...] = ()
    events: list[CheckEvent] = field(default_factory=list)
    fault: LeadlineError | None = None

    @property
    def points(self) -> list[Point]:
        return [event.point for event in only(self.events, PointDone)]

    @property
    def warnings(self) -> list[Warned]:
        return only(self.events, Warned)


def probed(
    store: Store,
    where: Path | TargetSpec,
    *kinds: Kind,
    wishes: Wishes = ONE_LEVEL,
    after: int = 0,
    at: type[PointStarted | PointDone] = PointStarted,
    act: Callable[[], None] = lambda: None,
) -> Told:
    """Probe to the end; ``act`` is called as the next point after ``after`` of them starts.

    With ``at`` PointDone it is called before that: the agent waits for its next point meanwhile.
    """
    spec = where if isinstance(where, TargetSpec) else TargetSpec(directory=str(where))
    events: list[CheckEvent] = []
    fault: LeadlineError | None = None
    acted = False
    try:
        request = ProbeRequest(spec, frozenset(kinds), wishes=wishes)
        for event in measure(store, request, Silent(), CancelToken()):
            events.append(event)
            if isinstance(event, at) and not acted and len(only(events, PointDone)) == after:
                acted = True
                act()
    except LeadlineError as error:
        fault = error
    (started,) = only(events, RunStarted)
    run_id = started.run_id
    reviewed = load_case(store, Voice(run_id)).points
    return Told(store.run(run_id), store.points(run_id), reviewed, events, fault)


def run(*command: str | Path) -> str:
    return subprocess.run(
        [str(word) for word in command], check=True, capture_output=True, text=True
    ).stdout.strip()
