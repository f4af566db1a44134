"""Another appearance: what is seen is dressed at once, a hidden page when it is shown."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QIcon, QImage
from PySide6.QtWidgets import QDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from advisor.knowledge.findings import findings
from app.controllers.selection import Choice
from app.runtime.time_slices import TimeSlices
from app.theme.appearance import Appearance, Mode
from app.theme.tokens import DARK, LIGHT
from app.views.advice.evidence import Findings
from app.views.charts.curves.curve_chart import CurveChart
from app.views.widgets.buttons import Button
from app.window.main_window import MainWindow
from app.window.parts import ADVICE, COMPARE, OVERVIEW, PAGES, PROBE
from tests.app.window.conftest import OpenWindow
from tests.app.window.replay import Replay


class Restyled(QObject):
    """Which widgets of a page were styled anew."""

    def __init__(self, page: QWidget) -> None:
        super().__init__()
        self.seen: set[QObject] = set()
        self.inside = page.findChildren(QWidget)
        for widget in self.inside:
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802, Qt's name
        if event.type() is QEvent.Type.StyleChange:
            self.seen.add(watched)
        return False


def at_rest(qtbot: QtBot, window: MainWindow) -> QImage:
    """The window's picture, once nothing is under way and it does not change any more."""
    seen: list[QImage] = []

    def done() -> bool:
        filling = any(turns.busy for turns in window.findChildren(TimeSlices))
        waiting = not window.selection.up_to_date or not window.stack.updatesEnabled()
        return not (filling or waiting or window.parts.runner.running)

    def same() -> bool:
        seen.append(window.grab().toImage())
        return done() and len(seen) > 2 and seen[-1] == seen[-2] == seen[-3]

    qtbot.waitUntil(done)
    qtbot.waitUntil(same)
    return seen[-1]


def test_a_page_that_was_hidden_looks_like_one_that_was_seen(
    qtbot: QtBot, done: MainWindow
) -> None:
    done.choose_appearance(Mode.LIGHT)
    done.header.tabs.setFocus()
    for page in PAGES:
        done.show_page(page)
        light = at_rest(qtbot, done)
        done.choose_appearance(Mode.DARK)
        dark = at_rest(qtbot, done)
        assert dark != light
        done.choose_appearance(Mode.LIGHT)
        done.show_page((page + 1) % len(PAGES))
        done.choose_appearance(Mode.DARK)
        done.show_page(page)
        assert at_rest(qtbot, done) == dark, page
        done.choose_appearance(Mode.LIGHT)
        assert at_rest(qtbot, done) == light, page


def icons_of(page: QWidget) -> dict[Button, int]:
    found = {one: one.icon() for one in page.findChildren(Button)}
    return {one: icon.cacheKey() for one, icon in found.items() if not icon.isNull()}


def test_hidden_pages_are_left_alone_until_they_are_shown(
    qtbot: QtBot, done: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    done.choose_appearance(Mode.LIGHT)
    done.show_page(OVERVIEW)
    at_rest(qtbot, done)
    drawn: list[CurveChart] = []
    draw = CurveChart.show_picture

    def watched(chart: CurveChart, *told: Any) -> None:
        drawn.append(chart)
        draw(chart, *told)

    monkeypatch.setattr(CurveChart, "show_picture", watched)
    pages = {PROBE: done.probe.measure, ADVICE: done.advice, COMPARE: done.compare}
    styled = {place: Restyled(page) for place, page in pages.items()}
    icons = {place: icons_of(page) for place, page in pages.items()}
    before = icons_of(done.sidebar)
    done.choose_appearance(Mode.DARK)
    assert drawn == []
    assert not any(each.seen for each in styled.values())
    assert icons == {place: icons_of(page) for place, page in pages.items()}
    assert not before.items() & icons_of(done.sidebar).items()
    for place, page in pages.items():
        done.show_page(place)
        assert {*styled[place].inside} <= styled[place].seen
        assert not icons[place].items() & icons_of(page).items()
        assert {*page.findChildren(CurveChart)} <= {*drawn}
        done.show_page(OVERVIEW)
        shown = icons_of(page)
        done.show_page(place)
        assert icons_of(page) == shown
    assert DARK.ground not in done.probe.setup.styleSheet()
    done.show_page(PROBE)
    done.selection.choose(Choice())
    qtbot.waitUntil(done.probe.setup.isVisible)
    assert DARK.ground in done.probe.setup.styleSheet()


def test_a_dialog_is_dressed_and_follows(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    window.choose_appearance(Mode.DARK)
    window.add_target()
    (dialog,) = window.findChildren(QDialog)
    assert DARK.ground in dialog.styleSheet()
    window.choose_appearance(Mode.LIGHT)
    assert DARK.ground not in dialog.styleSheet()
    dialog.close()


def test_links_follow_the_palette(qtbot: QtBot, appearance: Appearance) -> None:
    cited = next(one for one in findings().values() if one.url)
    shown = Findings(appearance)
    qtbot.addWidget(shown)
    list(shown.display((cited,), ()))
    shown.show()
    appearance.choose(Mode.DARK)
    (link,) = [one for one in shown.findChildren(QLabel) if "<a " in one.text()]
    assert DARK.accent in link.text()


@pytest.mark.parametrize("mode", [Mode.LIGHT, Mode.DARK])
def test_the_icon_of_a_button_that_is_off_is_seen(
    qtbot: QtBot, appearance: Appearance, mode: Mode
) -> None:
    """It is as quiet as the button's text."""
    appearance.choose(mode)
    button = Button(appearance, "Compare", "scale", "primary")
    qtbot.addWidget(button)
    shown = button.icon().pixmap(16, QIcon.Mode.Disabled).toImage()
    inked = [shown.pixelColor(x, y) for x in range(16) for y in range(16)]
    quiet = (DARK if mode is Mode.DARK else LIGHT).quiet
    assert {colour.name() for colour in inked if colour.alpha() == 255} == {quiet}
