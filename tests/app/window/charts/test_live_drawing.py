"""What is made and drawn anew while a run goes on: what has changed, and no more."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.controllers.run import Growing, LiveRun
from app.presenters.charts.curves import Gallery, pictures
from app.presenters.charts.scene import SceneOptions
from app.theme.appearance import Appearance
from app.views.charts.curves import curves_item
from app.views.charts.curves.curve_chart import CurveChart
from app.views.charts.curves.run_facts import RunFacts
from app.views.widgets.labels import label
from app.views.widgets.layouts import Pile
from probes.points import Probe, Sample, Setting
from tests.app.window.replay import replayed

READS = [Setting(Probe.RANDOM_READ, n, 16384, 1, "/data") for n in (1, 2, 4)]
WRITES = [Setting(Probe.RANDOM_WRITE, n, 16384, 1, "/data") for n in (1, 2)]
COMING = [*READS, *WRITES]


def test_only_the_pictures_of_the_probe_that_has_grown_are_made_anew() -> None:
    gallery = Gallery()
    measured = [replayed(one) for one in (*READS, WRITES[0])]
    reads, writes = gallery.pictures(measured, COMING)
    again = gallery.pictures(list(measured), COMING)
    assert again[0] is reads and again[1] is writes
    measured.append(replayed(WRITES[1]))
    grown = gallery.pictures(measured, COMING)
    assert grown[0] is reads
    assert grown == pictures(measured, COMING)
    over = gallery.pictures(measured, COMING, over=True)
    assert over == pictures(measured, COMING, over=True)


def test_a_point_that_grows_leaves_the_drawn_curves_as_they_are(
    qtbot: QtBot, appearance: Appearance, monkeypatch: pytest.MonkeyPatch
) -> None:
    chart = CurveChart(appearance)
    qtbot.addWidget(chart)
    chart.resize(600, 400)
    chart.show()
    drawn: list[str] = []
    for name in ("draw_below", "draw_growing", "draw_above"):
        step = getattr(curves_item._Brush, name)

        def watched(brush: object, name: str = name, step: object = step) -> None:
            drawn.append(name)
            step(brush)  # type: ignore[operator]

        monkeypatch.setattr(curves_item._Brush, name, watched)
    (picture,) = pictures([replayed(one) for one in READS[:2]], READS)
    middle = picture.points[0]
    sample = Sample(0.2, middle.rate_per_s, middle.latency.p95_us, middle.latency.p99_us, None)
    growing = Growing(READS[2], 2, 3, [sample])
    chart.show_picture(picture, growing, SceneOptions())
    chart.grab()
    drawn.clear()
    growing.samples.append(replace(sample, at_s=0.4, rate_per_s=sample.rate_per_s * 0.99))
    chart.show_picture(picture, growing, SceneOptions())
    shown = chart.grab().toImage()
    assert {*drawn} == {"draw_growing"}
    for plot in chart.plots:
        plot.curves._drawn = None
        plot.curves.update()
    assert chart.grab().toImage() == shown
    assert {*drawn} == {"draw_below", "draw_growing", "draw_above"}


def test_conditions_are_told_anew_with_a_point_and_not_with_a_sample(
    qtbot: QtBot, appearance: Appearance, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = RunFacts(appearance)
    qtbot.addWidget(facts)
    run = LiveRun("local", "quick", started_at=datetime.now(UTC).isoformat())
    run.points = (replayed(READS[0]),)
    facts.show_run(run)
    assert facts.texts["Points"].text() == "1 point"
    monkeypatch.setattr(facts, "_rebuild", pytest.fail)
    run.growing = Growing(READS[1], 1, 3)
    with monkeypatch.context() as patched:
        for line in facts.texts.values():
            patched.setattr(line, "setText", pytest.fail)
        facts.show_run(run)
    run.points = (*run.points, replayed(READS[1]))
    facts.show_run(run)
    assert facts.texts["Points"].text() == "2 points"


class Asked(QWidget):
    """Counts who wants to know how high it would be."""

    def __init__(self) -> None:
        super().__init__()
        self.times = 0

    def hasHeightForWidth(self) -> bool:  # noqa: N802, Qt's name
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802, Qt's name
        self.times += 1
        return width

    def sizeHint(self) -> QSize:  # noqa: N802, Qt's name
        return QSize(100, 100)


def test_a_text_that_changes_asks_no_hidden_page_for_its_height(qtbot: QtBot) -> None:
    around, said, pile, hidden = QWidget(), label("One line.", wrap=True), Pile(), Asked()
    layout = QVBoxLayout(around)
    layout.addWidget(said)
    layout.addWidget(pile)
    pile.addWidget(label("seen", wrap=True))
    pile.addWidget(hidden)
    qtbot.addWidget(around)
    around.resize(400, 300)
    around.show()
    before = said.height()
    said.setText("Several lines. " * 20)
    qtbot.waitUntil(lambda: said.height() > before)
    assert hidden.times == 0
