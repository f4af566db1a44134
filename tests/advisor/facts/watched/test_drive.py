"""What the data's drive does of the server's reads, and when that can't be said."""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.catalogue import CATALOGUE
from advisor.facts.readings import Absent, Reading
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


def test_reads_of_files_elsewhere_are_not_taken_for_the_page_caches() -> None:
    found = cached_reads(table("/data/shop/a.ibd", 3_000), table("/mnt/b.ibd", 7_000))
    assert isinstance(found, Absent)
    assert because(found.because).replace("\u202f", " ") == (
        "70 % of the reads of tables' files go to files outside of the data directory"
    )
