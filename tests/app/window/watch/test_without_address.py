"""A server known from texts: what can be done there is offered, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from advisor.judging.over_draws import judge
from advisor.runs.sent.asked import ServerTexts
from advisor.runs.sent.server_texts import take_server
from advisor.store.cases import load_case
from advisor.store.store import Store
from app.controllers.selection import Choice
from app.runtime.use_cases import UseCases
from app.views.dialogs.server_texts import ServerTextsDialog
from app.views.dialogs.target import TargetDialog
from app.window.main_window import MainWindow
from app.window.parts import OVERVIEW, PROBE, WATCH
from probes.texts.typed import Typed
from tests.app.window.conftest import OpenWindow, caught_up
from tests.app.window.looking import texts
from tests.app.window.replay import Replay
from tests.present import present
from tests.probes.texts.recorded import SERVER_TEXTS


@pytest.fixture
def window(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> MainWindow:
    """A server that is known from one text: no second status, nothing timed."""
    known: UseCases = replace(replay.use_cases(), load_case=load_case, judge=judge)
    monkeypatch.setattr(replay, "use_cases", lambda: known)
    with Store.open(replay.path) as store:
        sent = (SERVER_TEXTS / "variables.txt",)
        list(take_server(store, ServerTexts("db7", sent, "", Typed())))
    made = open_window(replay)
    made.selection.choose(Choice("db7"))
    made.show_page(OVERVIEW)
    qtbot.waitUntil(lambda: made.selection.latest is not None)
    caught_up(qtbot, made)
    return made


def test_no_page_offers_to_measure_there(window: MainWindow) -> None:
    for page in (OVERVIEW, WATCH, PROBE):
        window.show_page(page)
        said = texts(window)
        for word in ("Measure the drive", "Start measuring", "Watch the server"):
            assert word not in said, page


def test_watch_says_what_is_known_and_what_a_watch_would_add(window: MainWindow) -> None:
    window.show_page(WATCH)
    said = texts(window.watch)
    assert "Known from texts" in said
    assert "Settings and counters are known; a watch would add" in said
    assert not window.watch.length.isVisible()
    window.watch.start()
    assert "can't be watched from here" in texts(window.watch.callout)


def test_newer_texts_are_asked_for_under_its_name(qtbot: QtBot, window: MainWindow) -> None:
    window.show_page(WATCH)
    window.watch.press()
    dialog = present(window.findChild(ServerTextsDialog))
    assert dialog.fields.lines["name"].text() == "db7"
    dialog.reject()


def test_an_address_is_asked_for_where_it_has_none(qtbot: QtBot, window: MainWindow) -> None:
    window.show_page(PROBE)
    assert window.probe.head.button.text().strip() == "Give it an address…"
    window.probe.press()
    dialog = present(window.findChild(TargetDialog))
    assert dialog.isVisible()
    dialog.reject()
    window.show_page(OVERVIEW)
    assert window.overview.address.isVisible()
    assert not window.overview.again.isVisible()
