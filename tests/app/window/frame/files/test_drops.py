"""Files dropped on the window are imported; runs dragged from the sidebar are compared."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.presenters.frame.sidebar_rows import RunRow
from app.views.frame.sidebar_delegate import ROW
from app.views.frame.sidebar_model import RUNS, runs_in
from app.window.importing import DropFrame
from app.window.main_window import MainWindow
from app.window.parts import COMPARE
from tests.app.window.conftest import OpenWindow, done_window
from tests.app.window.replay import Replay
from tests.present import present

TABLE = "probe,block_size_bytes,threads,rate_per_s\nrandom_read,16384,1,6069\n"


def drop(place: QWidget, dragged: QMimeData) -> bool:
    """Drag over a place and let go, if it wants what is dragged."""
    none, copy = Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction
    button = Qt.MouseButton.LeftButton
    entering = QDragEnterEvent(QPoint(10, 10), copy, dragged, button, none)
    entering.ignore()
    QApplication.sendEvent(place, entering)
    (frame,) = place.window().findChildren(DropFrame)
    # What would be taken is seen to be: by a frame around all of the page.
    assert frame.isVisible() is entering.isAccepted()
    if not entering.isAccepted():
        return False
    assert frame.size() == present(frame.parentWidget()).size()
    QApplication.sendEvent(place, QDragLeaveEvent())
    assert not frame.isVisible()
    QApplication.sendEvent(place, entering)
    dropping = QDropEvent(QPointF(10, 10), copy, dragged, button, none)
    QApplication.sendEvent(place, dropping)
    assert not frame.isVisible()
    return dropping.isAccepted()


def run_dragged(window: MainWindow) -> QMimeData:
    tree = window.sidebar.tree
    first = tree.model().index(0, 0, tree.model().index(0, 0))
    assert isinstance(first.data(ROW), RunRow)
    return tree.model().mimeData([first])


def test_files_are_imported_where_they_are_dropped(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, tmp_path: Path
) -> None:
    window = open_window(replay)
    (tmp_path / "drive.csv").write_text(TABLE)
    dragged = QMimeData()
    dragged.setUrls([QUrl.fromLocalFile(str(tmp_path / "drive.csv")), QUrl("https://example.com")])
    with qtbot.waitSignal(window.parts.stored_runs.imported):
        assert drop(window, dragged)
    assert "drive" in {run.target for run in window.parts.stored_runs.shelf.runs}


def test_a_run_of_the_sidebar_is_dropped_to_be_compared(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = done_window(qtbot, open_window, replay)
    assert drop(window.stack, run_dragged(window))
    assert window.stack.currentIndex() == COMPARE
    assert len(window.comparison_controller.picked) == 1


def test_what_else_is_dragged_is_left_alone(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    text, foreign = QMimeData(), QMimeData()
    text.setText("words")
    foreign.setData(RUNS, b"[1, {")
    assert not drop(window, text)
    assert runs_in(foreign) == []
    assert not drop(window.stack, foreign)
