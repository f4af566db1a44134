"""Advice is read, chosen and made into a plan; another version's view stands beside it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication, QStandardItemModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QFileDialog, QListView, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from advisor.outcomes import NotApplicable, NotJudged
from advisor.plan.change_plan import ChangePlan
from advisor.report.forms.plan_formats import FORMATS
from advisor.why import Lacks
from app.controllers.selection import Choice
from app.presenters.advice.card import card
from app.presenters.advice.rows import AdviceRow, GroupHeading, SilentReason, rows
from app.presenters.overview.home import LABELS, Settles
from app.runtime.preferences import Preferences
from app.theme.appearance import Appearance, ui_font
from app.views.advice.detail import LEAST_BELOW, LEAST_BESIDE, AdviceDetail
from app.views.advice.form_choice import FormChoice
from app.views.advice.page import LENS, PLAN
from app.views.advice.rule_delegate import ROW_HEIGHT, AdviceDelegate, box_of
from app.views.advice.rule_model import ROW
from app.views.charts.curves.curve_chart import LATENCY, CurveChart
from app.window.main_window import MainWindow
from app.window.parts import ADVICE, PROBE
from probes.plans.plan import UNTIL_DECIDED
from probes.version import ServerVersion
from tests.app.window.conftest import OpenWindow, caught_up, done_window
from tests.app.window.looking import chosen, see
from tests.app.window.replay import Replay
from tests.present import present

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(qtbot: QtBot, done: MainWindow) -> MainWindow:
    done.show_page(ADVICE)
    caught_up(qtbot, done)
    qtbot.waitUntil(lambda: done.advice_controller.plan is not None)
    return done


def index_of(window: MainWindow, title: str) -> QModelIndex:
    model = window.advice.list.model()
    found = (model.index(number, 0) for number in range(model.rowCount()))
    return next(one for one in found if one.data(ROW).title == title)


def titles(window: MainWindow) -> list[str]:
    model = window.advice.list.model()
    return [str(model.index(number, 0).data()) for number in range(model.rowCount())]


def tick(window: MainWindow, title: str) -> None:
    view = window.advice.list
    place = box_of(view.visualRect(index_of(window, title))).center().toPoint()
    QTest.mouseClick(view.viewport(), LEFT, pos=place)


def fold(window: MainWindow, title: str) -> None:
    view = window.advice.list
    place = view.visualRect(index_of(window, title)).center()
    QTest.mouseClick(view.viewport(), LEFT, pos=place)


def test_the_card_tells_what_advice_stands_on(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: not window.advice.detail.telling)
    window.advice.detail.grounds.toggle.click()
    see(
        qtbot,
        window.advice.detail,
        "4,000 pages/s x 0.5 = 2,000",
        "Medium. The drive was measured, the load was not.",
        "The server writes fewer than 100 pages/s at its busiest.",
        "One drive, doublewrite on.",
        "A few per cent of throughput.",
        "SELECT @@GLOBAL.innodb_io_capacity;",
        "SET PERSIST innodb_io_capacity = 200;",
        "Published findings",
    )
    window.advice.detail.grounds.toggle.click()


def test_silence_has_its_reasons(qtbot: QtBot, window: MainWindow) -> None:
    assert window.advice.list.choose("buffer-pool.instances")
    see(qtbot, window.advice.detail, "Not judged", "The server's load was not watched.")
    fold(window, "Not applicable")
    window.advice.list.setCurrentIndex(index_of(window, "Log writers"))
    see(qtbot, window.advice.detail, "Not applicable", "It is about MariaDB.")


def test_a_box_takes_advice_into_the_plan_and_out(qtbot: QtBot, window: MainWindow) -> None:
    QTest.mouseClick(window.advice.head.button, LEFT)
    assert window.advice.sides.key == PLAN
    see(qtbot, window.advice.plan, "2 steps: 2 while the server runs.")
    window.advice.plan.notes.click()
    see(qtbot, window.advice.plan, "innodb_io_capacity: 200 → 2000", "flushing.io-capacity")
    window.advice.plan.notes.click()
    tick(window, "innodb_io_capacity")
    see(qtbot, window.advice.plan, "The plan is empty")
    assert window.advice.sides.key == PLAN
    window.advice.list.setCurrentIndex(index_of(window, "innodb_io_capacity"))
    QTest.keyClick(window.advice.list, Qt.Key.Key_Space)
    see(qtbot, window.advice.plan, "2 steps: 2 while the server runs.")


def test_a_plan_for_a_service_has_the_forms_that_it_takes(
    qtbot: QtBot, appearance: Appearance
) -> None:
    forms = FormChoice(appearance)
    qtbot.addWidget(forms)
    own = ChangePlan("db7", ServerVersion.parse("8.0.39"))
    azure = ChangePlan("db7", ServerVersion.parse("8.0.39-azure"))
    forms.choose("sql")
    forms.offer(own)
    assert forms.key == "sql"
    forms.offer(azure)
    assert forms.key == ""
    assert forms.offered == ["azure", "md"]
    forms.offer(own)
    assert forms.offered == list(FORMATS)


def test_what_was_done_of_the_plan_stays_ticked(qtbot: QtBot, window: MainWindow) -> None:
    def done() -> list[QCheckBox]:
        boxes = window.advice.plan.findChildren(QCheckBox)
        return [one for one in boxes if one.text() == "Done" and one.isVisible()]

    window.advice.show_side(PLAN)
    qtbot.waitUntil(lambda: len(done()) == 2)
    QTest.mouseClick(done()[0], LEFT, pos=QPoint(8, done()[0].height() // 2))
    window.advice.plan.forms.choose("sql")
    assert not done()
    window.advice.plan.forms.choose("")
    assert [one.isChecked() for one in done()] == [True, False]
    steps = window.advice_controller.done_steps
    steps.turn_to("db8")
    assert [one.isChecked() for one in done()] == [False, False]
    steps.turn_to("local")
    assert [one.isChecked() for one in done()] == [True, False]
    # As they were for who tests next.
    QTest.mouseClick(done()[0], LEFT, pos=QPoint(8, done()[0].height() // 2))


@pytest.mark.parametrize("size", [(1024, 700), (1440, 900)])
def test_the_first_card_shows_its_curve_without_scrolling(
    qtbot: QtBot, window: MainWindow, size: tuple[int, int]
) -> None:
    window.resize(*size)
    detail, chart = window.advice.detail, window.advice.detail.panel.chart

    def in_sight() -> bool:
        bottom = chart.mapTo(detail.viewport(), QPoint(0, chart.height())).y()
        return not detail.telling and chart.isVisible() and bottom <= detail.viewport().height()

    qtbot.waitUntil(in_sight)


def test_a_long_title_is_listed_whole(qtbot: QtBot, appearance: Appearance) -> None:
    """On as many lines as it takes, one where that is enough."""
    view = QListView()
    qtbot.addWidget(view)
    view.resize(300, 400)
    view.show()
    delegate = AdviceDelegate(appearance, view)
    title = "Write caches of the drives, as the kernel treats them"
    shown = AdviceRow(title, "All agree.", NotApplicable("block.write-cache", title, "None."))
    option = QStyleOptionViewItem()

    def high(row: AdviceRow) -> int:
        return delegate.sizeHint(option, as_index(view, row)).height()

    assert high(replace(shown, title="rotational")) == ROW_HEIGHT
    narrow = high(shown)
    line = QFontMetrics(ui_font(weight=500), view).lineSpacing()
    assert narrow == ROW_HEIGHT + line
    view.resize(600, 400)
    assert high(shown) == ROW_HEIGHT


def as_index(view: QListView, row: AdviceRow) -> QModelIndex:
    model = QStandardItemModel(1, 1, view)
    model.setData(model.index(0, 0), row, ROW)
    view.setModel(model)
    return model.index(0, 0)


LEAST_OF_USE = 120


@pytest.mark.parametrize("size", [(1024, 700), (1280, 800), (1440, 900), (1920, 1080)])
def test_the_first_card_s_curves_are_high_enough_to_be_read(
    qtbot: QtBot, window: MainWindow, size: tuple[int, int]
) -> None:
    """Where there is no room for both, rate and latency are shown in turn."""
    window.resize(*size)
    detail, chart = window.advice.detail, window.advice.detail.panel.chart

    def heights() -> list[float]:
        shown = zip(chart.plots, chart.views, strict=True)
        return [plot.box.height() for plot, view in shown if view.isVisible()]

    def readable(number: int) -> bool:
        drawn = not detail.telling and len(heights()) == number
        return drawn and min(heights()) >= LEAST_OF_USE

    both = size[1] > 700
    qtbot.waitUntil(lambda: readable(2 if both else 1))
    assert chart.sides.isVisible() is not both
    if both:
        return
    QTest.mouseClick(chart.sides.button(LATENCY), LEFT)
    qtbot.waitUntil(lambda: chart.views[1].isVisible() and readable(1))
    assert not chart.views[0].isVisible()
    window.resize(1440, 900)
    qtbot.waitUntil(lambda: readable(2))


def test_the_curve_is_as_high_as_the_card_is_seen(qtbot: QtBot, window: MainWindow) -> None:
    """Beside grounds and facts, which stand under the sentence where there is room."""
    window.resize(1440, 900)
    detail = window.advice.detail

    detail.grounds.toggle.click()

    def beside() -> bool:
        left = detail.panel.mapTo(present(detail.widget()), QPoint()).x()
        under = (detail.front, detail.applied, detail.grounds)
        return all(one.width() <= left for one in under)

    qtbot.waitUntil(lambda: not detail.telling and detail.panel.isVisible() and beside())
    assert detail.panel.height() == detail.viewport().height() > LEAST_BESIDE
    window.resize(1024, 700)
    qtbot.waitUntil(lambda: detail.panel.geometry().bottom() + 1 == detail.viewport().height())
    assert detail.panel.height() > LEAST_BELOW


def test_curves_are_named_where_no_table_stands_beside_them(
    qtbot: QtBot, window: MainWindow
) -> None:
    """In the key below the chart, whose room it takes: both are in sight."""
    window.resize(1024, 700)
    detail = window.advice.detail
    panel = detail.panel
    qtbot.waitUntil(lambda: not detail.telling and panel.key.isVisible())
    picture = panel.picture
    assert picture is not None
    assert panel.key.accessibleDescription() == ", ".join(one.name for one in picture.series)
    assert panel.key.height() == panel.key.heightForWidth(panel.key.width())
    bottom = panel.mapTo(detail.viewport(), QPoint(0, panel.height())).y()
    assert bottom <= detail.viewport().height()
    assert panel.key.heightForWidth(60) == len(picture.series) * panel.key.heightForWidth(9999)
    window.resize(1440, 900)
    qtbot.waitUntil(lambda: panel.side.isVisible() and not panel.key.isVisible())


def test_what_is_open_has_the_button_that_settles_it(qtbot: QtBot, window: MainWindow) -> None:
    window.advice.list.setCurrentIndex(index_of(window, "Check the price of a durable commit"))
    settle = window.advice.detail.settle
    qtbot.waitUntil(settle.isVisible)
    settle.click()
    assert window.stack.currentIndex() == PROBE
    assert window.probe.setup.plan.key == UNTIL_DECIDED


def test_what_lacks_a_probe_s_points_leads_to_one(
    qtbot: QtBot, appearance: Appearance, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LEADLINE_HOME", str(tmp_path))
    detail = AdviceDetail(appearance, Preferences(), CurveChart(appearance))
    qtbot.addWidget(detail)
    measured = NotJudged("a.rule", "A rule", Lacks("probe.direct", "no run was made"))
    detail.tell_head(card(measured))
    assert not detail.settle.isHidden()
    assert detail.settle.text().strip() == LABELS[Settles.PROBE]
    with qtbot.waitSignal(detail.probe_wanted):
        detail.settle.click()
    hidden = Lacks("mysql.status.Uptime", "it is hidden")
    detail.tell_head(card(NotJudged("a.rule", "A rule", hidden)))
    assert detail.settle.isHidden()


def test_a_choice_outlives_a_look_at_another_target(qtbot: QtBot, window: MainWindow) -> None:
    tick(window, "innodb_io_capacity")
    window.selection.choose(Choice("local"))
    window.selection.choose(Choice("local", 1))
    caught_up(qtbot, window)
    assert not window.advice_controller.is_chosen("flushing.io-capacity")
    view = window.advice.list
    state = index_of(window, "innodb_io_capacity").data(Qt.ItemDataRole.CheckStateRole)
    assert Qt.CheckState(state) == Qt.CheckState.Unchecked
    assert view.isVisible()


def test_the_plan_is_shown_copied_and_saved_in_every_form(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.advice.show_side(PLAN)
    view, plan = window.advice.plan, window.advice_controller.plan
    assert plan is not None
    for form in FORMATS.values():
        view.forms.choose(form.name)
        view.undo.setChecked(False)
        assert view.text.toPlainText() == form.apply(plan)
        view.undo.setChecked(True)
        assert view.text.toPlainText() == form.undo(plan)
        view.copy.click()
        assert QGuiApplication.clipboard().text() == form.undo(plan)
    view.undo.setChecked(False)
    view.forms.choose("sql")
    file = tmp_path / "plan.sql"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(file), ""))
    view.save.click()
    assert file.read_text("utf-8") == FORMATS["sql"].apply(plan)
    file.unlink()
    file.mkdir()
    view.save.click()
    qtbot.waitUntil(lambda: "can't be written" in chosen(window.errors.callout))


def test_groups_fold(qtbot: QtBot, window: MainWindow) -> None:
    view = window.advice.list
    assert "Log writers" not in titles(window)
    fold(window, "Not applicable")
    assert "Log writers" in titles(window)
    assert view.currentIndex() == index_of(window, "Not applicable")
    QTest.keyClick(view, Qt.Key.Key_Space)
    assert "Log writers" not in titles(window)


def test_a_click_on_a_rule_leads_back_to_its_card(qtbot: QtBot, window: MainWindow) -> None:
    window.advice.show_side(PLAN)
    view = window.advice.list
    place = view.visualRect(index_of(window, "Each commit waits 0.9 ms")).center()
    QTest.mouseClick(view.viewport(), LEFT, pos=place)
    see(qtbot, window.advice.detail, "Keep an eye on")
    assert window.advice.detail.isVisible()


def test_every_row_says_what_it_is_to_who_can_t_see_it(window: MainWindow) -> None:
    model = window.advice.list.model()
    for number in range(model.rowCount()):
        index = model.index(number, 0)
        row = index.data(ROW)
        assert isinstance(row, AdviceRow | GroupHeading | SilentReason)
        said = row.text if isinstance(row, SilentReason) else row.title
        assert said in index.data(Qt.ItemDataRole.AccessibleTextRole)


def test_the_case_is_seen_from_another_version(qtbot: QtBot, window: MainWindow) -> None:
    window.advice.show_side(LENS)
    view = window.advice.lens
    assert view.versions.itemText(0) == "MySQL 9.7"
    see(qtbot, view, "As MySQL 9.7")
    view.versions.setCurrentIndex(view.versions.findText("MariaDB 11.8"))
    view.versions.activated.emit(view.versions.currentIndex())
    see(qtbot, view, "As MariaDB 11.8", "dump the data and load it there")


def test_without_a_server_there_is_nothing_to_see_otherwise(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.mysql = False
    replay.plan_steps = 4
    window = done_window(qtbot, open_window, replay)
    window.show_page(ADVICE)
    window.advice.show_side(LENS)
    see(qtbot, window.advice.lens, "No server to see otherwise")
    assert not window.advice.lens.versions.isVisible()


def test_another_list_tells_of_one_choice(qtbot: QtBot, window: MainWindow) -> None:
    view = window.advice.list
    told: list[AdviceRow] = []
    view.picked.connect(told.append)
    run = window.selection.run
    assert run is not None
    judgement = present(run.judgement)
    view.show_rows(rows(judgement, {}))
    assert [row.title for row in told] == ["innodb_io_capacity"]


def test_the_focus_goes_to_the_plan_with_its_button(qtbot: QtBot, window: MainWindow) -> None:
    head = window.advice.head
    qtbot.waitUntil(head.button.isVisible)
    before = head.sentence.height()
    head.button.setFocus()
    QTest.mouseClick(head.button, LEFT)
    assert window.advice.sides.button(PLAN).hasFocus()
    assert not head.button.isVisible()
    qtbot.wait(50)
    assert head.sentence.height() == before
