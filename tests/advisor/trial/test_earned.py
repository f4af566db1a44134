"""What a rule's advice was worth where it was followed: in a lab, and between two looks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.fleet.earned import earn
from advisor.lab.asked import AGAIN, Asked, varied
from advisor.lab.record import Record
from advisor.run import RunState
from advisor.runs.collected import keeping
from advisor.runs.sample import take_sample
from advisor.store.store import Store
from advisor.trial.outcome import OutcomeSource
from advisor.trial.record import TrialVerdict
from probes.inventory.facts import RawInventory
from probes.targets.address import TargetSpec
from tests.advisor.lab.turns import OFF, ON, keep, record
from tests.app.cli.commands.collecting.test_history import changed
from tests.present import present

RULE, SETTING = "redo.writer-threads", "innodb_log_writer_threads"
ADVISED = f'"{SETTING}": "ON"', f'"{SETTING}": "OFF"'
UNASKED = '"innodb_io_capacity": "200"', '"innodb_io_capacity": "1000"'


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "leadline.sqlite3") as made:
        yield made


@pytest.fixture
def slow(store: Store) -> RawInventory:
    """The sample's watch, which advises against the log's writer threads."""
    list(take_sample(store))
    return store.raw_inventory(1)


def looked(store: Store, raw: RawInventory, name: str = "db7") -> int:
    with keeping(store, name, raw) as recorder:
        return recorder.run_id


def faster(store: Store) -> RawInventory:
    return store.raw_inventory(2)


def test_a_later_look_answers_the_rule_whose_advice_alone_was_carried_out(
    store: Store, slow: RawInventory
) -> None:
    looked(store, slow)
    later = looked(store, changed(faster(store), *ADVISED))
    earn(store, "db7")
    (found,) = store.outcomes()
    assert (found.source, found.run_id, found.rule) == (OutcomeSource.WATCH, later, RULE)
    assert found.verdict is TrialVerdict.KEPT
    # The second look's queries took 18 % less time.
    assert present(found.gain).value == pytest.approx(1 / 0.82, abs=0.02)
    assert present(found.forecast).low < present(found.forecast).value < 1.1
    earn(store, "db7")
    assert store.outcomes() == [found]


def test_what_else_was_changed_leaves_nothing_to_be_learned(
    store: Store, slow: RawInventory
) -> None:
    looked(store, slow)
    looked(store, changed(changed(faster(store), *ADVISED), *UNASKED))
    looked(store, slow, "db8")
    looked(store, changed(faster(store), *UNASKED), "db8")
    for target in ("db7", "db8", "nowhere"):
        earn(store, target)
    assert store.outcomes() == []


def test_a_lab_answers_the_rule_whose_very_change_it_tried(
    store: Store, slow: RawInventory
) -> None:
    before = kept_lab(store, of_writers(0.2))
    looked(store, slow)
    lab = kept_lab(store, of_writers(0.2))
    other = kept_lab(store, record(0.2))
    earn(store, "db7")
    (found,) = store.outcomes()
    assert (found.source, found.run_id, found.rule) == (OutcomeSource.LAB, lab, RULE)
    assert found.run_id not in (before, other)
    assert found.verdict is TrialVerdict.KEPT
    assert present(found.gain).low < 1.2 < present(found.gain).high


def test_a_lab_that_shows_a_loss_counts_against_the_rule(store: Store, slow: RawInventory) -> None:
    looked(store, slow)
    kept_lab(store, of_writers(-0.2))
    earn(store, "db7")
    (found,) = store.outcomes()
    assert found.verdict is TrialVerdict.BACK


def of_writers(worth: float) -> Record:
    """A lab in which the log without writer threads does ``1 + worth`` times the work."""
    made = record(worth)
    asked = Asked(varied([f"{SETTING}=ON,OFF"], (), ()), made.asked.load)
    on, off = (each.name for each in asked.variants)
    names = {ON: on, OFF: off, ON + AGAIN: on + AGAIN}
    turns = tuple(replace(each, variant=names[each.variant]) for each in made.turns)
    return Record(asked, turns=turns)


def kept_lab(store: Store, found: Record) -> int:
    run_id = keep(store, TargetSpec(name="db7"), found)
    store.end_run(run_id, RunState.DONE)
    return run_id
