"""A server's row is judged once, and again when anything changed that it is judged from."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from advisor.fleet import judged_row, listing, server_row
from advisor.fleet.listing import kept_servers
from advisor.fleet.server_row import ServerRow
from advisor.run import RunKind, RunState, Voice
from advisor.runs.collected import keeping
from advisor.runs.sample import take_sample
from advisor.store.store import Store
from advisor.target_names import SAMPLE
from advisor.trial.outcome import OutcomeSource, RuleOutcome
from advisor.trial.record import TrialVerdict
from advisor.tried import Pinned
from probes.inventory.facts import RawInventory
from probes.statistics.ranges import Range
from probes.targets.address import TargetSpec
from tests.advisor.store.builders import PLAN
from tests.advisor.trial.records import trial_record

ROW = ServerRow("", 0, "2026-11-28T12:00:00+00:00", server="MySQL 8.0.36", changes=("a", "b"))
RAW = RawInventory("2026-11-28T12:00:00+00:00", {})


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[Voice]:
    """What was judged; each row is the same."""
    voices: list[Voice] = []

    def judge(_store: Store, voice: Voice) -> ServerRow:
        voices.append(voice)
        return ROW

    monkeypatch.setattr(judged_row, "judged_row", judge)
    return voices


@pytest.fixture
def store(judged: list[Voice]) -> Iterator[Store]:
    """With two servers whose rows were judged."""
    with Store.open() as opened:
        for name in ("db7", "db8"):
            watched(opened, name)
        list(kept_servers(opened))
        assert judged == [Voice(1), Voice(2)]
        judged.clear()
        yield opened


def watched(store: Store, name: str) -> None:
    with keeping(store, name, RAW):
        pass


def another_look(store: Store) -> None:
    watched(store, "db8")


def a_trial(store: Store) -> None:
    run_id = store.start_run(TargetSpec(name="db8"), RAW, PLAN, RunKind.TRIAL)
    store.add_trial(run_id, trial_record())
    store.end_run(run_id, RunState.DONE)


def a_pin(store: Store) -> None:
    store.keep_pin("db8", Pinned("innodb_io_capacity", "the vendor asks for it", "2099-12"))


def test_a_second_start_judges_nothing(store: Store, judged: list[Voice]) -> None:
    rows = list(kept_servers(store))
    with Store.open() as again:
        assert list(kept_servers(again)) == rows
    assert [row.changes for row in rows] == [("a", "b")] * 2
    assert judged == []


@pytest.mark.parametrize(
    ("change", "speaks"),
    [(another_look, 3), (a_trial, 2), (a_pin, 2)],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_what_changes_one_server_has_that_one_judged_again(
    store: Store, judged: list[Voice], change: Callable[[Store], None], speaks: int
) -> None:
    change(store)
    list(kept_servers(store))
    assert judged == [Voice(speaks)]
    list(kept_servers(store))
    assert judged == [Voice(speaks)]


def test_a_pin_of_the_past_and_a_label_change_nothing(store: Store, judged: list[Voice]) -> None:
    store.keep_pin("db8", Pinned("innodb_io_capacity", "it was so", "2020-12"))
    store.mark_step("db8", "Set innodb_io_capacity to 1000", done=True)
    list(kept_servers(store))
    assert judged == []


def test_a_pin_that_is_taken_away_has_the_server_judged_again(
    store: Store, judged: list[Voice]
) -> None:
    a_pin(store)
    list(kept_servers(store))
    store.remove_pin("db8", "innodb_io_capacity")
    list(kept_servers(store))
    assert judged == [Voice(2), Voice(2)]


def test_a_rule_that_is_less_sure_from_now_on_has_all_judged_again(
    store: Store, judged: list[Voice]
) -> None:
    def missed(number: int) -> RuleOutcome:
        gain, forecast = Range(1.0, 0.9, 1.1), Range(2.0, 1.9, 2.1)
        source, back = OutcomeSource.WATCH, TrialVerdict.BACK
        return RuleOutcome(source, number, "redo_capacity", back, gain, forecast)

    store.keep_outcomes(map(missed, range(9)))
    list(kept_servers(store))
    assert judged == []
    store.keep_outcomes([missed(9)])
    list(kept_servers(store))
    assert judged == [Voice(1), Voice(2)]


def test_another_version_judges_again(
    store: Store, judged: list[Voice], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "__version__", "another")
    monkeypatch.setattr(server_row, "__version__", "another")
    list(kept_servers(store))
    assert judged == [Voice(1), Voice(2)]


def test_a_file_that_can_not_be_written_is_listed_all_the_same(
    store: Store, judged: list[Voice]
) -> None:
    a_pin(store)
    store._database.keep_nothing()
    assert len(list(kept_servers(store))) == len(list(kept_servers(store))) == 2
    assert judged == [Voice(2), Voice(2)]


def test_a_setting_that_is_pinned_leaves_the_row_of_a_real_server() -> None:
    with Store.open() as store:
        list(take_sample(store))
        (before,) = kept_servers(store)
        pinned = before.changes[0].split()[0].rstrip(":")
        store.keep_pin(SAMPLE, Pinned(pinned, "the vendor asks for it", "2099-12"))
        (after,) = kept_servers(store)
    assert before.changes[0] not in after.changes
    assert set(after.changes) < set(before.changes)
