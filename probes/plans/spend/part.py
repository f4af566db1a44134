"""A plan taken apart: the drive's probes come first, the server's after it."""

from __future__ import annotations

from dataclasses import replace

from probes.plans.file_sets import set_of
from probes.plans.plan import Plan
from probes.points import SERVER_PROBES


def part_of(plan: Plan, *, server: bool) -> Plan:
    """The steps that ask a server, or those that don't, with the files and tables they need."""
    kept = [
        index
        for index, step in enumerate(plan.steps)
        if (step.setting.probe in SERVER_PROBES) is server
    ]
    position = {index: place for place, index in enumerate(kept)}
    steps = tuple(plan.steps[index] for index in kept)
    used = {set_of(step.setting, plan.file_sets) for step in steps}
    return replace(
        plan,
        steps=steps,
        file_sets=tuple(files for index, files in enumerate(plan.file_sets) if index in used),
        sandbox=plan.sandbox and server,
        table_bytes=plan.table_bytes if server else 0,
        cross_steps=tuple(position[index] for index in plan.cross_steps if index in position),
    )
