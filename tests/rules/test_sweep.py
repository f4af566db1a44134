"""Random but coherent cases: no crash, nothing out of range, nothing that lowers durability."""

from __future__ import annotations

import os
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from advisor.outcomes import Needs, Recommendation, Verdict
from advisor.rules.engine import judge
from advisor.rules.registry import all_rules
from advisor.variables.catalogue import SETTINGS, span
from probes.version import ServerVersion
from tests.rules.casework import build
from tests.rules.recorded import SERVERS, coherent_cases, variables_of, version_of
from tests.rules.test_rules import well_said

ASSIGNMENT = re.compile(r"^(?:SET (?:PERSIST|GLOBAL) )?(\w+) = (\S+?);?$", re.MULTILINE)

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

    assert len(judgement.recommendations) + len(judgement.not_judged) == len(all_rules())
    for silent in judgement.not_judged:
        assert "The rule failed" not in silent.because
        assert re.fullmatch(r"[A-Z].*\.", silent.because)
    weights = [outcome.weight for outcome in judgement.recommendations]
    assert weights == sorted(weights, reverse=True)
    for outcome in judgement.recommendations:
        well_said(outcome)
        possible(server, spec, outcome)
        keeps_durability(spec, outcome)


def possible(server: str, spec: dict[str, Any], outcome: Recommendation) -> None:
    """Each line sets a variable that the real server has, to a value within its range."""
    for text in (outcome.apply.sql, outcome.apply.cnf):
        for name, value in ASSIGNMENT.findall(text):
            known = SERVERS[server].get(name)
            assert known is not None, f"{server} has no {name}"
            if "min" in known:
                assert max(known["min"], 1 if "instances" in name else 0) <= int(value)
                assert int(value) <= known.get("max", int(value))
            if text is outcome.apply.sql:
                assert known["dynamic"], f"{name} can't be set while {server} runs"
    if outcome.apply.sql:
        assert outcome.needs is Needs.DYNAMIC
        assert ("PERSIST" in outcome.apply.sql) == (server in {"mysql-8.0.33", "mysql-9.7.4"})
    if spec["sandbox"] and outcome.setting in SETTINGS:
        assert outcome.now == ""


def keeps_durability(spec: dict[str, Any], outcome: Recommendation) -> None:
    """What a power cut may cost is never made worse."""
    for name, value in ASSIGNMENT.findall(f"{outcome.apply.sql}\n{outcome.apply.cnf}"):
        if name in {"innodb_flush_log_at_trx_commit", "sync_binlog"}:
            assert value == "1"
            assert spec["variables"][name] in {"0", "2"} or name == "sync_binlog"
        if name == "innodb_doublewrite":
            assert value == "ON"
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
    _, spec = case
    spec["sandbox"] = False
    for outcome in judge(build(spec)).recommendations:
        if outcome.needs not in {Needs.DYNAMIC, Needs.RESTART}:
            continue
        applied = dict(ASSIGNMENT.findall(outcome.apply.cnf))
        assert applied[outcome.setting] == outcome.proposed
        again = judge(build(spec | {"variables": spec["variables"] | applied})).recommendations
        repeated = [
            later
            for later in again
            if later.verdict is Verdict.RECOMMEND and later.setting in applied
        ]
        assert not repeated, (applied, repeated)


@pytest.mark.parametrize("server", sorted(SERVERS))
def test_the_table_of_settings_says_what_the_real_server_said(server: str) -> None:
    version = ServerVersion.parse(version_of(server))
    shown = variables_of(server)
    for name in SETTINGS:
        known, recorded = span(version, name), SERVERS[server].get(name)
        assert (known is None) == (recorded is None), name
        if known is None or recorded is None:
            continue
        if known.default is not None:
            assert known.default == (shown[name] or "fsync"), name
        if name != "innodb_doublewrite":  # MySQL changes it only between some of its values
            assert known.dynamic == recorded["dynamic"], name
        if known.low is not None:
            assert known.low >= recorded["min"], name
        if known.high is not None and "max" in recorded:
            assert known.high <= recorded["max"], name
