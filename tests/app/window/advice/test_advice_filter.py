"""What of the advice is listed: by how a rule ended, by topic, and by words."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from advisor.case import Case
from advisor.outcomes import Judgement
from app.presenters.advice.filter import ALL, WantedRules, counts, found, topics
from app.presenters.advice.rows import AdviceRow, rows
from app.presenters.advice.rule_notes import RuleNote
from app.presenters.texts.groups import RuleGroup
from app.window.main_window import MainWindow
from app.window.parts import ADVICE
from probes.points import Probe, Setting
from tests.app.window.advice.test_advice import index_of, titles
from tests.app.window.conftest import OpenWindow, caught_up, done_window, shut
from tests.app.window.looking import see, texts
from tests.app.window.machine import inventory
from tests.app.window.replay import Replay, replayed
from tests.app.window.replayed_advice import judgement
from tests.present import present

NOTES = {
    "buffer-pool.instances": RuleNote("Buffer pool", ("innodb_buffer_pool_instances",)),
    "flushing.io-capacity": RuleNote("Flushing", ("innodb_io_capacity",)),
    "durability.redo": RuleNote("Durability"),
}
CHANGE, WATCH = RuleGroup.CHANGE, RuleGroup.WATCH


@pytest.fixture
def listed() -> list[AdviceRow]:
    measured = replayed(Setting(Probe.RANDOM_READ, 1, 16384))
    return rows(judgement(Case("local", inventory(), (measured,))), NOTES)


@pytest.fixture
def window(qtbot: QtBot, done: MainWindow) -> MainWindow:
    return advised(qtbot, done)


def advised(qtbot: QtBot, window: MainWindow) -> MainWindow:
    window.show_page(ADVICE)
    caught_up(qtbot, window)
    qtbot.waitUntil(lambda: bool(titles(window)))
    return window


def names(found_rows: list[AdviceRow]) -> list[str]:
    return [row.rule for row in found_rows]


def test_nothing_wanted_in_particular_is_everything(listed: list[AdviceRow]) -> None:
    assert found(listed, ALL) == listed
    assert counts(listed, ALL) == dict.fromkeys(
        set(RuleGroup) - {RuleGroup.RISK, RuleGroup.MINOR}, 1
    )
    assert not WantedRules(words="  ").narrowed


@pytest.mark.parametrize(
    "words",
    ["innodb_buffer_pool_instances", "innodb-buffer-pool-inst", "INSTANCES load", "watched"],
)
def test_words_find_a_rule_by_its_settings_and_by_what_it_says(
    listed: list[AdviceRow], words: str
) -> None:
    assert names(found(listed, WantedRules(words=words))) == ["buffer-pool.instances"]


def test_every_word_must_be_there(listed: list[AdviceRow]) -> None:
    assert names(found(listed, WantedRules(words="capacity far"))) == ["flushing.io-capacity"]
    assert found(listed, WantedRules(words="capacity nowhere")) == []


def test_groups_and_topic_narrow_together(listed: list[AdviceRow]) -> None:
    both = frozenset({CHANGE, WATCH})
    wanted = WantedRules(both)
    assert names(found(listed, wanted)) == ["flushing.io-capacity", "durability.redo"]
    assert names(found(listed, WantedRules(both, "Durability"))) == ["durability.redo"]
    assert ("Buffer pool", 1) in topics(listed)


def test_counts_are_of_what_topic_and_words_leave(listed: list[AdviceRow]) -> None:
    numbers = counts(listed, WantedRules(frozenset({WATCH}), words="capacity"))
    assert (numbers[CHANGE], numbers[WATCH]) == (1, 0)


def test_the_list_follows_the_filter_and_the_card_the_list(
    qtbot: QtBot, window: MainWindow
) -> None:
    bar = window.advice.filter
    bar.search.setText("waits")
    assert titles(window) == ["Keep an eye on", "Each commit waits 0.9 ms"]
    see(qtbot, window.advice.detail, "Keep an eye on", "Each commit waits 0.9 ms")
    assert "1 of 6 rules" in texts(bar)
    bar.search.setText("nothing of it")
    assert titles(window) == []
    see(qtbot, bar, "No rule matches")
    bar.all.click()
    assert titles(window)[-3:] == ["Fine", "Not judged", "Not applicable"]
    assert len(titles(window)) == 9
    assert window.advice.list.currentIndex() == index_of(window, "Each commit waits 0.9 ms")
    assert not bar.all.isVisible()


def test_what_was_asked_for_is_not_folded(window: MainWindow) -> None:
    assert "Log writers" not in titles(window)
    window.advice.filter.groups[RuleGroup.NOT_APPLICABLE].click()
    assert titles(window) == ["Not applicable", "Log writers"]
    window.advice.filter.groups[RuleGroup.NOT_APPLICABLE].click()
    assert "Log writers" not in titles(window)


def test_switches_count_and_say_what_they_are_for(window: MainWindow) -> None:
    bar = window.advice.filter
    bar.search.setText("io-capacity")
    assert bar.groups[CHANGE].accessibleName() == "Changes 1"
    assert bar.groups[CHANGE].text() == "Changes 1"
    assert not bar.groups[WATCH].isVisible()


def test_switches_and_topic_outlive_the_window_and_words_do_not(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.plan_steps = 4
    first = advised(qtbot, done_window(qtbot, open_window, replay)).advice.filter
    first.groups[CHANGE].click()
    first.topics.setCurrentIndex(first.topics.findData("Flushing"))
    first.topics.activated.emit(first.topics.currentIndex())
    first.search.setText("io")
    window = first.window()
    assert isinstance(window, MainWindow)
    shut(qtbot, window)
    second = advised(qtbot, open_window(replay))
    assert second.advice.filter.wanted == WantedRules(frozenset({CHANGE}), "Flushing")
    assert titles(second) == ["Changes", "innodb_io_capacity"]
    second.advice.list.show_rows(rows(Judgement(), {}))
    assert texts(second.advice.detail) == ""
    second.advice.filter.all.click()
    shut(qtbot, second)
    third = advised(qtbot, open_window(replay))
    assert third.advice.filter.wanted == ALL


def test_the_filter_is_reached_without_a_mouse(
    qtbot: QtBot, window: MainWindow, qapp: QApplication
) -> None:
    bar = window.advice.filter
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(window, Qt.Key.Key_F, control | shift)
    assert qapp.focusWidget() is bar.search
    reached: list[QWidget | None] = []
    groups = [switch for switch in bar.groups.values() if switch.isVisible()]
    for _ in range(len(groups) + 3):
        QTest.keyClick(present(qapp.focusWidget()) or window, Qt.Key.Key_Tab)
        reached.append(qapp.focusWidget())
    assert reached[: len(groups) + 2] == [bar.topics, *groups, window.advice.list]
    bar.groups[WATCH].setFocus()
    QTest.keyClick(bar.groups[WATCH], Qt.Key.Key_Space)
    assert bar.wanted.groups == {WATCH}
