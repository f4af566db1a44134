from dataclasses import replace
from itertools import count

import pytest

from advisor.judging.tried import pinned, with_record
from advisor.outcomes import Confidence, Recommendation, Verdict
from advisor.trial.outcome import OutcomeSource, RuleOutcome, of_lab, of_trial
from advisor.trial.pins import typed_pin
from advisor.trial.record import TrialEnd, TrialRecord, TrialVerdict
from advisor.trial.rule_record import rule_records
from advisor.tried import Pinned, Tried, valid_pins
from advisor.wording.advice.tried import record_text
from probes.errors import UsageError
from probes.statistics.ranges import Range
from tests.advisor.trial.records import trial_record

RULE = "flushing.io-capacity"
ADVICE = Recommendation(
    Verdict.RECOMMEND,
    "It is low.",
    rule=RULE,
    title="Pages are flushed too slowly",
    topic="flushing",
    setting="innodb_io_capacity",
    confidence=Confidence.MEDIUM,
)


NUMBERS = count(1)


def tried(gain: float, verdict: TrialVerdict) -> RuleOutcome:
    found = of_trial(next(NUMBERS), trial(gain, verdict))
    assert found is not None
    return found


def trial(gain: float, verdict: TrialVerdict | None, rule: str = RULE) -> TrialRecord:
    whole = trial_record(rule=rule, forecast=Range(1.2, 1.1, 1.3), ended=TrialEnd.BETTER)
    return replace(whole, verdict=verdict, gain=Range(gain, gain - 0.05, gain + 0.05), pairs=())


def test_a_rule_earns_its_record() -> None:
    kept, back = TrialVerdict.KEPT, TrialVerdict.BACK
    trials = [tried(1.2, kept), tried(1.15, kept), tried(0.9, back)]
    # One that is known twice counts once; one of no rule, or cut off, not at all.
    (record,) = rule_records([*trials, trials[0]])
    assert of_trial(9, trial(1.2, kept, "")) is None
    assert of_trial(9, trial(1.2, None)) is None
    assert (record.rule, record.tried, record.kept, record.back) == (RULE, 3, 2, 1)
    assert (record.forecasts, record.inside) == (3, 2)
    assert record.ratio == pytest.approx(0.75)
    assert not record.doubtful
    text = record_text(record)
    assert "Tried 3 times: 2 kept, 1 back." in text
    assert "2 of 3 forecasts held" in text
    assert with_record(ADVICE, record).confidence is Confidence.MEDIUM


def test_a_rule_whose_forecasts_seldom_hold_is_less_sure() -> None:
    ten = [tried(1.2 if number < 5 else 0.9, TrialVerdict.KEPT) for number in range(10)]
    (record,) = rule_records(ten)
    assert record.doubtful
    less = with_record(ADVICE, record)
    assert less.confidence is Confidence.LOW
    assert "less sure" in record_text(less.record)
    (short,) = rule_records(ten[1:])
    assert not short.doubtful
    assert record_text(None) == ""


def test_labs_and_later_looks_count_and_are_named() -> None:
    lab = Tried(
        setting="innodb_io_capacity",
        before="200",
        value="1000",
        times=Range(1.15, 1.1, 1.2),
        decided=True,
        load="update",
        connections=16,
        server="8.0.33",
        run_id=3,
        on="2026-11-28",
    )
    forecast = Range(1.2, 1.1, 1.3)
    open_one = replace(lab, decided=False, run_id=4)
    worse = replace(lab, times=Range(0.9, 0.8, 0.95), run_id=5)
    later = RuleOutcome(
        OutcomeSource.WATCH, 6, RULE, TrialVerdict.KEPT, Range.exact(1.02), forecast
    )
    labs = [of_lab(each, RULE, forecast) for each in (lab, open_one, worse)]
    (record,) = rule_records([tried(1.2, TrialVerdict.KEPT), *labs, later])
    assert (record.tried, record.labs, record.watches) == (5, 3, 1)
    assert (record.kept, record.back, record.undecided) == (3, 1, 1)
    assert (record.forecasts, record.inside) == (5, 3)
    assert "(3 in labs, 1 seen later on servers that have it)" in record_text(record)


def test_a_pin_holds_advice_back_until_its_day() -> None:
    pin = typed_pin("innodb-io-capacity", "the array is shared", "2027-03")
    assert pinned(ADVICE, [pin]) == pin
    assert pinned(replace(ADVICE, verdict=Verdict.WATCH), [pin]) is None
    assert pinned(replace(ADVICE, setting="innodb_lru_scan_depth"), [pin]) is None
    for today, counts in (("2027-03-31", True), ("2027-04-01", False)):
        assert (valid_pins([pin], today) == (pin,)) is counts
    day = Pinned("innodb_io_capacity", "x", "2027-03-15")
    assert valid_pins([day], "2027-03-16T00:00:00") == ()


@pytest.mark.parametrize(
    ("setting", "because", "until"),
    [
        ("no_such_thing", "x", "2027-03"),
        ("innodb_io_capacity", " ", "2027-03"),
        ("innodb_io_capacity", "x", "March"),
        ("innodb_io_capacity", "x", "2027-13"),
    ],
)
def test_a_pin_needs_a_known_setting_a_reason_and_a_day(
    setting: str, because: str, until: str
) -> None:
    with pytest.raises(UsageError):
        typed_pin(setting, because, until)
