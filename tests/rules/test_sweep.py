"""Random but coherent cases: no crash, nothing out of range, nothing that lowers durability."""

from __future__ import annotations

import os
import re
from typing import Any

from hypothesis import HealthCheck, given, settings

from advisor.outcomes import Needs, Recommendation, Verdict
from advisor.plan.steps import SetVariable
from advisor.plan.writing import cnf_line, persistable
from advisor.rules.engine import judge
from advisor.rules.registry import all_rules
from advisor.rules.resolve import less_safe
from advisor.variables.catalogue import SETTINGS, span
from advisor.variables.entry import State
from advisor.variables.standing import Standing
from probes.version import ServerVersion
from tests.rules.casework import build
from tests.rules.recorded import coherent_cases, version_of
from tests.rules.test_rules import well_said

ASSIGNMENT = re.compile(r"^(?:SET (?:PERSIST|GLOBAL) )?(\w+) = '?([^\s']+?)'?;?$", re.MULTILINE)

sweep = settings(
    max_examples=int(os.environ.get("SWEEP", "150")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
)


@sweep
@given(coherent_cases())
def test_every_rule_answers_and_what_it_proposes_is_possible(
    case: tuple[str, dict[str, Any]],
) -> None:
    server, spec = case
    judgement = judge(build(spec))

    parts = (judgement.recommendations, judgement.not_judged, judgement.not_applicable)
    assert sum(map(len, parts)) == len(all_rules())
    for silent in (*judgement.not_judged, *judgement.not_applicable):
        assert "The rule failed" not in silent.because
        assert re.fullmatch(r"[A-Z].*\.", silent.because)
    weights = [outcome.weight for outcome in judgement.recommendations]
    assert weights == sorted(weights, reverse=True)
    for outcome in judgement.recommendations:
        well_said(outcome)
        possible(server, spec, outcome)
        keeps_durability(spec, outcome)


def possible(server: str, spec: dict[str, Any], outcome: Recommendation) -> None:
    """Each line sets a variable that the server has, to a value that it takes, when it takes it."""
    version = ServerVersion.parse(version_of(server))
    for text in (outcome.apply.sql, outcome.apply.cnf):
        for name, value in ASSIGNMENT.findall(text):
            known = span(version, name)
            assert known is not None, f"{server} has no {name}"
            assert known.state is not State.IGNORED, f"{server} ignores {name}"
            if known.low is not None and value.isdigit():
                assert known.low <= int(value) <= (known.high or int(value)), (name, value)
            if known.words:
                # Servers before 5.6 take a switch in an option file as a number only.
                said = {"1": "ON", "0": "OFF"}.get(value, value)
                assert value in known.words or said in known.words, (name, value)
            if text is outcome.apply.sql:
                assert known.dynamic, f"{name} can't be set while {server} runs"
    if outcome.apply.sql:
        assert outcome.needs is Needs.DYNAMIC
        for name, _ in ASSIGNMENT.findall(outcome.apply.sql):
            kept = f"SET PERSIST {name} = " in outcome.apply.sql
            assert kept == persistable(version, name)
    if spec["sandbox"] and outcome.setting in SETTINGS:
        assert outcome.now == ""


def keeps_durability(spec: dict[str, Any], outcome: Recommendation) -> None:
    """What a power cut may cost is never made worse; a file system may be as safe by itself."""
    if spec["drive"]["filesystem"] == "zfs":
        return
    for name, value in ASSIGNMENT.findall(f"{outcome.apply.sql}\n{outcome.apply.cnf}"):
        now = Standing(name, spec["variables"].get(name, ""))
        assert not less_safe(SetVariable(now, value, Needs.DYNAMIC)), (name, now, value)
        if name == "innodb_flush_method":
            assert value == "O_DIRECT"


@sweep
@given(coherent_cases())
def test_no_cap_on_flushing_is_proposed_above_what_the_drive_takes(
    case: tuple[str, dict[str, Any]],
) -> None:
    _, spec = case
    rows = [row for name in ("writes_one", "writes_many") for row in spec.get(name, ())]
    for outcome in judge(build(spec)).recommendations:
        if outcome.setting in {"innodb_io_capacity", "innodb_io_capacity_max"} and outcome.proposed:
            assert int(outcome.proposed) <= max(100.0, *(row[1] for row in rows))


@sweep
@given(coherent_cases())
def test_applied_advice_is_not_given_again(case: tuple[str, dict[str, Any]]) -> None:
    server, spec = case
    version = ServerVersion.parse(version_of(server))
    spec["sandbox"] = False
    for outcome in judge(build(spec)).recommendations:
        if outcome.needs not in {Needs.DYNAMIC, Needs.RESTART}:
            continue
        applied = dict(ASSIGNMENT.findall(outcome.apply.cnf))
        if not applied:
            continue
        line = cnf_line(outcome.setting, outcome.proposed, version)
        assert line in outcome.apply.cnf.splitlines()
        again = judge(build(spec | {"variables": spec["variables"] | applied})).recommendations
        repeated = [
            later
            for later in again
            if later.verdict is Verdict.RECOMMEND and later.setting in applied
        ]
        assert not repeated, (applied, repeated)
