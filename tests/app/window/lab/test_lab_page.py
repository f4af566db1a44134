"""A lab from the window, on real servers of its own: what it takes, its turns, its answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from advisor.lab.asked import Asked
from advisor.run import RunKind, RunState
from advisor.store.store import Store
from app.controllers.asides.lab import LabPhase, LiveLab
from app.controllers.selection import Choice
from app.fields.lab import LabForm
from app.presenters.charts.lanes import Spot
from app.views.lab.page import LabPage
from app.window.application import build, real_use_cases
from app.window.main_window import MainWindow
from tests.app.window.conftest import shut
from tests.app.window.looking import texts
from tests.present import present

USUAL = LabForm._asked


def brief(form: LabForm, *asked: Any) -> Asked:
    """The same question with turns of a third of a second."""
    return replace(USUAL(form, *asked), turn_s=0.3, settle_s=0.1)


@pytest.fixture
def window(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MainWindow]:
    place = tmp_path / "lab"
    place.mkdir()
    monkeypatch.setattr("app.fields.lab.LEAST_BUDGET_S", 1.0)
    monkeypatch.setattr("advisor.runs.lab.working.WARM_LIMIT_S", 2.0)
    monkeypatch.setattr(LabForm, "_asked", brief)
    small = partial(
        LabForm,
        data="16M",
        pool="24M",
        redo="16M",
        connections="2",
        load="update",
        directories=(str(place),),
        start_anyway=True,
    )
    monkeypatch.setattr("app.presenters.lab.wish.LabForm", small)
    made = build(qapp, real_use_cases())
    made.show()
    yield made
    shut(qtbot, made)
    assert list(place.iterdir()) == []


@pytest.fixture
def page(window: MainWindow) -> LabPage:
    window.pages.going.ask_lab()
    found = present(window.asides.lab.page)
    assert isinstance(found, LabPage)
    found.fields.lists["ask"].setCurrentIndex(found.fields.lists["ask"].findData("doublewrite"))
    return found


def lab(window: MainWindow) -> LiveLab:
    return present(window.pages.lab_controller.lab)


def dots(page: LabPage) -> list[Spot]:
    traces = [trace for lane in page.turns.sheet.lanes for trace in lane.traces]
    return [spot for trace in traces for spot in trace.spots]


def planned(qtbot: QtBot, window: MainWindow, page: LabPage, budget: str) -> None:
    page.fields.lines["budget"].setText(budget)
    page.head.button.click()
    qtbot.waitUntil(lambda: lab(window).phase is not LabPhase.LOOKING)


def test_what_it_takes_is_shown_and_then_its_effects(
    qtbot: QtBot, window: MainWindow, page: LabPage
) -> None:
    assert "What does the doublewrite buffer cost here?" in page.fields.lists["ask"].currentText()
    planned(qtbot, window, page, "25s")
    assert lab(window).phase is LabPhase.PLANNED, lab(window).error
    assert "Nothing is begun" in page.head.sentence.text()
    assert "innodb_doublewrite" in texts(page.rows)
    with Store.open() as store:
        assert store.runs() == []
    page.head.button.click()
    qtbot.waitUntil(lambda: len(lab(window).turns) > 2)
    assert page.head.button.text().strip() == "Stop the lab"
    # Each turn is a dot of its variant, as it comes.
    assert page.turns.isVisible()
    qtbot.waitUntil(lambda: len(dots(page)) == len(lab(window).turns))
    assert {trace.name for trace in page.turns.sheet.lanes[0].traces} >= {"ON", "OFF"}
    assert not window.header.stop.isVisible()
    qtbot.waitUntil(lambda: lab(window).phase is LabPhase.ENDED)
    seen = present(lab(window).seen)
    assert seen.outcome.rounds > 0
    assert page.chart.isVisible()
    assert "innodb_doublewrite" in page.head.sentence.text()
    page.head.button.click()
    run_id = present(lab(window).run_id)
    assert window.selection.choice == Choice("local", run_id)
    assert window.selection.kind is RunKind.LAB
    qtbot.waitUntil(window.overview.answer.isVisible)


def test_it_can_be_stopped_and_leaves_nothing(
    qtbot: QtBot, window: MainWindow, page: LabPage
) -> None:
    planned(qtbot, window, page, "60s")
    page.head.button.click()
    qtbot.waitUntil(lambda: bool(lab(window).turns))
    page.head.button.click()
    assert lab(window).phase is LabPhase.STOPPING
    qtbot.waitUntil(lambda: lab(window).phase is LabPhase.ENDED)
    with Store.open() as store:
        (run,) = store.runs()
        assert run.state is RunState.CANCELLED


def test_what_was_shown_is_not_begun_by_going_back(
    qtbot: QtBot, window: MainWindow, page: LabPage
) -> None:
    planned(qtbot, window, page, "25s")
    page.left.emit()
    window.pages.going.ask_lab()
    assert window.pages.lab_controller.lab is None
    assert page.form.isVisible()
    with Store.open() as store:
        assert store.runs() == []


def test_a_budget_that_is_none_is_refused(window: MainWindow, page: LabPage) -> None:
    page.fields.lines["budget"].setText("soon")
    page.head.button.click()
    assert page.callout.isVisible()
    assert "soon" in texts(page.callout)
    assert window.pages.lab_controller.lab is None
