"""What fio's figures say of themselves: what took the time, what did no I/O, how it ended."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from probes.imports import Imported, ImportRefused
from probes.imports.fio_json import AT_ONCE
from probes.imports.points import BUFFERED
from probes.points import Probe, Trust
from tests.present import present
from tests.probes.imports.conftest import Recordings

Job = dict[str, Any]


def _edited(
    recordings: Recordings, name: str, change: Callable[[Job], object], note: str = ""
) -> Imported:
    """Read a recording whose first job was changed, with what fio said before."""
    text = recordings.text(name)
    document = json.loads(text[text.index("{") :])
    change(document["jobs"][0])
    return recordings.of(note + json.dumps(document, indent=1))


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

    (point,) = _edited(recordings, "fio-slow-submission.json", change).points
    assert point.latency.mean_us == pytest.approx(200)
    assert point.latency.max_us == pytest.approx(600)
    assert math.isnan(point.latency.p95_us) is not known
    assert point.trust is Trust.OK


def test_percentiles_of_the_whole_are_taken_where_fio_gives_them(recordings: Recordings) -> None:
    def change(job: Job) -> None:
        _took(job["write"], 34_900, 210)
        job["write"]["lat_ns"]["percentile"] = {"50.000000": 30_000_000, "95.000000": 90_000_000}

    found = _edited(recordings, "fio-slow-submission.json", change)
    (point,) = found.points
    assert (point.latency.p50_us, point.latency.p95_us) == (30_000, 90_000)
    assert found.warnings == ()


def test_bins_of_a_small_part_make_no_histogram(recordings: Recordings) -> None:
    def change(job: Job) -> None:
        _took(job["write"], 34_900, 210)
        job["write"]["clat_ns"]["bins"] = {"160000": 200, "180000": 80}

    (point,) = _edited(recordings, "fio-slow-submission.json", change).points
    assert point.histogram == ""
    assert point.latency.mean_us == pytest.approx(35_110)


# Little's law from below


def test_most_of_a_threads_time_is_in_no_latency(recordings: Recordings) -> None:
    (point,) = recordings.read("fio-rate-far-below-latency.json").points
    assert point.setting.probe is Probe.REDO_SYNC
    assert point.trust is Trust.DOUBTFUL
    (reason,) = point.trust_reasons
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

    (point,) = _edited(recordings, "fio-rate-far-below-latency.json", change).points
    assert any("Little's law" in each for each in point.trust_reasons) is doubted


def test_syncs_that_were_timed_apart_count_as_work(recordings: Recordings) -> None:
    # 1,000 writes/s of 20 µs, and after each 16th a sync of 15 ms: 0.96 of a thread.
    def change(job: Job) -> None:
        job["job options"] |= {"fdatasync": "16", "direct": "1"}
        job["write"] |= {"iops": 1000.0, "total_ios": 10_000, "io_bytes": 40_960_000}
        job["sync"] = {"total_ios": 625, "lat_ns": {"mean": 15_000_000, "max": 40_000_000}}

    (point,) = _edited(recordings, "fio-rate-far-below-latency.json", change).points
    assert point.setting.probe is Probe.STEADY_WRITE
    assert point.trust is Trust.OK

    def without(job: Job) -> None:
        change(job)
        del job["sync"]

    (point,) = _edited(recordings, "fio-rate-far-below-latency.json", without).points
    assert point.trust is Trust.OK

    def quick(job: Job) -> None:
        change(job)
        job["sync"]["lat_ns"]["mean"] = 1_000_000

    (point,) = _edited(recordings, "fio-rate-far-below-latency.json", quick).points
    assert "0.083 of 1 thread was busy" in point.trust_reasons[0]


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

    points = _edited(recordings, "fio-rate-far-below-latency.json", change).points
    assert len(points) == 2
    for point in points:
        assert any("Little's law" in each for each in point.trust_reasons) is doubted


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
    assert (said in point.trust_reasons) is doubted


def test_disks_that_count_nothing_deny_nothing(recordings: Recordings) -> None:
    (point,) = recordings.changed(
        "fio-engine-without-io.json",
        ('"falloc"', '"libaio", "direct": "1"'),
        ('"write_ios": 18', '"write_ios": 0'),
        ('"write_merges": 4', '"write_merges": 0'),
    ).points
    assert not any("disks" in each for each in point.trust_reasons)


# How it ended


def test_an_interrupted_run(recordings: Recordings) -> None:
    found = recordings.read("fio-interrupted.txt")
    (point,) = found.points
    assert point.trust_reasons == ("fio was interrupted after 2 of 60\u202fs.",)
    assert point.trust_reasons[0] in found.warnings


INTERRUPTED = "fio: terminating on signal {}\n"


@pytest.mark.parametrize(
    ("note", "options", "ran_ms", "said", "doubted"),
    [
        (INTERRUPTED.format(15), {"runtime": "10m"}, 540_000, "after 540 of 600\u202fs", False),
        (INTERRUPTED.format(2), {"runtime": "600s"}, 31_000, "after 31 of 600\u202fs", True),
        (INTERRUPTED.format(2), {"runtime": "0"}, 4200, "interrupted after 4.2\u202fs", True),
        ("", {"runtime": "1h"}, 90_000, "fio ended after 90 of 3600\u202fs", True),
        ("", {"runtime": "60", "time_based": "0"}, 30_000, "", False),
        ("", {"runtime": "60"}, 60_001, "", False),
    ],
)
def test_runs_that_ended_early(
    recordings: Recordings,
    note: str,
    options: Mapping[str, str],
    ran_ms: int,
    said: str,
    doubted: bool,
) -> None:
    def change(job: Job) -> None:
        job["job options"] |= options
        job["read"]["runtime"] = job["job_runtime"] = ran_ms

    found = _edited(recordings, "fio-interrupted.txt", change, note)
    (point,) = found.points
    assert said in " ".join(found.warnings)
    assert (point.trust is Trust.DOUBTFUL) is doubted
    assert bool(found.warnings) is bool(said)


def test_a_note_belongs_to_the_document_after_it(recordings: Recordings) -> None:
    text = recordings.text("fio-interrupted.txt")
    whole = text[text.index("{") :].replace('"runtime": 2000', '"runtime": 60000')
    whole = whole.replace('"job_runtime": 2000', '"job_runtime": 60000')
    whole = whole.replace('"jobname": "r"', '"jobname": "first"')
    first, second = recordings.of(f"{whole}\n{text}").points
    assert (first.trust, second.trust) == (Trust.OK, Trust.DOUBTFUL)


@pytest.mark.parametrize(
    ("note", "errno", "said"),
    [
        (
            "fio: pid=8, err=28/file:io_u.c:1845, func=io_u error, error=No space left on device\n",
            28,
            "Job r ended with an error: No space left on device.",
        ),
        (
            "fio: io_u error on file /srv/t/r.0.0: Input/output error: read offset=4096\n",
            5,
            "Job r ended with an error: /srv/t/r.0.0: Input/output error: read offset=4096.",
        ),
        ("", 84, "Job r ended with an error (84)."),
    ],
)
def test_an_error_in_the_words_of_fio(
    recordings: Recordings, note: str, errno: int, said: str
) -> None:
    def change(job: Job) -> None:
        job["error"] = errno
        job["job options"]["time_based"] = "0"

    (point,) = _edited(recordings, "fio-interrupted.txt", change, note).points
    assert point.trust_reasons == (said,)


def test_an_error_before_the_first_request(recordings: Recordings) -> None:
    def change(job: Job) -> None:
        job["error"] = 30
        job["read"] |= {"total_ios": 0, "iops": 0.0, "io_bytes": 0}

    note = "fio: pid=0, err=30/file:filesetup.c:150, func=open, error=Read-only file system\n"
    with pytest.raises(ImportRefused) as refused:
        _edited(recordings, "fio-interrupted.txt", change, note)
    assert refused.value.advice == (
        "Job r was left out: it finished no read, and ended with an error: Read-only file system."
    )


# What it leaves unsaid


def test_jobs_whose_options_are_not_named(recordings: Recordings) -> None:
    with pytest.raises(ImportRefused) as refused:
        recordings.read("fio-2-without-options.json")
    said = refused.value.advice
    assert "the file does not name the options of its jobs, as old versions of fio don't" in said
    assert "Job writes was left out" in said
    assert "; it wrote, and nobody can say whether in order or at random" in said
    assert "; it read, and" in said
    assert "no probe" not in said
    # A trap of what was left out does not stand before the reason.
    assert AT_ONCE not in said


def test_options_that_do_not_tell_the_access(recordings: Recordings) -> None:
    named = ('"rw": "randread",', "")
    with pytest.raises(ImportRefused, match="no probe of Leadline's does read"):
        recordings.changed("fio-interrupted.txt", named)

    def change(job: Job) -> None:
        del job["job options"]["rw"]

    with pytest.raises(ImportRefused) as refused:
        _edited(recordings, "fio-slow-submission.json", change)
    assert "; it wrote, and nobody can say" in refused.value.advice


def test_a_version_without_numbers_of_requests(recordings: Recordings) -> None:
    def change(job: Job) -> None:
        del job["write"]["total_ios"]

    (point,) = _edited(recordings, "fio-slow-submission.json", change).points
    assert point.operations == 280


@pytest.mark.parametrize(
    ("asked", "moved", "size"),
    [
        ("4k", 61_698_048, 4096),
        ("16k", 15_000 * 16_100, 16_384),
        ("8192", 15_000 * 8500, 8192),
        ("4k", 15_000 * 3000, 3000),
        ("512", 15_000 * 512, 512),
    ],
)
def test_the_size_that_was_asked_for(
    recordings: Recordings, asked: str, moved: int, size: int
) -> None:
    def change(job: Job) -> None:
        job["job options"]["bs"] = asked
        job["read"]["io_bytes"] = moved

    (point,) = _edited(recordings, "fio-ramp-and-no-clock.json", change).points
    assert point.setting.block_size_bytes == size


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("gtod_reduce", "fio was asked not to time requests"),
        ("disable_clat", "fio was asked not to time requests"),
        ("norandommap", "fio gave none"),
    ],
)
def test_requests_that_were_not_timed(recordings: Recordings, option: str, said: str) -> None:
    found = recordings.changed("fio-ramp-and-no-clock.json", ("gtod_reduce", option))
    assert math.isnan(found.points[0].latency.mean_us)
    assert f"The latency of job r is not known: {said}." in found.warnings


def test_the_end_of_the_scale(recordings: Recordings) -> None:
    found = recordings.read("fio-end-of-scale.json")
    (point,) = found.points
    latency = point.latency
    assert all(math.isnan(each) for each in (latency.p50_us, latency.p95_us, latency.p999_us))
    assert (latency.mean_us, latency.max_us) == (15_900_000, 38_600_000)
    quantile, end_us = present(point.beyond_scale)
    assert quantile == 0.5
    assert end_us == pytest.approx(17_112_760)
    said = (
        "50\u202f% of job r's reads took at least 17.1\u202fs: fio's scale of latencies ends there."
    )
    assert said in found.warnings


END = 17_112_760_320


@pytest.mark.parametrize(
    ("percentiles", "highest", "known", "beyond"),
    [
        ((9_000_000_000, END, END, END), 30_000_000_000, {"p50_us"}, 0.95),
        (
            (1_000_000, 2_000_000, 3_000_000, END),
            60_000_000_000,
            {"p50_us", "p95_us", "p99_us"},
            0.999,
        ),
        # The highest is in the last slot itself: the figure stands.
        ((END, END, END, END), 17_150_000_000, {"p50_us", "p95_us", "p99_us", "p999_us"}, None),
    ],
)
def test_what_lies_beyond_the_scale(
    recordings: Recordings,
    percentiles: tuple[int, ...],
    highest: int,
    known: set[str],
    beyond: float | None,
) -> None:
    names = ("50.000000", "95.000000", "99.000000", "99.900000")

    def change(job: Job) -> None:
        job["read"]["clat_ns"]["percentile"] = dict(zip(names, percentiles, strict=True))
        job["read"]["lat_ns"]["max"] = highest

    (point,) = _edited(recordings, "fio-end-of-scale.json", change).points
    told = {"p50_us", "p95_us", "p99_us", "p999_us"}
    assert {name for name in told if not math.isnan(getattr(point.latency, name))} == known
    assert (point.beyond_scale or (None,))[0] == beyond


def test_bins_at_the_end_of_the_scale(recordings: Recordings) -> None:
    def change(job: Job) -> None:
        job["read"]["clat_ns"]["bins"] = {"9000000000": 100, str(END): 300}

    (point,) = _edited(recordings, "fio-end-of-scale.json", change).points
    assert math.isnan(point.latency.p95_us)
    assert point.latency.max_us == 38_600_000
    assert point.beyond_scale is not None


def test_the_end_of_the_scale_of_fio_2(recordings: Recordings) -> None:
    text = recordings.text("fio-2-read.json")
    document = json.loads(text[text.index("{") :])
    (job,) = document["jobs"]
    job["read"]["clat"]["percentile"] |= {"99.000000": 16_711_680, "99.900000": 16_711_680}
    job["read"]["lat"]["max"] = 25_000_000
    (point,) = recordings.of(json.dumps(document, indent=1)).points
    assert math.isnan(point.latency.p99_us)
    assert point.beyond_scale == (0.99, 16_711_680)


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
    assert BUFFERED in point.trust_reasons
