"""The text of sysbench, 0.4 to 1.1, with the traps that it is known for."""

from __future__ import annotations

import math

import pytest

from probes.imports import ImportRefused
from probes.imports.points import BUFFERED, EACH_SYNCED
from probes.imports.sysbench.fileio import DIRECT_UNKNOWN, FSYNC_100, MIXED_LATENCY, SYNCED_LATENCY
from probes.imports.sysbench.oltp import LOOKUPS, PREPARED, SPECIAL, UPDATES
from probes.imports.sysbench.run import COARSE
from probes.points import Probe, Trust
from probes.statistics.histogram import read_histogram
from tests.points import doubts_of
from tests.probes.imports.conftest import Recordings

BOTH = {"statements": "both", "per_transaction": "14_reads_and_4_writes"}
READS = {"statements": "reads", "per_transaction": "14_reads"}
READ, WRITE, REDO = Probe.RANDOM_READ, Probe.RANDOM_WRITE, Probe.REDO_SYNC
SELECT, UPDATE, OLTP = Probe.POINT_SELECT, Probe.PK_UPDATE, Probe.OLTP

SETTINGS = {
    # name: version, probe, threads, block size, files, options, rate, direct
    "sysbench-0.4-rndrd-direct": ("0.4.12", READ, 16, 16384, 8, {}, 3000, True),
    "sysbench-0.4-rndrw-default": ("0.4.12", READ, 1, 16384, 128, {"mix": "60"}, 120, False),
    "sysbench-0.5-rndrw-direct": ("0.5", READ, 16, 16384, 10, {"mix": "60"}, 1200, True),
    "sysbench-1.0-rndrd-direct": ("1.0.20", READ, 4, 16384, 2, {}, 25037.92, True),
    "sysbench-1.0-rndwr-default": ("1.0.20", WRITE, 2, 16384, 2, {}, 73139.48, False),
    "sysbench-1.0-rndrw-p99": ("1.0.20", READ, 2, 16384, 2, {"mix": "60"}, 11923.72, True),
    "sysbench-1.0-seqwr-fsync-all": (
        "1.0.20", REDO, 1, 16384, 1, {"sync": "fsync"}, 6866.36, False,
    ),
    "sysbench-1.1-rndwr-direct": ("1.1.0-2ca9e3f", WRITE, 8, 4096, 4, {}, 8000.5, True),
    "sysbench-0.4-oltp-simple": ("0.4.12", SELECT, 8, 0, 1, {"protocol": "prepared"}, 20000, None),
    "sysbench-0.5-oltp": ("0.5", OLTP, 32, 0, 1, BOTH, 1200, None),
    "sysbench-1.0-point-select": (
        "1.0.20", SELECT, 4, 0, 1, {"protocol": "prepared"}, 122434.76, None,
    ),
    "sysbench-1.0-update": ("1.0.20", UPDATE, 2, 0, 1, {"protocol": "prepared"}, 3675.33, None),
    "sysbench-1.0-read-write": ("1.0.20", OLTP, 2, 0, 1, BOTH, 931.75, None),
    "sysbench-1.0-read-only": ("1.0.20", OLTP, 2, 0, 1, READS, 3042.82, None),
    "sysbench-1.1-point-select": (
        "1.1.0", SELECT, 16, 0, 1, {"protocol": "prepared"}, 90000, None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SETTINGS)
def test_setting_and_rate(recordings: Recordings, name: str) -> None:
    version, probe, threads, size, files, options, rate, direct = SETTINGS[name]
    found = recordings.read(f"{name}.txt")
    point = found.points[0]
    setting = point.setting
    assert (found.kind, found.engine, found.engine_version) == ("sysbench", "sysbench", version)
    assert (setting.probe, setting.threads, setting.block_size_bytes, setting.files) == (
        probe,
        threads,
        size,
        files,
    )
    assert dict(setting.options) == options
    assert point.rate_per_s == pytest.approx(rate)
    assert point.direct is direct


def test_one_percentile_in_milliseconds(recordings: Recordings) -> None:
    latency = recordings.read("sysbench-1.0-rndrw-p99.txt").points[0].latency
    assert (latency.p99_us, latency.mean_us, latency.max_us) == (190, 100, 1780)
    assert math.isnan(latency.p95_us)
    assert math.isnan(latency.p50_us)
    old = recordings.read("sysbench-0.4-rndrd-direct.txt").points[0].latency
    assert (old.p95_us, old.mean_us, old.max_us) == (12600, 5320, 93050)


def test_a_histogram_tells_all_percentiles(recordings: Recordings) -> None:
    (point,) = recordings.read("sysbench-1.0-point-select-histogram.txt").points
    assert read_histogram(point.histogram).total == point.operations
    assert point.latency.p50_us < point.latency.p95_us < point.latency.p999_us
    assert point.latency.mean_us == pytest.approx(20, abs=5)


def test_requests_executed_are_reads_and_writes_together(recordings: Recordings) -> None:
    reads, writes = recordings.read("sysbench-0.4-rndrw-default.txt").points
    assert (reads.rate_per_s, writes.rate_per_s) == (120, 80)
    assert (reads.operations, writes.operations) == (6000, 4000)


def test_the_defaults_are_told(recordings: Recordings) -> None:
    found = recordings.read("sysbench-1.0-rndwr-default.txt")
    assert {FSYNC_100, SYNCED_LATENCY, COARSE} <= set(found.warnings)
    assert found.conditions["fsync"] == "every 100 requests"
    assert found.conditions["direct"] == "no"
    assert found.points[0].trust is Trust.DOUBTFUL
    assert doubts_of(found.points[0]) == (BUFFERED,)


def test_a_test_without_the_traps_has_no_warnings(recordings: Recordings) -> None:
    found = recordings.read("sysbench-1.0-rndrd-direct.txt")
    assert found.warnings == ()
    assert found.points[0].trust is Trust.OK


def test_reads_and_writes_share_one_latency(recordings: Recordings) -> None:
    assert MIXED_LATENCY in recordings.read("sysbench-1.0-rndrw-p99.txt").warnings


def test_what_is_assumed_of_statements_is_told(recordings: Recordings) -> None:
    expected = {PREPARED, LOOKUPS, SPECIAL}
    assert expected <= set(recordings.read("sysbench-1.0-point-select.txt").warnings)
    assert SPECIAL not in recordings.read("sysbench-0.4-oltp-simple.txt").warnings
    assert {PREPARED, UPDATES} <= set(recordings.read("sysbench-1.0-update.txt").warnings)


def test_intermediate_reports_give_an_interval(recordings: Recordings) -> None:
    low, high = recordings.read("sysbench-0.5-oltp.txt").points[0].ci95_per_s
    assert 1170 < low < 1200 < high < 1230
    few = recordings.read("sysbench-1.0-point-select.txt").points[0].ci95_per_s
    assert math.isnan(few[0])


def test_many_runs_make_a_curve(recordings: Recordings) -> None:
    found = recordings.read("sysbench-two-runs.txt")
    assert [point.setting.threads for point in found.points] == [4, 8]
    assert found.points[1].rate_per_s == 31000.50
    assert found.points[1].latency.p95_us == 420


@pytest.mark.parametrize(
    ("flags", "direct"), [("65536", True), ("2", False), ("0", False), ("1052672", False)]
)
def test_flags_of_0_4_are_bits_of_open(recordings: Recordings, flags: str, direct: bool) -> None:
    found = recordings.changed(
        "sysbench-0.4-rndrd-direct.txt", ("open flags: 16384", f"open flags: {flags}")
    )
    assert found.points[0].direct is direct


def test_unknown_flags_are_unknown(recordings: Recordings) -> None:
    found = recordings.changed("sysbench-1.0-rndrd-direct.txt", ("directio", "7"))
    assert found.points[0].direct is None
    assert DIRECT_UNKNOWN in found.warnings
    assert doubts_of(found.points[0]) == (DIRECT_UNKNOWN,)


def test_random_writes_that_are_synced_each_are_doubtful(recordings: Recordings) -> None:
    found = recordings.changed(
        "sysbench-1.1-rndwr-direct.txt",
        ("Using synchronous", "Calling fsync() after each write operation.\nUsing synchronous"),
    )
    assert doubts_of(found.points[0]) == (EACH_SYNCED,)
    assert found.conditions["fsync"] == "every request"


def test_a_target_rate_makes_it_doubtful(recordings: Recordings) -> None:
    found = recordings.changed(
        "sysbench-1.0-point-select.txt",
        ("Number of threads: 4", "Number of threads: 4\nTarget transaction rate: 100/sec"),
    )
    assert "held to 100" in doubts_of(found.points[0])[0]


def test_latency_that_threads_cannot_have(recordings: Recordings) -> None:
    found = recordings.changed(
        "sysbench-0.4-rndrd-direct.txt", ("Number of threads: 16", "Number of threads: 2")
    )
    assert "Little's law" in doubts_of(found.points[0])[0]


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("sysbench-1.0-rndrd-direct.txt", "File operations"),
        ("sysbench-1.0-point-select.txt", "transactions:"),
        ("sysbench-0.4-rndrd-direct.txt", "Read 2.7466Gb"),
    ],
)
def test_a_cut_run_is_refused(recordings: Recordings, name: str, end: str) -> None:
    text = recordings.text(name)
    with pytest.raises(ImportRefused):
        recordings.of(text[: text.index(end)])


def test_other_tests_are_refused(recordings: Recordings) -> None:
    text = recordings.text("sysbench-1.0-rndrd-direct.txt")
    with pytest.raises(ImportRefused, match="no probe of Leadline's does a sequential read"):
        recordings.of(text.replace("random read test", "sequential read test"))


ALL_FILES = "sysbench-1.0-seqrewr-fsync-freq-1.txt"
FILES = ("128 files, 16MiB each", "{} files, 16MiB each")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([], "each write was followed by a sync of all 128 files"),
        ([], "one sync takes 110\u202fµs"),
        (
            [("128 files,", "40 files,"), ("70.00", "300.00"), ("8960.00", "12000.00")],
            "a sync of all 40 files",
        ),
        (
            [("sequential rewrite", "sequential write (creation)"), ("0.11", "4.20")],
            "one sync takes 4.20\u202fms",
        ),
    ],
)
def test_a_sync_of_all_files_is_no_commit(
    recordings: Recordings, changes: list[tuple[str, str]], said: str
) -> None:
    with pytest.raises(ImportRefused, match="no result of sysbench") as refused:
        recordings.changed(ALL_FILES, *changes)
    assert said in refused.value.advice
    assert SYNCED_LATENCY not in refused.value.advice


def test_of_old_versions_a_sync_of_all_files_is_no_commit_either(recordings: Recordings) -> None:
    with pytest.raises(ImportRefused) as refused:
        recordings.changed(
            "sysbench-0.4-rndrw-default.txt",
            ("Doing random r/w test", "Doing sequential rewrite test"),
            ("each 100 requests", "each 1 requests"),
        )
    assert "a sync of all 128 files" in refused.value.advice
    # What is timed there is the write alone.
    assert "one sync takes" not in refused.value.advice


def test_random_writes_with_a_sync_of_all_files_say_so(recordings: Recordings) -> None:
    found = recordings.changed(ALL_FILES, ("sequential rewrite", "random write"))
    (point,) = found.points
    (reason,) = doubts_of(point)
    assert reason.startswith("Each write was followed by a sync of all 128 files")
    assert point.trust is Trust.DOUBTFUL
    assert found.conditions["fsync"] == "every request, all 128 files"


def test_of_one_file_it_is_a_commit_of_two_events(recordings: Recordings) -> None:
    one = [("128 files, 16MiB each", "1 file, 2GiB each"), ("70.00", "4500.00")]
    (point,) = recordings.changed(
        ALL_FILES, *one, ("8960.00", "4500.00"), ("90400", "90090")
    ).points
    assert point.setting.options == {"sync": "fsync"}
    assert point.rate_per_s == 4500
    # 0.11 ms is the mean of writes and syncs; a commit is one of each.
    assert point.latency.mean_us == pytest.approx(220)
    assert math.isnan(point.latency.p95_us)
    assert point.trust is Trust.OK


@pytest.mark.parametrize(
    ("name", "changes", "reason"),
    [
        # 3,000/s of 5.32 ms are 16 threads; 300/s of it are 1.6.
        (
            "sysbench-0.4-rndrd-direct.txt",
            [("avg:                                  5.32ms", "avg: 0.53ms")],
            "by Little's law 1.6 of 16 threads were busy",
        ),
        (
            "sysbench-1.0-read-only.txt",
            [("(3042.82 per sec.)", "(304.28 per sec.)")],
            "of 2 threads were busy",
        ),
        (
            "sysbench-1.0-rndrw-p99.txt",
            [("reads/s:                      11923.72", "reads/s: 500.00"), ("7949.", "300.")],
            "of 2 threads were busy",
        ),
    ],
)
def test_far_fewer_in_flight_than_threads_is_impossible(
    recordings: Recordings, name: str, changes: list[tuple[str, str]], reason: str
) -> None:
    for point in recordings.changed(name, *changes).points:
        assert any(reason in each for each in doubts_of(point))


def test_a_target_rate_leaves_threads_idle(recordings: Recordings) -> None:
    (point,) = recordings.changed(
        "sysbench-1.0-read-only.txt",
        ("(3042.82 per sec.)", "(300.00 per sec.)"),
        ("Number of threads: 2", "Number of threads: 2\nTarget transaction rate: 300/sec"),
    ).points
    assert doubts_of(point) == ("sysbench was held to 300 events per second.",)


def test_syncs_that_old_versions_do_not_time_leave_threads_idle(recordings: Recordings) -> None:
    # 200 requests/s of 2.72 ms keep one thread half busy: the rest went into fsync.
    changed = recordings.changed("sysbench-0.4-rndrw-default.txt", ("2.72ms", "0.30ms"))
    assert all("Little" not in " ".join(doubts_of(point)) for point in changed.points)
