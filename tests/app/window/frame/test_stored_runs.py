from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from advisor.run import RunLabel, RunState, RunSummary
from advisor.store.store import Store
from advisor.wording.advice.why import reason
from app.controllers.selection import Choice
from app.controllers.stored_runs import LOCAL, Shelf
from app.presenters.compare.candidates import candidates, picked_names
from app.views.dialogs.run_label import RunLabelDialog
from app.views.frame.sidebar_delegate import ROW
from app.views.widgets.buttons import CopyButton
from app.window.main_window import MainWindow
from app.window.parts import ADVICE
from probes.points import Probe
from tests.advisor.store.schema.test_cleaning import SECRET, plant
from tests.app.cli.kept import keep
from tests.app.window.conftest import OpenWindow, run_to_end, shut
from tests.app.window.looking import see, stored, texts
from tests.app.window.replay import Replay
from tests.present import present

NOW = datetime.now(UTC)


def test_a_stored_run_is_shown_and_judged_anew(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    first = open_window(replay)
    run_to_end(qtbot, first)
    shut(qtbot, first)
    window = open_window(replay)
    qtbot.waitUntil(lambda: window.sidebar.tree.model().rowCount(_top(window)) == 1)
    window.sidebar.tree.setCurrentIndex(window.sidebar.tree.model().index(0, 0, _top(window)))
    assert window.selection.choice == Choice("local", 1)
    qtbot.waitUntil(lambda: window.probe.measure.panel.picture is not None)
    assert "reach" in window.probe.head.sentence.text()
    window.show_page(ADVICE)
    assert "set innodb_io_capacity to 2000" in window.advice.head.sentence.text()
    window.selection.choose(Choice("local"))
    assert "innodb_io_capacity" in window.advice.head.sentence.text()


def _top(window: MainWindow) -> QModelIndex:
    return window.sidebar.tree.model().index(0, 0)


def _chosen(window: MainWindow) -> object:
    return window.sidebar.tree.currentIndex().data(ROW)


def test_advice_marks_its_points_and_copies(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    run_to_end(qtbot, window)
    window.show_page(ADVICE)
    detail = window.advice.detail
    see(qtbot, detail, "The drive wrote up to")
    qtbot.waitUntil(lambda: not detail.telling)
    picture = detail.panel.picture
    assert picture is not None
    assert picture.probe is Probe.RANDOM_WRITE
    marked = detail.panel.chart.plots[0].curves.scene_shown.marked
    assert marked == {one.id for one in picture.points}
    detail.more.click()
    assert detail.documentation.isVisible()
    assert "io_capacity" in detail.documentation.toPlainText()
    copy = next(
        one for one in detail.findChildren(CopyButton) if one.accessibleName() == "Copy SQL"
    )
    copy.click()
    assert QGuiApplication.clipboard().text() == "SET PERSIST innodb_io_capacity = 2000;"
    lacking = "The server's load was not watched."
    run = window.selection.run
    assert run is not None
    judgement = present(run.judgement)
    unwatched = (one.rule for one in judgement.unknown if lacking[:-1] in reason(one.why, ""))
    window.pages.going.go_advised(next(unwatched))
    see(qtbot, detail, lacking)
    qtbot.waitUntil(lambda: not detail.telling)
    assert not detail.panel.isVisible()


def test_a_deleted_run_can_be_taken_back(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    run_to_end(qtbot, window)
    qtbot.waitUntil(lambda: window.sidebar.tree.model().rowCount(_top(window)) == 1)
    window.sidebar.tree.setFocus()
    # A run that is still at work can't be deleted; its row hears of its end a moment later.
    qtbot.waitUntil(lambda: getattr(_chosen(window), "share", 0) is None)
    QTest.keyClick(window.sidebar.tree, Qt.Key.Key_Delete)
    assert window.sidebar.tree.model().rowCount(_top(window)) == 0
    assert window.notices.isVisible()
    QTest.mouseClick(window.notices.shown[-1].undo, Qt.MouseButton.LeftButton)
    assert window.sidebar.tree.model().rowCount(_top(window)) == 1
    window.sidebar.tree.setCurrentIndex(window.sidebar.tree.model().index(0, 0, _top(window)))
    window.sidebar.tree.setFocus()
    QTest.keyClick(window.sidebar.tree, Qt.Key.Key_Delete)
    assert window.sidebar.tree.model().rowCount(_top(window)) == 0
    shut(qtbot, window)
    assert stored(replay) == []


def test_it_is_said_that_an_older_programs_secrets_were_hidden(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, tmp_path: Path
) -> None:
    path = tmp_path / "replay.sqlite3"
    with Store.open(path) as store:
        run_id = keep(store)
        store._database.execute("DELETE FROM cleanings")
    plant(path, run_id)
    window = open_window(replay)
    qtbot.waitUntil(window.notices.isVisible)
    assert "that may be secrets" in texts(window.notices)
    shut(qtbot, window)
    assert SECRET.encode() not in path.read_bytes()
    again = open_window(replay)
    assert "secrets" not in texts(again.notices)


def test_f2_names_a_run_and_lists_and_comparisons_use_the_name(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    run_to_end(qtbot, window)
    window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_F2)
    (dialog,) = window.findChildren(RunLabelDialog)
    qtbot.waitUntil(dialog.isActiveWindow)
    QTest.keyClicks(present(dialog.focusWidget()), "Drive A")
    dialog.tags.setText("client X")
    dialog.project.setText("Purchase, October")
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    tree = window.sidebar.tree
    qtbot.waitUntil(lambda: present(tree.currentIndex().data(ROW)).title == "Drive A")
    row = tree.currentIndex().data(ROW)
    assert row.detail.startswith("Today ")
    window.sidebar.search.setText("client x")
    qtbot.waitUntil(lambda: tree.model().rowCount() == 1)
    projects = window.sidebar.projects
    assert [projects.itemText(at) for at in range(projects.count())] == [
        "All projects",
        "Purchase, October",
    ]
    (candidate,) = candidates(window.parts.stored_runs.shelf, (), NOW)
    assert candidate.name == "Drive A"
    names = picked_names([candidate.key], window.parts.stored_runs.shelf.runs, NOW)
    assert names == {candidate.key: "Drive A"}


def test_the_sidebar_shows_the_runs_of_one_project(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    when = datetime(2026, 3, 4, tzinfo=UTC).isoformat()
    runs = tuple(
        RunSummary(
            number,
            LOCAL.name,
            "quick",
            RunState.DONE,
            "",
            when,
            "",
            12,
            label=RunLabel(f"Drive {number}", project=project),
        )
        for number, project in ((3, "October"), (2, "October"), (1, ""))
    )
    window.parts.stored_runs.take_shelf(Shelf((LOCAL,), runs))
    tree, projects = window.sidebar.tree, window.sidebar.projects
    assert projects.isVisible()
    QTest.keyClicks(projects, "Oct")
    target = tree.model().index(0, 0)
    assert tree.model().rowCount(target) == 2
    projects.setCurrentIndex(0)
    window.sidebar.fill()
    assert tree.model().rowCount(tree.model().index(0, 0)) == 3
    window.parts.stored_runs.take_shelf(Shelf((LOCAL,), runs[2:]))
    assert not projects.isVisible()


def test_past_months_fold_and_open_for_a_run_that_is_chosen(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    days = [datetime(2026, 3, day, tzinfo=UTC) for day in range(4, 1, -1)]
    days += [datetime(2025, 12, day, tzinfo=UTC) for day in range(21, 10, -1)]
    runs = tuple(
        RunSummary(100 - at, LOCAL.name, "quick", RunState.DONE, "", day.isoformat(), "", 12)
        for at, day in enumerate(days)
    )
    window.parts.stored_runs.take_shelf(Shelf((LOCAL,), runs))
    tree = window.sidebar.tree
    qtbot.waitUntil(lambda: tree.model().rowCount(_top(window)) == 4)
    month = tree.model().index(3, 0, _top(window))
    assert month.data(ROW).title == "December 2025"
    assert not tree.isExpanded(month)
    QTest.mouseClick(
        tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualRect(month).center()
    )
    assert tree.isExpanded(month)
    tree.collapse(month)
    tree.setCurrentIndex(tree.model().index(5, 0, month))
    assert tree.isExpanded(month)
