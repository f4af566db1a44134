"""The what-if page: what can be turned, what is drawn of it, and what it says of a server."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from advisor.case import Case
from advisor.forecasts.asking import forecaster
from advisor.forecasts.kept import scenario
from advisor.forecasts.knobs.knobs import turned
from advisor.forecasts.what_if import Forecaster, WhatIf
from advisor.store.store import Store
from advisor.wording.forecasts.what_if import sentences
from app.controllers.drive_keys import ReferenceKey, RunKey, read_key
from app.controllers.selection import Selection
from app.presenters.what_if.forecast_picture import (
    curves_picture,
    headline,
    time_picture,
    times_picture,
)
from app.theme.appearance import Appearance, Mode
from app.views.what_if.forecast_charts import TIME, WIDE
from app.views.what_if.time_bars import TimeBars
from app.window.main_window import MainWindow
from app.window.parts import WATCH, WHAT_IF
from probes.errors import LeadlineError
from probes.figures import duration_us
from tests.advisor.forecasts.live_servers import READS_16K, on_a_slow_drive
from tests.app.window.conftest import OpenWindow
from tests.app.window.looking import texts
from tests.app.window.replay import Replay
from tests.app.window.runs import done_run
from tests.present import present


@cache
def server() -> Forecaster:
    return present(made(on_a_slow_drive()))


def made(case: Case) -> Forecaster | None:
    found = forecaster(case)
    return None if isinstance(found, LeadlineError) else found


def ask(**wanted: str) -> WhatIf:
    return server().ask(turned(server().live, wanted))


def plain(text: str) -> str:
    return text.replace("\u202f", " ")


# --- what is known of the server ---


def test_the_curves_of_its_case_are_the_drive_of_a_watch() -> None:
    assert present(made(on_a_slow_drive(reads_16k=READS_16K))).live.server.drive is not None
    assert server().live.server.drive is None
    refused = forecaster(on_a_slow_drive(watched=None))
    assert isinstance(refused, LeadlineError)


# --- what is drawn ---


def test_the_picture_holds_both_curves_and_where_the_server_stands() -> None:
    found = ask(buffer_pool="32G", connections="54")
    shown = curves_picture(found)
    assert math.log2(54) in {mark.x for mark in shown.marks}
    today, then = shown.lines
    assert present(today.at)[0] == 5.0
    assert present(today.at)[1] == pytest.approx(20_000, rel=0.01)
    assert present(then.at)[0] > 5.0
    for (x, low, high), (_, before), (_, after) in zip(
        then.band, today.spots, then.spots, strict=True
    ):
        assert low < after < high
        assert shown.across.low < x < shown.across.high
        assert 0 < max(before, after) < shown.up.high


def test_the_picture_of_times_holds_mean_and_p95_of_both() -> None:
    found = ask(buffer_pool="32G", connections="54")
    shown = times_picture(found)
    means, lates = shown.lines[:2], shown.lines[2:]
    for mean, late in zip(means, lates, strict=True):
        assert mean.thin
        assert not late.thin
        assert late.at in late.spots
        for (_, low), (_, high) in zip(mean.spots, late.spots, strict=True):
            assert shown.up.low < low < high < shown.up.high
    for (_, low, high), (_, y) in zip(lates[1].band, lates[1].spots, strict=True):
        assert low <= y <= high
    p95 = present(found.times_then).every.p95_us
    (mark,) = (each for each in shown.marks if each.x == math.log2(54))
    assert mark.text.endswith(f"then {p95.text(duration_us)}")


def test_with_too_many_connections_the_mean_stands_alone() -> None:
    shown = times_picture(ask(connections="2048"))
    assert max(x for x, _ in shown.lines[0].spots) == 12
    assert max(x for x, _ in shown.lines[2].spots) == 10
    assert "95 of 100" not in shown.marks[-1].text


def test_bars_are_as_long_as_a_query_takes() -> None:
    shown = time_picture(ask(buffer_pool="100G"))
    whole = [sum(part.width for part in bar.parts) for bar in shown.bars]
    assert whole[0] == pytest.approx(1.0, abs=0.01)
    assert whole[1] < 0.6
    tones = [tone for tone, _, _ in shown.key]
    assert len(tones) == len(set(tones)) >= 4


def test_the_key_of_the_bars_has_its_rows_at_another_width(
    qtbot: QtBot, appearance: Appearance
) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    bars = TimeBars(appearance)
    layout = QVBoxLayout(page)
    layout.addWidget(bars)
    layout.addStretch(1)
    bars.show_picture(time_picture(ask(buffer_pool="100G")))
    page.resize(900, 400)
    page.show()
    qtbot.waitUntil(lambda: bars.height() == bars.sizeHint().height())
    before = bars.height()
    page.resize(300, 400)
    qtbot.waitUntil(lambda: bars.height() == bars.sizeHint().height() > before)


def test_while_nothing_is_turned_everything_is_shown_once() -> None:
    found = ask()
    shown = time_picture(found)
    assert [bar.title for bar in shown.bars] == ["A query today"]
    assert not any("›" in shares for _, _, shares in shown.key)
    assert len(curves_picture(found).lines) == 1
    assert [line.thin for line in times_picture(found).lines] == [True, False]
    said = plain(" ".join(sentences(found)))
    assert "then" not in said.lower()


def test_the_headline_says_what_a_change_brings() -> None:
    assert " today." in headline(ask())
    said = plain(headline(ask(buffer_pool="32G")))
    assert "×" in said.split(":")[0] or "%" in said.split(":")[0]
    assert "in place of 20.0 k/s and 1.20 ms (p95 " in said


# --- the page ---


@pytest.fixture
def opened(qtbot: QtBot, done: MainWindow, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """A window on the page, whose chosen target was watched while it worked."""
    seen = done_run(on_a_slow_drive(), plan_name="")
    monkeypatch.setattr(Selection, "watching", property(lambda _selection: seen))
    with qtbot.waitSignal(done.pages.what_if_controller.answered):
        done.show_page(WHAT_IF)
    return done


def test_the_page_follows_what_is_turned_and_goes_back(qtbot: QtBot, opened: MainWindow) -> None:
    window = opened
    page, controller = window.what_if, window.pages.what_if_controller
    assert " today." in page.head.sentence.text()
    pool = page.knobs.knobs["buffer_pool"]
    QTest.keyClick(pool.slider, Qt.Key.Key_Right)
    assert page.knobs.wanted.keys() == {"buffer_pool"}
    qtbot.waitUntil(lambda: "in place of" in page.head.sentence.text())
    assert "Misses fall to" in page.forecast_text.about.text()
    assert page.forecast_text.answer.isVisible()
    assert not page.forecast_text.about.isVisible()
    QTest.mouseClick(page.forecast_text.more, Qt.MouseButton.LeftButton)
    assert page.forecast_text.about.isVisible()
    # Of many moves the last one counts, and none of them waits for another.
    pool.slider.setValue(pool.slider.maximum())
    pool.slider.setValue(pool.knob.start + 2)
    qtbot.waitUntil(lambda: pool.shown_value.text() in present(controller.found).turned.words[0])
    page.press()
    assert page.knobs.wanted == {}
    qtbot.waitUntil(lambda: " today." in page.head.sentence.text())


@pytest.fixture
def watched(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> tuple[MainWindow, int]:
    """A window on the page after a watch, and that run's number."""
    window = open_window(replay)
    window.show_page(WATCH)
    with qtbot.waitSignal(window.run_controller.ended):
        QTest.mouseClick(window.watch.head.button, Qt.MouseButton.LeftButton)
    with Store.open(replay.path) as store:
        ((run),) = store.runs()
    seen = done_run(replace(on_a_slow_drive(), run_id=run.id), plan_name="")
    monkeypatch.setattr(Selection, "watching", property(lambda _selection: seen))
    return window, run.id


def choose(window: MainWindow, name: str) -> None:
    kept = window.what_if.knobs.kept
    kept.setCurrentIndex(kept.findText(name))
    kept.activated.emit(kept.currentIndex())


def test_a_scenario_is_kept_with_its_run_and_turned_again(
    qtbot: QtBot, watched: tuple[MainWindow, int], replay: Replay
) -> None:
    window, run_id = watched
    controller = window.pages.what_if_controller
    window.show_page(WHAT_IF)
    knobs = window.what_if.knobs
    qtbot.waitUntil(lambda: controller.found is not None)
    pool = knobs.knobs["buffer_pool"]
    pool.slider.setValue(pool.knob.start + 4)
    qtbot.waitUntil(lambda: bool(present(controller.found).turned.words))
    wanted = knobs.wanted
    knobs.kept.setEditText("more memory")
    QTest.mouseClick(knobs.keep, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: [each.name for each in controller.kept] == ["more memory"])
    window.what_if.press()
    qtbot.waitUntil(lambda: not present(controller.found).turned.words)
    assert knobs.wanted == {}
    choose(window, "more memory")
    assert knobs.wanted == wanted
    with Store.open(replay.path) as store:
        assert list(store.scenarios(run_id)) == ["more memory"]


def test_what_the_command_line_kept_is_turned_as_it_was_typed(
    qtbot: QtBot, watched: tuple[MainWindow, int], replay: Replay
) -> None:
    window, run_id = watched
    typed = {"buffer_pool": "40G", "page_size": "8k", "sync_binlog": "100", "connections": "54"}
    found = ask(**typed)
    with Store.open(replay.path) as store:
        for name, drive in (("typed", ""), ("elsewhere", "drive.csv")):
            kept = scenario(name, found, typed, drive)
            store.keep_scenario(run_id, kept.name, kept.stored)
    controller, page = window.pages.what_if_controller, window.what_if
    window.show_page(WHAT_IF)
    qtbot.waitUntil(lambda: len(controller.kept) == 2)
    choose(window, "typed")
    assert page.knobs.knobs["buffer_pool"].shown_value.text() == "40\u202fGiB"
    # The drive was measured with the present size of pages alone: no knob has another.
    assert "page_size" not in page.knobs.knobs
    assert page.knobs.besides.text() == "Also turned: page_size=8k"
    qtbot.waitUntil(lambda: present(controller.found).turned.words == found.turned.words)
    assert present(controller.found).then.rate_per_s == found.then.rate_per_s
    page.press()
    assert page.knobs.wanted == {}
    assert not page.knobs.besides.isVisible()
    # Of a drive that is not here nothing is turned, and its name stands beside no other forecast.
    choose(window, "elsewhere")
    assert page.knobs.wanted == {}
    assert page.knobs.kept.currentText() == ""
    assert "drive.csv" in texts(page.callout)


def test_a_scenario_that_the_page_can_not_turn_is_refused_and_another_forecast_is_told(
    qtbot: QtBot, watched: tuple[MainWindow, int], replay: Replay
) -> None:
    window, run_id = watched
    found = ask(buffer_pool="40G")
    kept = scenario("older", found, {"buffer_pool": "40G"}, "")
    beyond = scenario("beyond", found, {"buffer_pool": "40G"}, "", {"redo": "log.csv"})
    with Store.open(replay.path) as store:
        store.keep_scenario(run_id, "same", kept.stored)
        store.keep_scenario(
            run_id, "older", replace(kept, sentence=f"{kept.sentence} or so").stored
        )
        store.keep_scenario(run_id, "beyond", beyond.stored)
    controller, page = window.pages.what_if_controller, window.what_if
    window.show_page(WHAT_IF)
    qtbot.waitUntil(lambda: len(controller.kept) == 3)
    choose(window, "beyond")
    assert page.knobs.wanted == {}
    assert "This scenario was kept with --redo, which this page can't turn." in texts(page.callout)

    def older_told() -> bool:
        return (
            "When this scenario was kept its forecast was: buf" in page.forecast_text.answer.text()
        )

    choose(window, "same")
    qtbot.waitUntil(lambda: controller.asked[0] == {"buffer_pool": str(40 << 30)})
    assert not older_told()
    choose(window, "older")
    qtbot.waitUntil(older_told)
    choose(window, "same")
    qtbot.waitUntil(lambda: not older_told())
    # What is turned after that is no scenario that was kept.
    slider = page.knobs.knobs["connections"].slider
    choose(window, "older")
    slider.setValue(slider.value() + 1)
    qtbot.waitUntil(lambda: "connections" in controller.asked[0])
    assert "When this scenario was kept" not in page.forecast_text.answer.text()


def test_a_kept_drive_is_read_as_the_window_and_as_the_command_line_call_it() -> None:
    for key in (RunKey((12,)), RunKey((1, 4)), ReferenceKey("callaghan-flash-2010")):
        assert read_key(key.text) == key
    assert read_key("1+4") == RunKey((1, 4))
    assert read_key("callaghan-flash-2010") == ReferenceKey("callaghan-flash-2010")
    assert read_key("") is None
    assert read_key("run-" + "9" * 5000) != RunKey(())


def test_another_drive_is_a_published_table_or_a_run(qtbot: QtBot, opened: MainWindow) -> None:
    window = opened
    drive = window.what_if.knobs.drive
    qtbot.waitUntil(lambda: drive.count() > 1)
    drive.setCurrentIndex(drive.count() - 1)
    controller = window.pages.what_if_controller
    qtbot.waitUntil(lambda: bool(present(controller.found).turned.words))
    ((name, _, then),) = present(controller.found).turned.words
    assert name == "drive"
    assert then in drive.currentText()


def test_both_appearances_are_drawn_and_the_pointer_reads_the_curve(
    qtbot: QtBot, opened: MainWindow
) -> None:
    window = opened
    page = window.what_if
    pictures = []
    for mode in (Mode.LIGHT, Mode.DARK):
        window.choose_appearance(mode)
        pictures.append(page.charts.rate.grab().toImage())
    assert pictures[0] != pictures[1]
    shown = present(page.charts.rate.picture)
    place = page.charts.rate.placing(shown)(*present(shown.lines[0].at))
    QTest.mouseMove(page.charts.rate, QPointF(place).toPoint())
    qtbot.waitUntil(lambda: present(page.charts.rate.reading).x == 5.0)
    assert "32 connections: " in present(page.charts.rate.reading).text


def test_a_narrow_window_shows_one_chart_at_a_time(qtbot: QtBot, opened: MainWindow) -> None:
    charts = opened.what_if.charts
    charts.setFixedWidth(WIDE)
    qtbot.waitUntil(lambda: charts.rate.isVisible() and charts.time.isVisible())
    assert not charts.sides.isVisible()
    charts.setFixedWidth(WIDE - 1)
    qtbot.waitUntil(lambda: charts.sides.isVisible() and not charts.time.isVisible())
    QTest.mouseClick(charts.sides.button(TIME), Qt.MouseButton.LeftButton)
    assert charts.time.isVisible()
    assert not charts.rate.isVisible()


def test_a_server_that_was_not_watched_is_to_be_watched(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    window.show_page(WHAT_IF)
    assert "Not watched yet" in texts(window.what_if)
    with qtbot.waitSignal(window.run_controller.ended):
        QTest.mouseClick(window.what_if.empty.button, Qt.MouseButton.LeftButton)
    assert window.stack.currentIndex() == WATCH
    window.show_page(WHAT_IF)
    qtbot.waitUntil(lambda: "Nothing can be forecast" in texts(window.what_if))
