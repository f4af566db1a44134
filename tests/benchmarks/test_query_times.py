"""The 95th percentile of a load's statements, from the counters that its script keeps."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tests.conftest import load_script


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    called = ("outcome", "process", "report", "query_times")
    for name in called:
        monkeypatch.delitem(sys.modules, name, raising=False)
    *_, found = (load_script(name, "benchmarks") for name in called)
    return found


def counted(script: ModuleType, file: Path, thread: int, took_us: float, times: int) -> None:
    """Count as the load's script does."""
    counters = np.fromfile(file, dtype=np.int64).reshape(-1, script.BUCKETS)
    counters[thread, int(math.log2(took_us) * script.STEPS)] += times
    counters.tofile(file)


def test_it_is_of_all_threads_between_two_moments(script: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "times"
    times = script.QueryTimes(file, threads=2)
    assert math.isnan(script.p95_us(times.counted()))
    counted(script, file, 0, 50_000, 1_000)
    before = times.counted()
    assert math.isnan(script.p95_us(times.counted() - before))
    counted(script, file, 0, 300, 900)
    counted(script, file, 1, 2_000, 99)
    counted(script, file, 1, 9_000, 1)
    assert script.p95_us(times.counted() - before) == pytest.approx(2_000, rel=0.02)


def test_its_constants_are_the_scripts(script: ModuleType) -> None:
    assert f"BUCKETS, STEPS = {script.BUCKETS}, {script.STEPS}\n" in script.SCRIPT.read_text()
    environment = script.QueryTimes(Path("/dev/null"), threads=0).environment("oltp_read_only")
    assert environment["LOAD"] == "oltp_read_only"
