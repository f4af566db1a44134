"""Every fact by its name: the constants of all areas. An area is a module in a room here."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping

from advisor import facts
from advisor.facts.fact import AnyFact, Fact


def _found() -> Iterator[AnyFact]:
    """Give all areas' facts; scanned, so that a new area is a new file and nothing else."""
    for module in pkgutil.walk_packages(facts.__path__, f"{facts.__name__}."):
        if module.name != __name__:
            for value in vars(importlib.import_module(module.name)).values():
                for each in value.values() if isinstance(value, Mapping) else (value,):
                    if isinstance(each, Fact):
                        yield each


def _by_name() -> dict[str, AnyFact]:
    named: dict[str, AnyFact] = {}
    for fact in _found():
        if named.setdefault(fact.name, fact) is not fact:
            raise ValueError(f"two facts are called {fact.name}")
    return named


CATALOGUE: dict[str, AnyFact] = _by_name()
"""Every fact by its name."""
