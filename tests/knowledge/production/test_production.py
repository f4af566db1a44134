"""What an engineer would sign on production servers, and what nobody may tell them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from advisor.judging.agenda import Part, changes_asked, part_of
from advisor.outcomes import NotJudged, Recommendation, Verdict
from advisor.rulekit.registry import all_rules
from advisor.steps import RemoveLine, SetVariable
from advisor.target_config.configuration import configure, planned_of
from advisor.wording.advice.limiting import limiting
from advisor.wording.advice.nothing_to_change import nothing_to_change
from tests.advisor.report.builders import render, report
from tests.each import of_each
from tests.knowledge.production.cases import (
    FOLDER,
    ProductionServer,
    each_server,
    in_bytes,
    production_servers,
)
from tests.knowledge.production.wrong_now import PRODUCTION
from tests.rules.invariants import answer_to, broken

RULES = {rule.id for rule in all_rules()}
SERVERS = production_servers()
MOST_NOISE = 2
KEYS = {
    "noise",
    "first",
    "in_any_order",
    "values",
    "by_hand",
    "verdicts",
    "allowed",
    "never",
    "never_planned",
    "never_fine",
    "silent",
    "says",
    "not_said",
    "line_says",
    "line_not",
}


@pytest.fixture(params=each_server())
def server(request: pytest.FixtureRequest) -> ProductionServer:
    reason = PRODUCTION.get(request.node.originalname, {}).get(request.param)
    if reason is not None:
        request.applymarker(pytest.mark.xfail(strict=True, reason=reason))
    return SERVERS[request.param]


def told(server: ProductionServer) -> dict[str, Recommendation]:
    """What is said and not fine, by rule."""
    found = server.judged().recommendations
    return {one.rule: one for one in found if one.verdict is not Verdict.FINE}


def in_order(server: ProductionServer) -> list[str]:
    """What stands in a line of its own, what matters most first."""
    found = server.judged().recommendations
    return [one.rule for one in found if part_of(one) not in {Part.MINOR, Part.FINE}]


def asked(server: ProductionServer) -> dict[str, Recommendation]:
    return {rule: one for rule, one in told(server).items() if one.verdict is Verdict.RECOMMEND}


def test_what_matters_is_said_with_a_value_that_an_engineer_would_choose(
    server: ProductionServer,
) -> None:
    first = server.expected["first"]
    found = in_order(server)[: len(first)]
    assert set(found) == set(first)
    if not server.expected.get("in_any_order"):
        assert found == first
    proposed = {rule: one.proposed for rule, one in asked(server).items()}
    for rule, wanted in server.expected.get("values", {}).items():
        value = proposed[rule]
        if isinstance(wanted, str):
            assert value == wanted
        else:
            low, high = (int(in_bytes(each)) for each in wanted)
            assert low <= int(value) <= high, (rule, value)
    assert {rule: proposed[rule] for rule in bought(server)} == bought(server)


def bought(server: ProductionServer) -> dict[str, str]:
    """What people have to buy or to do, as each rule proposes it."""
    return dict(server.expected.get("by_hand", {}))


def test_each_rule_that_is_named_with_a_verdict_comes_to_it(server: ProductionServer) -> None:
    wanted = server.expected.get("verdicts", {})
    found = {one.rule: one.verdict.value for one in server.judged().recommendations}
    assert {rule: found.get(rule) for rule in wanted} == wanted


def test_hardly_anything_else_is_said(server: ProductionServer) -> None:
    signed = {*server.expected["first"], *server.expected.get("allowed", ())}
    noise = [rule for rule in in_order(server) if rule not in signed]
    assert len(noise) <= server.expected.get("noise", MOST_NOISE), noise


def test_what_is_wrong_there_is_never_recommended(server: ProductionServer) -> None:
    never = set(server.expected.get("never", ()))
    assert not never & set(asked(server))
    asks = {
        one.rule
        for one in server.judged().open
        if any(answer.verdict is Verdict.RECOMMEND for answer in one.answers)
    }
    assert not never & asks, "nor is it one of two answers"
    found = server.judged()
    judged: list[Recommendation | NotJudged] = [*found.recommendations, *found.not_judged]
    outcomes = {one.rule: one for one in judged}
    for rule in server.expected.get("never_fine", ()):
        one = outcomes[rule]
        assert not (isinstance(one, Recommendation) and one.verdict is Verdict.FINE), one
    assert not set(server.expected.get("silent", ())) & set(told(server))


def test_what_has_to_be_said_is_and_what_is_untrue_is_not(server: ProductionServer) -> None:
    texts = " ".join(
        [
            *(f"{one.saw} {one.effect}" for one in told(server).values()),
            nothing_to_change(server.judged(), server.case),
        ]
    )
    for words in server.expected.get("says", ()):
        assert words in texts
    for words in server.expected.get("not_said", ()):
        assert words not in texts


def test_the_first_line_says_what_limits(server: ProductionServer) -> None:
    line = limiting(server.judged(), server.case)
    for words in server.expected.get("line_says", ()):
        assert re.search(words, line)
    for words in server.expected.get("line_not", ()):
        assert not re.search(words, line)


def test_no_line_is_set_and_deleted(server: ProductionServer) -> None:
    steps = [step for one in asked(server).values() for step in one.steps]
    written = {step.name for step in steps if isinstance(step, SetVariable)}
    assert written.isdisjoint(step.name for step in steps if isinstance(step, RemoveLine))


def test_all_of_it_together_keeps_what_holds_of_all_and_is_what_an_engineer_would_set(
    server: ProductionServer,
) -> None:
    judgement = server.judged()
    answer, wished = answer_to(server.case, judgement), planned_of(judgement)
    assert broken(answer) == {}
    alike = wished == changes_asked(judgement)
    made = answer.made if alike else configure(server.case, judgement, wished)
    assert made.settled
    planned = {step.name: step.value for _, step in made.plan.settings()}
    chosen = {one.rule: one.setting for one in asked(server).values()}
    assert planned.keys().isdisjoint(server.expected.get("never_planned", ()))
    for rule, wanted in server.expected.get("values", {}).items():
        low, high = (wanted, wanted) if isinstance(wanted, str) else wanted
        value = planned[chosen[rule]]
        assert value == low or int(in_bytes(low)) <= int(value) <= int(in_bytes(high)), (
            rule,
            value,
        )


@of_each(SERVERS)
def test_the_lists_are_complete(server: ProductionServer) -> None:
    expected: dict[str, Any] = dict(server.expected)
    assert "first" in expected
    assert set(expected) <= KEYS
    named = [*expected["first"], *expected.get("values", ()), *expected.get("verdicts", ())]
    for key in ("allowed", "never", "never_fine", "silent"):
        named += expected.get(key, ())
    assert set(named) <= RULES


def test_lines_that_repeat_a_default_are_one_line_of_housekeeping_at_the_end() -> None:
    """They ask for no change, so that a well-tuned server is one."""
    server = SERVERS["busy_and_well_tuned"]
    judgement = server.judged()
    assert list(told(server))[-1] == "lines.default"
    assert asked(server).keys() == {"lines.default"}
    assert changes_asked(judgement) == []
    assert not configure(server.case, judgement, changes_asked(judgement)).plan.actions
    text = render(replace(report(), case=server.case, judgement=judgement))
    (line,) = [each for each in text.splitlines() if "Two lines repeat defaults" in each]
    assert line.startswith("• ")
    assert "and nothing needs a change" in " ".join(text.split())


@pytest.mark.parametrize("name", ["rds", "aurora", "azure"])
def test_nothing_is_open_about_a_machine_that_its_service_runs(name: str) -> None:
    found = SERVERS[name].judged().not_judged
    assert not [
        one.rule for one in found if one.rule.startswith(("host.", "block.", "filesystem."))
    ]


def test_what_is_known_to_be_wrong_names_tests_and_servers_that_exist() -> None:
    assert set(PRODUCTION) <= globals().keys()
    assert {name for servers in PRODUCTION.values() for name in servers} <= SERVERS.keys()


def test_none_of_the_situations_is_missing() -> None:
    assert len(list(FOLDER.glob("*.toml"))) == 145
