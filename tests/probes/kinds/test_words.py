"""A setting in words says what tells it from others, and nothing that is as usual."""

from __future__ import annotations

import pytest

from probes.figures import THIN
from probes.kinds.words import capital, setting_line, title, unit, workers
from probes.points import Probe, Setting


@pytest.mark.parametrize(
    ("setting", "line"),
    [
        (Setting(Probe.RANDOM_WRITE, 1, 16384, 16), "random write 16 KiB, 16 files, 1 thread"),
        (
            Setting(Probe.RANDOM_READ, 4, 4096, options={"set": "first_touch", "touch": "again"}),
            "random read 4 KiB, second touch, 4 threads",
        ),
        (
            Setting(Probe.RANDOM_READ, 4, 4096, options={"set": "small"}),
            "random read 4 KiB, small set, 4 threads",
        ),
        (
            Setting(Probe.REDO_SYNC, 8, 512, options={"sync": "o_dsync", "log": "growing"}),
            "redo sync 512 B, O_DSYNC, growing log, 8 committers",
        ),
        (
            Setting(Probe.REDO_SYNC, 1, 4096, options={"binlog": "1", "sync": "fsync"}),
            "redo sync 4 KiB, fsync, sync_binlog=1, 1 committer",
        ),
        (
            Setting(Probe.PAGE_FLUSH, 4, 16384, options={"doublewrite": "on", "batch_pages": "64"}),
            "page flush 16 KiB, doublewrite on, batches of 64, 4 page cleaners",
        ),
        (
            Setting(Probe.MIXED, 16, 16384, options={"part": "reads", "flush_per_s": "2000"}),
            "mixed load: reads 16 KiB, 2,000 pages/s flushed, 16 readers",
        ),
        (
            Setting(Probe.MIXED, 16, 16384, options={"part": "redo", "flush_per_s": "max"}),
            "mixed load: redo 16 KiB, flushing at full speed, 16 readers",
        ),
        (
            Setting(Probe.MIXED, 16, 16384, options={"part": "flush", "flush_per_s": "0"}),
            "mixed load: flushing 16 KiB, no flushing, 16 readers",
        ),
        (
            Setting(
                Probe.POINT_SELECT, 2, options={"protocol": "prepared", "working_set": "cached"}
            ),
            "primary-key lookup, cached table, 2 connections",
        ),
        (
            Setting(Probe.PK_UPDATE, 2, options={"protocol": "sql", "working_set": "own"}),
            "primary-key update, Leadline's table, SQL text, 2 connections",
        ),
        (
            Setting(
                Probe.REDO_SYNC,
                1,
                512,
                options={"sync": "fdatasync", "log": "preallocated", "binlog": "0"},
            ),
            "redo sync 512 B, fdatasync, 1 committer",
        ),
        (
            Setting(Probe.PAGE_FLUSH, 1, 16384, options={"doublewrite": "legacy"}),
            "page flush 16 KiB, pre-8.0.20 doublewrite, 1 page cleaner",
        ),
        (
            Setting(Probe.RANDOM_READ, 1, 16384, options={"buffers": "huge", "set": "sparse"}),
            "random read 16 KiB, sparse file, buffers in huge pages, 1 thread",
        ),
        (
            Setting(Probe.STEADY_WRITE, 2, 16384, options={"new": "x"}),
            "steady write 16 KiB, new x, 2 threads",
        ),
    ],
)
def test_a_setting_in_one_line(setting: Setting, line: str) -> None:
    assert setting_line(setting).replace(THIN, " ") == line


@pytest.mark.parametrize("probe", list(Probe))
def test_every_probe_has_words(probe: Probe) -> None:
    setting = Setting(probe, 1, options={"part": "redo"} if probe is Probe.MIXED else {})
    assert title(setting)
    assert unit(setting)
    assert workers(setting)


def test_what_begins_a_sentence_is_written_large() -> None:
    assert capital(title(Setting(Probe.POINT_SELECT, 1))) == "Primary-key lookup"


def test_files_that_differ_in_number_are_many() -> None:
    setting = Setting(Probe.RANDOM_WRITE, 1, 16384, 16)
    assert title(setting, files="many files").endswith(", many files")
