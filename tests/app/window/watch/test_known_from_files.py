"""The sample, a server known from texts and one from an archive: no page offers what can't be.

Each page names how it was looked at by what it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from advisor.judging.over_draws import judge
from advisor.runs.collected import keeping
from advisor.runs.sample import take_sample
from advisor.runs.sent.asked import ServerTexts
from advisor.runs.sent.server_texts import take_server
from advisor.store.cases import load_case
from advisor.store.store import Store
from advisor.target_names import SAMPLE
from app.controllers.selection import Choice
from app.presenters.texts.phrases import NEWER_FILES
from app.runtime.use_cases import UseCases
from app.views.advice.page import ADVICE as ADVICES
from app.views.advice.page import PLAN
from app.views.dialogs.server_texts import ServerTextsDialog
from app.views.dialogs.target import TargetDialog
from app.views.history.page import HistoryPage
from app.window.main_window import MainWindow
from app.window.parts import ADVICE, COMPARE, OVERVIEW, PROBE, WATCH, WHAT_IF
from probes.texts.typed import Typed
from tests.app.window.conftest import OpenWindow, caught_up
from tests.app.window.looking import texts
from tests.app.window.replay import Replay
from tests.present import present
from tests.probes.texts.recorded import SERVER_TEXTS

TEXTS, ARCHIVE = "db7", "db9"
PAGES = (OVERVIEW, WATCH, PROBE, ADVICE, COMPARE, WHAT_IF)
OFFERED = ("Measure the drive", "Start measuring", "Watch the server")
Opened = Callable[[str], MainWindow]


@pytest.fixture
def opened(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> Opened:
    """The window with one of them in front."""
    known: UseCases = replace(replay.use_cases(), load_case=load_case, judge=judge)
    monkeypatch.setattr(replay, "use_cases", lambda: known)

    def open_one(name: str) -> MainWindow:
        with Store.open(replay.path) as store:
            if name == TEXTS:
                sent = tuple(sorted(SERVER_TEXTS.iterdir()))
                list(take_server(store, ServerTexts(name, sent, "", Typed())))
            else:
                list(take_sample(store))
                if name == ARCHIVE:
                    watched = min(run.id for run in store.runs(SAMPLE))
                    with keeping(store, name, store.raw_inventory(watched)):
                        pass
        made = open_window(replay)
        made.selection.choose(Choice(name))
        made.show_page(OVERVIEW)
        qtbot.waitUntil(lambda: made.selection.latest is not None)
        caught_up(qtbot, made)
        return made

    return open_one


@pytest.mark.parametrize("name", [SAMPLE, TEXTS, ARCHIVE])
def test_no_page_offers_to_measure_it(opened: Opened, name: str) -> None:
    window = opened(name)
    for page in PAGES:
        window.show_page(page)
        said = texts(window)
        for word in OFFERED:
            assert word not in said, page
    window.show_page(WATCH)
    assert window.watch.head.button.text().strip() not in ("Watch", "Watch every hour")
    assert not window.watch.length.isVisible()
    assert not window.overview.again.isVisible()
    window.watch.start()
    assert "can't be watched from here" in texts(window.watch.callout)


@pytest.mark.parametrize(
    ("name", "how"), [(TEXTS, "Texts of "), (ARCHIVE, "Collected in "), (SAMPLE, "Watched for ")]
)
def test_the_header_names_how_it_was_looked_at(
    qtbot: QtBot, opened: Opened, name: str, how: str
) -> None:
    window = opened(name)
    window.selection.choose(Choice(name, min(run.id for run in window.selection.runs)))
    qtbot.waitUntil(lambda: window.selection.run is not None)
    caught_up(qtbot, window)
    verdict = texts(window.header)
    assert how in verdict
    assert ("Watched for " in verdict) == (name == SAMPLE)
    assert ("Watched " in texts(window.overview)) == (name == SAMPLE)


def test_beside_the_sample_a_server_is_added(opened: Opened) -> None:
    window = opened(SAMPLE)
    assert window.overview.server.isVisible()
    assert not window.overview.address.isVisible()
    for page in (window.watch, window.probe):
        window.show_page(window.stack.indexOf(page))
        assert page.head.button.text().strip() == "Add a server…"
        page.press()
        dialog = present(window.findChildren(TargetDialog))[-1]
        assert not dialog.fields.lines["name"].text()
        dialog.reject()


@pytest.mark.parametrize("name", [SAMPLE, TEXTS, ARCHIVE])
def test_over_time_offers_another_look_by_files(qtbot: QtBot, opened: Opened, name: str) -> None:
    window = opened(name)
    window.asides.history.show()
    page = window.asides.history.page
    assert isinstance(page, HistoryPage)
    qtbot.waitUntil(lambda: bool(page.head.sentence.text()))
    assert page.head.button.isVisible() == (name != SAMPLE)
    if name == SAMPLE:
        return
    assert page.head.button.text().strip() == NEWER_FILES
    page.head.press()
    dialog = present(window.findChildren(ServerTextsDialog))[-1]
    assert dialog.fields.lines["name"].text() == name
    dialog.reject()


@pytest.mark.parametrize("name", [SAMPLE, TEXTS, ARCHIVE])
def test_nothing_is_tried_on_it(qtbot: QtBot, opened: Opened, name: str) -> None:
    window = opened(name)
    window.show_page(ADVICE)
    caught_up(qtbot, window)
    qtbot.waitUntil(lambda: window.advice_controller.plan is not None)
    for side in (ADVICES, PLAN):
        window.advice.show_side(side)
        assert "Try" not in texts(window.advice)
    window.pages.going.try_change("")
    assert "nothing can be tried on it" in texts(window.notices)
