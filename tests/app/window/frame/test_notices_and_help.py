"""Notices that fit, boxes that can be closed, a help that is left, tabs and menus that stay."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListView, QMenu, QStyleOptionViewItem, QWidget
from pytestqt.qtbot import QtBot

from advisor.outcomes import NotApplicable
from advisor.run import RunKind
from app.controllers.selection import Choice, Selection
from app.presenters.advice.rows import AdviceRow
from app.theme.appearance import Appearance
from app.views.advice.rule_delegate import AdviceDelegate
from app.views.frame.notice import MOST_NOTICES, Notices
from app.views.widgets.callout import Callout
from app.window.main_window import MainWindow
from app.window.parts import COMPARE, OVERVIEW, PROBE, WHAT_IF
from probes.errors import UsageError
from tests.app.window.advice.test_advice import as_index
from tests.app.window.looking import texts
from tests.present import present

SHORT = "Copied."
LONG = "Copied as SQL: innodb_buffer_pool_size from 128 MiB to 5 GiB, " * 8
PATH = Path("/srv/" + "reports-of-a-client-with-a-long-name/" * 9 + "leadline.pdf")


@pytest.mark.parametrize("width", [604, 776, 1032, 1672])
@pytest.mark.parametrize("said", [SHORT, LONG, f"Written to {PATH}."])
def test_a_notice_lies_whole_on_its_page(
    qtbot: QtBot, appearance: Appearance, width: int, said: str
) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    page.resize(width, 500)
    notices = Notices(appearance, page)
    appearance.dress(notices)
    page.show()
    notices.display(said, undo=lambda: None, path=PATH)
    (notice,) = notices.shown
    assert page.rect().contains(notices.geometry())
    assert notices.rect().contains(notice.geometry())
    for button in (notice.undo, notice.open, notice.close_button):
        corner = button.mapTo(page, button.rect().bottomRight())
        assert notices.geometry().contains(corner)
    shown = notice.sentence
    assert shown.height() >= shown.heightForWidth(shown.width())
    notices.clear()
    notices.display(SHORT)
    assert notices.height() < 60


def test_notices_stand_below_each_other_and_the_last_way_back_goes_first(
    qtbot: QtBot, appearance: Appearance
) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    page.resize(776, 500)
    notices = Notices(appearance, page)
    appearance.dress(notices)
    page.show()
    undone: list[str] = []
    notices.display("Deleted a.", lambda: undone.append("a"))
    notices.display("Deleted b.", lambda: undone.append("b"))
    notices.display(LONG)
    assert [one.text for one in notices.shown] == ["Deleted a.", "Deleted b.", LONG]
    places = [one.geometry() for one in notices.shown]
    assert not any(one.intersects(other) for one, other in itertools.combinations(places, 2))
    assert page.rect().contains(notices.geometry())
    notices.take_back()
    assert undone == ["b"]
    assert [one.text for one in notices.shown] == ["Deleted a.", LONG]
    for number in range(MOST_NOTICES):
        notices.display(f"Copied {number}.")
    assert [one.text for one in notices.shown] == ["Copied 0.", "Copied 1.", "Copied 2."]
    notices.take_back()
    assert undone == ["b"]
    notices.display("Copied 0.")
    assert [one.text for one in notices.shown] == ["Copied 1.", "Copied 2.", "Copied 0."]
    for one in notices.shown:
        one.close_button.click()
    assert not notices.isVisible()


def test_a_box_that_was_closed_stays_closed_until_something_else_is_wrong(
    qtbot: QtBot, appearance: Appearance
) -> None:
    callout = Callout(appearance, closable=True)
    qtbot.addWidget(callout)
    first = UsageError("The target sample has no SSH address.")
    callout.tell_error(first)
    assert callout.isVisible()
    callout.close_button.click()
    callout.tell_error(first)
    assert not callout.isVisible()
    callout.tell_error(UsageError("The target db7 has no SSH address."))
    assert callout.isVisible()


@pytest.mark.parametrize("page", [OVERVIEW, PROBE, WHAT_IF])
def test_a_page_s_error_can_be_closed(done: MainWindow, page: int) -> None:
    done.show_page(page)
    callouts = {
        OVERVIEW: done.overview.callout,
        PROBE: done.probe.callout,
        WHAT_IF: done.what_if.callout,
    }
    callout = callouts[page]
    callout.tell_error(UsageError("No."))
    assert callout.close_button.isVisibleTo(callout)
    callout.hide()


def test_escape_and_a_chosen_run_leave_the_help(qtbot: QtBot, done: MainWindow) -> None:
    before = done.stack.currentWidget()
    done.asides.help.show()
    assert done.stack.currentWidget() is done.help
    QTest.keyClick(present(done.help).topics, Qt.Key.Key_Escape)
    assert done.stack.currentWidget() is before
    done.asides.help.show()
    done.selection.choose(Choice())
    assert done.stack.currentWidget() is not done.help
    done.asides.help.show()
    tree = done.sidebar.tree
    place = tree.visualRect(tree.model().index(0, 0)).center()
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert done.stack.currentWidget() is not done.help


@pytest.mark.parametrize("kind", [RunKind.IMPORT, RunKind.WATCH, RunKind.CHECK, None])
def test_no_tab_moves_when_another_kind_of_run_is_chosen(
    done: MainWindow, monkeypatch: pytest.MonkeyPatch, kind: RunKind | None
) -> None:
    tabs = done.header.tabs
    before = [tabs.tabRect(at) for at in range(tabs.count())]
    with monkeypatch.context() as patch:
        patch.setattr(Selection, "kind", property(lambda _self: kind))
        done.header.show_state()
        assert [tabs.tabRect(at) for at in range(tabs.count())] == before
        off = [at for at in range(tabs.count()) if not tabs.isTabEnabled(at)]
        assert bool(off) is (kind in (RunKind.IMPORT, RunKind.WATCH))
        assert all(tabs.tabToolTip(at) for at in off)
    done.header.show_state()
    assert all(tabs.isTabEnabled(at) for at in range(tabs.count()))


def test_a_clicked_tab_takes_no_keyboard(done: MainWindow) -> None:
    tabs = done.header.tabs
    QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(COMPARE).center())
    assert done.stack.currentIndex() == COMPARE
    assert not tabs.hasFocus()


def test_a_menu_that_was_left_leaves_no_lit_title(qtbot: QtBot, done: MainWindow) -> None:
    bar = done.menuBar()
    title = bar.actions()[1]
    bar.setActiveAction(title)
    menu = title.menu()
    assert isinstance(menu, QMenu)
    qtbot.waitUntil(menu.isVisible)
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: bar.activeAction() is None)
    assert not menu.isVisible()


def test_a_list_that_became_narrower_gives_titles_their_lines(
    qtbot: QtBot, appearance: Appearance
) -> None:
    """Also where the view itself would keep the heights of the wider list."""
    view = QListView()
    qtbot.addWidget(view)
    view.setResizeMode(QListView.ResizeMode.Fixed)
    view.resize(600, 300)
    delegate = AdviceDelegate(appearance, view)
    view.setItemDelegate(delegate)
    title = "Option lines at the version's default, which could go"
    row = AdviceRow(
        title, "= without innodb_io_capacity", NotApplicable("lines.default", title, "")
    )
    index = as_index(view, row)
    view.show()
    high = view.visualRect(index).height()
    view.resize(260, 300)
    view.viewport().grab()
    needed = delegate.sizeHint(QStyleOptionViewItem(), index).height()
    assert needed > high
    qtbot.waitUntil(lambda: view.visualRect(index).height() >= needed)


def test_the_key_of_the_curves_stands_before_what_is_said_of_all_points(done: MainWindow) -> None:
    side = done.probe.measure.panel.side
    top = side.table.mapTo(side, QPoint()).y()
    assert top < side.findings.mapTo(side, QPoint()).y()
    assert top < side.height() / 3
    assert "At each curve" in texts(side)
