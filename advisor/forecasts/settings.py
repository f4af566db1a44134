"""Which of a server's settings the model can turn, and how it says which it has no place for."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.forecasts.commit_turns import DURABILITY
from advisor.forecasts.turns import TURNS, short_name
from probes.figures import listed

FILE = "innodb_log_file_size"


def turnable(name: str, value: str, log_files: int) -> tuple[str, str] | None:
    """A server's setting as a forecast turns it; None for one that it has no place for."""
    short = short_name(name)
    if short in TURNS or short in DURABILITY:
        return short, value
    if name == FILE and value.isdecimal():
        return "redo_log", str(int(value) * log_files)
    return None


def left_apart(names: Sequence[str]) -> str:
    """What no forecast has a place for, in a sentence; "" for nothing."""
    return f"What {listed(names)} would bring is not in this forecast." if names else ""
