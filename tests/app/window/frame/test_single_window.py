"""A second start brings the first window to the front; the end of a long run is told of."""

from __future__ import annotations

import hashlib
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from advisor.run import RunKind, RunState
from app.controllers.run import LiveRun
from app.presenters.compare.bench_form import DONE
from app.runtime.jobs import Job, once
from app.runtime.single_window import SingleWindow
from app.window.main_window import MainWindow
from app.window.notifying import Notifying
from tests.app.window.conftest import OpenWindow, run_to_end
from tests.app.window.replay import Replay
from tests.servers.hostile_mysql import hostile_socket
from tests.waiting import HANG_S

ROOT = Path(__file__).resolve().parents[4]


ASKS = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.runtime.single_window import SingleWindow

application = QCoreApplication(sys.argv[:1])
sys.exit(not SingleWindow(Path(sys.argv[1])).raise_first(list(map(Path, sys.argv[2:]))))
"""
"""A second start, as a program of its own: the first one has to answer it."""


@contextmanager
def second_start(home: Path, files: Sequence[Path] = ()) -> Iterator[subprocess.Popen[bytes]]:
    """Ask the first one beside this loop of events; it must have answered at the end."""
    argv = [sys.executable, "-c", ASKS, str(home), *map(str, files)]
    with subprocess.Popen(argv, cwd=ROOT) as asking:
        yield asking
        assert asking.wait(HANG_S) == 0


def test_a_second_start_asks_for_the_first_ones_window(qtbot: QtBot, tmp_path: Path) -> None:
    first = SingleWindow(tmp_path)
    assert not first.raise_first()
    first.listen()
    with second_start(tmp_path), qtbot.waitSignal(first.wanted):
        pass
    first.close()
    assert not SingleWindow(tmp_path).raise_first()


def test_a_second_start_gives_its_files_to_the_first(qtbot: QtBot, tmp_path: Path) -> None:
    first = SingleWindow(tmp_path)
    first.listen()
    names = ["a b.leadline", "über\n.leadline", "\udcff\udcfe.leadline"]
    files = [tmp_path / name for name in names]
    with second_start(tmp_path, files), qtbot.waitSignal(first.wanted) as asked:
        pass
    assert asked.args == [files]
    first.close()


def test_another_home_is_another_program(qtbot: QtBot, tmp_path: Path) -> None:
    first = SingleWindow(tmp_path)
    first.listen()
    assert not SingleWindow(tmp_path / "other").raise_first()
    first.close()


@pytest.fixture
def short() -> Iterator[Path]:
    """A home whose path is short enough for a socket in it."""
    with tempfile.TemporaryDirectory(prefix="leadline-test-") as folder:
        yield Path(folder) / "home"


def test_it_listens_where_no_other_account_may_be_first(qtbot: QtBot, short: Path) -> None:
    first = SingleWindow(short)
    first.listen()
    assert [each.name for each in short.iterdir()] == ["window.sock"]
    assert short.stat().st_mode & 0o777 == 0o700
    first.close()


def test_what_does_not_answer_as_a_window_gets_no_file_and_stops_no_start(
    qtbot: QtBot, short: Path
) -> None:
    short.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(short / "window.sock"))
        silent.listen()
        assert not SingleWindow(short).raise_first([short / "case.leadline"])
        line, _ = silent.accept()
        with line:
            line.settimeout(HANG_S)
            assert line.recv(100) == b""


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes another account")
def test_another_account_that_listens_is_told_nothing(qtbot: QtBot, short: Path) -> None:
    short.parent.chmod(0o1777)
    short.mkdir()
    short.chmod(0o1777)
    with hostile_socket(short / "window.sock", "window", 65534) as server:
        assert not SingleWindow(short).raise_first([short / "secret name.leadline"])
    assert not server.knows("secret name")


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes another account")
def test_nor_one_in_the_folder_of_its_own_session(
    qtbot: QtBot, short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who becomes root without a session of its own keeps the other account's folder."""
    session = short.parent / "session"
    session.mkdir(mode=0o755)
    short.parent.chmod(0o755)
    os.chown(session, 65534, 65534)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(session))
    far = short / ("x" * 120)
    # It knows the name, which is a hash of the home's.
    name = hashlib.sha256(str(far).encode()).hexdigest()[:24]
    with hostile_socket(session / f"leadline-{name}", "window", 65534) as server:
        window = SingleWindow(far)
        assert not window.raise_first([short / "secret name.leadline"])
        window.listen()
        window.close()
    assert not server.knows("secret name")
    assert not server.connections


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes another account")
def test_whoever_listens_in_a_folder_of_its_own_is_another_account(
    qtbot: QtBot, short: Path
) -> None:
    short.parent.chmod(0o755)
    short.mkdir(mode=0o755)
    os.chown(short, 65534, 65534)
    with hostile_socket(short / "window.sock", "window", 65534) as server:
        assert not SingleWindow(short).raise_first([short / "secret name.leadline"])
    assert not server.knows("secret name")


@pytest.mark.parametrize("session", ["", "relative", "missing", "open"])
def test_a_session_without_a_folder_of_its_own_gets_none(
    qtbot: QtBot, short: Path, monkeypatch: pytest.MonkeyPatch, session: str
) -> None:
    place = short.parent / session if session in {"missing", "open"} else Path(session)
    if session == "open":
        place.mkdir()
        place.chmod(0o777)
    monkeypatch.chdir(short.parent)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(place) if session else "")
    before = sorted(short.parent.rglob("*"))
    window = SingleWindow(short / ("x" * 120))
    window.listen()
    assert sorted(short.parent.rglob("*")) == before
    window.close()


CUT_SHORT = (
    *(b"[[", b"\xff\xfe", b"null", b"5", b'"name"', b"[" * 5000, b"9" * 5000, b"x" * (2 << 20)),
    b'["/a", 5, null, {}]',
    b'["/a\\u0000b"]',
)


@pytest.mark.parametrize("said", CUT_SHORT)
def test_a_start_that_was_ended_while_it_spoke_asks_for_the_window_alone(
    qtbot: QtBot, short: Path, said: bytes
) -> None:
    def ask() -> None:
        with socket.socket(socket.AF_UNIX) as asking:
            asking.connect(str(short / "window.sock"))
            asking.recv(100)
            asking.sendall(said)

    first = SingleWindow(short)
    first.listen()
    asking = threading.Thread(target=ask)
    with qtbot.waitSignal(first.wanted) as asked:
        asking.start()
    asking.join(HANG_S)
    assert asked.args == [[Path("/a")] if b'"/a",' in said else []]
    first.close()


def notified(window: MainWindow) -> list[tuple[str, str]]:
    """What is told from now on, however short a run was."""
    told: list[tuple[str, str]] = []
    bench = window.pages.bench_controller
    Notifying(window, window.run_controller, bench, lambda *said: told.append(said), long_s=0)
    return told


def look_elsewhere(qtbot: QtBot, window: MainWindow) -> None:
    elsewhere = QWidget()
    qtbot.addWidget(elsewhere)
    elsewhere.show()
    elsewhere.activateWindow()
    qtbot.waitUntil(lambda: not window.isActiveWindow())


def test_the_end_of_a_run_is_told_to_whom_looks_elsewhere(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    told = notified(window)
    look_elsewhere(qtbot, window)
    run_to_end(qtbot, window)
    ((title, sentence),) = told
    assert title == "This computer"
    assert "reads" in sentence


def test_who_sees_the_window_is_not_told(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    told = notified(window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    run_to_end(qtbot, window)
    assert told == []


def test_a_bench_is_told_of_once_at_its_end(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    told = notified(window)
    look_elsewhere(qtbot, window)
    bench, runs = window.pages.bench_controller, window.run_controller
    job = Job("bench", once(lambda _token: None))
    for name in ("drive A", "drive B"):
        turn = LiveRun(name, "quick", kind=RunKind.PROBE, turn=True)
        assert runs.follow(turn, job)
        runs.end(name, RunState.DONE, None)
        assert told == []
    bench.ended.emit()
    assert told == [("drive B", DONE)]
    bench.ended.emit()
    assert len(told) == 1
