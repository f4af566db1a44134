"""A whole server is refused where its figures contradict each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.rules.coherence.counters import against_each_other
from tests.rules.coherence.waits import adding_up
from tests.rules.coherence.words import unsaid


class Incoherent(ValueError):
    """A server that can't be: its figures contradict each other, or no inventory says its words."""


def contradictions(spec: Mapping[str, Any]) -> list[str]:
    """Every contradiction of a case, as sentences; its variables are whole, with their defaults."""
    found = [*unsaid(spec), *against_each_other(spec)]
    return found + (list(adding_up(spec)) if "work" in spec else [])


def coherent(spec: Mapping[str, Any], name: str = "the server") -> None:
    """Refuse a case that can't be. Raises Incoherent with all that is wrong of it."""
    found = contradictions(spec)
    if found:
        raise Incoherent(f"{name} can't be:\n- " + "\n- ".join(found))
