"""Probes where there is no drive, where it is hidden, and where somebody else probes, too."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from advisor.runs.bench.use_case import preview
from advisor.runs.bench.values import BenchPlace, BenchRequest, PlacesSeen
from advisor.store.store import Store
from probes.cancel import CancelToken
from probes.errors import NothingMeasured, UsageError
from probes.kinds.kind import Kind
from probes.plans.wishes import Wishes
from probes.points import Point, Probe, Trust
from probes.targets.address import TargetSpec
from probes.targets.silent import Silent
from tests.advisor.runs.faults.faulty import loop_drive, probed, run
from tests.conftest import ROOT
from tests.points import asked_no_drive, doubts_of
from tests.present import present
from tests.waiting import HANG_S

pytestmark = [
    pytest.mark.usefixtures("short_plan"),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount drives and make groups"),
]


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
        assert any("overlay hides whether O_DIRECT" in reason for reason in doubts_of(point))
    for point in redo:
        asked_no_drive(point)


def test_an_overlay_on_a_drive_is_measured(store: Store) -> None:
    with TemporaryDirectory(dir="/var/tmp") as base, overlay(Path(base)) as folder:
        told = probed(store, folder, Kind.STORAGE)
    assert told.points
    assert all(point.direct for point in told.points)
    assert Trust.REJECTED not in {point.trust for point in told.reviewed}


def test_memory_is_rejected_with_its_reason(store: Store, tmp_path: Path) -> None:
    with mounted(tmp_path / "memory", "tmpfs", "size=2g") as folder:
        told = probed(store, folder, Kind.STORAGE)
    assert isinstance(told.fault, NothingMeasured)
    assert "tmpfs lives in memory" in told.fault.sentence
    (summary,) = store.runs()
    assert (summary.doubtful, summary.rejected) == (0, summary.points)
    assert told.reviewed
    for point in told.reviewed:
        assert point.trust is Trust.REJECTED
        assert "tmpfs lives in memory" in " ".join(doubts_of(point))


SECOND = """
import sys
from pathlib import Path
from advisor.runs.requests import ProbeRequest
from advisor.runs.session import measure
from advisor.store.store import Store
from probes.cancel import CancelToken
from probes.doubts import DoubtKind
from probes.events import PointDone
from probes.kinds.kind import Kind
from probes.plans.wishes import Wishes
from probes.targets.address import TargetSpec
from probes.targets.silent import Silent
directory, database, enough, noticed = sys.argv[1:]
request = ProbeRequest(TargetSpec(directory=directory), frozenset({Kind.STORAGE}),
                       wishes=Wishes(block_sizes=(4096,), threads=(2,)))
with Store.open(Path(database)) as store:
    while not Path(enough).exists():
        for event in measure(store, request, Silent(), CancelToken()):
            if isinstance(event, PointDone):
                if any(each.kind is DoubtKind.FOREIGN_IO for each in event.point.doubts):
                    Path(noticed).touch()
                print("a point", flush=True)
"""


def test_two_at_once_notice_each_other(store: Store, tmp_path: Path, unhurried_plan: None) -> None:
    """A run loads its drive for a part of its time: it takes several until two points coincide."""
    enough, heard = tmp_path / "enough", tmp_path / "heard"
    wishes = Wishes(threads=(2,), block_sizes=(4096,))
    noticed: list[Point] = []
    with (
        loop_drive() as drive,
        second_probe(drive.folder, tmp_path / "second", enough, heard) as second,
    ):
        said = present(second.stdout)
        said.readline()
        while not (noticed and heard.exists()):
            assert second.poll() is None, "it ended, so that nobody is there to be noticed"
            told = probed(store, drive.folder, Kind.STORAGE, wishes=wishes)
            assert told.fault is None
            noticed += [point for point in told.points if "Others used" in doubts(point)]
        enough.touch()
        said.readlines()
        assert {path.name for path in drive.folder.iterdir()} == {"lost+found"}
    assert all(point.trust is not Trust.OK for point in noticed)


def doubts(point: Point) -> str:
    return " ".join(doubts_of(point))


@contextmanager
def second_probe(
    folder: Path, database: Path, enough: Path, heard: Path
) -> Iterator[subprocess.Popen[str]]:
    """Another Leadline, measuring until ``enough`` is there; a line for each of its points.

    It makes ``heard`` where one of them noticed others.
    """
    with subprocess.Popen(
        [sys.executable, "-c", SECOND, folder, database, enough, heard],
        stdout=subprocess.PIPE, text=True, cwd=ROOT,
    ) as second:  # fmt: skip
        try:
            yield second
            second.wait(HANG_S)
        finally:
            second.kill()
    assert second.returncode == 0


def test_a_bench_refuses_a_loop_device_whose_file_is_in_memory(tmp_path: Path) -> None:
    """Wherever that memory is mounted: its name says nothing of it."""
    with mounted(tmp_path / "memory", "tmpfs", "size=2g") as memory:
        image = memory / "drive.img"
        with image.open("wb") as file:
            file.truncate(4 << 30)
        run("mkfs.ext4", "-q", image)
        with mounted_image(image, tmp_path / "drive") as folder, pytest.raises(UsageError) as told:
            only_seen(folder)
    assert told.value.sentence.startswith(f"{folder} is memory ({image})")
    # A file on a drive makes a drive.
    with TemporaryDirectory(dir="/var/tmp") as base:
        image = Path(base) / "drive.img"
        with image.open("wb") as file:
            file.truncate(4 << 30)
        run("mkfs.ext4", "-q", image)
        with mounted_image(image, Path(base) / "drive") as folder:
            assert [place.directory for place in only_seen(folder)][1] == str(folder)


@contextmanager
def mounted_image(image: Path, folder: Path) -> Iterator[Path]:
    folder.mkdir()
    run("mount", "-o", "loop", image, folder)
    try:
        yield folder
    finally:
        run("umount", "--lazy", folder)


def only_seen(folder: Path) -> tuple[BenchPlace, ...]:
    """What a bench sees of it beside a drive, before it measures anything."""
    request = BenchRequest(tuple(TargetSpec(directory=one) for one in ("/var/tmp", str(folder))))
    *_, seen = preview(request, Silent(), CancelToken())
    assert isinstance(seen, PlacesSeen)
    return seen.places
