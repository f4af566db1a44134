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
from probes.points import Trust
from tests.probes.imports.conftest import RECORDINGS

NAMES = sorted(path.name for path in RECORDINGS.iterdir())
HOSTILE = (
    b"NaN", b"Infinity", b"-Infinity", b"-1", b"1e999", b"1e308", b"0", b"null", b"true", b"[]",
    b"{}", b'""', b"9" * 400, b"18446744073709551616", b"0.0000000001", b"\xff\xfe", b"\0",
    "\u0661\u0662".encode(), b"[" * 3000,
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


@pytest.mark.parametrize("name", NAMES)
def test_every_recording_is_read_or_refused(name: str) -> None:
    if name in REFUSED:
        with pytest.raises(ImportRefused):
            read_import(RECORDINGS / name)
    else:
        _sound(read_import(RECORDINGS / name))
