"""Every fact by its name. An area is a module beside this one with ``FACTS`` in it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

from advisor import facts
from advisor.facts.fact import AnyFact

_NO_AREAS = (__name__, f"{facts.__name__}.known")


def _found() -> Iterator[AnyFact]:
    """Give all areas' facts; scanned, so that a new area is a new file and nothing else."""
    for module in pkgutil.iter_modules(facts.__path__, f"{facts.__name__}."):
        if module.name not in _NO_AREAS:
            yield from getattr(importlib.import_module(module.name), "FACTS", ())


def _by_name() -> dict[str, AnyFact]:
    named: dict[str, AnyFact] = {}
    for fact in _found():
        if named.setdefault(fact.name, fact) is not fact:
            raise ValueError(f"two facts are called {fact.name}")
    return named


CATALOGUE: dict[str, AnyFact] = _by_name()
"""Every fact by its name."""
