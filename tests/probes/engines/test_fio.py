"""fio as an engine, on this computer and behind SSH."""

from __future__ import annotations

import json
import math
import re
import shutil
import threading
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from probes.cancel import CancelToken, closable
from probes.engines.find import FoundEngine, find_engine
from probes.engines.fio import FioEngine
from probes.engines.fio_command import measure
from probes.engines.fio_result import read_log, read_point
from probes.errors import Cancelled, EngineFailed, LeadlineError, NotEnoughSpace
from probes.events import EngineReady, PointDone, PointStarted, Preparing
from probes.imports import ImportRefused
from probes.plans.plan import FileSet, Step
from probes.plans.spend.chooser import InOrder
from probes.points import Buffers, EndedBy, Probe, Setting, Trust
from probes.statistics.histogram import read_histogram
from probes.targets.target import Target
from tests.probes.engines.tools import MIB, plan_of, points, read, run, warnings

pytestmark = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")


def engine(target: Target) -> FioEngine:
    return FioEngine(target, find_engine(target, "fio"))


def test_reads_with_an_interval_a_histogram_and_samples(target: Target, directory: Path) -> None:
    events = run(engine(target), plan_of(read(directory), seconds=1.1))
    assert isinstance(events[0], EngineReady)
    assert events[0].engine == "fio"
    preparing = [event for event in events if isinstance(event, Preparing)]
    assert (preparing[0].done_bytes, preparing[-1].done_bytes) == (0, 8 * MIB)
    assert sum(isinstance(event, PointStarted) for event in events) == 1
    (done,) = (event for event in events if isinstance(event, PointDone))
    point = done.point
    assert (point.engine, point.setting) == ("fio", read(directory))
    assert point.direct is True
    assert point.ended_by is EndedBy.TIME
    assert point.rate_per_s > 0
    assert point.operations == pytest.approx(point.rate_per_s * point.seconds, rel=0.01)
    assert read_histogram(point.histogram).total == point.operations
    assert 0 < point.latency.p50_us <= point.latency.p95_us <= point.latency.max_us
    assert len(done.samples) >= 3
    mean = sum(sample.rate_per_s for sample in done.samples) / len(done.samples)
    assert mean == pytest.approx(point.rate_per_s, rel=0.4)
    low, high = point.ci95_per_s
    assert low < point.rate_per_s < high
    assert point.cpu_us_per_op > 0


def test_writes_and_many_files(local: Target, directory: Path) -> None:
    settings = (
        Setting(Probe.RANDOM_WRITE, 2, 4096, 1, str(directory)),
        read(directory, threads=8, files=4),
    )
    found = points(run(engine(local), plan_of(*settings)))
    assert [point.setting for point in found] == list(settings)
    assert all(point.operations > 0 for point in found)


@pytest.mark.parametrize("sync", ["fdatasync", "fsync", "o_dsync"])
def test_a_commit_includes_its_sync(local: Target, directory: Path, sync: str) -> None:
    setting = Setting(Probe.REDO_SYNC, 1, 4096, 1, str(directory), {"sync": sync})
    (point,) = points(run(engine(local), plan_of(setting)))
    # One writer that waits for each: the mean latency is all of its time.
    assert point.latency.mean_us * point.rate_per_s == pytest.approx(1e6, rel=0.25)
    assert point.direct is None
    assert point.histogram


def test_a_steady_write_ends_at_its_byte_limit(local: Target, directory: Path) -> None:
    setting = Setting(Probe.STEADY_WRITE, 2, MIB, 1, str(directory))
    plan = plan_of(setting)
    step = replace(plan.steps[0], seconds=30.0, byte_limit=16 * MIB)
    (point,) = points(run(engine(local), replace(plan, steps=(step,))))
    assert point.ended_by is EndedBy.BYTES
    assert point.operations == 16


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        (Setting(Probe.PAGE_FLUSH, 1, 16384, options={"doublewrite": "on"}), "page flush"),
        (Setting(Probe.REDO_SYNC, 8, 512, options={"sync": "fsync"}), "one committer"),
        (Setting(Probe.REDO_SYNC, 1, 512, options={"sync": "fsync", "log": "growing"}), "growing"),
        (read("/d", touch="first"), "each block once"),
        (Setting(Probe.STEADY_WRITE, 1, MIB, 4), "one file"),
        (read("/d"), ""),
    ],
)
def test_what_it_refuses(local: Target, setting: Setting, words: str) -> None:
    because = engine(local).refuses(setting)
    assert words in because
    assert bool(because) is bool(words)


def test_buffers_are_ordinary_unless_huge_pages_were_set_aside(
    local: Target, directory: Path
) -> None:
    told = re.search(r"HugePages_Free:\s+(\d+)", Path("/proc/meminfo").read_text())
    had = "huge" if told is not None and int(told[1]) >= 2 else "ordinary"
    for wanted, kind in (("ordinary", "ordinary"), ("huge", had)):
        plan = replace(plan_of(read(directory)), buffers=wanted)
        (point,) = points(run(engine(local), plan))
        assert point.details["buffers"] == kind


def test_huge_pages_are_those_that_were_set_aside() -> None:
    (step,) = plan_of(read("/d", threads=4)).steps
    files = FileSet("/d", 1, MIB)

    def memory(kind: Buffers) -> list[str]:
        argv = measure("fio", step, 0, files, direct=True, low="", buffers=kind)
        return [word for word in argv if word.startswith(("--mem", "--hugepage"))]

    assert memory(Buffers.ORDINARY) == []
    assert memory(Buffers.HUGE) == ["--mem=mmaphuge", "--hugepage-size=2097152"]


def test_an_old_fio_knows_no_o_dsync(local: Target) -> None:
    old = FioEngine(local, FoundEngine("fio", "/usr/bin/fio", "3.12", True))
    assert "O_DSYNC" in old.refuses(Setting(Probe.REDO_SYNC, 1, 512, options={"sync": "o_dsync"}))


def test_refused_steps_are_left_out_and_others_measured(local: Target, directory: Path) -> None:
    flush = Setting(Probe.PAGE_FLUSH, 1, 16384, 1, str(directory), {"doublewrite": "on"})
    events = run(engine(local), plan_of(flush, replace(flush, threads=4), read(directory)))
    assert [point.setting for point in points(events)] == [read(directory)]
    assert warnings(events) == ["fio can't measure page flushes."]


def test_no_room(local: Target, directory: Path) -> None:
    plan = plan_of(read(directory))
    huge = (FileSet(str(directory), 1, 1 << 50),)
    with pytest.raises(NotEnoughSpace):
        run(engine(local), replace(plan, file_sets=huge))


@pytest.mark.parametrize(
    ("says", "error"),
    [("I/O error", EngineFailed), ("No space left on device", NotEnoughSpace)],
)
def test_a_program_that_fails_is_told(
    local: Target, directory: Path, tmp_path: Path, says: str, error: type[LeadlineError]
) -> None:
    broken = tmp_path / "fio"
    broken.write_text(f"#!/bin/sh\necho 'fio: io_u error on file: {says}' >&2\nexit 1\n")
    broken.chmod(0o755)
    found = FoundEngine("fio", str(broken), "3.33", True)
    with pytest.raises(error) as told:
        run(FioEngine(local, found), plan_of(read(directory), read(directory, threads=4)))
    assert says in told.value.sentence or error is NotEnoughSpace


def test_steps_without_their_files_are_left_out(
    local: Target, directory: Path, tmp_path: Path
) -> None:
    picky = tmp_path / "fio"
    picky.write_text(
        '#!/bin/sh\ncase "$*" in *set0.0:*) echo "fio: error: no many files" >&2; exit 1;; esac\n'
        f'exec {shutil.which("fio")} "$@"\n'
    )
    picky.chmod(0o755)
    found = FoundEngine("fio", str(picky), "3.33", True)
    many = [read(directory, threads, files=4) for threads in (1, 2)]
    plan = plan_of(read(directory), *many)
    sets = sorted(plan.file_sets, key=lambda files: -files.files)
    events = run(FioEngine(local, found), replace(plan, file_sets=tuple(sets)))
    assert [point.setting for point in points(events)] == [read(directory)]
    assert sum("no many files" in text for text in warnings(events)) == 2


def test_cancelling_is_quick_and_leaves_nothing(target: Target, directory: Path) -> None:
    token = CancelToken()
    plan = plan_of(read(directory), seconds=600.0)
    events = engine(target).measure(plan, InOrder(plan), mysql=None, token=token)
    with pytest.raises(Cancelled):
        for event in events:
            if isinstance(event, PointStarted):
                threading.Timer(0.5, token.cancel).start()


def test_closing_early_leaves_nothing(local: Target, directory: Path) -> None:
    plan = plan_of(read(directory), seconds=60.0)
    events = closable(engine(local).measure(plan, InOrder(plan), mysql=None, token=CancelToken()))
    next(event for event in events if isinstance(event, PointStarted))
    events.close()


def test_where_there_is_no_direct_io_the_point_says_so(local: Target) -> None:
    memory = Path("/dev/shm")
    if not memory.is_dir():
        pytest.skip("no memory file system")
    with TemporaryDirectory(dir=memory) as folder:
        (point,) = points(run(engine(local), plan_of(read(Path(folder)), seconds=0.5)))
        # Newer kernels take O_DIRECT on tmpfs; then the rate alone gives it away.
        assert point.direct is True or point.trust is not Trust.OK
        assert not list(Path(folder).iterdir())


STEP = Step(read("/d", threads=2), 1.0, 0.1)


def test_samples_need_all_threads() -> None:
    lines = ("200, 100", "401, 110", "199, 50", "400, 60", "601, 9")
    log = "".join(f"{line}, 0, 0, 0\n" for line in lines)
    assert [(sample.at_s, sample.rate_per_s) for sample in read_log(log, 2, 200)] == [
        (0.2, 150),
        (0.4, 170),
    ]


@pytest.mark.parametrize(
    "output", ["", "{", "fio: bad option", json.dumps({"jobs": []}), "{}", '{"jobs": [7]}']
)
def test_nonsense_is_no_point(output: str) -> None:
    with pytest.raises(ImportRefused):
        read_point(output, "", STEP, log_ms=200, direct=True)


def test_without_a_log_the_interval_is_as_wide_as_can_be() -> None:
    job = {
        "error": 0,
        "read": {"iops": 500.0, "total_ios": 500, "io_bytes": 500 << 14, "io_kbytes": 8000,
                 "runtime": 1000, "clat_ns": {"mean": 1e6, "max": 2e6, "N": 500}},
    }  # fmt: skip
    output = "note\n" + json.dumps({"jobs": [job]}, indent=1)
    point, samples = read_point(output, "", STEP, log_ms=200, direct=True)
    assert samples == ()
    assert point.ci95_per_s == (0, 1000)
    assert math.isnan(point.cpu_us_per_op)
