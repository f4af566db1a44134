"""Advice that other tools give and that is wrong or stale: Leadline says what is right, or nothing.

``wrong_rules.toml`` holds one entry for each, in our own words: what is said elsewhere, why it is
wrong, and a server on which that advice would be given.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from advisor.judging.engine import judge
from advisor.outcomes import Judgement, NotApplicable, NotJudged, Outcome, Recommendation, Verdict
from advisor.rulekit.registry import all_rules
from advisor.steps import SetVariable
from advisor.variables.catalogue import SETTINGS
from advisor.variables.defaults import Machine, default
from probes.version import ServerVersion
from tests.rules.casework import build

ENTRIES: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("wrong_rules.toml").read_text(encoding="utf-8")
)["wrong"]
RULES = {rule.id for rule in all_rules()}


def judged(case: dict[str, Any]) -> Judgement:
    """Judge a whole server: its version's defaults, and on top what the case says."""
    version = ServerVersion.parse(case["version"])
    host = case.get("host", {})
    memory = host.get("memory_gib")
    machine = Machine(host.get("cpus"), None if memory is None else int(memory * 2**30), 65536)
    stated = case.get("variables", {})
    usual = {name: default(version, name, machine, stated) for name in SETTINGS}
    shown = {name: value for name, value in usual.items() if value is not None}
    origins = dict.fromkeys(shown, "COMPILED") | dict.fromkeys(stated, "/etc/my.cnf")
    return judge(build(case | {"variables": shown | stated, "origin": origins}))


def outcome_of(judgement: Judgement, rule: str) -> Outcome:
    outcomes: tuple[Outcome, ...] = (
        *judgement.recommendations,
        *judgement.not_judged,
        *judgement.not_applicable,
    )
    return next(outcome for outcome in outcomes if outcome.rule == rule)


def proposed(judgement: Judgement) -> dict[str, str]:
    """What the judgement wants set, by name."""
    return {
        step.name: step.value
        for outcome in judgement.recommendations
        if outcome.verdict is not Verdict.FINE
        for step in outcome.steps
        if isinstance(step, SetVariable)
    }


def verdict_of(outcome: Outcome) -> str:
    if isinstance(outcome, Recommendation):
        return outcome.verdict.value
    return "not judged" if isinstance(outcome, NotJudged) else "not applicable"


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry["name"] for entry in ENTRIES])
def test_leadline_says_the_right_thing_or_nothing(entry: dict[str, Any]) -> None:
    judgement = judged(entry["case"])
    wants = proposed(judgement)

    for name in entry.get("not_set", ()):
        assert name not in wants, wants
    for rule, expected in entry.get("expect", {}).items():
        outcome = outcome_of(judgement, rule)
        assert verdict_of(outcome) == expected, outcome
    for name, value in entry.get("sets", {}).items():
        assert wants.get(name) == value, wants
    for name, most in entry.get("at_most", {}).items():
        assert name not in wants or float(wants[name]) <= most, wants
    for rule, words in entry.get("says_of", {}).items():
        outcome = outcome_of(judgement, rule)
        assert not isinstance(outcome, NotApplicable | NotJudged), outcome
        told = f"{outcome.saw} {outcome.effect}".replace("\u202f", " ")
        assert words in told, told


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry["name"] for entry in ENTRIES])
def test_an_entry_is_complete(entry: dict[str, Any]) -> None:
    assert entry["says"].endswith(".")
    assert entry["because"].endswith(".")
    checks = [entry.get(key) for key in ("not_set", "expect", "sets", "at_most", "says_of")]
    assert any(checks), "an entry that checks nothing"
    assert set(entry.get("expect", {})) | set(entry.get("says_of", {})) <= RULES
    for key in ("sets", "at_most"):
        assert set(entry.get(key, {})) <= set(SETTINGS)


def test_there_are_forty_at_least() -> None:
    names = [entry["name"] for entry in ENTRIES]
    assert len(set(names)) == len(names) >= 40
