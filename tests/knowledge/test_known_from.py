"""What an effect is known from agrees with what its card says of its grounds."""

from __future__ import annotations

import re

import pytest

from advisor.outcomes import Knowledge, Recommendation, Verdict
from advisor.rulekit.rule import Rule
from tests.each import of_each
from tests.rules.test_rules import RULES, cases_of, outcomes_of

UNMEASURED = re.compile(
    r"(gain|difference|saving|remedy|index costs?)\b.* (not|were not) .*(measured|tried)"
    r"|not (measured|tried|compared) (here|on this)|measured on another|was not observed here"
    r"|a larger pool saves (was not|is known only)|policy|documentation|manual",
    re.IGNORECASE,
)
"""What a card says where its effect was not measured on this machine or server."""


def said(rule: str, name: str) -> Recommendation:
    judged = zip(cases_of(RULES[rule]), outcomes_of(RULES[rule]), strict=True)
    [outcome] = [outcome for case, outcome in judged if case["name"] == name]
    assert isinstance(outcome, Recommendation), outcome
    return outcome


@of_each(RULES)
def test_no_card_denies_what_it_says_to_be_known_from(rule: Rule) -> None:
    for case, one in zip(cases_of(rule), outcomes_of(rule), strict=True):
        if not isinstance(one, Recommendation) or one.verdict is Verdict.FINE:
            continue
        if UNMEASURED.search(one.because):
            assert one.knowledge is not Knowledge.MEASURED, (case["name"], one.because)
        if re.search(r"\b(policy|documentation|manual)\b", one.because):
            assert one.knowledge in {Knowledge.DOCUMENTED, Knowledge.PUBLISHED}, one.because


@pytest.mark.parametrize(
    ("rule", "name", "knowledge"),
    [
        ("redo.writer-threads", "on with few CPUs, and many commits", Knowledge.PUBLISHED),
        ("lines.end-of-support", "out of support for years", Knowledge.DOCUMENTED),
    ],
)
def test_what_single_answers_are_known_from(rule: str, name: str, knowledge: Knowledge) -> None:
    assert said(rule, name).knowledge is knowledge


@pytest.mark.parametrize(
    ("rule", "knowledge"),
    [
        ("doublewrite.pages", {Knowledge.PUBLISHED}),
        ("buffer-pool.large-pages", {Knowledge.MEASURED}),
        ("buffer-pool.size", {Knowledge.PUBLISHED, Knowledge.MEASURED}),
        ("cloud.request-limit", {Knowledge.PUBLISHED, Knowledge.MEASURED}),
        ("host.memory-left", {Knowledge.CHOICE}),
        ("durability.sync-binlog", {Knowledge.PUBLISHED, Knowledge.MEASURED}),
        ("flushing.io-capacity", {Knowledge.PUBLISHED, Knowledge.MEASURED}),
        ("flushing.max-dirty-pages-pct-lwm", {Knowledge.ANALOGY, Knowledge.PUBLISHED}),
    ],
)
def test_what_a_rule_s_answers_are_known_from(rule: str, knowledge: set[Knowledge]) -> None:
    assert {
        one.knowledge
        for one in outcomes_of(RULES[rule])
        if isinstance(one, Recommendation) and one.verdict is not Verdict.FINE
    } == knowledge
