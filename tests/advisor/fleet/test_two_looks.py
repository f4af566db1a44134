"""Forecasts of the past use what was known then: the look, and the curves before the next."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.case import Case
from advisor.fleet import earned, two_looks
from advisor.fleet.history import SettingChange, changed_since, history
from advisor.outcomes import Judgement
from advisor.plan.planning import make_plan
from advisor.report.forms.text import page
from advisor.report.report import gather
from advisor.report.sections.run_report import report_document
from advisor.report.terminal.first_screen import first_screen
from advisor.report.two_looks import came_sentence
from advisor.run import RunKind, RunState, Voice, with_curves
from advisor.runs.collected import keeping
from advisor.runs.sample import take_sample
from advisor.store.store import Store
from advisor.target_names import SAMPLE
from advisor.trial.record import TrialVerdict
from probes.statistics.ranges import Range
from probes.trial.settings import TriedSetting
from tests.advisor.trial.records import trial_record

WATCHED, CHECKED, LATER = 1, 2, 3


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """The sample, and a watch of it after a setting was changed."""
    with Store.open(tmp_path / "runs.sqlite3") as store:
        list(take_sample(store))
        raw = store.raw_inventory(WATCHED)
        settings = raw.answers["mysql.variables"].replace(
            '"innodb_io_capacity": "200"', '"innodb_io_capacity": "1000"'
        )
        answers = {**raw.answers, "mysql.variables": settings}
        later = replace(raw, answers=answers, taken_at="2026-11-25T23:00:00+00:00")
        with keeping(store, SAMPLE, later):
            pass
        yield store


def test_before_and_after_is_forecast_with_the_curves_of_then(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Case] = []

    def forecast(before: Case, _changed: object) -> two_looks.ChangeForecast:
        asked.append(before)
        return two_looks.ChangeForecast()

    monkeypatch.setattr(two_looks, "_forecast", forecast)
    found = two_looks.two_looks(store, LATER, WATCHED)
    assert [each.name for each in found.changed] == ["innodb_io_capacity"]
    assert [(case.run_id, case.curves_id) for case in asked] == [(WATCHED, CHECKED)]


def test_what_was_advised_before_a_look_is_what_the_server_showed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[Case] = []

    def judge(case: Case) -> Judgement:
        judged.append(case)
        return Judgement((), ())

    monkeypatch.setattr(earned, "judge", judge)
    earned._advised_before(store, SAMPLE, LATER)
    assert [(case.run_id, case.curves_id) for case in judged] == [(WATCHED, CHECKED)]
    assert earned._advised_before(store, SAMPLE, WATCHED) == []


def test_a_report_says_what_was_set_otherwise_since_its_server_was_watched(store: Store) -> None:
    found = gather(store, Voice(WATCHED), past=True)
    assert found.outdated == (SettingChange("innodb_io_capacity", "200", "1000"),)
    notice = report_document(found, make_plan(found.case, ())).notice
    assert notice.startswith("Changed since it was looked at: innodb_io_capacity 200 to 1000.")
    latest = gather(store, Voice(LATER), past=True)
    assert latest.outdated == ()
    assert report_document(latest, make_plan(latest.case, ())).notice == ""
    first = store.raw_inventory(WATCHED)
    with keeping(store, SAMPLE, first):
        pass
    # An archive of the day itself changes nothing, however late it came.
    assert len(gather(store, Voice(WATCHED), past=True).outdated) == 1
    with keeping(store, SAMPLE, replace(first, taken_at="2026-11-26T00:00:00+00:00")):
        pass
    # What was set back is as it was.
    assert gather(store, Voice(WATCHED), past=True).outdated == ()


def test_curves_are_the_latest_that_another_run_measured(store: Store) -> None:
    runs = store.runs(SAMPLE)
    assert with_curves(WATCHED, runs) == Voice(WATCHED, CHECKED)
    assert with_curves(CHECKED, runs) == Voice(CHECKED)
    foreign = [replace(run, kind=RunKind.IMPORT) if run.points else run for run in runs]
    assert with_curves(WATCHED, foreign) == Voice(WATCHED)


def tried(store: Store, verdict: TrialVerdict) -> None:
    """A trial of the sample's server, which is over."""
    run_id = store.start_run(
        store.run_target(LATER), store.raw_inventory(LATER), store.plan(LATER), RunKind.TRIAL
    )
    setting = TriedSetting("innodb_io_capacity", "1000", "2000", number=True)
    record = trial_record(verdict=verdict)
    asked = replace(record.asked, settings=(setting,))
    store.add_trial(run_id, replace(record, asked=asked))
    store.end_run(run_id, RunState.DONE)


def test_what_a_trial_kept_since_a_look_is_known_without_another(store: Store) -> None:
    tried(store, TrialVerdict.BACK)
    assert changed_since(store, SAMPLE, LATER) == ()
    tried(store, TrialVerdict.KEPT)
    kept = SettingChange("innodb_io_capacity", "1000", "2000")
    assert changed_since(store, SAMPLE, LATER) == (kept,)
    assert changed_since(store, SAMPLE, WATCHED) == (replace(kept, old="200"),)
    shown = page(first_screen(gather(store, Voice(LATER))), 100)
    assert "Changed since it was looked at: innodb_io_capacity 1000 to 2000." in shown


def test_a_range_without_an_end_is_left_out(store: Store) -> None:
    found = two_looks.two_looks(store, WATCHED, LATER)
    said = came_sentence(replace(found, times=Range(0.2, 0.0, math.inf)))
    assert said.startswith("The time of a query is too close to call: ")
    assert "inf" not in said
    assert said.endswith(" after.")


def test_an_archive_stands_where_it_was_collected_however_late_it_came(store: Store) -> None:
    raw = store.raw_inventory(LATER)
    with keeping(store, SAMPLE, replace(raw, taken_at="2025-03-01T12:00:00+00:00")) as kept:
        pass
    first = history(store, SAMPLE)[0]
    assert (first.run_id, first.at[:10]) == (kept.run_id, "2025-03-01")
    found = two_looks.two_looks(store, WATCHED, kept.run_id)
    assert (found.before.run_id, found.after.run_id) == (kept.run_id, WATCHED)
    assert [(each.old, each.new) for each in found.changed] == [("1000", "200")]
