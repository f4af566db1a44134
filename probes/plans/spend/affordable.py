"""Whether a budget leaves anything for a point once files and tables are there."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from probes.errors import UsageError
from probes.figures import seconds, size
from probes.plans.file_sets import set_of
from probes.plans.plan import Budget, Plan, PlanName, Step
from probes.plans.shapes import MIB
from probes.plans.spend.chooser import chooser_for
from probes.plans.spend.expected import FILL_BYTES_PER_S, table_seconds
from probes.plans.spend.part import part_of
from probes.plans.spend.spent import prepared_bytes
from probes.points import SERVER_PROBES

MARGIN = 1.1
"""What is advised to be allowed in bytes, as a multiple of what preparing takes."""

MARGIN_S = 1.5
"""The same in seconds, which are only estimated."""

STEP_BYTES = 16 * MIB
STEP_S = 5.0
"""Advised amounts are whole multiples of these."""


@dataclass(frozen=True, slots=True)
class Lack:
    """What preparing takes (``writes 1 GiB``), what the budget has, and what would do."""

    takes: str
    has: str
    enough: str


def check_affordable(plan: Plan) -> None:
    """Raise UsageError where preparing would use up the budget before the first point.

    Bytes are known; seconds are those of the plan's own estimate, for the first point's files.
    """
    drive = part_of(plan, server=False)
    part = drive if drive.steps else plan
    found = lack(part)
    if found is None:
        return
    advice = f"Allow {found.enough}, or more."
    if plan.name is not PlanName.QUICK:
        advice += " The quick plan takes less."
    raise UsageError(
        f"Preparing {prepared(part)} {found.takes}, and the budget allows {found.has}: "
        "no point could be measured.",
        advice,
    )


def lack(part: Plan) -> Lack | None:
    """What a budget lacks for the first point of one part of a plan; None where it will do."""
    return next(_lacks(part), None) if part.steps else None


def prepared(part: Plan) -> str:
    """What is prepared for one part of a plan."""
    asks_server = all(step.setting.probe in SERVER_PROBES for step in part.steps)
    return "the table" if asks_server else "the files"


def _lacks(part: Plan) -> Iterator[Lack]:
    budget = part.budget
    read, written = prepared_bytes(part)
    if budget.written_bytes and written >= budget.written_bytes:
        yield _bytes("writes", written, f"{size(budget.written_bytes)} to write")
    if budget.read_bytes and read >= budget.read_bytes:
        yield _bytes("reads", read, f"{size(budget.read_bytes)} to read")
    step = _first(part)
    takes_s = _preparing_s(part, step)
    if budget.seconds and takes_s >= budget.seconds:
        whole_s = (takes_s + step.warmup_s + step.seconds) * MARGIN_S
        yield Lack(
            f"takes about {seconds(round(takes_s))}",
            seconds(budget.seconds),
            seconds(math.ceil(whole_s / STEP_S) * STEP_S),
        )


def _bytes(verb: str, size_bytes: int, has: str) -> Lack:
    enough = math.ceil(size_bytes * MARGIN / STEP_BYTES) * STEP_BYTES
    return Lack(f"{verb} {size(size_bytes)}", has, f"{size(enough)} to {verb[:-1]}")


def _first(part: Plan) -> Step:
    """The step that is measured first, whatever it costs."""
    unlimited = replace(part, budget=Budget(seconds=part.budget.seconds))
    index = chooser_for(unlimited, lambda: 0.0).choose(())
    return part.steps[index or 0]


def _preparing_s(part: Plan, step: Step) -> float:
    """How long the files of one step, or the table, are likely to take."""
    index = set_of(step.setting, part.file_sets)
    files = () if index is None else (part.file_sets[index],)
    moved = sum(prepared_bytes(replace(part, steps=(step,), file_sets=files, table_bytes=0)))
    return moved / FILL_BYTES_PER_S + table_seconds(part)
