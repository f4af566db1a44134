"""One window for the tests of a file: each finds it as if its run had just been opened."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from app.controllers.selection import Choice
from app.theme.appearance import Mode
from app.views.advice.page import ADVICE
from app.window.frame import USUAL
from app.window.main_window import MainWindow
from app.window.parts import COMPARE, PROBE

RUN_1 = Choice(run_id=1)


def begin_anew(qtbot: QtBot, window: MainWindow) -> None:
    """Show run 1 as somebody sees it who opens it for the first time.

    The probe page is in front; for a watch, which has none, its own page. Nothing is typed,
    ticked, narrowed, folded or turned to, and no dialog or message is open.
    """
    for dialog in window.findChildren(QDialog):
        dialog.close()
        dialog.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qtbot.waitUntil(lambda: window.parts.runner.running == 0)
    # Meanwhile nothing of the run is drawn.
    window.show_page(COMPARE)
    window.parts.preferences.forget()
    if window.parts.appearance.mode is not Mode.LIGHT:
        window.choose_appearance(Mode.LIGHT)
    window.resize(*USUAL)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.errors.hide()
    window.notices.clear()
    _forget_choices(window)
    # What is shown of a run is shown from its beginning when that was read again.
    window.selection.choose(Choice())
    window.run_controller.forget()
    window.parts.stored_runs.forget_opened()
    window.selection.choose(RUN_1)
    qtbot.waitUntil(lambda: window.selection.run is not None)
    window.show_page(PROBE)
    panel = window.probe.measure.panel
    qtbot.waitUntil(lambda: not panel.drawing)
    qtbot.waitUntil(lambda: window.parts.runner.running == 0 and window.selection.up_to_date)


def _forget_choices(window: MainWindow) -> None:
    window.comparison_controller.pick_alone(())
    window.advice_controller.forget_choices()
    window.advice_controller.look_as(None)
    advice, panel = window.advice, window.probe.measure.panel
    advice.filter.show_all()
    advice.show_side(ADVICE)
    advice.plan.undo.setChecked(False)
    advice.plan.forms.choose("")
    panel.pane.modes.button("curves").click()
    panel.side.tabs.button("cursor").click()
    panel.side.model.show_all()
    panel.forget_run()
