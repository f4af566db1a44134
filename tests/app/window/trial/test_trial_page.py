"""A trial from the window on a real server at work: asked for, agreed to, taken back, kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from advisor.run import RunKind
from advisor.runs.trial.events import TrialPlanned
from advisor.runs.trial.request import TrialRequest
from advisor.store.store import Store
from advisor.trial.record import TrialAsked, TrialDesign, TrialEnd, TrialVerdict, WayBack
from app.controllers.asides.trial import LiveTrial, TrialPhase
from app.controllers.selection import Choice
from app.fields.trial import TrialForm
from app.presenters.trial.guard_strip import guard_cells
from app.presenters.trial.page import LONGEST_WORD, consent_word
from app.presenters.trial.wish import TrialWish
from app.views.trial.page import TrialPage
from app.views.widgets.run_page import RunPage
from app.window.application import build, real_use_cases
from app.window.main_window import MainWindow
from app.window.parts import WATCH
from probes.targets.address import MySQLAddress, TargetKind, TargetSpec
from probes.trial.ended import GuardLimit
from probes.trial.guard import GuardBeat, GuardLimits
from tests.app.cli.commands.trying.test_trial import NAME, at_work
from tests.app.cli.commands.trying.test_trial_steps import SMALL
from tests.app.cli.commands.trying.test_trial_steps import at_work as looked_up
from tests.app.window.conftest import OpenWindow, shut
from tests.app.window.looking import see, texts
from tests.app.window.replay import Replay
from tests.present import present
from tests.servers.eleven import RunningServer, chosen

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    build_of = chosen()[0]
    with build_of.start() as running, at_work(running.socket):
        yield running


@pytest.fixture
def window(
    qtbot: QtBot, qapp: QApplication, server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MainWindow]:
    # Shorter blocks, a short look and a small budget.
    monkeypatch.setattr("app.fields.trial.LEAST_WATCH_S", 1.0)
    monkeypatch.setattr("app.fields.trial.LEAST_BUDGET_S", 1.0)
    monkeypatch.setattr("advisor.trial.noise.BLOCKS_S", (0.5,))
    monkeypatch.setattr("app.presenters.trial.wish.TrialForm", partial(TrialForm, watch="4s"))
    with Store.open() as store:
        reached = MySQLAddress(socket=server.socket, user="root")
        store.save_target(TargetSpec(name="db7", mysql=reached))
    made = build(qapp, real_use_cases())
    made.show()
    qtbot.waitUntil(lambda: made.parts.stored_runs.shelf.spec("db7") is not None)
    made.selection.choose(Choice("db7"))
    yield made
    shut(qtbot, made)


@pytest.fixture
def page(window: MainWindow) -> TrialPage:
    window.pages.going.try_change("")
    found = present(window.asides.trial.page)
    assert isinstance(found, TrialPage)
    return found


def value(server: RunningServer) -> str:
    return str(server.sql(f"SELECT @@GLOBAL.{NAME} AS said")[0]["said"])


def trial(window: MainWindow) -> LiveTrial:
    return present(window.pages.trial_controller.trial)


def asked(qtbot: QtBot, window: MainWindow, page: TrialPage, budget: str = "60s") -> None:
    """Name the change, and have the server looked at until the question stands there."""
    QTest.keyClicks(page.setting, f"{NAME}=50")
    page.fields.lines["budget"].setText(budget)
    page.head.button.click()
    assert trial(window).phase is TrialPhase.LOOKING
    qtbot.waitUntil(lambda: trial(window).phase is not TrialPhase.LOOKING)


def test_it_is_agreed_to_watched_and_taken_back(
    qtbot: QtBot, window: MainWindow, page: TrialPage, server: RunningServer
) -> None:
    before = value(server)
    asked(qtbot, window, page)
    assert trial(window).phase is TrialPhase.ASKING, trial(window).error
    see(qtbot, page, "Sets", "Guard", "Way back", "Kept", f"SET GLOBAL {NAME} = 50")
    assert page.prompt.text() == "Type db7 to agree:"
    assert len(page.strip.shown) >= 4
    assert "row locks are waited for" not in texts(page)
    page.limits.button.click()
    assert "row locks are waited for" in texts(page)
    assert value(server) == before
    QTest.keyClicks(page.consent, "db")
    assert not page.head.button.isEnabled()
    QTest.keyClicks(page.consent, "7")
    QTest.keyClick(page.consent, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(trial(window).pairs) > 1)
    assert page.chart.isVisible()
    # What the guard looks at grows in place: each limit with what the server came to.
    qtbot.waitUntil(lambda: page.strip.shown[0].tone != "quiet")
    before_beat = present(trial(window).beat)
    names = [cell.name for cell in page.strip.shown]
    assert names[:4] == ["Time per statement", "Threads at work", "Row-lock waits", "Statements"]
    assert {"Memory left", "Room left"} <= set(names)
    assert page.strip.shown[0].limit.startswith("of ")
    qtbot.waitUntil(lambda: trial(window).beat is not before_beat)
    # One button ends it here, and the window's own everywhere else: it takes back, too.
    assert page.head.button.text().strip() == "Take back now"
    assert not window.header.stop.isVisible()
    assert not window.status_bar.cancel.isVisible()
    qtbot.waitUntil(lambda: value(server) == "50")
    QTest.keyClick(page, Qt.Key.Key_Escape)
    assert window.header.stop.isVisible()
    assert window.header.stop.text().strip() == "Stop the trial"
    # It is no watch, and stands on its own page.
    window.show_page(WATCH)
    assert window.watch.head.sentence.text() == "A trial goes on."
    assert "Watching" not in texts(window.watch)
    window.watch.press()
    assert window.asides.trial.in_front
    QTest.keyClick(page, Qt.Key.Key_Escape)
    window.halting.stop_one("db7")
    assert trial(window).phase is TrialPhase.STOPPING
    window.asides.trial.show()
    qtbot.waitUntil(lambda: trial(window).record is not None)
    record = present(trial(window).record)
    assert (record.verdict, record.ended) == (TrialVerdict.UNDECIDED, TrialEnd.STOPPED)
    assert value(server) == before
    assert "Undecided, so back" in page.head.sentence.text()
    page.head.button.click()
    assert window.selection.choice == Choice("db7", present(trial(window).run_id))
    assert window.selection.kind is RunKind.TRIAL


def test_a_path_is_agreed_to_by_its_end() -> None:
    assert consent_word(TargetSpec(name="/run/mysqld/mysqld.sock")) == "mysqld.sock"
    assert consent_word(TargetSpec()) == "This computer"
    assert len(consent_word(TargetSpec(name="a" * 99))) == LONGEST_WORD


def test_a_cell_is_amber_near_its_limit_and_a_server_of_which_nobody_wants_anything_is_idle() -> (
    None
):
    limits = GuardLimits(time_us=1000.0, statements_per_s=100.0, free_bytes=1024.0)
    seen = {
        GuardLimit.TIME: 900.0,
        GuardLimit.THREADS_RUNNING: 1.0,
        GuardLimit.STATEMENTS_PER_S: 0.0,
        GuardLimit.FREE: 512.0,
    }
    made = LiveTrial(TrialRequest(TargetSpec()), planned=planned(limits))
    assert {cell.tone for cell in guard_cells(made)} == {"quiet"}
    made.beat = GuardBeat(seen, limits)
    found = {cell.name: (cell.now, cell.limit, cell.tone) for cell in guard_cells(made)}
    assert found == {
        "Time per statement": ("900\u202fµs", "of 1\u202fms", "warn"),
        "Statements": ("0/s", "least 100/s", "good"),
        "Room left": ("512\u202fB", "least 1\u202fKiB", "bad"),
    }


def planned(limits: GuardLimits) -> TrialPlanned:
    design = TrialDesign(3.0, 1.0, 0.1, 8, 60.0, None, None, 1)
    asked = TrialAsked((), "8.4.0", 60.0, 0.0, "", None)
    return TrialPlanned(asked, design, limits, WayBack.AGENT, 0.05, None, ())


def test_it_comes_to_its_end_by_itself(
    qtbot: QtBot, window: MainWindow, page: TrialPage, server: RunningServer
) -> None:
    before = value(server)
    asked(qtbot, window, page, "45s")
    assert trial(window).phase is TrialPhase.ASKING, trial(window).error
    page.consent.setText("db7")
    page.consent.returnPressed.emit()
    qtbot.waitUntil(lambda: trial(window).over and trial(window).record is not None)
    record = present(trial(window).record)
    assert record.verdict is not None
    assert value(server) == ("50" if record.verdict is TrialVerdict.KEPT else before)
    server.sql(f"SET GLOBAL {NAME} = {before}")


def test_what_was_shown_may_be_left(
    qtbot: QtBot, window: MainWindow, page: TrialPage, server: RunningServer
) -> None:
    before = value(server)
    asked(qtbot, window, page)
    page.refuse.click()
    qtbot.waitUntil(lambda: trial(window).over)
    assert page.head.sentence.text() == "Not started: nothing was set."
    assert value(server) == before
    with Store.open() as store:
        assert store.runs("db7") == []
    page.head.button.click()
    assert window.stack.currentWidget() is not page


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "A trial tries something."),
        ("innodb_io_capacity", "is no NAME=VALUE"),
    ],
)
def test_what_can_not_be_tried_is_refused_before_anything_begins(
    window: MainWindow, page: TrialPage, typed: str, sentence: str
) -> None:
    page.setting.setText(typed)
    page.head.button.click()
    assert sentence in texts(page.callout)
    assert window.pages.trial_controller.trial is None


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("innodb_flush_log_at_trx_commit=2", "never tried on a live server"),
        ("innodb_no_such=1", "does not know"),
    ],
)
def test_what_the_server_shows_can_not_be_tried_says_why(
    qtbot: QtBot, window: MainWindow, page: TrialPage, typed: str, sentence: str
) -> None:
    page.setting.setText(typed)
    page.head.button.click()
    qtbot.waitUntil(lambda: trial(window).over)
    assert sentence in texts(page.head)
    assert page.head.button.text().strip() == "Back"


def test_a_restart_by_hand_is_looked_at_before_and_after(
    qtbot: QtBot,
    window: MainWindow,
    page: TrialPage,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr("advisor.runs.trial.request.LOOK_TIMES", 1.5)
    build_of, setting = chosen()[0], "innodb_read_io_threads"
    with ExitStack() as held:
        first = held.enter_context(ExitStack())
        server = first.enter_context(build_of.start_in(tmp_path, SMALL))
        held.enter_context(looked_up(server))
        target = TargetSpec(name="db8", mysql=MySQLAddress(socket=server.socket, user="root"))
        page.ask(TrialWish(target))
        page.setting.setText(f"{setting}=8")
        page.fields.switches["restart"].click()
        page.head.button.click()
        qtbot.waitUntil(lambda: trial(window).phase is TrialPhase.BY_HAND)
        assert page.agreement.isHidden()
        qtbot.waitUntil(lambda: "Restart the server now" in page.head.sentence.text())
        assert page.head.button.text().strip() == "Stop"
        first.close()
        held.enter_context(build_of.start_in(tmp_path, (*SMALL, f"--{setting}=8")))
        qtbot.waitUntil(lambda: trial(window).over and trial(window).record is not None)
    record = present(trial(window).record)
    looks = present(record.stepped).looks
    assert [look.value for look in looks] == ["4", "8"], trial(window).error
    assert "After the restart" in page.head.sentence.text()


def test_a_replica_that_nobody_knows_is_named_before_anything_is_asked(
    qtbot: QtBot, window: MainWindow, page: TrialPage
) -> None:
    page.fields.lines["replicas"].setText("db7, nowhere")
    page.setting.setText(f"{NAME}=50")
    page.head.button.click()
    qtbot.waitUntil(lambda: trial(window).over)
    assert "There is no target named 'nowhere'" in texts(page.head)


def test_what_is_known_from_texts_alone_is_not_tried(qtbot: QtBot, window: MainWindow) -> None:
    with Store.open() as store:
        store.save_target(TargetSpec(kind=TargetKind.TEXTS, name="mail"))
    window.parts.stored_runs.refresh()
    qtbot.waitUntil(lambda: window.parts.stored_runs.shelf.spec("mail") is not None)
    window.selection.choose(Choice("mail"))
    window.pages.going.try_change("")
    assert window.asides.trial.page is None
    assert "nothing can be tried" in texts(window.notices)


def test_the_view_menu_asks_for_what_was_not_asked_yet(
    open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    going, asides = window.pages.going, window.asides
    for show, aside in ((going.show_trial, asides.trial), (going.show_lab, asides.lab)):
        show()
        page = present(aside.page)
        assert isinstance(page, RunPage)
        assert page.head.button.text().strip()
        assert page.head.sentence.text()
        page.left.emit()
        assert not aside.in_front
        show()
        assert aside.in_front
    # From one of these pages to the other, each under its own name.
    for show, name in ((going.show_trial, "Trial"), (going.show_lab, "Lab")):
        show()
        assert window.header.name.text() == name
        assert window.header.tabs.isHidden()
        assert not window.sidebar.tree.selectionModel().hasSelection()


def test_what_is_offered_to_type_is_written_as_people_write_it(page: TrialPage) -> None:
    lines = page.fields.lines
    assert (lines["budget"].text(), lines["worth"].text()) == ("15 min", "0 %")
    typed = TrialForm(("innodb_io_capacity=1000",), budget="15 min", worth="0 %")
    request = typed.request(TargetSpec())
    assert (request.budget_s, request.worth) == (900.0, 0.0)
