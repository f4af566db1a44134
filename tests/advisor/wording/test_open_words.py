"""An open question carries each answer, what it costs to be wrong, and what settles it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from advisor.facts.catalogue import CATALOGUE
from advisor.judging.over_draws import judge
from advisor.outcomes import Judgement, NotJudged, OpenAnswer, Verdict
from advisor.report.forms.text import page
from advisor.report.json.advice import advice_document
from advisor.report.sections import silent
from advisor.report.terminal.first_screen import first_screen
from advisor.why import Ends, TurnsOn
from advisor.wording.advice.evidence_card import deed
from advisor.wording.advice.open_question import in_short, open_rows, open_sentences, turning
from probes.figures import THIN
from probes.statistics.ranges import Range
from tests.advisor.report.builders import render, report
from tests.each import some_of
from tests.rules.casework import build
from tests.rules.test_rules import RULES, cases_of

CHANGE = OpenAnswer(
    Verdict.RECOMMEND, 0.64, "innodb_io_capacity", "200", "1000", wrong="Pages go out too early."
)
LEAVE = OpenAnswer(Verdict.FINE, 0.36, misses="Flushing keeps up.")
LITTLE, MORE = Range(0.01, 0.0, 0.029), Range(0.01, 0.0, 0.03)
WRITES = "curve.random_write.page"
OPEN = NotJudged(
    "flushing.io-capacity",
    "The plan of flushing",
    TurnsOn(WRITES, ((Ends.RECOMMEND, 0.64), (Ends.FINE, 0.36))),
    WRITES,
    40.0,
    answers=(CHANGE, LEAVE),
)


SILENT = TurnsOn(WRITES, ((Ends.FINE, 0.55), (Ends.SILENT, 0.45)))


@pytest.mark.parametrize(
    ("question", "idle"),
    [
        (OPEN, False),
        (replace(OPEN, closes_s=None), False),
        (replace(OPEN, closes_s=None, answers=(CHANGE, replace(LEAVE, loses=LITTLE))), True),
        (replace(OPEN, closes_s=None, answers=(CHANGE, replace(LEAVE, loses=MORE))), False),
        (replace(OPEN, answers=(CHANGE, replace(LEAVE, loses=LITTLE))), False),
        (replace(OPEN, closes_s=None, why=SILENT, answers=()), True),
        (replace(OPEN, why=SILENT, answers=()), False),
        (replace(OPEN, closes_s=None, why=SILENT, answers=(), settled_by="Ask the host."), False),
    ],
)
def test_what_nobody_can_settle_and_hardly_a_query_feels_is_not_asked(
    question: NotJudged, *, idle: bool
) -> None:
    assert question.is_idle is idle
    asked = Judgement(not_judged=(question,)).worth_asking
    assert asked == (() if idle else (question,))


def plain(text: str) -> str:
    return " ".join(text.replace(THIN, " ").split())


def test_both_answers_stand_with_their_costs_and_what_settles_it() -> None:
    assert turning(OPEN) == f"It turns on {CATALOGUE[WRITES].meaning}."
    rows = [(label, plain(text)) for label, text in open_rows(OPEN)]
    assert rows == [
        (
            "either",
            "innodb_io_capacity: 200 → 1000 (64 %). If that is wrong, it costs: Pages go out too "
            "early.",
        ),
        (
            "or",
            "leave it as it is (36 %). If that is wrong, this is missed: Flushing keeps up.",
        ),
        ("what settles it", "About 40 s more of measuring it."),
        ("command", "leadline check --budget until-decided"),
        ("or try it", "leadline lab --ask io-capacity: about 5 min, on servers of its own"),
    ]
    assert plain(in_short(OPEN)) == (
        "innodb_io_capacity: 200 → 1000 (64 %) or leave it as it is (36 %); about 40 s more "
        "settles it."
    )


def test_what_is_lost_is_counted_in_query_time_where_that_is_known() -> None:
    leave = replace(LEAVE, loses=Range(0.1, 0.04, 0.15))
    said = plain(open_sentences(replace(OPEN, answers=(CHANGE, leave))))
    assert "Leave it as it is (36 %). If that is wrong, it costs 4 to 15 % of query time." in said
    free = replace(LEAVE, loses=Range(0.0, 0.0, 0.0))
    said = plain(open_sentences(replace(OPEN, answers=(CHANGE, free))))
    assert "If that is wrong, it costs no query time." in said


@pytest.mark.parametrize(
    ("question", "settled"),
    [
        (replace(OPEN, by_watching=True), "About 40 s of watching the server."),
        (replace(OPEN, closes_s=None), "Trying it on the server under load"),
        (
            replace(OPEN, closes_s=None, answers=(LEAVE,)),
            "Nothing surely: neither measuring again nor a watch, of",
        ),
    ],
)
def test_a_watch_settles_it_or_perhaps_nothing(question: NotJudged, settled: str) -> None:
    assert settled in plain(dict(open_rows(question))["what settles it"])


def test_a_trial_has_its_command_where_nothing_that_is_measured_settles_it() -> None:
    rows = dict(open_rows(replace(OPEN, closes_s=None)))
    assert rows["command"] == "leadline try --set innodb_io_capacity=1000"


def test_the_watch_has_its_own_command() -> None:
    rows = dict(open_rows(replace(OPEN, by_watching=True)))
    assert rows["command"] == "leadline watch --seconds 40"


def test_without_two_answers_the_shares_stay_in_the_sentence() -> None:
    one = replace(OPEN, answers=())
    assert plain(turning(one)) == (
        f"It turns on {CATALOGUE[WRITES].meaning}. Over the ranges of the figures, a change is "
        "recommended in 64 % and it is fine in 36 %."
    )
    assert [label for label, _ in open_rows(one)] == ["what settles it", "command"]


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ((61 / 64, 3 / 64), ["(95 %)", "(5 %)"]),
        ((0.64, 0.22), ["(64 %)", "(22 %)", "no verdict (14 %)"]),
    ],
)
def test_the_shares_that_are_said_make_a_hundred(
    shares: tuple[float, float], said: list[str]
) -> None:
    answers = replace(CHANGE, share=shares[0]), replace(LEAVE, share=shares[1])
    one = replace(OPEN, answers=answers)
    for text in (in_short(one), open_sentences(one), " ".join(text for _, text in open_rows(one))):
        found = re.findall(r"(?:no verdict )?\(\d+ %\)", plain(text).replace("No", "no"))
        assert found == said


@pytest.mark.parametrize(
    "rule", some_of(["placement.redo", "block.raid-parity", "storage.page-size"], 1)
)
def test_two_outcomes_over_the_draws_are_two_answers(rule: str) -> None:
    cases = (build(case | {"trust": "doubtful"}) for case in cases_of(RULES[rule]))
    questions = [one for case in cases for one in judge(case).open if one.rule == rule]
    assert questions
    for one in questions:
        assert len(one.answers) > 1
        assert sum(each.share for each in one.answers) <= 1 + 1e-9
        assert one.answers[0].share == max(each.share for each in one.answers)
        for answer in one.answers:
            assert bool(answer.proposed) is (answer.verdict is Verdict.RECOMMEND)
            assert answer.wrong or answer.misses or answer.loses


def test_all_forms_carry_them() -> None:
    told = replace(report(), judgement=Judgement(not_judged=(OPEN,)))
    leave = "eave it as it is (36 %)"
    assert leave in plain(page(first_screen(told), 100))
    assert leave in plain(render(told))
    assert leave in plain(page(silent.open_questions(told.judgement.open)))
    assert (
        advice_document(told.judgement, told.case)["not_judged"][0]["answers"][1]["share"]
        == LEAVE.share
    )


@pytest.mark.parametrize(
    ("question", "title"),
    [
        (OPEN, "Find out whether innodb_io_capacity should be 1000"),
        (
            replace(OPEN, answers=(CHANGE, replace(CHANGE, proposed="2000"), LEAVE)),
            "Find out what innodb_io_capacity should be",
        ),
        (replace(OPEN, answers=()), "Check the plan of flushing"),
        (
            replace(OPEN, answers=(), title="innodb_x against the time of a sync"),
            "Check innodb_x against the time of a sync",
        ),
        (replace(OPEN, turns_on=""), "The plan of flushing"),
    ],
)
def test_the_title_says_what_to_find_out(question: NotJudged, title: str) -> None:
    assert deed(question) == title
