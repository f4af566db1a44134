"""Notices that fit, boxes that can be closed, a help that is left, tabs and menus that stay."""

from __future__ import annotations

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
from app.views.frame.notice import Notice
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
    notice = Notice(appearance, page)
    appearance.dress(notice)
    page.show()
    notice.display(said, undo=lambda: None, path=PATH)
    assert page.rect().contains(notice.geometry())
    for button in (notice.undo, notice.open, notice.close_button):
        corner = button.mapTo(page, button.rect().bottomRight())
        assert page.rect().contains(corner)
        assert notice.geometry().contains(corner)
    shown = notice.sentence
    assert shown.height() >= shown.heightForWidth(shown.width())
    notice.display(SHORT)
    assert notice.height() < 60


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
    QTest.keyClick(present(done.help).head.button, Qt.Key.Key_Escape)
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
