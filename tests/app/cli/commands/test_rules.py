"""What Leadline knows can be listed, read and reviewed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.rulebook.pages import page
from advisor.rulekit.registry import GONE, all_rules
from app.cli.commands import rules as command
from tests.app.cli.forked import Done

Leadline = Callable[..., Done]


def test_every_rule_is_listed_with_its_title_below_its_family(leadline: Leadline) -> None:
    listed = leadline("rules")
    assert listed.code == 0
    assert listed == leadline("rules", "list")
    lines = [line.strip() for line in listed.stdout.splitlines()]
    for rule in all_rules():
        assert any(line.startswith(rule.id) and rule.title in line for line in lines), rule.id
    assert "flushing" in lines
    assert f"{len(all_rules())} rules." in listed.stdout


def test_rules_as_json(leadline: Leadline) -> None:
    content = json.loads(leadline("rules", "list", "--json").stdout)
    assert content == json.loads(leadline("rules", "--json").stdout)
    assert [each["rule"] for each in content] == [rule.id for rule in all_rules()]
    assert all(each["needs"] and each["title"] and each["topic"] for each in content)


def test_a_rule_shows_its_page(leadline: Leadline) -> None:
    rule = all_rules()[0]
    shown = leadline("rules", "show", rule.id)
    assert shown.stdout == page(rule)
    content = json.loads(leadline("rules", "show", rule.id, "--json").stdout)
    assert content["documentation"] == page(rule)
    assert leadline("rules", "show", "no.rule").code == 2


@pytest.mark.parametrize("rule", sorted(GONE))
def test_a_rule_that_is_gone_is_said_to_be(leadline: Leadline, rule: str) -> None:
    assert rule not in {each.id for each in all_rules()}
    shown = leadline("rules", "show", rule)
    assert (shown.code, f"no longer has the rule {rule}" in shown.stdout) == (0, True)
    content = json.loads(leadline("rules", "show", rule, "--json").stdout)
    assert content == {"rule": rule, "gone": True}


def test_the_rules_are_reviewed_family_by_family(leadline: Leadline) -> None:
    content = json.loads(leadline("rules", "check", "--json").stdout)
    assert [each["rule"] for each in content] == [rule.id for rule in all_rules()]
    counted = [each["cases"] for each in content if each["cases"]]
    assert counted
    told = leadline("rules", "check")
    assert told.stdout.splitlines()[0].split()[:2] == ["rule", "cases"]
    cases = sum(sum(each.values()) - each["boundary"] for each in counted)
    assert f"{len(content)} rules in " in told.stdout
    assert f" {cases} cases." in told.stdout
    assert told.code == (1 if any(each["faults"] for each in content) else 0)


def test_an_installation_without_cases_counts_sources_alone(
    leadline: Leadline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "ROOT", tmp_path)
    done = leadline("rules", "check", "--json")
    assert done.code == 0
    content = json.loads(done.stdout)
    assert all(each["cases"] is None and each["sources"] for each in content)
    assert "part of the source tree" in leadline("rules", "check").stderr


def test_rules_say_how_old_they_are(leadline: Leadline) -> None:
    content = json.loads(leadline("rules", "--age", "--json").stdout)
    assert [each["rule"] for each in content] == [rule.id for rule in all_rules()]
    assert all(each["days"] >= 0 for each in content)
    listed = leadline("rules", "--age").stdout
    assert listed.splitlines()[0].split()[0] == "rule"
    newest = max(each["published"][-1] for each in content if each["published"])
    assert f"{len(content)} rules; the newest published source is of {newest}." in listed
