"""The 95th percentile of a load's statements, from the counters that its script keeps."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from benchmarks.advice.alternating import BUCKETS, SCRIPT, STEPS, counted_in, p95_us


def counted(file: Path, thread: int, took_us: float, times: int) -> None:
    """Count as the load's script does."""
    counters = np.fromfile(file, dtype=np.int64).reshape(-1, BUCKETS)
    counters[thread, int(math.log2(took_us) * STEPS)] += times
    counters.tofile(file)


def test_it_is_of_all_threads_between_two_moments(tmp_path: Path) -> None:
    file = tmp_path / "times"
    file.write_bytes(bytes(8 * BUCKETS * 2))
    assert math.isnan(p95_us(counted_in(file)))
    counted(file, 0, 50_000, 1_000)
    before = counted_in(file)
    assert math.isnan(p95_us(counted_in(file) - before))
    counted(file, 0, 300, 900)
    counted(file, 1, 2_000, 99)
    counted(file, 1, 9_000, 1)
    assert p95_us(counted_in(file) - before) == pytest.approx(2_000, rel=0.02)


def test_its_constants_are_the_scripts() -> None:
    assert f"BUCKETS, STEPS = {BUCKETS}, {STEPS}\n" in SCRIPT.read_text()
