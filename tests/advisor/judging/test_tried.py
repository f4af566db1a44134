from dataclasses import replace

import pytest

from advisor.judging.tried import with_tried
from advisor.lab.findings import findings
from advisor.outcomes import Confidence, Knowledge, Recommendation, Verdict
from advisor.tried import Tried, plain_value
from advisor.wording.advice.tried import OTHER_LOAD, lab_command, tried_text
from probes.statistics.ranges import Range
from tests.advisor.lab.turns import record

ADVICE = Recommendation(
    rule="doublewrite.pages",
    title="Doublewrite",
    topic="doublewrite",
    verdict=Verdict.RECOMMEND,
    saw="It is on.",
    setting="innodb_doublewrite",
    now="ON",
    proposed="OFF",
    confidence=Confidence.LOW,
)
BETTER = Tried(
    setting="innodb_doublewrite",
    before="ON",
    value="OFF",
    times=Range(1.12, 1.08, 1.16),
    decided=True,
    load="update",
    connections=16,
    server="MariaDB 10.11.19",
    run_id=14,
    on="2026-11-28",
)
NOTHING = replace(BETTER, times=Range(1.0, 0.99, 1.01))
WORSE = replace(BETTER, times=Range(0.9, 0.85, 0.95))
OPEN = replace(BETTER, times=Range(1.05, 0.9, 1.2), decided=False)


def test_what_was_tried_here_is_what_its_effect_is_known_from() -> None:
    found = with_tried(ADVICE, [BETTER])
    assert found.knowledge is Knowledge.TRIED
    assert found.tried == (BETTER,)
    assert found.confidence is Confidence.MEDIUM
    assert with_tried(ADVICE, [replace(BETTER, like=True)]).confidence is Confidence.HIGH


@pytest.mark.parametrize("one", [NOTHING, WORSE])
def test_a_change_that_brought_nothing_here_is_less_sure(one: Tried) -> None:
    sure = replace(ADVICE, confidence=Confidence.HIGH)
    found = with_tried(sure, [one])
    assert (found.knowledge, found.confidence) == (Knowledge.TRIED, Confidence.LOW)
    assert found.verdict is Verdict.RECOMMEND


def test_an_undecided_trial_or_one_of_other_values_changes_nothing_but_is_shown() -> None:
    for one in (OPEN, replace(BETTER, value="DETECT_ONLY")):
        found = with_tried(ADVICE, [one])
        assert found == replace(ADVICE, tried=(one,))
    assert with_tried(ADVICE, [replace(BETTER, setting="innodb_io_capacity")]) == ADVICE


def test_what_is_fine_keeps_what_it_is_known_from() -> None:
    fine = replace(ADVICE, verdict=Verdict.FINE)
    assert with_tried(fine, [BETTER]) == replace(fine, tried=(BETTER,))


def test_a_lab_is_told_in_a_line_for_each_value() -> None:
    said = tried_text([BETTER, OPEN]).splitlines()
    assert said[0] == (
        "OFF does 12\N{NARROW NO-BREAK SPACE}% more (8\N{NARROW NO-BREAK SPACE}% to "
        "16\N{NARROW NO-BREAK SPACE}%) than ON: update, 16 connections, MariaDB 10.11.19, "
        "run 14 of 2026-11-28."
    )
    assert "not decided" in said[1]
    assert said[2] == OTHER_LOAD
    assert OTHER_LOAD not in tried_text([replace(BETTER, like=True)])


def test_a_question_names_the_lab_that_settles_it() -> None:
    assert lab_command("innodb_doublewrite") == "leadline lab --ask doublewrite"
    assert lab_command("innodb_page_size", "db7") == "leadline lab db7 --ask page-size"
    assert lab_command("innodb_buffer_pool_size").endswith("--ask pool-size")
    assert lab_command("sync_binlog") == ""


@pytest.mark.parametrize(
    ("one", "other"),
    [("ON", "1"), ("off", "0"), ("16M", "16777216"), ("2000", "2000.0"), ("O_DIRECT", "o_direct")],
)
def test_values_are_compared_in_one_spelling(one: str, other: str) -> None:
    assert plain_value(one) == plain_value(other)


def test_a_labs_variants_become_what_was_tried() -> None:
    (one,) = findings(record(0.2), 7, "2026-11-28")
    assert (one.setting, one.before, one.value) == ("innodb_doublewrite", "ON", "OFF")
    assert one.decided
    assert one.gains
    assert (one.run_id, one.connections, one.load) == (7, 16, "update")
    # One round has no interval: nothing is known of it.
    assert list(findings(record(0.2, rounds=1), 7, "2026-11-28")) == []
