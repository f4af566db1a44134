"""Risks are risks: their stakes by rule, their place in the lists, and what they deny."""

from __future__ import annotations

from dataclasses import replace

from advisor.gain import Stakes
from advisor.judging.agenda import Part, part_of
from advisor.judging.engine import not_fine_beside_risks
from advisor.judging.order import in_order
from advisor.outcomes import NotJudged, Recommendation, Verdict
from advisor.rulekit.registry import all_rules
from advisor.rulekit.rule import Rule
from advisor.why import RiskBeside
from tests.each import of_each
from tests.rules.invariants.purchases import beyond_of
from tests.rules.invariants.stakes import loss_of
from tests.rules.test_rules import RULES, outcomes_of


@of_each(RULES)
def test_what_a_rule_says_of_a_loss_is_about_data_and_it_buys_within_its_own_ceilings(
    rule: Rule,
) -> None:
    judged = [one for one in outcomes_of(rule) if isinstance(one, Recommendation)]
    assert [each for one in judged for each in loss_of(one)] == []
    assert [each for one in judged for each in beyond_of(one)] == []


def card(rule: str, verdict: Verdict, stakes: Stakes = Stakes.TIME, **said: str) -> Recommendation:
    return replace(
        Recommendation(verdict, "It was seen.", rule=rule, title=rule, topic="T"),
        stakes=stakes,
        **said,  # type: ignore[arg-type]
    )


def test_an_urgent_risk_is_first_whatever_the_others_are_called() -> None:
    urgent = replace(card("z.z", Verdict.WATCH, Stakes.DATA), urgent=True)
    others = [
        replace(card("a.a", Verdict.RECOMMEND, Stakes.DATA), major=True),
        card("b.b", Verdict.RECOMMEND),
    ]
    assert [one.rule for one in in_order([*others, urgent], all_rules())] == ["z.z", "a.a", "b.b"]


def test_a_risk_stands_among_the_risks_even_where_it_takes_one_restart_with_a_change() -> None:
    pool = card("buffer-pool.size", Verdict.RECOMMEND)
    method = card("flushing.flush-method", Verdict.RECOMMEND, Stakes.DATA)
    ordered = in_order([pool, method], all_rules())
    assert [one.rule for one in ordered] == ["flushing.flush-method", "buffer-pool.size"]
    assert part_of(ordered[0]) is Part.RISK


def test_what_a_risk_denies_is_left_open_with_its_name() -> None:
    risk = card("durability.write-cache", Verdict.WATCH, Stakes.DATA)
    commits = card("durability.flush-log-at-trx-commit", Verdict.FINE)
    other = card("redo.log-buffer", Verdict.FINE)
    found = not_fine_beside_risks([risk, commits, other], all_rules())
    assert found[0] is risk
    assert found[2] is other
    assert isinstance(found[1], NotJudged)
    assert found[1].why == RiskBeside("durability.write-cache")
