"""What of a change plan the model can turn, and what it has no place for."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.forecasts.turns import DURABILITY, TURNS, short_name
from advisor.plan.change_plan import ChangePlan
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


def of_plan(plan: ChangePlan, log_files: int) -> tuple[dict[str, str], str]:
    """Names and values to turn, and a sentence on the settings that a forecast leaves as they are.

    ``log_files`` is how many files the redo log has. The sentence is "" where all are taken.
    Changes of the machine are in no forecast.
    """
    wanted: dict[str, str] = {}
    apart: list[str] = []
    for action, step in plan.settings():
        pair = turnable(step.name, action.shows, log_files)
        if pair is None:
            apart.append(step.name)
        else:
            wanted[pair[0]] = pair[1]
    return wanted, left_apart(apart)


def left_apart(names: Sequence[str]) -> str:
    """What no forecast has a place for, in a sentence; "" for nothing."""
    return f"What {listed(names)} would bring is not in this forecast." if names else ""
