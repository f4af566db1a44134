"""Runs every rule on its cases, and holds all rules to the conventions."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from advisor import rules
from advisor.facts.catalogue import CATALOGUE
from advisor.judging.engine import judge_by
from advisor.outcomes import Apply, NotApplicable, NotJudged, Outcome, Recommendation, Verdict
from advisor.rulebook.pages import by_page, page
from advisor.rulebook.review import SECTIONS
from advisor.rulekit.facts import FactSource
from advisor.rulekit.registry import all_rules
from advisor.rulekit.rows import rows
from advisor.rulekit.rule import Rule
from advisor.steps import Needs, Procedure
from advisor.variables.catalogue import SETTINGS
from advisor.why import RuleFailed
from advisor.wording.advice.why import sentence
from tests.each import all_hold, of_each
from tests.rules.casework import build

HERE = Path(__file__).parent
RULES = {rule.id: rule for rule in all_rules()}
MERGED = (
    "variables",
    "rates",
    "gauges",
    "samples",
    "host",
    "drive",
    "storage",
    "where",
    "server",
    "process",
    "sync",
)


def case_file(rule: Rule) -> Path:
    return HERE / "cases" / f"{rule.id.replace('.', '/').replace('-', '_')}.toml"


@cache
def cases_of(rule: Rule) -> list[dict[str, Any]]:
    """The cases of a rule; whoever changes one changes a copy."""
    with case_file(rule).open("rb") as file:
        document = tomllib.load(file)
    return [merged(document.get("base", {}), case) for case in document["case"]]


def merged(base: dict[str, Any], case: dict[str, Any]) -> dict[str, Any]:
    """Lay a case over its file's base; ``without`` names what the base says and the case lacks."""
    whole = base | case
    for key in MERGED:
        if key in base and key in case:
            whole[key] = base[key] | case[key]
    for name in case.get("without", ()):
        table, _, key = name.partition(".")
        if key:
            whole[table] = {k: v for k, v in whole[table].items() if k != key}
        else:
            whole.pop(table)
    return whole


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_cases(rule: Rule) -> None:
    judged = zip(cases_of(rule), outcomes_of(rule), strict=True)
    all_hold({case["name"]: (case, outcome) for case, outcome in judged}, as_expected)


@cache
def outcomes_of(rule: Rule) -> list[Outcome]:
    """What a rule says of each of its cases; the files that ask for it go to one worker."""
    return [judge_by(rule, FactSource(build(case))) for case in cases_of(rule)]


def as_expected(judged: tuple[dict[str, Any], Outcome]) -> Outcome:
    """Hold the outcome of a case against what the case expects, and return it."""
    case, outcome = judged
    if case["expect"] == "not applicable":
        assert isinstance(outcome, NotApplicable), outcome
        assert case["because"] in sentence(outcome.why).replace("\u202f", " ")
        return outcome
    if case["expect"] == "not judged":
        assert isinstance(outcome, NotJudged), outcome
        assert case["because"] in sentence(outcome.why).replace("\u202f", " ")
        assert not isinstance(outcome.why, RuleFailed)
        return outcome
    assert isinstance(outcome, Recommendation), outcome
    assert outcome.verdict == case["expect"], outcome
    assert outcome.proposed == case.get("proposed", outcome.proposed), outcome
    assert outcome.now == case.get("now", outcome.now)
    assert outcome.needs == case.get("needs", outcome.needs)
    assert outcome.confidence == case.get("confidence", outcome.confidence)
    assert outcome.apply.sql == case.get("sql", outcome.apply.sql)
    assert outcome.apply.cnf == case.get("cnf", outcome.apply.cnf)
    assert outcome.undo == case.get("undo", outcome.undo)
    assert case.get("saw", "") in outcome.saw.replace("\u202f", " "), outcome.saw
    assert case.get("effect", "") in outcome.effect.replace("\u202f", " "), outcome.effect
    assert case.get("formula", "") in outcome.formula.replace("\u202f", " "), outcome.formula
    assert case.get("flips_when", "") in outcome.flips_when, outcome.flips_when
    assert case.get("side_effects", "") in outcome.side_effects, outcome.side_effects
    assert outcome.slight == case.get("slight", outcome.slight)
    assert outcome.stakes == case.get("stakes", outcome.stakes)
    assert bool(outcome.relieves) == case.get("relieves", bool(outcome.relieves))
    assert outcome.urgency == pytest.approx(case.get("urgency", outcome.urgency), abs=0.01)
    assert "shows" not in case or shown(case["shows"], outcome), (outcome.saw, outcome.formula)
    well_said(outcome)
    return outcome


def shown(figure: str, outcome: Recommendation) -> bool:
    """Whether a figure stands in what was seen or in the formula, and not inside a longer one."""
    text = f"{outcome.saw} {outcome.formula}".replace("\u202f", " ")
    return re.search(rf"(?<![\w.,]){re.escape(figure)}(?![\w])", text) is not None


def well_said(outcome: Recommendation) -> None:
    """A recommendation is complete: what, why, evidence, how to do it and how to undo it."""
    assert outcome.evidence
    assert re.fullmatch(r"[A-Z].*\.", outcome.saw), outcome.saw
    assert outcome.effect.endswith("."), outcome.effect
    assert outcome.flips_when
    assert outcome.gain is None or 0 <= outcome.gain.low <= outcome.gain.value
    assert outcome.gain is None or outcome.gain.value <= outcome.gain.high <= 1
    assert "  " not in outcome.saw
    if outcome.verdict is Verdict.FINE:
        assert not outcome.proposed
        assert outcome.needs is Needs.NOTHING
    if outcome.proposed and not held_back_by_hand(outcome):
        by_hand = any(isinstance(step, Procedure) for step in outcome.steps)
        assert by_hand or outcome.apply != Apply()
        assert outcome.undo
        assert outcome.risk
        assert outcome.proposed != outcome.now
    if outcome.verdict is Verdict.RECOMMEND:
        assert outcome.proposed


def held_back_by_hand(outcome: Recommendation) -> bool:
    """Whether it waits for other advice, and its steps by hand with it: no way back is said."""
    held = bool(outcome.waits_for) and outcome.apply == Apply()
    assert not held or not (outcome.steps or outcome.undo or outcome.verify), outcome
    return held


@of_each(RULES)
def test_page_has_its_sections_in_order(rule: Rule) -> None:
    assert re.findall(r"^## (.+)$", rule.text, re.MULTILINE) == list(SECTIONS)
    bodies = re.split(r"^## .+$", rule.text, flags=re.MULTILINE)[1:]
    assert all(body.strip() for body in bodies)
    assert rule.title[0].isalpha()
    assert len(rule.title) <= 80


@of_each(RULES)
def test_page_renders_with_every_fact(rule: Rule) -> None:
    shown = page(rule)
    assert shown.startswith(f"# {rule.title}\n")
    for name in rule.needs + rule.uses:
        assert f"| `{name}` | {CATALOGUE[name].unit} |" in shown


@of_each(RULES)
def test_references_are_public(rule: Rule) -> None:
    assert not re.search(r"\b[FBSM]\d{1,3}\b", rule.text), "an id that no reader can look up"


@of_each(RULES)
def test_facts_and_settings_are_known(rule: Rule) -> None:
    assert set(rule.needs + rule.uses) <= set(CATALOGUE)
    assert len(set(rule.needs + rule.uses)) == len(rule.needs + rule.uses)
    assert set(rule.settings) <= set(SETTINGS)
    assert rule.needs
    assert rule.topic


@of_each(RULES)
def test_cases_cover_firing_fine_not_judged_and_a_boundary(rule: Rule) -> None:
    cases = cases_of(rule)
    expected = {case["expect"] for case in cases}
    assert expected & {"recommend", "watch"}
    assert {"fine", "not judged"} <= expected
    assert any(case.get("boundary") for case in cases)
    assert len({case["name"] for case in cases}) == len(cases)


@of_each(RULES)
def test_recommending_cases_state_the_value(rule: Rule) -> None:
    unstated = [
        case["name"]
        for case in cases_of(rule)
        if case["expect"] == "recommend" and "proposed" not in case
    ]
    assert not unstated, f"these state no 'proposed': {unstated}"


@of_each(RULES)
def test_boundary_cases_state_a_figure(rule: Rule) -> None:
    # The verdict alone would hold as well far away from the boundary.
    unstated = [
        case["name"]
        for case in cases_of(rule)
        if case.get("boundary")
        and case["expect"] in {"recommend", "watch", "fine"}
        and not {"shows", "proposed"} & set(case)
        and not re.search(r"\d", case.get("saw", "") + case.get("formula", ""))
    ]
    assert not unstated, f"these state no 'shows', 'proposed' or figure in 'saw': {unstated}"


def test_ids_are_paths_and_every_module_or_row_is_one_question() -> None:
    folder = Path(rules.__path__[0])
    files = [path for path in folder.glob("*/*.py") if not path.name.startswith("_")]
    modules = {f"{path.parent.name}.{path.stem}".replace("_", "-") for path in files}
    pages = by_page(all_rules())
    assert set(pages) == modules | {row.page for row in rows()}
    for name, members in pages.items():
        ids = {rule.id for rule in members}
        assert ids == {name} if len(members) == 1 else name not in ids
    places = [rule.source.partition("#")[0] for rule in all_rules()]
    assert all((folder.parents[1] / place).is_file() for place in places)


def test_every_case_file_belongs_to_a_rule() -> None:
    assert set((HERE / "cases").glob("*/*.toml")) == {case_file(rule) for rule in RULES.values()}


def test_every_fact_is_described() -> None:
    for name, fact in CATALOGUE.items():
        assert fact.name == name
        assert fact.unit
        assert fact.source
        # NUMA, CPU and their like keep their capitals.
        assert fact.meaning[0].islower() or fact.meaning.split()[0].isupper(), fact.meaning
        assert not fact.meaning.endswith(".")
