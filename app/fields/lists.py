"""What is typed of a run where one word says several things: lists, and budgets."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from advisor.amounts import duration_s, latency_us, percentage, size_bytes
from probes.errors import UsageError
from probes.kinds.kind import Kind
from probes.kinds.table import PROBES_OF
from probes.plans.plan import UNTIL_DECIDED, Budget
from probes.plans.wishes import Wishes
from probes.points import Probe

PROBES = tuple(probe.value for kind in Kind for probe in PROBES_OF[kind])
"""Those that can be asked for."""

PARTS: Mapping[str, tuple[str, Callable[[str], float]]] = {
    "seconds": ("seconds", duration_s),
    "read": ("read_bytes", size_bytes),
    "write": ("written_bytes", size_bytes),
    "endurance": ("endurance_share", percentage),
    # A bare number could mean anything here: the unit is asked for.
    "added-latency": ("added_us", latency_us),
}
"""Parts of a budget as they are typed: each with what it limits, and how its amount is read."""

_NEXT_PART = re.compile(r",(?=[^,=]*=)|,\s*$")
"""A comma that ends a part of a budget, and is not the point of its number."""


def names(text: str, known: Sequence[str], what: str) -> tuple[str, ...]:
    """Words of a list, each one of ``known``; raises UsageError."""
    found = tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
    for word in found:
        if word not in known:
            raise UsageError(f"There is no {what} '{word}'.", f"There are {', '.join(known)}.")
    return found


def probes_named(texts: Sequence[str]) -> tuple[Probe, ...]:
    """``random_read,redo-sync`` as probes; raises UsageError."""
    joined = ",".join(texts).replace("-", "_")
    return tuple(Probe(name) for name in names(joined, PROBES, "probe"))


def budget_parts(texts: Sequence[str]) -> dict[str, Any]:
    """``seconds=600,write=20G`` as a Budget's fields; raises UsageError."""
    given: dict[str, Any] = {}
    parts = [part.strip() for text in texts for part in _NEXT_PART.split(text)]
    for part in filter(None, parts):
        name, equals, value = part.partition("=")
        if not equals or name.strip() not in PARTS:
            raise UsageError(
                f"'{part}' is not a valid part of a budget.",
                f"Write it like seconds=600,write=20G. There are {', '.join(PARTS)}.",
            )
        limited, read = PARTS[name.strip()]
        given[limited] = read(value)
    return given


def what_is_open(text: str) -> Wishes:
    """``90s``, ``5min`` or ``until-decided``: what is open is measured; raises UsageError."""
    if text.strip().casefold() == UNTIL_DECIDED:
        return Wishes(deciding=True, budget=Budget(0.0))
    try:
        seconds = duration_s(text)
    except UsageError as error:
        hint = f"For example 90s, 5min or {UNTIL_DECIDED}."
        raise UsageError(f"'{text.strip()}' is not a valid budget.", hint) from error
    if seconds <= 0:
        raise UsageError("A budget of no time measures nothing.", f"Give 90s, or {UNTIL_DECIDED}.")
    return Wishes(deciding=True, budget=Budget(seconds))
