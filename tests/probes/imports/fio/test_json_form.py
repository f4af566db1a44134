"""fio's JSON: units, jobs, directions, and what it does not tell."""

from __future__ import annotations

import json
import math

import pytest

from probes.imports import ImportRefused
from probes.imports.fio.json_form import AT_ONCE
from probes.imports.points import BUFFERED, EACH_SYNCED
from probes.points import AT_LEAST, Probe, Trust
from probes.statistics.histogram import read_histogram
from tests.points import doubts_of
from tests.probes.imports.conftest import Job, Recordings


def test_a_group_is_one_point(recordings: Recordings) -> None:
    found = recordings.read("fio-read-grouped.json")
    (point,) = found.points
    assert (found.kind, found.engine, found.engine_version) == ("fio-json", "fio", "3.33")
    assert point.setting.probe is Probe.RANDOM_READ
    assert (point.setting.threads, point.setting.block_size_bytes, point.setting.files) == (
        4,
        16384,
        1,
    )
    job = json.loads(recordings.text("fio-read-grouped.json"))["jobs"][0]
    assert point.rate_per_s == job["read"]["iops"]
    assert point.operations == job["read"]["total_ios"]
    clat = job["read"]["clat_ns"]
    whole = job["read"]["lat_ns"]
    assert point.latency.mean_us == pytest.approx(whole["mean"] / 1000)
    assert point.latency.p95_us == pytest.approx(clat["percentile"]["95.000000"] / 1000)
    assert point.latency.p999_us == pytest.approx(clat["percentile"]["99.900000"] / 1000)
    assert point.latency.max_us == pytest.approx(whole["max"] / 1000)
    assert point.direct is True
    assert point.trust is Trust.OK
    assert math.isnan(point.ci95_per_s[0])
    assert found.conditions["file_bytes"] == str(64 << 20)
    # Four threads share 1.001 s each: percents are of all their time together.
    share = job["usr_cpu"] / 100 * job["job_runtime"] * 1000 / job["read"]["total_ios"]
    assert point.cpu_user_us_per_op == pytest.approx(share)


def test_jobs_without_a_group_add_up_and_their_bins_too(recordings: Recordings) -> None:
    (point,) = recordings.read("fio-read-two-jobs.json").points
    jobs = json.loads(recordings.text("fio-read-two-jobs.json"))["jobs"]
    assert len(jobs) == 2
    assert point.setting.threads == 2
    assert point.rate_per_s == pytest.approx(sum(job["read"]["iops"] for job in jobs))
    histogram = read_histogram(point.histogram)
    assert histogram.total == sum(job["read"]["total_ios"] for job in jobs)
    highest = max(job["read"]["clat_ns"]["percentile"]["95.000000"] for job in jobs)
    lowest = min(job["read"]["clat_ns"]["percentile"]["95.000000"] for job in jobs)
    assert 0.98 * lowest <= point.latency.p95_us * 1000 <= 1.02 * highest


def test_jobs_without_bins_average_their_percentiles_and_say_so(recordings: Recordings) -> None:
    document = json.loads(recordings.text("fio-read-two-jobs.json"))
    for job in document["jobs"]:
        del job["read"]["clat_ns"]["bins"]
    found = recordings.of(json.dumps(document, indent=1))
    (point,) = found.points
    p50s = [job["read"]["clat_ns"]["percentile"]["50.000000"] for job in document["jobs"]]
    assert min(p50s) <= point.latency.p50_us * 1000 <= max(p50s)
    assert point.histogram == ""
    assert any("mean of its 2 threads" in warning for warning in found.warnings)


def test_a_mix_gives_reads_and_writes(recordings: Recordings) -> None:
    reads, writes = recordings.read("fio-mixed-plus.json").points
    assert (reads.setting.probe, writes.setting.probe) == (Probe.RANDOM_READ, Probe.RANDOM_WRITE)
    assert reads.setting.options == writes.setting.options == {"mix": "70"}
    assert reads.rate_per_s > 2 * writes.rate_per_s
    assert read_histogram(reads.histogram).total == reads.operations


def test_an_asynchronous_depth_counts_as_threads(recordings: Recordings) -> None:
    found = recordings.read("fio-write-libaio-depth32.json")
    (point,) = found.points
    assert point.setting.threads == 32
    assert any("32 requests in flight by libaio" in warning for warning in found.warnings)
    synchronous = recordings.changed("fio-write-libaio-depth32.json", ("libaio", "psync"))
    # With an engine that waits, iodepth means nothing; then rate and latency betray the file.
    assert synchronous.points[0].setting.threads == 1
    assert synchronous.points[0].trust is Trust.DOUBTFUL


def test_a_commit_is_its_write_and_its_sync(recordings: Recordings) -> None:
    (point,) = recordings.read("fio-fdatasync.json").points
    job = json.loads(recordings.text("fio-fdatasync.json"))["jobs"][0]
    write_us = job["write"]["lat_ns"]["mean"] / 1000
    sync = job["sync"]["lat_ns"]
    assert point.setting.probe is Probe.REDO_SYNC
    assert point.setting.options == {"sync": "fdatasync"}
    assert point.latency.mean_us == pytest.approx(write_us + sync["mean"] / 1000)
    assert point.latency.p50_us == pytest.approx(write_us + sync["percentile"]["50.000000"] / 1000)
    assert point.trust is Trust.OK  # InnoDB writes its redo log through the page cache, too


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(
    ("counts", "mean_us"),
    [((None, None), 5500), ((0, 0), 5500), ((3000, 1000), 3250), ((0, 1000), 5500)],
)
def test_a_commit_waits_for_the_syncs_of_all_threads(
    recordings: Recordings, counts: tuple[int | None, int | None], mean_us: float, order: int
) -> None:
    document = json.loads(recordings.text("fio-fdatasync.json"))
    (job,) = document["jobs"]
    job["job options"]["numjobs"] = "2"
    entries = []
    for sync_ms, total in zip((0.98, 9.98), counts, strict=True):
        entry = json.loads(json.dumps(job))
        entry["write"]["lat_ns"]["mean"] = 20_000.0
        bins = {str(int(sync_ms * 1e6)): 100}
        entry["sync"] = {"lat_ns": {"mean": sync_ms * 1e6, "max": 2e7, "bins": bins}}
        if total is not None:
            entry["sync"]["total_ios"] = total
        entries.append(entry)
    document["jobs"] = entries[::order]
    found = recordings.of(json.dumps(document))
    (point,) = found.points
    assert point.latency.mean_us == pytest.approx(mean_us)
    assert any("mean of its 2 threads" in warning for warning in found.warnings)


def test_what_is_said_of_times_is_said_of_those_that_are_shown(recordings: Recordings) -> None:
    def slow(job: Job) -> None:
        times = {"slat_ns": 90_000.0, "clat_ns": 10_000.0, "lat_ns": 100_000.0}
        for name, mean in times.items():
            job["write"][name] |= {"mean": mean, "max": 200_000}

    found = recordings.edited("fio-fdatasync.json", slow)
    assert found.points[0].latency.p50_us == pytest.approx(204.96)
    assert not [each for each in found.warnings if "submission" in each]

    def endless(job: Job) -> None:
        job["sync"]["lat_ns"]["percentile"]["99.900000"] = 17_112_760_320
        job["sync"]["lat_ns"]["max"] = 20_000_000_000

    found = recordings.edited("fio-fdatasync.json", endless)
    assert found.points[0].details[AT_LEAST] == [0.999, pytest.approx(17_112_760.32)]
    assert any("'s commits" in each for each in found.warnings)


@pytest.mark.parametrize(
    ("option", "sync"),
    [('"fsync" : "1"', "fsync"), ('"sync" : "dsync"', "o_dsync"), ('"sync" : "1"', "o_sync")],
)
def test_other_ways_to_sync(recordings: Recordings, option: str, sync: str) -> None:
    found = recordings.changed("fio-fdatasync.json", ('"fdatasync" : "1"', option))
    assert found.points[0].setting.options == {"sync": sync}


def test_a_sync_now_and_then_is_no_redo_log(recordings: Recordings) -> None:
    found = recordings.changed("fio-fdatasync.json", ('"fdatasync" : "1"', '"fdatasync" : "32"'))
    assert found.points[0].setting.probe is Probe.STEADY_WRITE
    assert any("fdatasync every 32 writes" in warning for warning in found.warnings)


def test_random_writes_that_are_synced_each_are_doubtful(recordings: Recordings) -> None:
    found = recordings.changed(
        "fio-write-libaio-depth32.json", ('"rw" : "randwrite"', '"rw" : "randwrite", "fsync" : "1"')
    )
    assert EACH_SYNCED in doubts_of(found.points[0])


def test_the_page_cache_makes_it_doubtful(recordings: Recordings) -> None:
    (point,) = recordings.read("fio-buffered.json").points
    assert point.direct is False
    assert doubts_of(point) == (BUFFERED,)


def test_fio_2_counts_in_microseconds_and_kibibytes(recordings: Recordings) -> None:
    (point,) = recordings.read("fio-2-read.json").points
    assert point.latency.p95_us == 8096
    assert point.latency.mean_us == pytest.approx(3990.9)  # 0.4 µs of submission
    assert point.setting.block_size_bytes == 16384
    assert point.setting.threads == 16


def test_behind_a_server_options_are_forgotten_and_the_total_is_no_job(
    recordings: Recordings,
) -> None:
    found = recordings.read("fio-client-server.json")
    assert [point.setting.threads for point in found.points] == [2]
    assert found.points[0].setting.files == 2  # no file name: each job has its own
    assert any("logger" in warning and "options" in warning for warning in found.warnings)


def test_jobs_that_ran_at_once(recordings: Recordings) -> None:
    document = json.loads(recordings.text("fio-read-grouped.json"))
    (job,) = document["jobs"]
    other = {**job, "jobname": "other", "job options": {**job["job options"], "bs": "4k"}}
    document["jobs"] = [job, other]
    found = recordings.of(json.dumps(document, indent=1))
    assert AT_ONCE in found.warnings
    assert ["at the same time" in doubts_of(point)[0] for point in found.points] == [True, True]
    # After a stonewall comes another group.
    document["jobs"] = [job, {**other, "groupid": 1}]
    found = recordings.of(json.dumps(document, indent=1))
    assert AT_ONCE in found.warnings
    assert [point.trust for point in found.points] == [Trust.OK, Trust.OK]


def test_runs_one_after_the_other_make_a_curve(recordings: Recordings) -> None:
    first = recordings.text("fio-read-grouped.json")
    second = first.replace('"numjobs" : "4"', '"numjobs" : "5"')
    found = recordings.of(first + second)
    assert [point.setting.threads for point in found.points] == [4, 5]
    assert AT_ONCE not in found.warnings


def test_two_machines_are_two_curves(recordings: Recordings) -> None:
    document = json.loads(recordings.text("fio-client-server.json"))
    first = document["client_stats"][0]
    other = {**first, "hostname": "db8"}
    document["client_stats"] = [{**first, "hostname": "db7"}, other]
    found = recordings.of(json.dumps(document, indent=1))
    assert [point.setting.directory for point in found.points] == ["db7", "db8"]


def test_of_repeated_reports_the_last_counts(recordings: Recordings) -> None:
    found = recordings.read("fio-status-interval.json")
    (point,) = found.points
    assert point.seconds == pytest.approx(3.0, abs=0.1)
    cut = recordings.of(recordings.text("fio-status-interval.json")[:-900])
    assert cut.points[0].operations < point.operations
    assert any("cut off" in warning for warning in cut.warnings)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"error" : 0', '"error" : 5', "ended with an error"),
        ('"randrepeat" : "0"', '"rate_iops" : "1000"', "held back by its option rate_iops"),
        ('"numjobs" : "4"', '"numjobs" : "2"', "another job of the same group"),
    ],
)
def test_what_makes_a_job_doubtful(recordings: Recordings, old: str, new: str, reason: str) -> None:
    (point,) = recordings.changed("fio-read-grouped.json", (old, new)).points
    assert point.trust is Trust.DOUBTFUL
    assert any(reason in each for each in doubts_of(point))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"randread"', '"read"', "no probe of Leadline's does read"),
        ('"bs" : "16k"', '"bs" : "16k,8k"', "differ in size"),
        ('"randread"', '"randtrim"', "no probe of Leadline's does randtrim"),
    ],
)
def test_what_has_no_probe_is_refused_with_its_reason(
    recordings: Recordings, old: str, new: str, reason: str
) -> None:
    with pytest.raises(ImportRefused, match=reason):
        recordings.changed("fio-read-grouped.json", (old, new))


@pytest.mark.parametrize("figure", ["NaN", "Infinity", "-5.0", "1e300", "1e999", '"many"', "true"])
def test_figures_that_nothing_measures_are_refused(recordings: Recordings, figure: str) -> None:
    text = recordings.text("fio-read-grouped.json")
    iops = json.dumps(json.loads(text)["jobs"][0]["read"]["iops"])
    assert text.count(iops) == 1
    with pytest.raises(ImportRefused):
        recordings.of(text.replace(iops, figure))
