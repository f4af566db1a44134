import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.run import RunKind, RunState, Voice
from advisor.store.cases import load_case, trials
from advisor.store.store import DATABASE, Store
from advisor.store.trial_journal import JournalEntry, TrialJournal
from advisor.trial.record import PairLeftOut
from probes.errors import StoreError
from tests.advisor.store.builders import PLAN, RAW, SPEC
from tests.advisor.trial.records import SETTINGS, trial_record


def kept(store: Store, faster: float = 1.2) -> int:
    whole = trial_record(faster)
    run_id = store.start_run(SPEC, RAW, PLAN, RunKind.TRIAL)
    store.add_trial(run_id, replace(whole, verdict=None, ended=None, pairs=()))
    for pair in whole.pairs:
        store.add_trial_pair(run_id, pair)
    store.set_trial_known(run_id, whole)
    return run_id


def test_a_trial_is_kept_pair_by_pair_and_never_changes_after_its_end(store: Store) -> None:
    run_id, whole = kept(store), trial_record()
    left_out = replace(whole.pairs[0], left_out=PairLeftOut.UNSETTLED)
    store.add_trial_pair(run_id, left_out)
    store.end_run(run_id, RunState.DONE)
    assert store.trial(run_id) == replace(whole, pairs=(left_out, *whole.pairs[1:]))
    assert store.run(run_id).kind is RunKind.TRIAL
    with pytest.raises(sqlite3.IntegrityError, match="never changes"):
        store.add_trial_pair(run_id, left_out)
    with pytest.raises(sqlite3.IntegrityError, match="never changes"):
        store.set_trial_known(run_id, whole)
    other = store.start_run(SPEC, RAW, PLAN)
    with pytest.raises(StoreError, match="is no trial"):
        store.trial(other)


def test_what_trials_have_found_is_known_of_their_target(store: Store) -> None:
    run_id = store.start_run(SPEC, RAW, PLAN)
    store.end_run(kept(store), RunState.DONE)
    store.end_run(kept(store, 1.1), RunState.DONE)
    latest, first = (record for _, record in trials(store, SPEC.name))
    assert latest.pairs[0].new.statements == first.pairs[0].new.statements
    (found,) = load_case(store, Voice(run_id)).tried
    assert found.live
    assert found.changes("innodb_io_capacity", "200", "1000")
    assert found.times.value == pytest.approx(1.1, abs=0.02)


def test_a_trial_goes_with_its_case_file(store: Store, tmp_path: Path) -> None:
    run_id = kept(store)
    store.end_run(run_id, RunState.DONE)
    file = tmp_path / "trial.leadline"
    store.export_runs((run_id,), file)
    with Store.open_copy(file) as copy:
        assert copy.trial(run_id) == trial_record()


def entry(run_id: int) -> JournalEntry:
    return JournalEntry(run_id, SPEC, SETTINGS, "2026-11-28T12:00:00+00:00")


def test_what_a_trial_has_left_is_named_at_the_next_start(home: Path) -> None:
    with Store.open() as store:
        run_id = store.start_run(SPEC, RAW, PLAN, RunKind.TRIAL)
        store.trial_journal.begin(entry(run_id))
        # It is at work.
        assert store.open_trials() == ()
    with Store.open() as store:
        (warning,) = store.warnings
        assert "innodb_io_capacity = 1000 (before: 200)" in warning
        assert "leadline try --mend" in warning
        assert store.open_trials() == (entry(run_id),)
        store.trial_journal.end(run_id)
    with Store.open() as store:
        assert store.warnings == ()


def test_a_journal_survives_its_run_and_damage(home: Path) -> None:
    with Store.open():
        pass
    journal = TrialJournal(home / DATABASE)
    journal.begin(entry(99))
    (file,) = (home / f"{DATABASE}.trials").iterdir()
    assert json.loads(file.read_text())["settings"][0]["old"] == "200"
    assert file.stat().st_mode & 0o077 == 0
    with Store.open() as store:
        assert store.open_trials() == (entry(99),)
    file.write_text("{")
    with Store.open() as store:
        (warning,) = store.warnings
        assert str(file) in warning
