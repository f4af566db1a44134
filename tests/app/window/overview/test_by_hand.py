"""What a hand expects: rows that lead on, pages that begin at their top, names that are found."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QWidget
from pytestqt.qtbot import QtBot

from advisor.report.lens_words import ChangeRow
from advisor.run import RunKind, RunState, RunSummary, Voice
from app.controllers.run_controller import RunController
from app.controllers.selection import Choice, Selection
from app.controllers.stored_runs import LOCAL, Shelf, StoredRuns
from app.presenters.compare.under import watched_servers
from app.presenters.frame.fuzzy import Ranking
from app.presenters.overview.home import Home, HomeChange, HomeQuestion, Settles
from app.presenters.texts.times import moment
from app.presenters.what_if.knobs import knobs
from app.runtime.jobs import JobRunner
from app.runtime.questions import Desk
from app.theme.appearance import Appearance
from app.views.advice.version_sections import _Line
from app.views.overview.answers import Answers
from app.views.what_if.knob_list import KnobView
from app.views.widgets.buttons import Button, Segments
from app.window.main_window import MainWindow
from app.window.parts import OVERVIEW, PROBE
from probes.targets.address import SshAddress, TargetKind, TargetSpec
from tests.app.window.replay import Replay
from tests.app.window.what_if.test_what_if import server
from tests.present import present

LEFT = Qt.MouseButton.LeftButton
HOME = Home(
    "",
    (
        HomeChange("redo.capacity", "innodb_redo_log_capacity", "15 %", "It is small."),
        HomeChange("block.write-cache", "The write cache", "", "A sync takes 9 \u00b5s."),
    ),
    0,
    "",
    (HomeQuestion("flushing.neighbors", "innodb_flush_neighbors", "It turns on seeks."),),
    "",
    "",
    Settles.PLAN,
    "",
)


@pytest.fixture
def answers(qtbot: QtBot, appearance: Appearance) -> Answers:
    made = Answers(appearance)
    qtbot.addWidget(made)
    list(made.display(HOME))
    made.resize(900, 400)
    made.show()
    return made


def test_a_row_is_followed_wherever_it_is_clicked(answers: Answers) -> None:
    went: list[str] = []
    answers.advice_wanted.connect(went.append)
    lines = [*answers.lines.made, *answers.questions.made]
    assert len(lines) == 3
    for line, rule in zip(
        lines, ("redo.capacity", "block.write-cache", "flushing.neighbors"), strict=True
    ):
        went.clear()
        for text in line.texts:
            if text.isVisible() and text.text():
                QTest.mouseClick(text, LEFT)
        QTest.mouseClick(line, LEFT, pos=QPoint(line.width() // 2, line.height() - 1))
        QTest.mouseClick(line.see, LEFT)
        assert set(went) == {rule}
        assert len(went) >= 4


def test_marking_a_row_s_text_leads_nowhere(answers: Answers) -> None:
    went: list[str] = []
    answers.advice_wanted.connect(went.append)
    text = answers.lines.made[0].texts[0]
    QTest.mousePress(text, LEFT, pos=QPoint(2, 6))
    QTest.mouseMove(text, QPoint(90, 6))
    QTest.mouseRelease(text, LEFT, pos=QPoint(90, 6))
    assert text.selectedText()
    assert went == []


def test_tab_goes_down_home_before_its_footer(done: MainWindow) -> None:
    done.show_page(OVERVIEW)
    overview = done.overview
    overview.order_stops()
    stops = [
        overview.head.button,
        *overview.answers.stops,
        overview.details,
        overview.report,
        overview.again,
    ]
    followers: list[QWidget] = []
    at: QWidget | None = stops[0].nextInFocusChain()
    while at is not None and at is not stops[0]:
        followers.append(at)
        at = at.nextInFocusChain()
    places = [followers.index(stop) for stop in stops[1:]]
    assert all(one < other for one, other in pairwise(places))


def test_home_of_another_target_begins_at_its_top(done: MainWindow) -> None:
    done.show_page(OVERVIEW)
    done.resize(1024, 640)
    overview = done.overview
    overview.details.setChecked(True)
    bar = overview.area.verticalScrollBar()
    bar.setValue(bar.maximum())
    done.selection.chosen.emit()
    assert overview.details.isChecked()
    overview._target = "db7"
    done.selection.chosen.emit()
    assert not overview.details.isChecked()
    assert bar.value() == 0


def test_the_plan_is_chosen_target_by_target(
    done: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    done.show_page(PROBE)
    setup = done.probe.setup
    setup.choose_plan("decide" if "decide" in setup.plan._buttons else "thorough")
    chosen = setup.plan.key
    setup.remember()
    db7 = TargetSpec(TargetKind.SSH, "db7", SshAddress("db7"))
    with monkeypatch.context() as patch:
        patch.setattr(Selection, "spec", property(lambda _self: db7))
        setup.show_target()
        assert setup.plan.key == "quick"
    setup.show_target()
    assert setup.plan.key == chosen != "quick"


RULES = {
    "buffer-pool.warm-up": (),
    "buffer-pool.instances": ("innodb_buffer_pool_instances",),
    "buffer-pool.size": ("innodb_buffer_pool_size",),
    "pool": (),
}


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("INNODB_buffer_pool_size", "buffer-pool.size"),
        ("pool", "pool"),
        ("buffer-pool.warm", "buffer-pool.warm-up"),
        ("innodb_buffer_pool_inst", "buffer-pool.instances"),
        ("buffer", "buffer-pool.size"),
    ],
)
def test_who_is_called_so_is_found_first(typed: str, first: str) -> None:
    def called(rule: str) -> tuple[str, ...]:
        return (rule, *RULES[rule])

    found = Ranking(
        RULES, lambda rule: ", ".join(called(rule)), called, lambda rule: rule != "buffer-pool.size"
    ).of(typed)
    assert found[0] == first


def run(
    number: int, kind: RunKind, points: int = 0, *, idle: bool = False, target: str = LOCAL.name
) -> RunSummary:
    at = f"2026-11-{number:02d}T10:00:00+00:00"
    return RunSummary(number, target, "quick", RunState.DONE, "", at, at, points, kind, idle=idle)


LOADED, IDLE_CHECK = run(1, RunKind.WATCH), run(2, RunKind.CHECK, 48, idle=True)
CASES = (
    # A check while the server idles does not silence a watch of it at work; its points count.
    ((LOADED, IDLE_CHECK), Voice(1, 2), True),
    ((LOADED, run(2, RunKind.WATCH, idle=True)), Voice(1), True),
    ((run(1, RunKind.CHECK, 48), run(2, RunKind.WATCH, idle=True)), Voice(1), True),
    ((run(1, RunKind.CHECK, 48), IDLE_CHECK), Voice(1, 2), True),
    # A newer one at work speaks, whatever was idle before.
    ((IDLE_CHECK, run(3, RunKind.WATCH)), Voice(3, 2), False),
    ((LOADED, IDLE_CHECK, run(3, RunKind.CHECK, 40)), Voice(1, 3), True),
    ((LOADED, IDLE_CHECK, run(3, RunKind.PROBE, 40)), Voice(1, 3), True),
    # A watch that is newer than a check at work, and the other way round.
    ((run(1, RunKind.CHECK, 48), run(2, RunKind.WATCH)), Voice(2, 1), False),
    ((run(1, RunKind.WATCH), run(2, RunKind.CHECK, 48)), Voice(1, 2), False),
    # Where all were idle, the latest does.
    ((run(1, RunKind.CHECK, 20, idle=True), IDLE_CHECK), Voice(2), False),
    # Points without any look, and what another program measured.
    ((run(1, RunKind.PROBE, 9),), Voice(1), False),
    ((run(1, RunKind.WATCH), run(2, RunKind.IMPORT, 9)), Voice(1), False),
)


@pytest.mark.parametrize(("runs", "voice", "passed"), CASES)
def test_the_latest_watch_at_work_speaks_and_curves_are_the_latest(
    qtbot: QtBot,
    runner: JobRunner,
    replay: Replay,
    runs: tuple[RunSummary, ...],
    voice: Voice,
    passed: bool,
) -> None:
    stored = StoredRuns(runner, replay.use_cases())
    selection = Selection(stored, RunController(runner, replay.use_cases(), Desk()))
    stored.take_shelf(Shelf((LOCAL,), runs[::-1]))
    assert selection.voice == voice
    assert selection.passed_idle is passed
    selection.choose(Choice(run_id=runs[-1].id))
    assert selection.voice == Voice(runs[-1].id)
    assert not selection.passed_idle


def test_drives_are_set_under_a_server_that_was_at_work() -> None:
    shelf = Shelf(
        (LOCAL,),
        (
            run(5, RunKind.WATCH, idle=True, target="db8"),
            run(4, RunKind.CHECK, 9, idle=True),
            run(3, RunKind.WATCH),
            run(2, RunKind.WATCH, target="db7"),
            run(1, RunKind.WATCH),
        ),
    )
    found = [voice for voice, _ in watched_servers(shelf)]
    assert found == [Voice(3, 4), Voice(2), Voice(5)]


def test_a_time_of_another_year_names_the_year() -> None:
    now = datetime(2026, 11, 27, tzinfo=UTC)
    assert moment("2025-01-12T14:02:00+00:00", now) == "12 Jan 2025 14:02"
    assert moment("2026-01-12T14:02:00+00:00", now) == "12 Jan 14:02"


def test_values_of_another_version_stand_in_line(qtbot: QtBot, appearance: Appearance) -> None:
    line = _Line()
    qtbot.addWidget(line)
    line.resize(700, 80)
    line.show()
    tops = []
    for told in (
        ChangeRow("innodb_a", "ON \u2192 OFF", ""),
        ChangeRow("innodb_b", "1 \u2192 2", "a note " * 30),
    ):
        line.display(told)
        present(line.layout()).activate()
        tops.append((line.what.y(), line.text.mapTo(line, QPoint()).y()))
    assert tops[0][0] == tops[0][1] == tops[1][0] == tops[1][1]


def spoken(widget: QWidget, what: QAccessible.Text) -> str:
    return QAccessible.queryAccessibleInterface(widget).text(what)


def test_a_screen_reader_calls_controls_by_what_they_are(
    qtbot: QtBot, appearance: Appearance
) -> None:
    segments = Segments((("a", "&Curves"), ("b", "Latency map")))
    qtbot.addWidget(segments)
    role = QAccessible.queryAccessibleInterface(segments.button("a")).role()
    assert role == QAccessible.Role.RadioButton
    button = Button(appearance, "Change &plan", "layers")
    qtbot.addWidget(button)
    assert spoken(button, QAccessible.Text.Name) == "Change plan"
    button.display("Stop", "square", "danger")
    assert spoken(button, QAccessible.Text.Name) == "Stop"
    for knob in knobs(server().live):
        view = KnobView(knob)
        qtbot.addWidget(view)
        if knob.choice:
            assert isinstance(view.list, QComboBox)
            labels = [one for one in view.findChildren(QWidget) if _buddy(one) is view.list]
            assert labels
        else:
            said = knob.stops[knob.start][1]
            assert spoken(view.slider, QAccessible.Text.Name) == f"{knob.title}: {said}"


def _buddy(widget: QWidget) -> QWidget | None:
    buddy = getattr(widget, "buddy", None)
    return buddy() if callable(buddy) else None
