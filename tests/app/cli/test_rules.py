"""What Leadline knows can be listed and read."""

from __future__ import annotations

import json
from collections.abc import Callable

from advisor.rules.registry import all_rules
from tests.app.cli.conftest import Done

Leadline = Callable[..., Done]


def test_every_rule_is_listed_with_its_title(leadline: Leadline) -> None:
    listed = leadline("rules")
    assert listed.code == 0
    assert listed == leadline("rules", "list")
    for rule in all_rules():
        assert rule.id in listed.stdout
        assert rule.title in listed.stdout


def test_rules_as_json(leadline: Leadline) -> None:
    content = json.loads(leadline("rules", "list", "--json").stdout)
    assert content == json.loads(leadline("rules", "--json").stdout)
    assert [each["rule"] for each in content] == [rule.id for rule in all_rules()]
    assert all(each["needs"] and each["title"] and each["topic"] for each in content)


def test_a_rule_shows_its_page(leadline: Leadline) -> None:
    rule = all_rules()[0]
    shown = leadline("rules", "show", rule.id)
    assert shown.stdout == f"# {rule.id}\n\n{rule.documentation.strip()}\n"
    content = json.loads(leadline("rules", "show", rule.id, "--json").stdout)
    assert content["documentation"] == rule.documentation
