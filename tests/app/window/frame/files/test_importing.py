"""Files of other programs, several at once: the good ones are taken in, the bad ones told of."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from advisor.run import RunKind
from advisor.store.store import Store
from app.controllers.drive_keys import ReferenceKey
from app.controllers.selection import Choice
from app.window.main_window import MainWindow
from app.window.parts import ADVICE, COMPARE, OVERVIEW, PAGES, PROBE, WATCH
from tests.app.window.conftest import STORE, OpenWindow
from tests.app.window.looking import chosen, texts
from tests.app.window.replay import Replay
from tests.present import present

CSV = (
    "probe,block_size_bytes,threads,rate_per_s,p95_us\n"
    "random_read,16384,1,900,1500\n"
    "random_read,16384,8,6100,1900\n"
    "random_read,16384,64,7000,12000\n"
)

REFERENCE = ReferenceKey("callaghan-flash-2010")
GOOD, BAD = ("a", "b", "d", "e"), ("c",)


def let_choose(monkeypatch: pytest.MonkeyPatch, *files: Path) -> None:
    names = [str(file) for file in files]
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_a, **_k: (names, ""))


def import_files(
    window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch, names: str
) -> None:
    files = [folder / f"{name}.csv" for name in names]
    for file in files:
        file.write_text(CSV if file.stem in GOOD else "Dear drive, how are you?\n", "utf-8")
    let_choose(monkeypatch, *files)
    window.pages.importing.ask()


def test_a_deleted_import_takes_its_target_along_and_undo_brings_the_page_back(
    qtbot: QtBot,
    open_window: OpenWindow,
    replay: Replay,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = open_window(replay)
    import_files(window, tmp_path, monkeypatch, "a")
    shelf = window.parts.stored_runs
    qtbot.waitUntil(lambda: bool(shelf.shelf.runs))
    (run,) = shelf.shelf.runs
    window.selection.choose(Choice(run.target, run.id))
    qtbot.waitUntil(lambda: window.selection.run is not None)
    window.show_page(PROBE)
    shown = texts(window.probe)
    window.sidebar.delete_chosen()
    assert [spec.name for spec in shelf.shelf.targets] == ["local"]
    assert window.selection.choice == Choice()
    window.show_page(COMPARE)
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert [spec.name for spec in shelf.shelf.targets] == ["local", run.target]
    assert window.selection.choice == Choice(run.target, run.id)
    assert window.stack.currentIndex() == PROBE
    assert texts(window.probe) == shown
    assert not any(notice.undoable for notice in window.notices.shown)


def test_an_import_goes_on_past_a_bad_file_and_sums_up(
    qtbot: QtBot,
    open_window: OpenWindow,
    replay: Replay,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = open_window(replay)
    import_files(window, tmp_path, monkeypatch, "abcde")
    qtbot.waitUntil(lambda: chosen(window.errors.callout) != "")
    said = chosen(window.errors.callout)
    assert "4 of 5 files were imported: a, b, d and e." in said
    assert "c.csv" in said
    assert "4 of 5 files" in texts(window.notices)
    with Store.open(replay.path) as store:
        assert sorted(run.target for run in store.runs()) == list(GOOD)
    assert window.selection.choice.target == "e"
    assert len(window.comparison_controller.picked) == 4


def test_files_of_the_start_are_imported_where_the_window_is_ready(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, tmp_path: Path
) -> None:
    window = open_window(replay)
    file = tmp_path / "a.csv"
    file.write_text(CSV, "utf-8")
    window.take_files([])
    window.take_files([file])
    qtbot.waitUntil(lambda: window.selection.choice.target == "a")


def test_the_message_can_be_closed_and_stays_with_its_page(
    qtbot: QtBot,
    open_window: OpenWindow,
    replay: Replay,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = open_window(replay)
    callout = window.errors.callout

    def refused() -> None:
        import_files(window, tmp_path, monkeypatch, "c")
        qtbot.waitUntil(lambda: "c.csv" in chosen(callout))

    refused()
    height = window.errors.height()
    assert height > 0
    QTest.mouseClick(callout.close_button, Qt.MouseButton.LeftButton)
    assert chosen(callout) == ""
    assert not window.errors.isVisible()
    turns: tuple[Callable[[], object], ...] = (
        lambda: window.show_page(ADVICE),
        lambda: window.selection.choose(Choice("a", 1)),
    )
    for turn in turns:
        import_files(window, tmp_path, monkeypatch, "a")
        qtbot.waitUntil(lambda: window.selection.choice.target == "a")
        window.selection.choose(Choice())
        window.show_page(PROBE)
        refused()
        turn()
        assert not window.errors.isVisible()


def test_an_import_has_no_page_without_anything_on_it(
    qtbot: QtBot,
    open_window: OpenWindow,
    replay: Replay,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = open_window(replay)
    import_files(window, tmp_path, monkeypatch, "a")
    qtbot.waitUntil(lambda: window.selection.choice.target == "a")
    tabs = window.header.tabs
    assert [page for page in PAGES if tabs.isTabEnabled(page)] == [PROBE, COMPARE]
    for page in (OVERVIEW, WATCH, ADVICE):
        window.show_page(page)
        assert window.stack.currentIndex() == PROBE
    window.show_page(COMPARE)
    assert window.stack.currentIndex() == COMPARE
    imported = window.selection.choice
    window.selection.choose(Choice())
    assert all(tabs.isTabEnabled(page) for page in PAGES)
    window.show_page(ADVICE)
    window.selection.choose(imported)
    assert (window.stack.currentIndex(), tabs.currentIndex()) == (PROBE, PROBE)


def test_a_file_is_imported_shown_and_compared(
    qtbot: QtBot,
    open_window: OpenWindow,
    replay: Replay,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "old drive.csv"
    file.write_text(CSV, "utf-8")
    window = open_window(replay)
    let_choose(monkeypatch, file)
    QTest.keyClick(window, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.selection.choice == Choice("old drive", 1))
    assert window.stack.currentIndex() == PROBE
    assert "3 points imported" in texts(window.notices)
    chart = window.probe.measure.panel.chart
    qtbot.waitUntil(lambda: chart.picture is not None and len(chart.picture.points) == 3)
    (group,) = [row for row in window.sidebar.shown if row.title == "Imported"]
    assert group.runs[0].title == "old drive"
    assert group.runs[0].detail.startswith("import")
    assert [row.title for row in window.sidebar.shown] == ["This computer", "Imported"]
    panel = window.probe.measure.panel
    panel.open_point(present(panel.picture).series[0].points[0])
    qtbot.waitUntil(lambda: "no samples" in texts(panel.pane.point))
    assert window.probe.head.button.text().strip() == "Compare…"
    window.pages.going.go_probing()
    assert window.selection.choice == Choice()
    window.selection.choose(Choice("old drive", 1))
    qtbot.waitUntil(lambda: window.probe.head.button.text().strip() == "Compare…")
    QTest.mouseClick(window.probe.head.button, Qt.MouseButton.LeftButton)
    assert window.stack.currentIndex() == COMPARE
    window.comparison_controller.pick(REFERENCE, True)
    window.compare.press()
    qtbot.waitUntil(lambda: window.comparison_controller.comparison is not None)
    with Store.open(replay.path) as store:
        assert [run.kind for run in store.runs()] == [RunKind.IMPORT]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("broken.json", b'{"fio version": "fio-3.36", "jobs": [{"jobname"'),
        ("letter.txt", b"Dear drive, how are you?\n"),
        ("empty.csv", b""),
        ("zeros.json", bytes(4096)),
        ("foreign.json", json.dumps({"hello": ["world"]}).encode()),
    ],
)
def test_a_bad_file_is_told_of_and_nothing_is_kept(
    qtbot: QtBot,
    done: MainWindow,
    shared_home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    content: bytes,
) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    let_choose(monkeypatch, file)
    done.pages.importing.ask()
    qtbot.waitUntil(lambda: name in chosen(done.errors.callout))
    assert "Traceback" not in chosen(done.errors.callout)
    with Store.open(shared_home / STORE) as store:
        assert [run.kind for run in store.runs()] == [RunKind.CHECK]
