"""Files of any content: read, or refused in a sentence; never anything else."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probes.figures import THIN
from probes.imports import Imported, ImportRefused, read_import
from probes.imports.apart import as_one_run
from probes.kinds.words import title
from probes.points import Trust
from tests.present import present
from tests.probes.imports.conftest import RECORDINGS

NAMES = sorted(path.name for path in RECORDINGS.iterdir())
HOSTILE = (
    b"NaN", b"Infinity", b"-Infinity", b"-1", b"1e999", b"1e308", b"0", b"null", b"true", b"[]",
    b"{}", b'""', b"9" * 400, b"18446744073709551616", b"0.0000000001", b"\xff\xfe", b"\0",
    "\u0661\u0662".encode(), b"[" * 3000, b"640.0k", b"1.3M", b"9" * 19 + b"P", b"3.2%",
    b"17112760320",
)  # fmt: skip
REFUSED = frozenset(
    {
        "fio-2-without-options.json",
        "fio-engine-without-io.json",
        "fio-normal.txt",
        "fio-two-runs-of-one-name.txt",
        "iostat-without-x.json",
        "iostat-without-x.txt",
        "sysbench-1.0-fatal.txt",
        "sysbench-1.0-seqrewr-fsync-freq-1.txt",
    }
)
"""Recordings of what is no result that could be compared."""

LEADS = (
    b"\t\t", b"    ", b"> ", b"| ", b"db_1  | ", b"$ ", b"^C", b" ", b"// ", b"Device ", b"%util ",
)  # fmt: skip
"""What a terminal, a mail or a page puts before lines."""

LINES = (
    b"^C", b"shell> ", b"root@db:~# fio --name=x --rw=read --numjobs=0 --iodepth=x", b"sda",
    b"fio: terminating on signal 2", b"fio: pid=1, err=28/file:x, func=y, error=No space left",
    b"FATAL: ", b"FATAL: The event queue is full.", b"Target transaction rate: 0/sec",
    b"Number of unfinished transactions on forced shutdown: 999999999",
    b"t: (g=0): rw=read, bs=4K-4K, ioengine=null, iodepth=0", b"Starting 0 processes",
    b"Starting 99999 processes", b"t: (groupid=0, jobs=0): err= 0", b"fio-3.33",
    b"Periodic FSYNC enabled, calling fsync() each 1 requests.", b"0 files, 1MiB each",
    b"[ 1s ] thds: 1 tps: 0.00 qps: 0", b"Device r/s w/s %util", b"r/s %util Device",
    b"Device tps %util", b"procs -----memory", b"[mysqld]", b"| Variable_name | Value |",
)  # fmt: skip
"""What stands in results of other runs, or around them."""

_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_QUIET = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def _read(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    try:
        found = read_import(path)
    except ImportRefused as error:
        assert error.sentence
        for said in (error.sentence, error.advice, error.details):
            assert said.replace(THIN, " ").isprintable()
        return
    _sound(found)


def _sound(found: Imported) -> None:
    """Whatever was let through can be kept and drawn."""
    assert found.points or found.host_samples
    told = (*found.conditions, *found.conditions.values(), *found.warnings)
    for said in (found.source, found.engine, found.engine_version, *told):
        assert said.replace(THIN, " ").isprintable()
        assert len(said) <= 1001
    for point in found.points:
        assert 0 <= point.rate_per_s < math.inf
        assert point.rate_per_s > 0 or point.trust is Trust.REJECTED
        assert 1 <= point.setting.threads <= 65_536
        assert 0 <= point.setting.block_size_bytes <= 1 << 30
        assert 0 <= point.operations <= 1 << 53
        latency = point.latency
        for value in (latency.mean_us, latency.p50_us, latency.p95_us, latency.max_us):
            assert math.isnan(value) or 0 <= value < math.inf
        low, high = point.ci95_per_s
        assert math.isnan(low) or low <= point.rate_per_s
        assert math.isnan(high) or point.rate_per_s <= high < math.inf
        beyond = point.beyond_scale
        assert beyond is None or (0 < beyond[0] < 1 and beyond[1] > 0)
    for sample in found.host_samples:
        host = present(sample.host)
        assert math.isnan(host.utilisation) or 0 <= host.utilisation <= 1
        for value in (host.read_await_us, host.write_await_us, host.queue, host.read_bytes_per_s):
            assert math.isnan(value) or 0 <= value < math.inf
    # Several files of one run are put together, and each has a name.
    for point in as_one_run([*found.points, *found.points]):
        assert title(point.setting)


@given(st.binary(max_size=2000))
@_QUIET
def test_random_bytes(tmp_path: Path, content: bytes) -> None:
    _read(tmp_path / "file", content)


@given(st.sampled_from(NAMES), st.integers(0, 10**6))
@_QUIET
def test_recordings_cut_off_anywhere(tmp_path: Path, name: str, at: int) -> None:
    content = (RECORDINGS / name).read_bytes()
    _read(tmp_path / "file", content[: at % (len(content) + 1)])


@given(
    st.sampled_from(NAMES),
    st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from(HOSTILE)), min_size=1, max_size=3),
)
@settings(_QUIET, max_examples=100)
def test_recordings_with_hostile_figures(
    tmp_path: Path, name: str, changes: list[tuple[int, bytes]]
) -> None:
    content = (RECORDINGS / name).read_bytes()
    for which, hostile in changes:
        numbers = list(_NUMBER.finditer(content))
        number = numbers[which % len(numbers)]
        content = content[: number.start()] + hostile + content[number.end() :]
    _read(tmp_path / "file", content)


@given(
    st.sampled_from(NAMES),
    st.lists(st.tuples(st.integers(0, 10**6), st.binary(max_size=8)), min_size=1, max_size=6),
)
@settings(_QUIET, max_examples=80)
def test_recordings_with_random_bytes(
    tmp_path: Path, name: str, changes: list[tuple[int, bytes]]
) -> None:
    content = bytearray((RECORDINGS / name).read_bytes())
    for at, piece in changes:
        start = at % len(content)
        content[start : start + len(piece)] = piece
    _read(tmp_path / "file", bytes(content))


def _lines(name: str) -> Iterator[bytes]:
    return iter((RECORDINGS / name).read_bytes().splitlines(keepends=True))


@given(st.sampled_from(NAMES), st.randoms(use_true_random=False))
@_QUIET
def test_recordings_with_lines_dropped_and_doubled(
    tmp_path: Path, name: str, random: Random
) -> None:
    lines = [line for line in _lines(name) for _ in range(random.choice((0, 1, 1, 1, 1, 2)))]
    _read(tmp_path / "file", b"".join(lines))


@given(
    st.sampled_from(NAMES),
    st.sampled_from(LEADS),
    st.sampled_from((1, 1, 2, 3)),
    st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from(LINES)), max_size=3),
)
@settings(_QUIET, max_examples=120)
def test_recordings_pasted_with_lines_of_others(
    tmp_path: Path, name: str, lead: bytes, every: int, others: list[tuple[int, bytes]]
) -> None:
    lines = list(_lines(name))
    for at, other in others:
        lines.insert(at % (len(lines) + 1), other + b"\n")
    led = [lead + line if number % every == 0 else line for number, line in enumerate(lines)]
    _read(tmp_path / "file", b"".join(led))


@given(st.sampled_from(NAMES), st.sampled_from(NAMES), st.integers(0, 10**6))
@_QUIET
def test_two_recordings_in_one_file(tmp_path: Path, name: str, other: str, at: int) -> None:
    first, second = ((RECORDINGS / each).read_bytes() for each in (name, other))
    _read(tmp_path / "file", first[: at % (len(first) + 1)] + b"\n" + second)


@pytest.mark.parametrize("name", NAMES)
def test_every_recording_is_read_or_refused(name: str) -> None:
    if name in REFUSED:
        with pytest.raises(ImportRefused):
            read_import(RECORDINGS / name)
    else:
        _sound(read_import(RECORDINGS / name))
