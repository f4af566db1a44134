"""What of a change plan the model can turn, and what it has no place for."""

from __future__ import annotations

from advisor.forecasts.turns import DURABILITY, TURNS, short_name
from advisor.plan.change_plan import ChangePlan
from probes.figures import listed

FILE = "innodb_log_file_size"


def of_plan(plan: ChangePlan, log_files: int) -> tuple[dict[str, str], str]:
    """Names and values to turn, and a sentence on the settings that a forecast leaves as they are.

    ``log_files`` is how many files the redo log has. The sentence is "" where all are taken.
    Changes of the machine are in no forecast.
    """
    wanted: dict[str, str] = {}
    apart: list[str] = []
    for action, step in plan.settings():
        name = short_name(step.name)
        if name in TURNS or name in DURABILITY:
            wanted[name] = action.shows
        elif step.name == FILE and action.shows.isdecimal():
            wanted["redo_log"] = str(int(action.shows) * log_files)
        else:
            apart.append(step.name)
    return wanted, f"What {listed(apart)} would bring is not in this forecast." if apart else ""
