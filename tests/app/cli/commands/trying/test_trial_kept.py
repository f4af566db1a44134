"""What trials leave in the store, on the command line: shown, reported, recorded; and pins."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from advisor.run import RunKind, RunState
from advisor.store.store import Store
from probes.statistics.ranges import Range
from tests.advisor.store.builders import PLAN, RAW, SPEC
from tests.advisor.trial.records import trial_record
from tests.app.cli.forked import Done

RULE = "flushing.io-capacity"


def kept() -> int:
    with Store.open() as store:
        whole = trial_record(rule=RULE, forecast=Range(1.2, 1.1, 1.3))
        run_id = store.start_run(SPEC, RAW, PLAN, RunKind.TRIAL)
        store.add_trial(run_id, whole)
        for pair in whole.pairs:
            store.add_trial_pair(run_id, pair)
        store.end_run(run_id, RunState.DONE)
        store.save_target(SPEC)
    return run_id


def test_a_trial_is_listed_shown_and_reported(
    leadline: Callable[..., Done], tmp_path: Path
) -> None:
    run_id = kept()
    assert "trial" in leadline("runs").stdout
    assert "Kept: innodb_io_capacity 200 to 1000" in leadline("runs", "show", str(run_id)).stdout
    for ending in ("html", "md", "json"):
        file = tmp_path / f"trial.{ending}"
        assert leadline("report", str(run_id), "-o", str(file)).code == 0
        assert "innodb_io_capacity" in file.read_text()
    case = tmp_path / "trial.leadline"
    assert leadline("case", "export", str(run_id), str(case)).code == 0
    again = tmp_path / "again.md"
    assert leadline("report", str(case), "-o", str(again)).code == 0
    assert "Kept: innodb" in again.read_text().replace("\\_", "_")


def test_the_record_of_rules(leadline: Callable[..., Done], tmp_path: Path) -> None:
    assert "No rule's advice was tried" in leadline("record").stdout
    kept()
    assert RULE in leadline("record").stdout
    file = tmp_path / "record.json"
    assert leadline("record", "-o", str(file)).code == 0
    (rule,) = json.loads(file.read_text())["rules"]
    assert (rule["rule"], rule["tried"], rule["kept"]) == (RULE, 1, 1)
    assert SPEC.name not in file.read_text()


def test_pins_are_kept_listed_and_removed(leadline: Callable[..., Done]) -> None:
    kept()
    words = ("pin", SPEC.name, "innodb_io_capacity")
    assert leadline(*words, "--because", "shared array", "--until", "2027-03").code == 0
    assert "shared array" in leadline("pin", SPEC.name).stdout
    assert leadline(*words).code == 2
    assert leadline(*words, "--remove").code == 0
    assert "Nothing is pinned" in leadline("pin", SPEC.name).stdout
    assert leadline(*words, "--remove").code == 2
