"""A disk to measure, a store, and plans short enough for a test."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.store.store import Store
from tests.short_plans import ENDLESS, FEW_LEVELS, SHORT, UNHURRIED, plan_of
from tests.tracing import mount_for_us

mount_for_us()


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
    """The quick plan with small files, few levels and points of a moment."""
    plan_of(monkeypatch, SHORT)


@pytest.fixture
def unhurried_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with longer points: for tests in which something happens while one is measured."""
    plan_of(monkeypatch, UNHURRIED)


@pytest.fixture
def endless_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with points that last until something ends them."""
    plan_of(monkeypatch, ENDLESS)


@pytest.fixture
def few_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that the quick plan probes, at few levels, each of its points for a moment."""
    plan_of(monkeypatch, FEW_LEVELS, calibrated=True)
