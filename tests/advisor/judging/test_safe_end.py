"""The value of advice whose figures are ranges: the end that is safe, and what was allowed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from advisor.case import Case
from advisor.judging import engine
from advisor.judging.over_draws import judge
from advisor.outcomes import Recommendation, Verdict
from advisor.rulekit.registry import all_rules
from advisor.steps import SetVariable
from advisor.target_config.configuration import configure, planned_of
from advisor.wording.advice.evidence_card import grounds
from probes.doubts import stated
from probes.trust.doubt import Remark, lower
from tests.rules.casework import build

TOO_EAGER: dict[str, Any] = {
    "version": "8.0.33",
    "variables": {"innodb_io_capacity": "20000", "innodb_io_capacity_max": "40000"},
    "writes_one": [[1, 900], [4, 2600], [16, 3000], [64, 3050]],
}

GROWING = {
    "version": "8.0.33",
    "host": {"memory_gib": 64.0},
    "variables": {
        "innodb_redo_log_capacity": "268435456",
        "innodb_buffer_pool_size": "34359738368",
    },
    "rates": {"Innodb_redo_log_current_lsn": 2_000_000},
}

SAFE = {rule.id: rule.safe_end for rule in all_rules()}


def doubted(spec: dict[str, Any]) -> Case:
    """The case with points that may be a fifth lower or higher than measured."""
    case = build(spec)
    remark = Remark(stated("neighbours"), least=0.8, most=1.3)
    return Case(case.target, case.inventory, tuple(lower(each, [remark]) for each in case.points))


def advised(case: Case, rule: str) -> Recommendation:
    found = next(one for one in judge(case).recommendations if one.rule == rule)
    assert found.verdict is Verdict.RECOMMEND
    return found


def test_io_capacity_is_what_the_drive_surely_gives() -> None:
    case = doubted(TOO_EAGER)
    found = advised(case, "flushing.io-capacity")
    assert found.allowed is not None
    assert int(found.allowed.low) < int(found.allowed.high)
    assert found.proposed == found.allowed.low
    measured = next(one for one in engine.judge(case).recommendations if one.rule == found.rule)
    assert int(found.proposed) < int(measured.proposed) <= int(found.allowed.high)
    steps = {step.name: step.value for step in found.steps if isinstance(step, SetVariable)}
    assert steps[found.setting] == found.proposed
    assert found.proposed in found.apply.cnf
    assert found.saw == measured.saw
    assert dict(grounds(found))["value"] == (
        f"{found.proposed}, of {found.proposed} to {found.allowed.high} that the figures allow."
    )


def test_io_capacity_max_is_lowered_no_further_than_surely_needed() -> None:
    calm = {"variables": {"innodb_io_capacity": "200", "innodb_io_capacity_max": "40000"}}
    found = advised(doubted(TOO_EAGER | calm), "flushing.io-capacity-max")
    assert found.allowed is not None
    assert int(found.allowed.low) < int(found.allowed.high)
    assert found.proposed == found.allowed.high


def test_figures_that_are_known_allow_one_value() -> None:
    exact = [replace(one, ci95_per_s=(one.rate_per_s,) * 2) for one in build(TOO_EAGER).points]
    case = replace(build(TOO_EAGER), points=tuple(exact))
    found = advised(case, "flushing.io-capacity")
    assert found.allowed is None
    assert "value" not in dict(grounds(found))


def test_the_redo_log_is_large_enough_for_the_load_at_its_high_end() -> None:
    lsn = [0]
    for burst in (1, 3, 1, 2, 4, 1, 2, 1, 3, 2):
        lsn.append(lsn[-1] + burst * 1_000_000)
    spec = GROWING | {"watched": {"series": {"Innodb_redo_log_current_lsn": lsn}}}
    found = advised(build(spec), "redo.capacity")
    assert found.allowed is not None
    assert int(found.allowed.low) < int(found.proposed) == int(found.allowed.high)
    assert advised(build(GROWING), "redo.capacity").allowed is None


def test_a_plan_holds_the_safe_end_although_its_rounds_judge_the_figures_as_measured() -> None:
    case = doubted(TOO_EAGER)
    judgement = judge(case)
    found = [one for one in planned_of(judgement) if one.allowed is not None]
    made = configure(case, judgement, found)
    planned = {step.name: step.value for _, step in made.plan.settings()}
    assert [one.setting for one in found] == ["innodb_io_capacity"]
    assert planned["innodb_io_capacity"] == found[0].proposed


@pytest.mark.parametrize("rule", ["flushing.io-capacity", "redo.capacity"])
def test_the_page_of_a_rule_says_its_safe_end(rule: str) -> None:
    page = next(each for each in all_rules() if each.id == rule).facts
    safe = SAFE[rule]
    assert safe is not None
    assert safe.sentence in page
