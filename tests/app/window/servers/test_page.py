"""All servers in one table: read once, sorted, searched, opened, written to a file."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from advisor.fleet.server_row import ServerRow
from advisor.runs.collected import keeping
from advisor.runs.sample import take_sample
from advisor.store.store import Store
from advisor.target_names import SAMPLE
from app.controllers.selection import Choice
from app.presenters.servers.table import COLUMNS
from app.views.dialogs.advice_words import AdviceWordsDialog
from app.views.dialogs.report import ReportDialog
from app.views.dialogs.target import TargetDialog
from app.views.servers.page import ServersPage
from app.window.main_window import MainWindow
from app.window.parts import OVERVIEW, PROBE
from probes.inventory.servers_here import ServerHere
from probes.targets.address import TargetKind
from tests.advisor.report.forms.pdf_reading import Pdf
from tests.app.window.conftest import OpenWindow
from tests.app.window.looking import texts
from tests.app.window.replay import Replay
from tests.fleets import kept_rows
from tests.present import present

FIRST_RUN = 1
NODE = ServerRow(
    "shop-1",
    0,
    "2026-11-28T12:00:00+00:00",
    server="MySQL 8.0.36",
    threads=16,
    memory_bytes=64 << 30,
    data_bytes=200 << 30,
    limit="page reads",
    limited="Limited by page reads: 61 % of query time.",
    changes=("innodb_buffer_pool_size: 8 GiB to 48 GiB",),
    gain=0.42,
    cpu_busy=0.3,
    drive_busy=0.9,
    queries_per_s=4000.0,
    role="shop",
    settings={"max_connections": "600"},
)
ROWS = {
    "shop-1": NODE,
    "shop-2": replace(NODE, gain=0.1, settings={"max_connections": "151"}),
    "shop-3": replace(NODE, gain=None, limit="", limited="", queries_per_s=0.0),
    "mail": replace(
        NODE, role="mail", limit="work on processors", gain=0.2, risks=("sync_binlog: 0 to 1",)
    ),
}


@pytest.fixture
def window(open_window: OpenWindow, replay: Replay) -> MainWindow:
    with Store.open(replay.path) as store:
        kept_rows(store, ROWS)
    return open_window(replay)


@pytest.fixture
def page(qtbot: QtBot, window: MainWindow) -> ServersPage:
    QTest.keyClick(window, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    found = present(window.asides.servers.page)
    assert isinstance(found, ServersPage)
    qtbot.waitUntil(lambda: len(listed(found)) == len(ROWS))
    return found


def listed(page: ServersPage) -> list[str]:
    return [line.row.target for line in page.model.lines]


def cell(page: ServersPage, target: str, sort: str) -> str:
    column = next(at for at, each in enumerate(COLUMNS) if each.sort == sort)
    return str(page.model.index_of(target).siblingAtColumn(column).data())


def test_what_wants_the_most_comes_first(window: MainWindow, page: ServersPage) -> None:
    assert listed(page) == ["shop-1", "mail", "shop-2", "shop-3"]
    assert page.head.sentence.text() == "4 servers: 1 with risks, 4 with changes to make."
    assert cell(page, "shop-1", "gain") == "42\u202f%"
    assert cell(page, "shop-1", "spare") == "10\u202f%"
    assert cell(page, "shop-3", "limit") == "idle while watched"
    assert cell(page, "shop-2", "role") == "max_connections"
    assert cell(page, "mail", "risks") == "1"
    assert cell(page, "shop-1", "taken").startswith("watch, today")
    assert window.header.name.text() == "All servers"
    assert not window.header.tabs.isVisible()
    assert not window.sidebar.tree.selectionModel().hasSelection()


def test_a_heading_sorts_and_what_nobody_knows_stays_last(page: ServersPage) -> None:
    page.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    assert listed(page) == ["mail", "shop-1", "shop-2", "shop-3"]
    page.table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    assert listed(page) == ["shop-3", "shop-2", "shop-1", "mail"]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("PROCESSORS", ["mail"]),
        ("max_connections", ["shop-2"]),
        ("shop page reads", ["shop-1", "shop-2"]),
        ("sync_binlog", ["mail"]),
        ("nothing of it", []),
    ],
)
def test_a_search_finds_what_a_server_is_known_by(
    page: ServersPage, typed: str, found: list[str]
) -> None:
    page.search.setText(typed)
    assert sorted(listed(page)) == found
    assert page.details.isVisible() == bool(found)


def test_the_chosen_server_s_list_stands_below(qtbot: QtBot, page: ServersPage) -> None:
    page.table.setCurrentIndex(page.model.index_of("shop-2"))
    qtbot.waitUntil(lambda: "max_connections: 151; most have 600" in texts(page.details))
    said = texts(page.details).replace("\u202f", " ")
    assert "Limited by page reads: 61 % of query time." in said
    assert "1 change" in said
    page.table.setCurrentIndex(page.model.index_of("mail"))
    qtbot.waitUntil(lambda: "1 risk" in texts(page.details))
    assert "Unlike" not in texts(page.details)


def by_enter(page: ServersPage, index: QModelIndex) -> None:
    page.table.setCurrentIndex(index)
    QTest.keyClick(page.table, Qt.Key.Key_Return)


def by_button(page: ServersPage, index: QModelIndex) -> None:
    page.table.setCurrentIndex(index)
    page.details.open.click()


def by_mouse(page: ServersPage, index: QModelIndex) -> None:
    place: QPoint = page.table.visualRect(index).center()
    QTest.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseDClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=place)


@pytest.mark.parametrize("opening", [by_enter, by_button, by_mouse])
def test_a_server_is_opened(
    window: MainWindow, page: ServersPage, opening: Callable[[ServersPage, QModelIndex], None]
) -> None:
    opening(page, page.model.index_of("mail"))
    assert window.selection.choice == Choice("mail")
    assert window.stack.currentIndex() == OVERVIEW
    assert window.header.tabs.isVisible()
    assert window.header.name.text() == "mail"
    assert window.sidebar.tree.selectionModel().hasSelection()


def test_escape_leads_back_and_a_run_is_judged_once(
    qtbot: QtBot, window: MainWindow, page: ServersPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    with qtbot.waitActive(window):
        window.activateWindow()
    page.take_focus()
    before = window.stack.indexOf(page)
    QTest.keyClick(page.table, Qt.Key.Key_Escape)
    assert window.stack.currentIndex() != before

    def judged_again(*_: object) -> None:
        raise AssertionError("a run was read once more")

    monkeypatch.setattr("advisor.fleet.listing._row", judged_again)
    window.parts.stored_runs.refresh()
    window.asides.servers.show()
    qtbot.waitUntil(lambda: len(listed(page)) == len(ROWS))
    window.parts.stored_runs.delete_run(FIRST_RUN, "Gone.")
    qtbot.waitUntil(lambda: len(listed(page)) == len(ROWS) - 1)


@pytest.mark.parametrize("ending", [".csv", ".json", ".html", ".pdf"])
def test_the_table_is_written_as_it_is_sorted(
    qtbot: QtBot, page: ServersPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    file = tmp_path / f"servers{ending}"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))
    page.save.click()
    qtbot.waitUntil(file.exists)
    content = file.read_bytes()
    if ending == ".csv":
        rows = list(csv.DictReader(content.decode().splitlines()))
        assert [row["target"] for row in rows] == ["shop-1", "mail", "shop-2", "shop-3"]
    elif ending == ".json":
        assert json.loads(content)[1]["risks"] == ["sync_binlog: 0 to 1"]
    else:
        assert content.startswith(b"%PDF") if ending == ".pdf" else b"shop-2" in content


def test_a_form_that_there_is_not_is_refused(
    qtbot: QtBot, page: ServersPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "servers.docx"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))
    page.save.click()
    qtbot.waitUntil(page.callout.isVisible)
    assert "none of the forms" in texts(page.callout)
    assert not file.exists()


def test_without_servers_it_offers_the_first(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    window.sidebar.servers.click()
    page = present(window.asides.servers.page)
    assert isinstance(page, ServersPage)
    qtbot.waitUntil(page.empty.button.isVisible)
    assert "No server yet" in texts(page)
    with qtbot.waitSignal(page.add_wanted):
        page.empty.button.click()


def test_one_report_is_of_all_servers_that_are_chosen(
    qtbot: QtBot,
    open_window: OpenWindow,
    replay: Replay,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Store.open(replay.path) as store:
        list(take_sample(store))
        for name in ("shop-1", "shop-2", "mail"):
            with keeping(store, name, store.raw_inventory(1)):
                pass
    window = open_window(replay)
    window.asides.servers.show()
    page = present(window.asides.servers.page)
    assert isinstance(page, ServersPage)
    qtbot.waitUntil(lambda: len(listed(page)) == 4)
    assert page.details.report.text().strip() == "Report…"
    page.table.selectAll()
    assert page.details.report.text().strip() == "Report of 4…"
    QTest.keySequence(page.table, QKeySequence(QKeySequence.StandardKey.Copy))
    assert len(QGuiApplication.clipboard().text().splitlines()) == 5
    page.details.report.click()
    dialog = present(window.findChild(ReportDialog))
    qtbot.waitUntil(dialog.save_pdf.isEnabled)
    # What its maker says beside advice stands with each server that gets it.
    dialog.words.click()
    typing = present(dialog.findChild(AdviceWordsDialog))
    assert any(SAMPLE in each.text() for each in typing.findChildren(QLabel))
    next(iter(typing.fields.values()))[0].setPlainText("Seen in March.")
    typing.use.click()
    qtbot.waitUntil(lambda: not dialog.save_pdf.isEnabled())
    qtbot.waitUntil(dialog.save_pdf.isEnabled)
    file = tmp_path / "client.pdf"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(file), ""))
    dialog.save_pdf.click()
    qtbot.waitUntil(file.exists)
    made = Pdf(file.read_bytes())
    assert any("Seen in March." in made.text(at) for at in range(1, len(made.pages) + 1))
    headings = {text for _, text, _ in made.outline()}
    assert {"shop-1", "shop-2", "mail", SAMPLE} <= headings


def test_a_window_that_was_never_closed_begins_with_all_servers(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, window: MainWindow
) -> None:
    assert window.asides.servers.in_front
    window.show_page(OVERVIEW)
    assert not window.asides.servers.in_front
    window.remember()
    window.parts.preferences.save()
    again = open_window(replay)
    assert not again.asides.servers.in_front
    again.asides.servers.show()
    again.remember()
    again.parts.preferences.save()
    assert open_window(replay).asides.servers.in_front


def test_a_first_start_beside_a_server_begins_where_that_is_offered(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    alone = open_window(replay)
    qtbot.waitUntil(lambda: alone.parts.runner.running == 0)
    assert not alone.asides.servers.in_front
    assert alone.stack.currentIndex() == PROBE
    replay.servers_here = (HERE,)
    window = open_window(replay)
    qtbot.waitUntil(lambda: window.asides.servers.in_front)
    page = window.asides.servers.page
    assert isinstance(page, ServersPage)
    qtbot.waitUntil(lambda: "mariadbd" in page.empty.button.text())
    # Whoever is at work already stays there.
    busy = open_window(replay)
    busy.show_page(OVERVIEW)
    qtbot.waitUntil(lambda: busy.parts.runner.running == 0)
    assert not busy.asides.servers.in_front


HERE = ServerHere(11, "mariadbd", "/run/mysqld/mysqld.sock", 3306, "mysql")
BESIDE = ServerHere(12, "mysqld", port=3307, account="mysql")


@pytest.mark.parametrize(
    ("found", "offered"),
    [
        ((), "Add a server"),
        ((HERE,), "Add this computer's mariadbd"),
        ((HERE, BESIDE), "Add one of this computer's 2 servers"),
    ],
)
def test_servers_of_this_computer_are_offered_until_they_are_targets(
    found: tuple[ServerHere, ...],
    offered: str,
    qtbot: QtBot,
    open_window: OpenWindow,
    replay: Replay,
) -> None:
    replay.servers_here = found
    window = open_window(replay)
    window.asides.servers.show()
    page = present(window.asides.servers.page)
    assert isinstance(page, ServersPage)
    # Where there is none yet, that is what the page offers first.
    qtbot.waitUntil(lambda: page.empty.button.text().strip() == offered)
    assert page.head.button.isVisible() == bool(found)
    if len(found) != 1:
        return
    page.empty.button.click()
    dialog = present(window.findChild(TargetDialog))
    qtbot.waitUntil(lambda: dialog.form.mysql_socket == HERE.socket)
    assert dialog.form.kind is TargetKind.LOCAL
    dialog.fields.lines["name"].setText("shop")
    dialog.save.click()
    qtbot.waitUntil(lambda: window.selection.choice.target == "shop")
    window.asides.servers.show()
    qtbot.waitUntil(lambda: not page.head.other.isVisible())
