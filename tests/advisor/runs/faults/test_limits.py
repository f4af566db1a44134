"""Probes within tight limits, each real: control groups of the kernel, and a user's."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from advisor.run import RunState
from advisor.store.store import Store
from probes.kinds.kind import Kind
from probes.plans.wishes import Wishes
from probes.points import Trust
from probes.targets.local import LocalTarget
from tests.advisor.runs.faults.faulty import Told, probed
from tests.points import doubts_of
from tests.probes.engines.measuring import agents
from tests.servers.processes import program
from tests.waiting import all_ended

CGROUPS = Path("/sys/fs/cgroup")
NOBODY = 64_999
"""A user that has no processes."""

MANY_THREADS = Wishes(threads=(1024,), block_sizes=(65536,))

pytestmark = [
    pytest.mark.usefixtures("short_plan"),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount drives and make groups"),
]


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


def ran_fewer(told: Told, most: int) -> None:
    """As many threads ran as the limit leaves, and each point says so."""
    assert told.fault is None, told.fault.details
    assert "fewer_threads" in {warned.code for warned in told.warnings}
    assert told.points
    for point in told.points:
        ran = point.details["threads"]
        assert 16 <= ran <= most  # type: ignore[operator]
        assert f"Only {ran} of 1,024 threads could be started." in doubts_of(point)


def test_fewer_threads_where_a_group_allows_no_more(store: Store, disk: Path) -> None:
    with group("pids", "pids.max", "100"):
        told = probed(store, disk, Kind.STORAGE, wishes=MANY_THREADS)
    ran_fewer(told, most=100)
    assert all(point.trust is not Trust.OK for point in told.points)


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
    ran_fewer(told, most=90)


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
