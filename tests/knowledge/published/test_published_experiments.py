"""Published experiments as cases: the advice that follows is the authors' own conclusion."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from advisor.case import Case
from advisor.compare.contender import Contender
from advisor.compare.matching import by_kind, matched
from advisor.compare.reference import library
from advisor.judging.engine import judge_by
from advisor.knowledge.findings import findings
from advisor.outcomes import NotApplicable, NotJudged, Recommendation
from advisor.rulekit.facts import FactSource
from advisor.rulekit.registry import all_rules
from advisor.wording.advice.why import sentence
from probes.points import Point, Probe, Setting
from tests.points import point
from tests.rules.casework import build

EXPERIMENTS: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("experiments.toml").read_text(encoding="utf-8")
)["experiment"]
RULES = {rule.id: rule for rule in all_rules()}
LIBRARY = {contender.key: contender for contender in library()}


def case_of(experiment: dict[str, Any]) -> Case:
    """The experiment's case, with the published points as if a run here had found them."""
    case = build(experiment["case"])
    if "reference" not in experiment:
        return case
    published = LIBRARY[experiment["reference"]].points
    points = (*case.points, *(replace(point, engine="test") for point in published))
    return replace(
        case, points=tuple(replace(point, id=number + 1) for number, point in enumerate(points))
    )


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: str(each["name"]))
def test_the_advice_is_the_authors_own_conclusion(experiment: dict[str, Any]) -> None:
    outcome = judge_by(RULES[experiment["rule"]], FactSource(case_of(experiment)))

    if experiment.get("verdict") == "not applicable":
        assert isinstance(outcome, NotApplicable), outcome
        return
    if experiment.get("verdict") == "open":
        assert isinstance(outcome, NotJudged)
        assert outcome.turns_on, "a question that somebody can answer"
        assert experiment["says"] in sentence(outcome.why)
        return
    assert not isinstance(outcome, NotJudged), outcome
    assert isinstance(outcome, Recommendation), outcome
    if "verdict" in experiment:
        assert outcome.verdict == experiment["verdict"], outcome
    assert outcome.proposed == experiment.get("proposed", outcome.proposed), outcome
    assert outcome.proposed != experiment.get("not_proposed"), outcome
    told = f"{outcome.saw} {outcome.effect}".replace("\u202f", " ")
    assert experiment.get("says", "") in told, told


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: str(each["name"]))
def test_the_rule_names_a_finding_of_the_experiment(experiment: dict[str, Any]) -> None:
    assert set(experiment["findings"]) <= set(findings())
    assert set(experiment["findings"]) & set(RULES[experiment["rule"]].findings), experiment["rule"]


def drive(name: str, latency_us: float, most_per_s: float) -> Contender:
    """A drive that answers each read after the same time until its rate is reached."""
    points: list[Point] = []
    for threads in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512):
        rate = min(threads / latency_us * 1e6, most_per_s)
        setting = Setting(Probe.RANDOM_READ, threads, 16384, 1, "/d")
        points.append(point(setting, rate, id=len(points) + 1, engine="test"))
    return Contender(name, name, {}, tuple(points))


def test_twice_the_iops_at_four_times_the_latency_is_slower_up_to_64_users() -> None:
    """F34: the author's thought example. 64 users are where the quick drive is at its limit."""
    quick, wide = drive("quick", 1000, 32_000), drive("wide", 4000, 64_000)
    (reads,) = matched([by_kind(quick), by_kind(wide)])
    ratios = {level.threads: level.ratios[1] for level in reads.levels}
    told = {threads: ratio.value for threads, ratio in ratios.items() if ratio is not None}
    assert [told[threads] for threads in (1, 8, 32)] == pytest.approx([0.25, 0.25, 0.25])
    assert told[64] == pytest.approx(0.5)
    assert told[128] == pytest.approx(1.0)
    assert told[256] == pytest.approx(2.0)
