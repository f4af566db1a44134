"""fio's terse output, which leaves much to guess."""

from __future__ import annotations

import math

import pytest

from probes.imports import ImportRefused
from probes.imports.fio.terse_form import CACHE_UNKNOWN, GUESSED, THREADS_GUESSED
from probes.imports.points import BUFFERED
from probes.points import Probe, Trust
from tests.points import doubts_of
from tests.probes.imports.conftest import Recordings


def test_reads_of_four_threads(recordings: Recordings) -> None:
    found = recordings.read("fio-read-v3.terse")
    (point,) = found.points
    assert (found.kind, found.engine_version) == ("fio-terse", "3.33")
    assert point.setting.probe is Probe.RANDOM_READ
    assert point.setting.threads == 4  # 26,158/s of 152 µs
    assert point.setting.block_size_bytes == 16384
    assert point.rate_per_s == 26158
    assert (point.latency.p50_us, point.latency.p95_us, point.latency.max_us) == (148, 195, 2231)
    assert point.latency.mean_us == pytest.approx(152.096983)  # the whole, not completion alone
    assert point.trust is Trust.DOUBTFUL
    assert doubts_of(point) == (GUESSED,)


@pytest.mark.parametrize("version", ["v3", "v5"])
def test_a_mix_gives_reads_and_writes(recordings: Recordings, version: str) -> None:
    reads, writes = recordings.read(f"fio-mixed-{version}.terse").points
    assert reads.setting.options == writes.setting.options == {"mix": "50"}
    assert reads.setting.threads == writes.setting.threads == 2
    assert writes.setting.probe is Probe.RANDOM_WRITE
    assert 0.9 < writes.rate_per_s / reads.rate_per_s < 1.1
    assert 37 < writes.latency.mean_us < 2000


def test_lines_of_one_job_add_up(recordings: Recordings) -> None:
    line = recordings.text("fio-read-v3.terse")
    (point,) = recordings.of(line + line).points
    assert point.rate_per_s == 2 * 26158
    assert point.setting.threads == 8


def test_a_name_tells_that_it_was_sequential(recordings: Recordings) -> None:
    with pytest.raises(ImportRefused, match="no random reads"):
        recordings.changed("fio-read-v3.terse", (";rd;", ";seqread;"))


def test_a_cut_line_is_refused(recordings: Recordings) -> None:
    with pytest.raises(ImportRefused, match="cut off"):
        recordings.of(recordings.text("fio-read-v3.terse")[:300])


TWO = "fio-two-runs-of-one-name.txt"


def test_two_runs_of_one_name_are_no_mixture(recordings: Recordings) -> None:
    with pytest.raises(ImportRefused, match="no random reads or writes") as refused:
        recordings.read(TWO)
    said = refused.value.advice
    assert "Job t was left out: no probe of Leadline's does read." in said
    assert "it wrote in order, and nothing says whether each write was synced" in said
    assert GUESSED not in said


def test_lines_alone_of_two_sides_are_two_runs(recordings: Recordings) -> None:
    lines = [line for line in recordings.text(TWO).splitlines() if line.startswith("3;")]
    found = recordings.of("\n".join(lines) + "\n")
    assert [point.setting.options for point in found.points] == [{}, {}]
    assert [point.setting.threads for point in found.points] == [1, 1]
    reads, writes = found.points
    assert (reads.setting.probe, writes.setting.probe) == (Probe.RANDOM_READ, Probe.RANDOM_WRITE)
    assert (reads.rate_per_s, writes.rate_per_s) == (3302, 3350)


def test_at_random_they_are_two_curves(recordings: Recordings) -> None:
    found = recordings.changed(TWO, ("rw=read", "rw=randread"), ("rw=write", "rw=randwrite"))
    reads, writes = found.points
    assert (reads.rate_per_s, writes.rate_per_s) == (3302, 3350)
    # One process and a depth of 1 are told: only the page cache is not.
    assert doubts_of(reads) == doubts_of(writes) == (CACHE_UNKNOWN,)
    assert GUESSED not in found.warnings


HEADS = """r: (g=0): rw=randread, bs=16K-16K/16K-16K/16K-16K, {}
fio-3.33
{}
"""


@pytest.mark.parametrize(
    ("engine", "started", "threads", "reasons"),
    [
        ("ioengine=psync, iodepth=1", "Starting 4 processes", 4, (CACHE_UNKNOWN,)),
        ("ioengine=libaio, iodepth=2", "Starting 2 threads", 4, (CACHE_UNKNOWN,)),
        ("ioengine=psync, iodepth=64", "Starting 4 processes", 4, (CACHE_UNKNOWN,)),
        ("ioengine=psync, iodepth=1", "", 4, (THREADS_GUESSED, CACHE_UNKNOWN)),
    ],
)
def test_normal_output_around_a_line_tells_of_it(
    recordings: Recordings, engine: str, started: str, threads: int, reasons: tuple[str, ...]
) -> None:
    line = recordings.text("fio-read-v3.terse").replace(";rd;", ";r;")
    (point,) = recordings.of(HEADS.format(engine, started) + line).points
    assert point.setting.threads == threads
    assert doubts_of(point) == reasons


@pytest.mark.parametrize(
    ("command", "reasons", "trust"),
    [
        ("$ fio --name=rd --rw=randread --numjobs=4 --direct=1", (), Trust.OK),
        ("fio --minimal --name=rd --rw=randread --numjobs=4", (CACHE_UNKNOWN,), Trust.DOUBTFUL),
        (
            "[root@db ~]# sudo fio --name=rd --rw=randread --numjobs=4 --direct=0",
            (BUFFERED,),
            Trust.DOUBTFUL,
        ),
        (
            "# fio --name=rd --readwrite=randread --numjobs 4 --direct 1 --rate_iops=500",
            ("Job rd was held back by its option rate_iops.",),
            Trust.DOUBTFUL,
        ),
    ],
)
def test_a_command_that_was_typed_tells_of_it(
    recordings: Recordings, command: str, reasons: tuple[str, ...], trust: Trust
) -> None:
    (point,) = recordings.of(f"{command}\n{recordings.text('fio-read-v3.terse')}").points
    assert doubts_of(point) == reasons
    assert point.trust is trust
    assert point.setting.threads == 4


@pytest.mark.parametrize(
    ("options", "threads", "reasons"),
    [
        ("--numjobs=${N} --direct=1", 4, (THREADS_GUESSED,)),
        ("--numjobs=`nproc` --direct=1", 4, (THREADS_GUESSED,)),
        ("--numjobs=9 --iodepth=$D --ioengine=libaio --direct=1", 4, (THREADS_GUESSED,)),
        ("--numjobs=4 --direct=$DIRECT --size=${S}G", 4, (CACHE_UNKNOWN,)),
        (
            "--numjobs=4 --direct=1 --rate_iops=$R",
            4,
            ("Job rd was held back by its option rate_iops.",),
        ),
    ],
)
def test_what_a_shell_put_into_a_command_is_not_known(
    recordings: Recordings, options: str, threads: int, reasons: tuple[str, ...]
) -> None:
    command = f"# fio --name=rd --rw=randread {options} --minimal\n"
    (point,) = recordings.of(command + recordings.text("fio-read-v3.terse")).points
    assert point.setting.threads == threads
    assert doubts_of(point) == reasons


def test_the_same_run_again_is_a_repeat_and_not_more_threads(recordings: Recordings) -> None:
    command = "# fio --name=rd --rw=randread --numjobs=4 --direct=1 --minimal\n"
    text = command + recordings.text("fio-read-v3.terse")
    found = recordings.of(text + text)
    assert [point.rate_per_s for point in found.points] == [26158, 26158]
    assert {point.setting.threads for point in found.points} == {4}


def test_an_engine_that_reads_nothing_is_left_out(recordings: Recordings) -> None:
    line = recordings.text("fio-read-v3.terse")
    with pytest.raises(ImportRefused) as refused:
        recordings.of("$ fio --name=rd --rw=randread --ioengine=null --minimal\n" + line)
    assert "null does nothing at all" in refused.value.advice


def test_a_slow_submission_leaves_no_percentiles(recordings: Recordings) -> None:
    fields = recordings.text("fio-read-v3.terse").rstrip("\n").split(";")
    fields[5 + 6], fields[5 + 34], fields[5 + 33] = "900.0", "1052.0", "9000"
    (point,) = recordings.of(";".join(fields) + "\n").points
    assert (point.latency.mean_us, point.latency.max_us) == (1052, 9000)
    assert math.isnan(point.latency.p95_us)


@pytest.mark.parametrize(
    ("note", "error", "reason"),
    [
        ("fio: terminating on signal 2\n", "0", "fio was interrupted after 1 of 60\u202fs."),
        (
            "fio: pid=7, err=28/file:io_u.c:9, func=io_u error, error=No space left on device\n",
            "28",
            "Job rd ended with an error: No space left on device.",
        ),
        ("", "5", "Job rd ended with an error (5)."),
    ],
)
def test_how_a_run_ended(recordings: Recordings, note: str, error: str, reason: str) -> None:
    text = recordings.text("fio-read-v3.terse")
    line = text.replace("3;fio-3.33;rd;0;0;", f"3;fio-3.33;rd;0;{error};")
    command = "# fio --name=rd --rw=randread --numjobs=4 --direct=1 --runtime=60 --minimal\n"
    (point,) = recordings.of(command + note + line).points
    assert doubts_of(point) == (reason,)
