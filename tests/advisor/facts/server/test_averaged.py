"""Counters of days: their rates reach far, and nothing says what is at work now."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.load import LOAD_RUNNING
from advisor.facts.server.status import STATUS
from advisor.facts.watched.redo import REDO_GROWTH
from advisor.judging.open_questions.closing import watched_s
from advisor.model.server.redo_log import RedoGrowth
from advisor.wording.measured.summary import sentences
from probes.inventory.facts import Inventory, MySQLFacts, StatusWindow
from probes.version import ServerVersion

DAY_S = 86_400.0


def case(*, averaged: bool) -> Case:
    before = {"Questions": "0", "Innodb_os_log_written": "0", "Threads_running": "0"}
    after = {"Questions": "864000", "Innodb_os_log_written": "8640000", "Threads_running": "9"}
    window = StatusWindow(DAY_S, before, after, averaged=averaged)
    return Case("db7", Inventory("", mysql=MySQLFacts(ServerVersion.parse("8.0.20"), {}, window)))


def test_rate_reaches_from_a_quarter_to_four_times_its_mean() -> None:
    found = STATUS["Questions"].read(case(averaged=True))
    assert isinstance(found, Reading)
    assert found.value == 10.0
    assert found.within is not None
    assert (found.within.low, found.within.high) == (2.5, 40.0)
    assert "a mean that is not of now" in found.text
    plain = STATUS["Questions"].read(case(averaged=False))
    assert isinstance(plain, Reading)
    assert plain.within is not None
    assert plain.within.high < 11.0
    assert "mean" not in plain.text


def test_redo_reaches_as_far() -> None:
    found = REDO_GROWTH.read(case(averaged=True))
    assert isinstance(found, Reading)
    growth = found.value
    assert isinstance(growth, RedoGrowth)
    assert growth.within is not None
    assert (growth.within.low, growth.within.high) == (25.0, 400.0)


def test_what_is_at_work_now_is_not_known() -> None:
    found = LOAD_RUNNING.read(case(averaged=True))
    assert isinstance(found, Absent)
    assert "two statuses" in str(found.because)
    assert isinstance(LOAD_RUNNING.read(case(averaged=False)), Reading)


def test_longer_watch_is_not_reckoned_from_it() -> None:
    assert watched_s(case(averaged=True)) == 0.0
    assert watched_s(case(averaged=False)) == DAY_S


def test_sentence_says_what_the_counters_are_of() -> None:
    (sentence,) = sentences(case(averaged=True))
    assert sentence.replace("\u202f", " ") == (
        "Its counters are a mean over 24 h, 10.0 statements/s: the load of now is not in them."
    )
