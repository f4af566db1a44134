"""Drives that servers of a lab have worked on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.compare.comparison import compare
from advisor.compare.contender import Contender
from advisor.compare.under_mysql import drives_in_labs
from advisor.lab.asked import AGAIN, varied
from advisor.lab.record import Record
from advisor.report.forms.markdown import page
from advisor.report.json.comparison import to_json
from advisor.report.sections.comparison_report import comparison_document
from advisor.run import RunState
from advisor.store.store import Store
from advisor.wording.measured.comparison import in_labs
from probes.statistics.ranges import Range
from tests.advisor.compare.contenders import contender, reads
from tests.advisor.lab.turns import ASKED, OFF, ON, keep, record
from tests.advisor.store.builders import PLAN, RAW, SPEC


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setenv("LEADLINE_HOME", str(tmp_path))
    with Store.open() as opened:
        yield opened


A, B = "/mnt/a", "/mnt/b"


def on_drives(worth: float, first: str = A, second: str = B, rounds: int = 16) -> Record:
    """A lab in which the second directory does ``1 + worth`` times the work of the first."""
    made = record(worth, rounds)
    variants = varied((), (first, second), ())
    names = {ON: variants[0].name, OFF: variants[1].name, ON + AGAIN: variants[0].name + AGAIN}
    turns = [replace(each, variant=names[each.variant]) for each in made.turns]
    return replace(made, asked=replace(ASKED, variants=variants), turns=tuple(turns))


def kept_lab(store: Store, found: Record) -> int:
    run_id = keep(store, SPEC, found)
    store.end_run(run_id, RunState.DONE)
    return run_id


def on(store: Store, name: str, directory: str) -> Contender:
    run_id = store.start_run(SPEC, RAW, PLAN)
    made = contender(name, *reads({4: 1000}), directory=directory)
    return replace(made, run_id=run_id, run_ids=(run_id,), key=str(run_id))


def test_the_latest_lab_on_both_directories_is_shown_with_its_interval(
    store: Store,
) -> None:
    kept_lab(store, on_drives(0.1))
    run_id = kept_lab(store, on_drives(0.5, B + "/", A))
    kept_lab(store, record(0.3))  # One of settings, on one drive.
    kept_lab(store, on_drives(0.7, A, "/mnt/c"))
    drives = [on(store, "slow", B), on(store, "fast", A)]
    (found,) = drives_in_labs(store, drives)
    assert (found.base, found.other, found.run_id, found.connections) == (0, 1, run_id, 16)
    assert found.times.low < 1.5 < found.times.high
    compared = compare(drives, labs=(found,))
    document = page(comparison_document(compared)).replace("\u202f", " ").replace("\\", "")
    assert "B (fast) does 48 % more (45 % to 52 %) than A (slow)" in document
    assert f"(lab {run_id}, 20" in document
    assert "not decided" not in document
    unsure = replace(found, times=Range(1.1, 0.9, 1.3), decided=False)
    assert in_labs(replace(compared, labs=(unsure,)))[0].endswith("; not decided).")
    (entry,) = json.loads(to_json(compared))["labs"]
    assert (entry["run"], entry["base"], entry["other"]) == (run_id, 0, 1)


def test_drives_of_different_machines_or_places_have_no_lab_in_common(store: Store) -> None:
    kept_lab(store, on_drives(0.5))
    here = on(store, "here", A)
    elsewhere = store.start_run(replace(SPEC, name="other"), RAW, PLAN)
    assert drives_in_labs(store, [here, replace(on(store, "there", B), run_id=elsewhere)]) == ()
    assert drives_in_labs(store, [here, on(store, "below", "/mnt/b/data")]) == ()
    assert drives_in_labs(store, [here, contender("published", *reads({4: 9}))]) == ()


def test_a_lab_that_has_decided_that_both_are_alike_is_not_called_open(store: Store) -> None:
    kept_lab(store, on_drives(0.0, rounds=60))
    (found,) = drives_in_labs(store, [on(store, "one", A), on(store, "other", B)])
    assert found.times.low < 1 < found.times.high
    assert found.decided
