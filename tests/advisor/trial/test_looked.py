import json
from dataclasses import replace

import pytest

from advisor.report.forms.text import page
from advisor.report.json.trial import to_json
from advisor.report.sections.trial import trial_blocks, tried_table
from advisor.trial.findings import trial_findings
from advisor.trial.looked import trial_outcome
from advisor.trial.record import PairLeftOut, TrialEnd, TrialRecord, TrialVerdict
from advisor.trial.steps.looks import Stepped
from advisor.variables.entry import Follows
from advisor.wording.measured import trial as words
from probes.statistics.ranges import Range
from probes.trial.ended import Break, GuardLimit, LimitPassed
from tests.advisor.report.json.schema import faults
from tests.advisor.trial.records import trial_record
from tests.advisor.trial.steps import look

GUARDED = replace(
    trial_record(0.5, TrialVerdict.BACK, None),
    broken=Break.LIMIT,
    passed=LimitPassed(GuardLimit.TIME, 9000.0, 2000.0),
    back_ms=12.0,
    pairs=(),
)


def stepped_record(kept: str = "", *, restart: bool = False) -> TrialRecord:
    """One that was made once; the look after is of what is kept."""
    looks = (look("200"), look(kept or "1000", 800, seed=2, rest_s=7.0))
    stepped = Stepped(Follows.MISSES, looks, kept, restart)
    return replace(trial_record(ended=TrialEnd.HELD), pairs=(), stepped=stepped)


def test_what_came_is_the_ratio_of_times_with_its_interval() -> None:
    outcome = trial_outcome(trial_record(1.25))
    assert outcome.times is not None
    assert outcome.gain is not None
    assert outcome.times.value == pytest.approx(0.8, abs=0.01)
    assert outcome.gain.value == pytest.approx(1.25, abs=0.02)
    assert outcome.gain.low < outcome.gain.value < outcome.gain.high
    assert outcome.late is not None
    assert outcome.commits is not None
    assert outcome.commits.value == pytest.approx(1.0)


def test_pairs_that_do_not_count_are_named_and_not_reckoned() -> None:
    whole = trial_record()
    pairs = tuple(
        replace(pair, left_out=PairLeftOut.MIX if pair.number < 3 else None) for pair in whole.pairs
    )
    outcome = trial_outcome(replace(whole, pairs=pairs))
    assert (outcome.pairs, outcome.left_out) == (7, 3)
    said = dict(words.conditions(replace(whole, pairs=pairs), outcome))
    assert said["left out"] == "3 pairs (the statements were of other kinds)"


@pytest.mark.parametrize(
    ("record", "begins"),
    [
        (trial_record(), "Kept: innodb_io_capacity 200 to 1000. The time per statement is 17"),
        (
            trial_record(0.9, TrialVerdict.BACK, TrialEnd.WORSE),
            "Back: innodb_io_capacity 200 to 1000. It is surely worse; the time per statement was",
        ),
        (
            trial_record(1.0, TrialVerdict.UNDECIDED, TrialEnd.BUDGET),
            "Undecided, so back: innodb_io_capacity 200 to 1000. The budget is spent",
        ),
        (GUARDED, "Back: innodb_io_capacity 200 to 1000. The guard ended it: a statement took 9"),
        (trial_record(1.0, None, None), "Cut off: innodb_io_capacity 200 to 1000."),
        (
            replace(GUARDED, broken=Break.REFUSED, passed=None, stays=("innodb_io_capacity",)),
            "Not back: innodb_io_capacity 200 to 1000. The server did not take the value, and",
        ),
        (
            stepped_record(kept="2000"),
            "Kept at 2000: innodb_io_capacity was 200. The next step left the band.",
        ),
        (stepped_record(kept="1000"), "Kept: innodb_io_capacity 200 to 1000. The time per"),
        (
            stepped_record(restart=True),
            "After the restart: innodb_io_capacity 200 to 1000. The time per statement is",
        ),
        (
            replace(stepped_record(restart=True), broken=Break.NO_RESTART),
            "The server was not restarted within the time: innodb_io_capacity 200 to 1000.",
        ),
    ],
)
def test_the_answer_comes_first(record: TrialRecord, begins: str) -> None:
    lines = page(trial_blocks(record, 7), 400).splitlines()
    assert lines[0].startswith(begins), lines[0]
    assert any("runs show 7" in line for line in lines)
    assert faults(json.loads(to_json(record, 7)), "trial-1.json") == []


def test_the_way_back_and_the_next_start_are_named() -> None:
    assert "12 ms" in dict(words.conditions(GUARDED, trial_outcome(GUARDED)))["way back"]
    kept = trial_record()
    said = dict(words.conditions(kept, trial_outcome(kept)))
    assert "innodb_io_capacity = 1000" in said["next start"]
    persisted = replace(kept, persisted=True)
    assert "keeps it" in dict(words.conditions(persisted, trial_outcome(kept)))["next start"]


@pytest.mark.parametrize(
    ("forecast", "says"),
    [
        (Range(1.2, 1.1, 1.3), "consistent with the forecast"),
        (Range(2.0, 1.8, 2.2), "not consistent with the forecast"),
        (Range(1.22, 1.21, 1.25), "can't be decided"),
    ],
)
def test_what_came_is_held_against_the_forecast(forecast: Range, says: str) -> None:
    record = trial_record(1.2, forecast=forecast)
    assert words.forecast(record, trial_outcome(record)).startswith(says)


def test_all_trials_of_a_target_make_a_table() -> None:
    table = tried_table([("2026-11-28", trial_record()), ("2026-11-27", GUARDED)])
    text = page([table], 300)
    assert "kept" in text
    assert "back" in text
    assert "2026-11-27" in text


def test_rules_know_what_was_found_of_one_setting() -> None:
    (found,) = trial_findings(trial_record(), 7, "2026-11-28")
    assert found.live
    assert found.decided
    assert found.gains
    (open_one,) = trial_findings(
        trial_record(1.0, TrialVerdict.UNDECIDED, TrialEnd.BUDGET), 7, "2026-11-28"
    )
    assert not open_one.decided
    assert list(trial_findings(GUARDED, 7, "2026-11-28")) == []
