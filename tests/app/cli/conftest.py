"""The command line in this process, in another one, and at a terminal of its own."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from app.cli.main import cli
from app.runtime.stopping import OVERRIDE
from tests.app.cli.forked import Done, Program, fork_server
from tests.tracing import mount_for_us
from tests.waiting import HANG_S

# Before the first program of a test is started, which sees what this process sees.
mount_for_us()


@pytest.fixture
def directory() -> Iterator[Path]:
    """Where to measure: on a real disk, as /tmp may be memory, of which no point can be used."""
    with tempfile.TemporaryDirectory(prefix="Maß und Daten ", dir="/var/tmp") as folder:
        yield Path(folder)


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
def program() -> Iterator[Callable[..., Program]]:
    """Starts the command line as a process of its own, with pipes and without a terminal."""
    started: list[Program] = []

    def start(*args: str, before: str = "") -> Program:
        program = fork_server().start(*args, before=before)
        started.append(program)
        return program

    yield start
    for program in started:
        program.kill()
        program.close()


@pytest.fixture
def orderly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stop is not cut short on a machine that is slow: what an orderly end tells can be read."""
    monkeypatch.setenv(OVERRIDE, str(HANG_S))
