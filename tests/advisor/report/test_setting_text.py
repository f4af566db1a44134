"""A setting in words says what tells it from others, and nothing that is as usual."""

from __future__ import annotations

import pytest

from advisor.report.setting_text import setting_line, title, unit
from probes.figures import THIN
from probes.points import Probe, Setting


@pytest.mark.parametrize(
    ("setting", "line"),
    [
        (Setting(Probe.RANDOM_WRITE, 1, 16384, 16), "random write 16 KiB, 16 files, 1 thread"),
        (
            Setting(Probe.RANDOM_READ, 4, 4096, options={"set": "first_touch", "touch": "again"}),
            "random read 4 KiB, touched again, 4 threads",
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
            "redo sync 4 KiB, fsync, binlog synced too, 1 committer",
        ),
        (
            Setting(Probe.PAGE_FLUSH, 4, 16384, options={"doublewrite": "on", "batch_pages": "64"}),
            "page flush 16 KiB, batches of 64, doublewrite on, 4 cleaners",
        ),
        (
            Setting(Probe.MIXED, 16, 16384, options={"part": "reads", "flush_per_s": "2000"}),
            "mixed 16 KiB, reads, 2,000 pages/s flushed, 16 readers",
        ),
        (
            Setting(Probe.MIXED, 16, 16384, options={"part": "redo", "flush_per_s": "max"}),
            "mixed 16 KiB, redo, flushing at full speed, 16 readers",
        ),
        (
            Setting(Probe.MIXED, 16, 16384, options={"part": "flush", "flush_per_s": "0"}),
            "mixed 16 KiB, flush, no flushing, 16 readers",
        ),
        (
            Setting(
                Probe.POINT_SELECT, 2, options={"protocol": "prepared", "working_set": "cached"}
            ),
            "point select, cached, 2 connections",
        ),
        (
            Setting(Probe.PK_UPDATE, 2, options={"protocol": "sql", "working_set": "own"}),
            "update by key, own, sql, 2 connections",
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
