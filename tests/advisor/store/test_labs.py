import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.run import RunKind, RunState, Voice
from advisor.store.cases import load_case
from advisor.store.damage import DamagedError
from advisor.store.store import Store
from probes.errors import StoreError
from tests.advisor.lab.turns import record
from tests.advisor.store.builders import PLAN, RAW, SPEC


def test_a_lab_is_kept_turn_by_turn_and_never_changes_after_its_end(store: Store) -> None:
    whole = record(0.2, rounds=2)
    run_id = store.start_run(SPEC, RAW, PLAN, RunKind.LAB)
    store.add_lab(run_id, whole.asked)
    for turn in whole.turns:
        store.add_lab_turn(run_id, turn)
    known = replace(whole, servers={"a": "MySQL 8.0.33"}, dropped={"b": "It did not start."})
    store.set_lab_known(run_id, known)
    store.end_run(run_id, RunState.DONE)
    assert store.lab(run_id) == known
    assert store.run(run_id).kind is RunKind.LAB
    with pytest.raises(sqlite3.IntegrityError, match="never changes"):
        store.add_lab_turn(run_id, whole.turns[0])
    with pytest.raises(sqlite3.IntegrityError, match="never changes"):
        store.set_lab_known(run_id, whole)
    other = store.start_run(SPEC, RAW, PLAN)
    with pytest.raises(StoreError, match="is no lab"):
        store.lab(other)


def test_what_labs_have_found_belongs_to_their_target(store: Store, home: Path) -> None:
    run_id = store.start_run(SPEC, RAW, PLAN)
    whole = record(0.2)
    numbers = []
    for _ in range(2):
        lab = store.start_run(SPEC, RAW, PLAN, RunKind.LAB)
        store.add_lab(lab, whole.asked)
        for turn in whole.turns:
            store.add_lab_turn(lab, turn)
        numbers.append(lab)
    store.end_run(numbers[0], RunState.DONE)
    assert [number for number, _ in store.labs_of(SPEC.name)] == [numbers[0]]
    store.end_run(numbers[1], RunState.CANCELLED)
    assert [number for number, _ in store.labs_of(SPEC.name)] == [numbers[1], numbers[0]]
    assert store.labs_of("another") == []
    (found,) = load_case(store, Voice(run_id)).tried
    assert (found.setting, found.run_id) == ("innodb_doublewrite", numbers[1])


def test_a_damaged_lab_has_found_nothing_and_keeps_no_run_from_being_read(
    store: Store, home: Path
) -> None:
    run_id = store.start_run(SPEC, RAW, PLAN)
    whole = record(0.2)
    lab = store.start_run(SPEC, RAW, PLAN, RunKind.LAB)
    store.add_lab(lab, replace(whole.asked, variants=()))
    store.end_run(lab, RunState.DONE)
    with pytest.raises(DamagedError):
        store.lab(lab)
    assert load_case(store, Voice(run_id)).tried == ()
