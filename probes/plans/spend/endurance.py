"""What a drive is rated to take in its life, where its model is known, and a budget held to it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from probes.errors import UsageError
from probes.inventory.facts import Disk
from probes.plans.plan import Plan
from probes.plans.spend.expected import timed
from probes.points import Probe

_WARRANTY_DAYS = 5 * 365

FILLS: tuple[tuple[str, float], ...] = (
    (r"Samsung SSD (860|870|970|980|990) EVO", 600),
    (r"Samsung SSD (980|990) PRO", 600),
    (r"Samsung SSD 980 \d", 600),
    (r"Samsung SSD (860|970) PRO", 1200),
    (r"WD_BLACK SN(750|770|850)|WDS\d+T1X0E", 600),
    (r"CT\d+MX500SSD", 350),
    (r"INTEL SSDPE(D1|21)D\d", 10 * _WARRANTY_DAYS),
    (r"INTEL SSDPE(D1|21)K\d", 30 * _WARRANTY_DAYS),
)
"""By model: how often its whole capacity may be written, by the makers' data sheets (terabytes
written, or drive writes per day over five years; of a family the least)."""


def rated_bytes(disks: Sequence[Disk]) -> float | None:
    """What the weakest of ``disks`` is rated to take; None where one of them is unknown."""
    rated = [_rated(disk) for disk in disks]
    known = [each for each in rated if each is not None]
    return min(known) if known and len(known) == len(rated) else None


def _rated(disk: Disk) -> float | None:
    if disk.size_bytes is None:
        return None
    for model, fills in FILLS:
        if re.search(model, disk.model, re.IGNORECASE):
            return fills * disk.size_bytes
    return None


def held_to_endurance(plan: Plan, endurance_bytes: float | None) -> Plan:
    """The plan with its share of the drive's endurance as bytes that it may write.

    Raises UsageError where such a share was asked for and the endurance is not known.
    """
    share = plan.budget.endurance_share
    if not share:
        return plan
    if endurance_bytes is None:
        raise UsageError(
            "What this drive is rated to take in its life is not known.",
            "Name a limit in bytes to write instead.",
        )
    allowed = max(1, int(share * endurance_bytes))
    if plan.budget.written_bytes:
        allowed = min(allowed, plan.budget.written_bytes)
    steps = tuple(
        replace(step, byte_limit=min(step.byte_limit, allowed))
        if step.setting.probe is Probe.STEADY_WRITE
        else step
        for step in plan.steps
    )
    return timed(replace(plan, steps=steps, budget=replace(plan.budget, written_bytes=allowed)))
