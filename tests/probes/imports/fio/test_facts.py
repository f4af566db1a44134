"""What fio's figures say of themselves: what took the time, what did no I/O, what ran at once."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest

from probes.imports import ImportRefused
from probes.imports.points import BUFFERED
from probes.points import Probe, Trust
from tests.points import doubts_of
from tests.probes.imports.conftest import Job, Recordings


def _took(side: Job, slat_us: float, clat_us: float) -> None:
    """Give a side the mean times of submission and completion, and what goes with them."""
    lat_us = slat_us + clat_us
    for name, us in (("slat_ns", slat_us), ("clat_ns", clat_us), ("lat_ns", lat_us)):
        side[name] |= {"mean": us * 1000, "max": us * 3000}


# What a caller waits for


def test_a_slow_submission_is_part_of_the_time(recordings: Recordings) -> None:
    found = recordings.read("fio-slow-submission.json")
    (point,) = found.points
    assert point.latency.mean_us == pytest.approx(35_110)
    assert math.isnan(point.latency.p95_us)
    assert math.isnan(point.latency.p50_us)
    # The file's maximum is below its own mean: it is of something else.
    assert math.isnan(point.latency.max_us)
    assert any(
        "the submission, which took 99\u202f% of the time" in each for each in found.warnings
    )
    assert point.trust is Trust.OK


@pytest.mark.parametrize(
    ("slat_us", "clat_us", "rate", "known"),
    [(2.0, 198.0, 4990, True), (9.0, 191.0, 4990, True), (15.0, 185.0, 4990, False)],
)
def test_percentiles_stand_for_the_whole_where_submission_is_small(
    recordings: Recordings, slat_us: float, clat_us: float, rate: float, known: bool
) -> None:
    def change(job: Job) -> None:
        _took(job["write"], slat_us, clat_us)
        job["write"]["iops"] = rate

    (point,) = recordings.edited("fio-slow-submission.json", change).points
    assert point.latency.mean_us == pytest.approx(200)
    assert point.latency.max_us == pytest.approx(600)
    assert math.isnan(point.latency.p95_us) is not known
    assert point.trust is Trust.OK


def test_percentiles_of_the_whole_are_taken_where_fio_gives_them(recordings: Recordings) -> None:
    def change(job: Job) -> None:
        _took(job["write"], 34_900, 210)
        job["write"]["lat_ns"]["percentile"] = {"50.000000": 30_000_000, "95.000000": 90_000_000}

    found = recordings.edited("fio-slow-submission.json", change)
    (point,) = found.points
    assert (point.latency.p50_us, point.latency.p95_us) == (30_000, 90_000)
    assert found.warnings == ()


def test_bins_of_a_small_part_make_no_histogram(recordings: Recordings) -> None:
    def change(job: Job) -> None:
        _took(job["write"], 34_900, 210)
        job["write"]["clat_ns"]["bins"] = {"160000": 200, "180000": 80}

    (point,) = recordings.edited("fio-slow-submission.json", change).points
    assert point.histogram == ""
    assert point.latency.mean_us == pytest.approx(35_110)


# Little's law from below


def test_most_of_a_threads_time_is_in_no_latency(recordings: Recordings) -> None:
    (point,) = recordings.read("fio-rate-far-below-latency.json").points
    assert point.setting.probe is Probe.REDO_SYNC
    assert point.trust is Trust.DOUBTFUL
    (reason,) = doubts_of(point)
    assert "by Little's law 0.08 of 1 thread was busy" in reason


def _slower(job: Job) -> None:
    job["write"]["iops"] = 160.0


@pytest.mark.parametrize(
    ("options", "doubted"),
    [
        ({}, True),
        ({"rate_iops": "160"}, False),
        ({"thinktime": "6ms"}, False),
        ({"rate": "640k"}, False),
        ({"verify": "crc32c"}, False),
        ({"refill_buffers": "1"}, False),
        ({"thinktime": "0"}, True),
    ],
)
def test_who_waits_for_something_else_is_not_asked(
    recordings: Recordings, options: Mapping[str, str], doubted: bool
) -> None:
    def change(job: Job) -> None:
        job["job options"] |= options
        _slower(job)

    (point,) = recordings.edited("fio-rate-far-below-latency.json", change).points
    assert any("Little's law" in each for each in doubts_of(point)) is doubted


def test_syncs_that_were_timed_apart_count_as_work(recordings: Recordings) -> None:
    # 1,000 writes/s of 20 µs, and after each 16th a sync of 15 ms: 0.96 of a thread.
    def change(job: Job) -> None:
        job["job options"] |= {"fdatasync": "16", "direct": "1"}
        job["write"] |= {"iops": 1000.0, "total_ios": 10_000, "io_bytes": 40_960_000}
        job["sync"] = {"total_ios": 625, "lat_ns": {"mean": 15_000_000, "max": 40_000_000}}

    (point,) = recordings.edited("fio-rate-far-below-latency.json", change).points
    assert point.setting.probe is Probe.STEADY_WRITE
    assert point.trust is Trust.OK

    def without(job: Job) -> None:
        change(job)
        del job["sync"]

    (point,) = recordings.edited("fio-rate-far-below-latency.json", without).points
    assert point.trust is Trust.OK

    def quick(job: Job) -> None:
        change(job)
        job["sync"]["lat_ns"]["mean"] = 1_000_000

    (point,) = recordings.edited("fio-rate-far-below-latency.json", quick).points
    assert "0.083 of 1 thread was busy" in doubts_of(point)[0]


@pytest.mark.parametrize(("write_us", "doubted"), [(420.0, False), (20.0, True), (4000.0, True)])
def test_both_sides_of_a_mix_keep_its_threads_busy(
    recordings: Recordings, write_us: float, doubted: bool
) -> None:
    # 700 reads/s of 200 µs and 2,000 writes/s in one thread.
    def change(job: Job) -> None:
        job["job options"] |= {"rw": "randrw", "rwmixread": "26", "direct": "1"}
        del job["job options"]["fdatasync"]
        del job["sync"]
        job["write"] |= {"iops": 2000.0, "total_ios": 20_000, "io_bytes": 81_920_000}
        job["read"] = {**job["write"], "iops": 700.0, "total_ios": 7000, "io_bytes": 28_672_000}
        for side, us in (("read", 200.0), ("write", write_us)):
            job[side] |= {each: dict(job[side][each]) for each in ("slat_ns", "clat_ns", "lat_ns")}
            _took(job[side], 0, us)

    points = recordings.edited("fio-rate-far-below-latency.json", change).points
    assert len(points) == 2
    for point in points:
        assert any("Little's law" in each for each in doubts_of(point)) is doubted


# What is no I/O


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        ("falloc", "falloc reserves space and writes nothing"),
        ("null", "null does nothing at all"),
        ("ftruncate", "ftruncate sets a file's size and writes nothing"),
        ("filecreate", "filecreate creates files and writes nothing"),
        ("cpuio", "cpuio keeps processors busy and does no I/O"),
        ("net", "net sends over a network"),
        ("mtd", "mtd works on raw flash"),
        ("brandnew", "brandnew is not known here"),
    ],
)
def test_engines_that_do_no_io_are_left_out(recordings: Recordings, engine: str, said: str) -> None:
    with pytest.raises(ImportRefused) as refused:
        recordings.changed("fio-engine-without-io.json", ('"falloc"', f'"{engine}"'))
    assert f"Job f was left out: {said}" in refused.value.advice
    assert "in flight" not in refused.value.advice


@pytest.mark.parametrize("engine", ["psync", "libaio", "io_uring", "pvsync2", "mmap", "windowsaio"])
def test_engines_that_read_and_write_are_taken(recordings: Recordings, engine: str) -> None:
    found = recordings.changed("fio-engine-without-io.json", ('"falloc"', f'"{engine}"'))
    assert found.points[0].setting.probe is Probe.STEADY_WRITE


@pytest.mark.parametrize(
    ("direct", "writes", "merges", "doubted"),
    [
        ("1", 18, 4, True),
        ("1", 4_400_000, 0, False),
        # 256 requests of 4 KiB at a time, put together on their way.
        ("1", 20_000, 4_480_000, False),
        ("1", 300_000, 90_000, True),
        ("0", 18, 4, False),
    ],
)
def test_disks_that_counted_far_fewer(
    recordings: Recordings, direct: str, writes: int, merges: int, doubted: bool
) -> None:
    (point,) = recordings.changed(
        "fio-engine-without-io.json",
        ('"falloc"', f'"libaio", "direct": "{direct}"'),
        ('"write_ios": 18', f'"write_ios": {writes}'),
        ('"write_merges": 4', f'"write_merges": {merges}'),
    ).points
    said = f"The disks counted {writes + merges:,} writes for 4,500,000 of fio's."
    assert (said in doubts_of(point)) is doubted


def test_disks_that_count_nothing_deny_nothing(recordings: Recordings) -> None:
    (point,) = recordings.changed(
        "fio-engine-without-io.json",
        ('"falloc"', '"libaio", "direct": "1"'),
        ('"write_ios": 18', '"write_ios": 0'),
        ('"write_merges": 4', '"write_merges": 0'),
    ).points
    assert not any("disks" in each for each in doubts_of(point))


# Depth and jobs


def test_as_many_in_flight_in_two_ways_are_two_curves(recordings: Recordings) -> None:
    both = recordings.text("fio-depth-8.json") + recordings.text("fio-jobs-8.json")
    deep, many = recordings.of(both).points
    assert (deep.setting.threads, many.setting.threads) == (8, 8)
    assert deep.setting.options == {"jobs": "1"}
    assert many.setting.options == {}
    assert (deep.rate_per_s, many.rate_per_s) == (32, 88)


def _at(recordings: Recordings, depth: int, jobs: int) -> str:
    text = recordings.text("fio-jobs-8.json")
    text = text.replace('"iodepth": "1"', f'"iodepth": "{depth}"')
    text = text.replace('"numjobs": "8"', f'"numjobs": "{jobs}"')
    return text.replace('"job_runtime": 80000', f'"job_runtime": {jobs * 10_000}')


@pytest.mark.parametrize(
    ("ways", "options"),
    [
        # A sweep over the depth, and one over jobs, stay one curve each.
        ([(1, 1), (4, 1), (16, 1)], [{}, {}, {}]),
        ([(8, 1), (8, 2), (8, 4)], [{}, {}, {}]),
        ([(1, 1), (1, 4), (4, 1)], [{}, {}, {"jobs": "1"}]),
        ([(2, 8), (4, 4), (1, 16)], [{"depth": "2"}, {"depth": "4"}, {}]),
    ],
)
def test_sweeps_stay_whole(
    recordings: Recordings, ways: list[tuple[int, int]], options: list[dict[str, str]]
) -> None:
    found = recordings.of("".join(_at(recordings, *way) for way in ways))
    assert [point.setting.options for point in found.points] == options


def test_the_page_cache_is_still_told(recordings: Recordings) -> None:
    (point,) = recordings.changed("fio-interrupted.txt", ('"direct": "1"', '"direct": "0"')).points
    assert BUFFERED in doubts_of(point)
