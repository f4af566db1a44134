"""What the data's drive does of the server's reads, and when that can't be said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.facts.catalogue import CATALOGUE
from advisor.facts.readings import Absent, Reading
from advisor.facts.watched.drive import WATCH_FILE_SHARES, CachedReads, FileShares
from advisor.facts.watched.watch import WATCH_PAGE_READ, CallTime
from advisor.wording.advice.why import because
from probes.watch.by_file import ByFile, FileWork
from probes.watch.over_time import Amounts
from probes.watch.words import FileRole
from tests.rules.casework import build

NONE = Amounts(0.0, 0.0, 0.0)
SPEC = {
    "version": "8.0.33",
    "watched": {"files": [["data", "read", 1000, 90]], "device": [300, 400, 0.1]},
}


def table(path: str, reads: float) -> FileWork:
    amounts = Amounts(reads, reads * 16384, reads * 90)
    return FileWork(path, "innodb/innodb_data_file", FileRole.DATA, amounts, NONE, NONE)


def cached_reads(*files: FileWork) -> Reading | Absent:
    case = build(SPEC)
    assert case.inventory.watched is not None
    by_file = ByFile(10.0, "/data/", files)
    watched = replace(case.inventory.watched, by_file=by_file)
    return CATALOGUE["watch.cached_reads"].read(
        replace(case, inventory=replace(case.inventory, watched=watched))
    )


def test_reads_that_never_reach_the_drive_are_the_page_caches() -> None:
    found = cached_reads(table("/data/shop/a.ibd", 9_900), table("/mnt/b.ibd", 100))
    assert isinstance(found, Reading)
    assert found.text.replace("\u202f", " ").startswith("The page cache answers 70 %")


def watched(method: str = "fsync", **machine: object) -> Reading | Absent:
    """Reads ahead of 16 KiB that reach the disk by six, of 99 MB/s in all."""
    seen = {
        "files": [["data", "read", 6_030, 4_000]],
        "bytes": {"data read": 98_800_000},
        "devices": [{"name": "sdb", "reads": [1_350, 9_200, 96_000_000], "busy": 0.98}],
    }
    case = build(
        {"version": "8.0.37", "variables": {"innodb_flush_method": method}, "watched": seen}
        | machine
    )
    return CATALOGUE["watch.cached_reads"].read(case)


def test_neighbours_that_reach_the_drive_as_one_request_are_no_reads_from_memory() -> None:
    found = watched()
    assert isinstance(found, Reading)
    assert isinstance(found.value, CachedReads)
    assert found.value.share.value == pytest.approx(1 - 96 / 98.8)
    assert not found.value.seen
    text = found.text.replace("\u202f", " ")
    assert "asks for 6.03 k reads/s (94.2 MiB/s) at 4 ms" in text
    assert "sdb does 1.35 k/s (91.6 MiB/s) at 9.20 ms" in text


def test_files_that_are_opened_past_the_page_cache_have_nothing_of_it() -> None:
    found = watched("O_DIRECT")
    assert isinstance(found, Absent)
    assert because(found.because) == "data files are opened with O_DIRECT, past the page cache"
    kept = watched("O_DIRECT", storage={"filesystem": "zfs"}, drive={"filesystem": "zfs"})
    assert isinstance(kept, Reading)


def test_reads_of_temporary_files_are_waited_for_as_their_writes_are() -> None:
    """A merge pass reads what a sort wrote."""
    seen = {
        "files": [["temp", "write", 190, 5_200], ["temp", "read", 140, 4_100]],
        "bytes": {"temp write": 38_000_000, "temp read": 28_000_000},
    }
    found = WATCH_FILE_SHARES.read(build({"version": "8.0.37", "watched": seen}))
    assert isinstance(found, Reading)
    assert isinstance(found.value, FileShares)
    assert found.value.waiting[FileRole.TEMP] == pytest.approx(0.988 + 0.574)
    assert found.value.bytes_per_s == {FileRole.TEMP: 38_000_000}


def test_reads_of_files_elsewhere_are_not_taken_for_the_page_caches() -> None:
    found = cached_reads(table("/data/shop/a.ibd", 3_000), table("/mnt/b.ibd", 7_000))
    assert isinstance(found, Absent)
    assert because(found.because).replace("\u202f", " ") == (
        "70 % of the reads of tables' files go to files outside of the data directory"
    )


def test_a_drive_that_reads_as_many_bytes_as_are_asked_for_answers_all_reads() -> None:
    """Where its counters alone time reads: by numbers it would answer a fifth of them."""
    counted = {"Innodb_data_reads": 6_030.0, "Innodb_data_read": 98_800_000.0}
    seen = {
        "series": {name: [at * each for at in range(10)] for name, each in counted.items()},
        "devices": [{"name": "sdb", "reads": [1_350, 9_200, 98_800_000], "busy": 0.98}],
    }
    found = WATCH_PAGE_READ.read(build({"version": "8.0.37", "watched": seen}))
    assert isinstance(found, Reading)
    assert isinstance(found.value, CallTime)
    assert found.value.latency_us.value == 9_200
