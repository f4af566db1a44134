"""Plans that take a test's time: all that a run does is done, for moments each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from probes.engines.agent import plan as agent_plan
from probes.plans.plan import PlanName
from probes.plans.shapes import KIB, MIB, SHAPES, Precision, Shape

if TYPE_CHECKING:
    # Programs that are started for a test shorten their plans without it.
    import pytest

SHORTEN = "from tests import short_plans\nshort_plans.shorten()\n"
"""What a program runs before it begins, so that its quick plan is short."""

WITH_SMALL_FILES = "from tests import short_plans\nshort_plans.shorten(short_plans.SMALL_FILES)\n"
"""The same for a program that is stopped long before its plan ends."""

_QUICK = SHAPES[PlanName.QUICK]
# A shorter point has no two slices of time whose rates tell how much it swings.
_MOMENTS = Precision(within=0.3, least_s=0.1, cap_s=0.15, warmup_s=0.04)

SHORT = replace(
    _QUICK,
    precision=_MOMENTS,
    file_bytes=16 * MIB,
    many_bytes=16 * MIB,
    read_sizes=(16 * KIB,),
    read_threads=(1, 8),
    write_threads=(1, 8),
    many_threads=(),
    redo_sizes=(4096,),
    redo_sync_sizes=(),
    small_bytes=64 * KIB,
    touch_bytes=64 * KIB,
    small_threads=(1,),
    committers=(),
    growing_sizes=(),
    binlog_committers=(),
    cleaners=(),
    connections=(1, 4),
    table_bytes=16 * MIB,
)
"""The quick plan with small files, few levels and points of a moment."""

FEWEST = replace(SHORT, read_threads=(1,), write_threads=(1,), connections=(1,))
"""The same at one level each: for whoever goes through a whole run and reads no curve of it."""

UNHURRIED = replace(SHORT, precision=Precision(within=0.3, least_s=0.2, cap_s=0.35, warmup_s=0.1))
"""SHORT with longer points: for tests in which something happens while one is measured."""

ENDLESS = replace(SHORT, precision=replace(UNHURRIED.precision, least_s=600.0, cap_s=600.0))
"""The same with points of ten minutes: for tests in which something ends the first."""

SMALL_FILES = replace(_QUICK, file_bytes=256 * MIB, many_bytes=64 * MIB, table_bytes=32 * MIB)
"""The whole quick plan, on files that are soon there."""

FEW_LEVELS = replace(
    SMALL_FILES,
    precision=_MOMENTS,
    read_threads=(1, 4, 64),
    write_threads=(1, 16),
    many_threads=(16,),
    committers=(4, 64),
    connections=(1, 16),
)
"""All that the quick plan probes, with its sizes and kinds of files, at few levels."""

_NO_MEMORY = "/proc"
"""What the agent is named as memory, so that it does without its ceilings: to fill 64 MiB and read
them is a fifth of a short run's work. Plans that are ``calibrated`` have it measure them."""


def shorten(shape: Shape = SHORT) -> None:
    """Make ``shape`` the quick plan of this program; its agent looks at one thread of itself."""
    SHAPES[PlanName.QUICK] = shape
    agent_plan._CALIBRATED_THREADS = (1,)  # type: ignore[assignment]
    agent_plan.MEMORY_DIRECTORY = _NO_MEMORY


def plan_of(
    monkeypatch: pytest.MonkeyPatch, shape: Shape = SHORT, *, calibrated: bool = False
) -> None:
    """Make ``shape`` the quick plan for a test, which may want the agent's full calibration."""
    monkeypatch.setitem(SHAPES, PlanName.QUICK, shape)
    if not calibrated:
        monkeypatch.setattr(agent_plan, "_CALIBRATED_THREADS", (1,))
        monkeypatch.setattr(agent_plan, "MEMORY_DIRECTORY", _NO_MEMORY)
