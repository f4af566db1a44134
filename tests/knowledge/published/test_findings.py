"""The findings are whole, hang together, and are those that the rules name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from advisor.knowledge.findings import PublishedFinding, findings
from advisor.rulekit.registry import all_rules
from tests.each import of_each

FINDINGS = findings()
NAMED = {rule.id: rule.findings for rule in all_rules() if rule.findings}


@of_each(FINDINGS)
def test_a_finding_says_what_where_and_whence(finding: PublishedFinding) -> None:
    assert re.fullmatch(r"[FB]\d{2,3}", finding.id)
    assert re.fullmatch(r"\S.*\.", finding.statement)
    assert re.fullmatch(r"(.*\.)?", finding.figures)
    assert finding.supports.endswith(".")
    assert finding.holds_when
    assert not finding.holds_when.endswith(".")
    assert finding.source
    assert re.fullmatch(r"(https?://\S+)?", finding.url)
    assert re.fullmatch(r"(\d{4}(-\d{2}(-\d{2})?)?)?", finding.date)


@of_each(FINDINGS)
def test_what_corrects_a_finding_is_one(finding: PublishedFinding) -> None:
    assert set(finding.corrected_by) <= set(FINDINGS) - {finding.id}


@of_each(NAMED)
def test_every_finding_that_a_rule_names_exists(named: Sequence[str]) -> None:
    assert set(named) <= set(FINDINGS)
    assert len(set(named)) == len(named)


def test_ids_run_without_a_gap() -> None:
    """Ids are stable: what was published once is never taken away, only corrected."""
    numbers: dict[str, list[int]] = {letter: [] for letter in "FB"}
    for name in FINDINGS:
        numbers[name[0]].append(int(name[1:]))
    assert sorted(numbers["F"]) == [*range(1, 40), *range(50, 136)]
    assert sorted(numbers["B"]) == [*range(1, 15)]


def test_a_citation_can_be_looked_up() -> None:
    assert FINDINGS["F62"].citation.endswith(
        "(2019-12-18), "
        "https://www.percona.com/blog/2019/12/18/give-love-to-your-ssds-reduce-innodb_io_capacity_max/"
    )
    assert FINDINGS["F01"].citation == "M. Callaghan, How many IOPs can InnoDB do? (2010)"
