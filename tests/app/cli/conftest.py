"""The command line in this process, in another one, and at a terminal of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from app.cli.main import cli
from app.runtime.stopping import OVERRIDE

ROOT = Path(__file__).parents[3]


@pytest.fixture
def directory() -> Iterator[Path]:
    """Where to measure: on a real disk, as /tmp may be memory, of which no point can be used."""
    with tempfile.TemporaryDirectory(prefix="Maß und Daten ", dir="/var/tmp") as folder:
        yield Path(folder)


@dataclass(frozen=True)
class Done:
    """How a command line ended."""

    code: int
    stdout: str
    stderr: str


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("LEADLINE_HOME", str(folder))
    for name in ("NO_COLOR", "FORCE_COLOR", "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    return folder


@pytest.fixture
def leadline() -> Callable[..., Done]:
    """Runs the command line in this process: quick, for what starts nothing."""

    def run(*args: str) -> Done:
        result = CliRunner().invoke(cli, args, prog_name="leadline", catch_exceptions=False)
        return Done(result.return_value, result.stdout, result.stderr)

    return run


@pytest.fixture
def program() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts the command line as a process of its own, with pipes and without a terminal."""
    started: list[subprocess.Popen[str]] = []

    def start(*args: str, **options: object) -> subprocess.Popen[str]:
        process: subprocess.Popen[str] = subprocess.Popen(
            [sys.executable, "-m", "app", *args],
            cwd=ROOT,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            **options,  # type: ignore[call-overload]
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        with process:  # closes its pipes
            pass


@pytest.fixture
def orderly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stop is not cut short on a machine that is slow: what an orderly end tells can be read."""
    monkeypatch.setenv(OVERRIDE, "30")
