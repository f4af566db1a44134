"""How a run of fio ended, and what its result leaves unsaid."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

import pytest

from probes.imports import ImportRefused
from probes.imports.fio import doubts as fio_doubts
from probes.imports.fio.doubts import ended_with
from probes.imports.fio.json_form import AT_ONCE
from probes.points import Trust
from tests.points import doubts_of
from tests.present import present
from tests.probes.imports.conftest import Job, Recordings

# How it ended


def test_an_interrupted_run(recordings: Recordings) -> None:
    found = recordings.read("fio-interrupted.txt")
    (point,) = found.points
    assert doubts_of(point) == ("fio was interrupted after 2 of 60\u202fs.",)
    assert doubts_of(point)[0] in found.warnings


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

    found = recordings.edited("fio-interrupted.txt", change, note)
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

    (point,) = recordings.edited("fio-interrupted.txt", change, note).points
    assert doubts_of(point) == (said,)


def test_a_note_is_searched_once_however_many_jobs_ended_with_an_error() -> None:
    line = "fio: pid=8, err=28/file:io_u.c:1845, func=io_u error, error=No space left on device"
    note = f"{'err=0 ' * 20_000}error=x\nfio: io_u error on file /srv/f: Bad\n{line}\n"
    fio_doubts._error_texts.cache_clear()
    assert {ended_with(28, note) for _ in range(1000)} == {
        "ended with an error: No space left on device."
    }
    assert ended_with(5, note) == "ended with an error: /srv/f: Bad."
    assert not ended_with(0, note)
    assert fio_doubts._error_texts.cache_info().misses == 1


def test_an_error_before_the_first_request(recordings: Recordings) -> None:
    def change(job: Job) -> None:
        job["error"] = 30
        job["read"] |= {"total_ios": 0, "iops": 0.0, "io_bytes": 0}

    note = "fio: pid=0, err=30/file:filesetup.c:150, func=open, error=Read-only file system\n"
    with pytest.raises(ImportRefused) as refused:
        recordings.edited("fio-interrupted.txt", change, note)
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
        recordings.edited("fio-slow-submission.json", change)
    assert "; it wrote, and nobody can say" in refused.value.advice


def test_a_version_without_numbers_of_requests(recordings: Recordings) -> None:
    def change(job: Job) -> None:
        del job["write"]["total_ios"]

    (point,) = recordings.edited("fio-slow-submission.json", change).points
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

    (point,) = recordings.edited("fio-ramp-and-no-clock.json", change).points
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

    (point,) = recordings.edited("fio-end-of-scale.json", change).points
    told = {"p50_us", "p95_us", "p99_us", "p999_us"}
    assert {name for name in told if not math.isnan(getattr(point.latency, name))} == known
    assert (point.beyond_scale or (None,))[0] == beyond


def test_bins_at_the_end_of_the_scale(recordings: Recordings) -> None:
    def change(job: Job) -> None:
        job["read"]["clat_ns"]["bins"] = {"9000000000": 100, str(END): 300}

    (point,) = recordings.edited("fio-end-of-scale.json", change).points
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
