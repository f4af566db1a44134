"""A home of its own for every test, and a second program beside it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from advisor.store.store import Store
from tests import stores

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def _as_the_program_does() -> Iterator[None]:
    stores.make_step_by_step()
    yield
    stores.make_at_once()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("LEADLINE_HOME", str(folder))
    return folder


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    with Store.open() as opened:
        yield opened


@pytest.fixture
def measuring(home: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts ``measuring.py`` with this test's home; what still runs at the end is killed."""
    started: list[subprocess.Popen[str]] = []

    def start(*args: str) -> subprocess.Popen[str]:
        program = subprocess.Popen(
            [sys.executable, "-m", "tests.advisor.store.measuring", *args],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(program)
        return program

    yield start
    for program in started:
        program.kill()
        program.communicate()
