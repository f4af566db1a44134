"""Finds the rules: the modules of each family in ``advisor/rules``, and the rows of the tables.

A module that begins with ``_`` is shared by others, and no rule.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from advisor.rulekit.rows import rows
from advisor.rulekit.rule import Rule

RULES = "advisor.rules"
"""Where they are: found, never imported by name, for rules import the kit."""

GONE = frozenset(
    {
        "doublewrite.batch-size",
        "files.table-definition-cache",
        "host.interrupt-spread",
        "memory-limits.key-buffer-size",
        "redo.spin-wait-delay",
        "threads.thread-cache-size",
    }
)
"""Rules that there were: a script that still names one goes on."""


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, by id. Found by scanning: a new rule is a new file and nothing else."""
    found = rows()
    home = importlib.import_module(RULES)
    for family in pkgutil.iter_modules(home.__path__, f"{RULES}."):
        if not family.ispkg:
            continue
        package = importlib.import_module(family.name)
        for module in pkgutil.iter_modules(package.__path__, f"{family.name}."):
            if not module.name.rpartition(".")[2].startswith("_"):
                found += rules_of(module.name)
    return tuple(sorted(found, key=lambda rule: rule.id))


def rules_of(module_name: str) -> list[Rule]:
    """Import a module and give the rules in it: one, or those of one question."""
    members = vars(importlib.import_module(module_name)).values()
    return [member for member in members if isinstance(member, Rule)]
