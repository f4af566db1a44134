"""A disk to measure, a store, and plans short enough for a test."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.store.store import Store
from probes.plans.plan import PlanName
from probes.plans.shapes import KIB, MIB, SHAPES, Precision


@pytest.fixture
def disk() -> Iterator[Path]:
    """A directory on a real disk; /tmp may be memory. It must be empty again at the end."""
    folder = Path(tempfile.mkdtemp(prefix="leadline test ü ", dir="/var/tmp"))
    yield folder
    left = list(folder.iterdir())
    shutil.rmtree(folder)
    assert left == []


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    with Store.open(tmp_path / "store" / "leadline.sqlite3") as opened:
        yield opened


@pytest.fixture
def short_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """The quick plan with small files, few levels and points of a third of a second."""
    short = replace(
        SHAPES[PlanName.QUICK],
        precision=Precision(within=0.3, least_s=0.2, cap_s=0.35, warmup_s=0.1),
        file_bytes=64 * MIB,
        many_bytes=64 * MIB,
        read_sizes=(4 * KIB, 16 * KIB),
        read_threads=(1, 8),
        write_threads=(1, 8),
        many_threads=(8,),
        redo_sizes=(4096,),
        redo_sync_sizes=(),
        small_bytes=64 * KIB,
        touch_bytes=64 * KIB,
        small_threads=(1,),
        committers=(),
        growing_sizes=(),
        binlog_committers=(),
        cleaners=(),
        connections=(1, 4),
        table_bytes=192 * MIB,
    )
    monkeypatch.setitem(SHAPES, PlanName.QUICK, short)


@pytest.fixture
def short_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole quick plan, each of its points in a third of its time."""
    precision = Precision(within=0.3, least_s=0.2, cap_s=0.35, warmup_s=0.1)
    short = replace(SHAPES[PlanName.QUICK], precision=precision)
    monkeypatch.setitem(SHAPES, PlanName.QUICK, short)
