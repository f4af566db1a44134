"""The example in docs/contributing/a-new-rule.md is a rule that works, and as short as it says."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from advisor.judging.engine import judge_by
from advisor.outcomes import Outcome, Recommendation
from advisor.rulekit.facts import FactSource
from advisor.rulekit.rule import Rule
from tests.rules.casework import build
from tests.rules.test_rules import as_expected, merged

PAGE = Path(__file__).resolve().parents[2] / "docs" / "contributing" / "a-new-rule.md"
NAME = "advisor.rules.memory_limits.sort_buffer_size"
MOST_LINES = 40


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rule]:
    module = ModuleType(NAME)
    monkeypatch.setitem(sys.modules, NAME, module)
    exec(compile(block("python"), str(PAGE), "exec"), vars(module))
    yield vars(module)["check"]


def cases() -> list[dict[str, Any]]:
    document = tomllib.loads(block("toml"))
    return [merged(document["base"], case) for case in document["case"]]


def judged(rule: Rule, case: dict[str, Any]) -> Outcome:
    return judge_by(rule, FactSource(build(case)))


@pytest.mark.parametrize("case", cases(), ids=lambda case: str(case["name"]))
def test_its_cases_hold(made: Rule, case: dict[str, Any]) -> None:
    as_expected((case, judged(made, case)))


def test_it_has_the_four_kinds_of_cases() -> None:
    kinds = {case["expect"] for case in cases()}
    assert kinds == {"recommend", "fine", "not judged"}
    assert any(case.get("boundary") for case in cases())


def test_it_is_short_and_named_after_its_path(made: Rule) -> None:
    code = block("python").split('"""', 2)[2]
    assert made.id == "memory-limits.sort-buffer-size"
    assert len([line for line in code.splitlines() if line.strip()]) <= MOST_LINES


def test_the_page_says_what_the_card_says(made: Rule) -> None:
    outcome = judged(made, cases()[0])
    assert isinstance(outcome, Recommendation)
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert outcome.flips_when.replace("\u202f", " ") in page
    assert outcome.formula.replace("\u202f", " ") in page
