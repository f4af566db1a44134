"""A real quick run in the window, on this computer, with the throwaway server.

How long it blocks the event loop meanwhile is measured by ``make bench SUBJECT=window``.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from advisor.run import RunState
from advisor.store.store import Store
from app.controllers.drive_keys import ReferenceKey, RunKey
from app.views.advice.page import ADVICE as CARD
from app.views.advice.page import LENS, PLAN
from app.window.application import build, real_use_cases
from app.window.main_window import MainWindow
from app.window.parts import ADVICE, COMPARE
from app.window.program import rule_notes
from probes.kinds.kind import CHECK_KINDS
from probes.kinds.table import PROBES_OF
from probes.plans.plan import PlanName
from probes.plans.shapes import SHAPES
from probes.points import Probe
from tests.app.window.conftest import shut
from tests.short_plans import FEW_LEVELS


def look_at_everything(qtbot: QtBot, window: MainWindow) -> None:
    """Each view of the run that has just ended, one after the other."""
    panel = window.probe.measure.panel
    panel.pane.modes.button("map").click()
    qtbot.wait(300)
    for probe in (Probe.REDO_SYNC, Probe.PAGE_FLUSH, Probe.RANDOM_READ):
        panel.probes.segments.button(probe.value).click()
        qtbot.wait(100)
    panel.pane.modes.button("curves").click()
    assert panel.picture is not None
    panel.open_point(panel.picture.series[0].points[0])
    qtbot.wait(100)
    window.show_page(COMPARE)
    for key in (RunKey((1,)), ReferenceKey("callaghan-flash-2010")):
        window.comparison_controller.pick(key, True)
    window.compare.press()
    qtbot.waitUntil(lambda: window.comparison_controller.comparison is not None)
    window.compare.modes.button("ratios").click()
    qtbot.wait(100)
    window.show_page(ADVICE)
    qtbot.wait(300)
    for side in (PLAN, LENS, CARD):
        window.advice.show_side(side)
        qtbot.wait(200)
    for words in ("flush", ""):
        window.advice.filter.search.setText(words)
        qtbot.wait(100)
    for _ in range(5):
        QTest.keyClick(window.advice.list, Qt.Key.Key_Down)
        qtbot.wait(50)


@pytest.mark.skipif(
    shutil.which("mariadbd") is None and shutil.which("mysqld") is None,
    reason="needs a mariadbd or mysqld to start",
)
def test_a_real_quick_run_is_measured_judged_and_looked_at(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SHAPES, PlanName.QUICK, FEW_LEVELS)
    window = build(qapp, real_use_cases(), rule_notes())
    window.show()
    try:
        qtbot.waitUntil(lambda: not window.run_controller.looking("local"))
        window.probe.setup.directory.setText(str(tmp_path))
        window.probe.setup.sandbox.setChecked(True)
        with qtbot.waitSignal(window.run_controller.ended):
            window.probe.start()
        look_at_everything(qtbot, window)
        run = window.selection.run
        assert run is not None
        assert run.error is None, run.error
        assert run.state is RunState.DONE
        probes = {point.setting.probe for point in run.points}
        kinds = [PROBES_OF[kind] for kind in CHECK_KINDS]
        assert probes == {one for kind in kinds for one in kind} - {Probe.PK_UPDATE}, run.warnings
        assert run.judgement is not None
        # On a drive that others use, too, points are doubted, and rules say so instead of judging.
        assert len(run.judgement.recommendations) + len(run.judgement.not_judged) >= 8
        with Store.open() as store:
            assert [one.state for one in store.runs()] == [RunState.DONE]
    finally:
        shut(qtbot, window)
    assert list(tmp_path.iterdir()) == []
