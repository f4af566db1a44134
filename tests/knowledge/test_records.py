"""Every rule is seen to matter: a whole server, an experiment or a real server names it.

One that guards data needs none: that it was never seen to be needed is no reason against it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from advisor.rulekit.registry import all_rules
from tests.knowledge.production.cases import FOLDER

ROOT = Path(__file__).resolve().parents[2]
EXPERIMENTS = Path(__file__).parent / "published" / "experiments.toml"
ON_REAL_SERVERS = (
    "docs/servers.md",
    "tests/knowledge/options/test_ended_starts.py",
    "tests/knowledge/options/test_real_lines.py",
    "tests/knowledge/options/test_real_option_files.py",
    "tests/rules/real_servers/test_on_busy_servers.py",
)
"""What real servers, and real option files, were told."""


def named() -> Iterator[str]:
    """Every rule that a record names, and more words."""
    for path in sorted(FOLDER.glob("*.toml")):
        document = _read(path)
        for server in (document, *document.get("variant", ())):
            yield from _words(server.get("expect", {}))
    for experiment in _read(EXPERIMENTS)["experiment"]:
        yield experiment["rule"]
    for place in ON_REAL_SERVERS:
        yield from re.findall(r"[a-z]+[a-z-]*\.[a-z0-9-]+", (ROOT / place).read_text("utf-8"))


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _words(expected: dict[str, Any]) -> Iterator[str]:
    for value in expected.values():
        if isinstance(value, list | dict):
            yield from (each for each in value if isinstance(each, str))


def test_every_rule_is_named_in_a_record_or_guards_data() -> None:
    records = set(named())
    assert [rule.id for rule in all_rules() if rule.id not in records | GUARDS] == []


GUARDS = {rule.id for rule in all_rules() if rule.guards_data}


def test_what_guards_data_stays_the_exception() -> None:
    assert len(GUARDS) <= 13, "an exemption is for what keeps data, not for what nobody has seen"
