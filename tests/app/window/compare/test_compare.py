"""Drives side by side: stored runs, imports and published tables on the Compare page."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from advisor.compare import compare
from advisor.compare.comparison import MOST
from advisor.compare.contender import Contender
from advisor.compare.reference import library
from advisor.wording.forecasts.drive_answer import drive_answer
from advisor.wording.measured.comparison import lead
from app.controllers.drive_keys import DriveKey, ReferenceKey, RunKey
from app.presenters.charts.ratios import (
    p95_figure,
    rate_figure,
    ratio_scale,
    ratios,
    without_ratios,
)
from app.presenters.charts.scene import SceneOptions, rate_scene
from app.presenters.compare.comparison import kind_title, pictures_of, role_rows
from app.theme.appearance import Mode
from app.views.compare.contender_model import KEY
from app.views.compare.page import CURVES, UNDER
from app.views.compare.under_table import PRICE
from app.views.compare.under_view import TIME
from app.views.dialogs.prices import PricesDialog
from app.window.frame import USUAL
from app.window.main_window import MainWindow
from app.window.parts import COMPARE
from probes.points import SERVER_LOAD, Probe, Setting, Trust
from tests.advisor.forecasts.live_servers import on_a_slow_drive
from tests.app.window.conftest import OpenWindow, run_to_end
from tests.app.window.looking import see, texts
from tests.app.window.replay import Replay, replayed
from tests.present import present

REFERENCE = ReferenceKey("callaghan-flash-2010")


def drive(name: str, factor: float, *threads: int) -> Contender:
    """A drive that is so many times as fast as the made-up one."""
    made = []
    for number in threads:
        one = replayed(Setting(Probe.RANDOM_READ, number, 16384, 1, "/data"))
        low, high = one.ci95_per_s
        made.append(
            replace(
                one,
                rate_per_s=one.rate_per_s * factor,
                ci95_per_s=(low * factor, high * factor),
                latency=replace(one.latency, p95_us=one.latency.p95_us / factor),
            )
        )
    return Contender(name, name, {"filesystem": "ext4"}, tuple(made))


def test_ratios_are_over_the_same_level_of_the_baseline() -> None:
    slow, fast = drive("slow", 1.0, 1, 8), drive("fast", 2.0, 1, 8, 64)
    ((_, title, picture),) = pictures_of(compare([slow, fast]))
    assert title == "Random read 16\u202fKiB"
    found = ratios(picture.series[1], picture.series[0], rate_figure)
    assert [one.value for one in found[:2]] == pytest.approx([2.0, 2.0])
    assert math.isnan(found[2].value)
    assert found[0].low < 2.0 < found[0].high
    p95 = ratios(picture.series[1], picture.series[0], p95_figure)
    assert p95[0].value == pytest.approx(0.5)
    assert not p95[0].known


def test_the_ratio_view_draws_the_baseline_at_one() -> None:
    ((_, _, picture),) = pictures_of(compare([drive("a", 1.0, 1, 8), drive("b", 3.0, 1, 8)]))
    scene = rate_scene(picture, None, SceneOptions(against=1))
    assert [mark.y for mark in scene.traces[1].marks] == pytest.approx([0.0, 0.0])
    assert [mark.y for mark in scene.traces[0].marks] == pytest.approx([-math.log10(3)] * 2)
    assert scene.traces[0].marks[0].low < scene.traces[0].marks[0].y
    assert scene.traces[1].marks[0].low == scene.traces[1].marks[0].high
    assert "1×" in [text for _, text in scene.up.ticks]


def test_the_ratio_view_says_whose_ratios_are_missing_and_why() -> None:
    idle, other = drive("idle", 1.0, 1, 8), drive("other", 2.0, 1, 8)
    loaded = replace(
        drive("loaded", 0.5, 1, 8),
        points=tuple(
            replace(one, details={SERVER_LOAD: 1.0}) for one in drive("l", 0.5, 1, 8).points
        ),
    )
    apart = drive("apart", 1.0, 2, 4)
    ((_, _, picture),) = pictures_of(compare([idle, other, loaded, apart]))
    assert without_ratios(picture, 0) == (
        "No ratio of C: one is beside a load. No ratio of D: no level in common."
    )
    assert without_ratios(picture, 2).startswith("No ratio of A, B: one is ")
    ((_, _, alike),) = pictures_of(compare([idle, other]))
    assert without_ratios(alike, 0) == ""


@pytest.mark.parametrize("values", [[1.0], [0.9, 1.05], [0.02, 3.0], [40.0, math.nan], []])
@pytest.mark.parametrize("most", [2, 4, 8])
def test_the_axis_of_ratios_is_even_on_both_sides(values: list[float], most: int) -> None:
    scale = ratio_scale(values, most)
    assert scale.low == -scale.high
    assert {1.0} < {round(10**at, 9) for at, _ in scale.ticks}
    assert all(scale.low < at < scale.high for at, _ in scale.ticks)
    known = [value for value in values if not math.isnan(value)]
    assert all(scale.low < math.log10(value) < scale.high for value in known)
    assert len(scale.ticks) <= max(most, 3) + 1


def test_roles_say_who_is_best_and_by_how_much() -> None:
    comparison = compare([drive("slow", 1.0, 1, 8, 64), drive("fast", 2.0, 1, 8, 64)])
    rows = {row.title: row for row in role_rows(comparison)}
    reads = rows["Random reads of 16 KiB, 8 threads"]
    assert [cell.best for cell in reads.cells] == [False, True]
    assert reads.verdict.startswith("B by 2.00× (1.9")
    assert reads.decided
    said = lead(comparison)
    assert said.startswith("Of ")
    assert said.endswith(" Mind how each was measured.")
    alike = lead(replace(comparison, reasons=()))
    assert ": B (fast) is best in " in alike
    assert "× the next)" in alike
    even = compare([drive("one", 1.0, 1, 8), drive("other", 1.001, 1, 8)])
    assert all(row.verdict.startswith("too close to call") for row in role_rows(even))
    assert "too close to call" in lead(even)


def test_a_win_of_doubtful_points_is_not_counted_as_sure() -> None:
    fast = drive("fast", 2.0, 1, 8, 64)
    doubtful = tuple(replace(point, trust=Trust.DOUBTFUL) for point in fast.points)
    slow = drive("slow", 1.0, 1, 8, 64)
    said = lead(compare([slow, replace(fast, points=doubtful)]))
    assert "of these roles rest on doubtful points." in said
    one = tuple(
        replace(point, trust=Trust.DOUBTFUL) if point.setting.threads == 64 else point
        for point in fast.points
    )
    said = lead(compare([slow, replace(fast, points=one)]))
    assert "B (fast) is best in " in said
    assert "of these roles rests on doubtful points." in said


def test_of_several_the_headline_and_the_rows_say_who_ties() -> None:
    drives = [drive("one", 2.0, 1, 8), drive("other", 2.001, 1, 8), drive("slow", 1.0, 1, 8)]
    drives[0] = replace(drives[0], drives=("db7 sda",))
    drives[1] = replace(drives[1], drives=("db7 sda",))
    comparison = compare(drives)
    said = lead(comparison)
    assert said.startswith("A and B tie for best in ")
    assert "the next, but some are on the same disk." in said
    reads = {row.title: row for row in role_rows(comparison)}["Random reads of 16 KiB, 8 threads"]
    assert reads.verdict == "B and A tie, C 2.00× slower"
    assert [len(cell.text.split(" · ")) for cell in reads.tails] == [2, 2, 2]


def test_published_tables_have_no_intervals_and_that_is_said() -> None:
    flash = next(one for one in library() if one.key == "callaghan-flash-2010")
    comparison = compare([drive("here", 5.0, 1, 8, 64), flash])
    assert {kind_title(one) for one in comparison.matched} == {"Random read 16\u202fKiB"}
    assert "interval unknown" in " ".join(row.verdict for row in role_rows(comparison))


def on_compare(qtbot: QtBot, open_window: OpenWindow, replay: Replay, runs: int = 2) -> MainWindow:
    window = open_window(replay)
    for number in range(runs):
        if number:
            window.probe.press()
        run_to_end(qtbot, window)
    return beside_tables(qtbot, window, runs)


def beside_tables(qtbot: QtBot, window: MainWindow, runs: int = 1) -> MainWindow:
    """Runs and published tables are listed, none of them ticked."""
    window.show_page(COMPARE)
    window.compare.list.search.clear()
    qtbot.waitUntil(lambda: bool(window.comparison_controller.references))
    qtbot.waitUntil(lambda: len(rows(window)) == runs + len(library()))
    return window


def rows(window: MainWindow) -> list[QModelIndex]:
    model = window.compare.list.model
    groups = [model.index(at, 0) for at in range(model.rowCount())]
    return [model.index(at, 0, group) for group in groups for at in range(model.rowCount(group))]


def tick(window: MainWindow, *keys: DriveKey) -> None:
    tree = window.compare.list.tree
    for key in keys:
        tree.setCurrentIndex(next(one for one in rows(window) if one.data(KEY) == key))
        QTest.keyClick(tree, Qt.Key.Key_Space)


def test_stored_runs_and_a_published_table_are_laid_over_each_other(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = on_compare(qtbot, open_window, replay)
    page = window.compare
    # With nothing ticked the first step is to have drives measured.
    assert page.head.button.text().strip() == "Compare drives…"
    tick(window, RunKey((1,)))
    assert not page.head.button.isEnabled()
    tick(window, RunKey((2,)), REFERENCE)
    assert page.head.button.text().strip() == "Compare 3"
    page.press()
    # Its answer arrives through the event loop, which has not gone on yet.
    assert page.head.button.text().strip() == "Comparing"
    assert not page.head.button.isEnabled()
    qtbot.waitUntil(lambda: window.comparison_controller.comparison is not None)
    qtbot.waitUntil(page.chart.isVisible)
    # In a window of the usual size there is room for rate and latency.
    window.resize(*USUAL)
    qtbot.waitUntil(lambda: all(view.isVisible() for view in page.chart.views))
    picture = page.chart.picture
    assert picture is not None
    names = [one.name for one in picture.series]
    assert re.match(r"This computer, \d+ \w{3} \d{4} \d\d:\d\d", names[0])
    # Runs of one minute are told apart by their numbers.
    assert names[0] != names[1]
    assert names[2] == "2010, Callaghan's PCIe flash"
    drawn = page.chart.plots[0].curves.scene_shown.traces
    assert [trace.index for trace in drawn] == [0, 1, 2]
    assert drawn[0].marks[0].low < drawn[0].marks[0].y < drawn[0].marks[0].high
    see(qtbot, page.side, "Mind how each was measured", "Different programs measured")
    titles = [
        present(page.roles.topLevelItem(at)).text(0) for at in range(page.roles.topLevelItemCount())
    ]
    assert "Random reads of 16 KiB, 8 threads" in titles
    page.side.radios.button(2).click()
    assert page.modes.key == "ratios"
    assert "over 2010, Callaghan's PCIe flash" in page.chart.rate_title.text()
    drawn = page.chart.plots[0].curves.scene_shown.traces
    assert all(abs(mark.y) < 1e-9 for mark in drawn[2].marks)
    page.roles.setCurrentItem(present(page.roles.topLevelItem(0)))
    QTest.keyClick(page.roles, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    heads, *copied = QGuiApplication.clipboard().text().splitlines()
    assert heads.split("\t")[1:4] == names
    assert [line.count("\t") for line in copied] == [4]
    QTest.mouseClick(page.head.button, Qt.MouseButton.LeftButton)
    assert window.comparison_controller.comparison is None
    assert len(window.comparison_controller.picked) == 3


def test_at_most_twelve_can_be_ticked(qtbot: QtBot, done: MainWindow) -> None:
    window = beside_tables(qtbot, done)
    keys = [ReferenceKey(one.key) for one in library()[: MOST - 1]]
    tick(window, RunKey((1,)), *keys)
    checked = Qt.ItemDataRole.CheckStateRole
    rest = [one for one in rows(window) if one.data(checked) is Qt.CheckState.Unchecked]
    assert len(rest) == len(library()) - (MOST - 1)
    assert not any(one.flags() & Qt.ItemFlag.ItemIsEnabled for one in rest)
    window.comparison_controller.pick(ReferenceKey("one-more"), True)
    assert len(window.comparison_controller.picked) == MOST
    window.comparison_controller.pick(RunKey((1,)), False)
    assert all(one.flags() & Qt.ItemFlag.ItemIsEnabled for one in rows(window))


def test_a_search_keeps_what_is_ticked(qtbot: QtBot, done: MainWindow) -> None:
    window = beside_tables(qtbot, done)
    tick(window, RunKey((1,)))
    window.compare.list.search.setText("raid5")
    assert {one.data() for one in rows(window)} >= {"2008, Zaitsev's RAID5"}
    assert all("RAID5" in one.data() for one in rows(window))
    assert window.comparison_controller.picked == (RunKey((1,)),)


def test_a_deleted_run_leaves_the_comparison(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = on_compare(qtbot, open_window, replay, runs=1)
    tick(window, RunKey((1,)), REFERENCE)
    window.parts.stored_runs.delete_run(1, "Run 1")
    assert window.comparison_controller.picked == (REFERENCE,)
    assert len(rows(window)) == len(library())


def test_drives_are_priced_and_compared_under_a_watched_server(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = on_compare(qtbot, open_window, replay, runs=1)
    page, controller = window.compare, window.comparison_controller
    watched = on_a_slow_drive()
    controller._use_cases = replace(controller._use_cases, load_case=lambda _store, _voice: watched)
    tick(window, REFERENCE, ReferenceKey("zaitsev-raid5-2008"))
    page.press()
    qtbot.waitUntil(lambda: controller.comparison is not None)
    flash, raid = present(controller.comparison).contenders
    QTest.mouseClick(page.side.prices, Qt.MouseButton.LeftButton)
    dialog = present(window.findChild(PricesDialog))
    qtbot.waitUntil(dialog.isActiveWindow)
    QTest.keyClicks(present(dialog.focusWidget()), "much")
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert "'much' is not a price." in texts(dialog.callout)
    dialog.fields[flash.key].setText("420")
    dialog.fields[raid.key].setText("95,5")
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert present(controller.comparison).prices == (420.0, 95.5)
    captions = [
        present(page.roles.topLevelItem(at)).text(0).strip()
        for at in range(page.roles.topLevelItemCount())
    ]
    assert "price per 1,000/s" in captions
    window.resize(1024, 700)
    qtbot.waitUntil(lambda: window.width() == 1024)
    assert page.modes.width() >= page.modes.sizeHint().width()
    before = page.export_button.geometry()
    page.modes.pick(UNDER)
    page.modes.picked.emit(UNDER)
    assert controller.under is None
    assert page.under.sentences.text().startswith("Forecasting ")
    qtbot.waitUntil(lambda: controller.under is not None or controller.under_refused is not None)
    assert controller.under_refused is None
    assert page.export_button.geometry() == before
    assert not page.under.table.isColumnHidden(PRICE)
    assert not page.under.sentences.text().startswith("Forecasting ")
    # What it says of the server stands over all, and is said once.
    answer = page.head.sentence.text()
    assert answer == drive_answer(present(controller.under))
    assert "your server" in answer
    assert "With the server's 32 connections " in page.under.sentences.text()
    said = page.under.sentences.text()
    assert (
        "The fastest is " in said or "too close to call" in said or "none of them is surely" in said
    )
    assert "The best of the drives alone: for data " in said
    assert "in the unit of the prices" in said
    assert page.under.table.topLevelItemCount() == 2
    # The table and the curves are of the server: what is of the drives alone gives way to them.
    assert not page.roles.isVisible()
    assert page.under.chart.isVisible()
    chart = page.under.chart
    qtbot.waitUntil(lambda: chart.height() >= chart.minimumSizeHint().height())
    names = [line.name for line in present(page.under.chart.picture).lines]
    assert names == [f"A  {flash.name}", f"B  {raid.name}"]
    assert present(page.under.chart.picture).title == "queries/s"
    QTest.mouseClick(page.under.sides.button(TIME), Qt.MouseButton.LeftButton)
    assert present(page.under.chart.picture).title == "p95"
    # A long name of a server gives way to the choice beside it.
    page.under.servers.setItemText(0, "the production server with a very long name " * 2)
    body = present(page.under.widget())
    qtbot.waitUntil(lambda: body.width() == page.under.viewport().width())
    assert page.under.sides.geometry().right() < body.width()
    assert page.under.sides.width() >= page.under.sides.sizeHint().width()
    pictures = []
    for mode in (Mode.LIGHT, Mode.DARK):
        window.choose_appearance(mode)
        pictures.append(page.under.chart.grab().toImage())
    assert pictures[0] != pictures[1]
    page.modes.pick(CURVES)
    page.modes.picked.emit(CURVES)
    assert page.roles.isVisible()
    assert page.head.sentence.text() == lead(present(controller.comparison))
