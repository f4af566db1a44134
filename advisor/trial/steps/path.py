"""Through which sizes a change in steps goes, and which ones a server takes as they are."""

from __future__ import annotations

from collections.abc import Mapping

POOL = "innodb_buffer_pool_size"
STEP_SHARE = 0.1
"""A pool that becomes smaller gives up a tenth of what it had at a time."""

_MOST_POOL = "innodb_buffer_pool_size_max"


def unit_bytes(name: str, variables: Mapping[str, str], step: int | None) -> int:
    """A size that is no multiple of this is rounded; ``step`` is what the setting's sheet says."""
    least = step or 1
    if name != POOL:
        return least
    chunk = _number(variables, "innodb_buffer_pool_chunk_size", 0)
    # Servers that have given chunks up show none, or 0.
    return max(least, chunk * _number(variables, "innodb_buffer_pool_instances", 1))


def most_bytes(name: str, variables: Mapping[str, str]) -> int | None:
    """What the server lets a size grow to while it runs; None where it names no end."""
    most = _number(variables, _MOST_POOL, 0) if name == POOL else 0
    return most or None


def step_path(old: int, new: int, unit: int, *, tenths: bool) -> tuple[str, ...]:
    """The sizes on the way, the last one ``new``."""
    if new >= old or not tenths:
        return (str(new),)
    step = max(unit, round(STEP_SHARE * old / unit) * unit)
    # A last step that is hardly one belongs to the one before.
    return (*map(str, range(old - step, new + unit // 2, -step)), str(new))


def _number(variables: Mapping[str, str], name: str, otherwise: int) -> int:
    text = variables.get(name, "")
    return int(text) if text.isdecimal() else otherwise
