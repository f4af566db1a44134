"""Runs as the window shows them, made up."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.case import Case
from advisor.outcomes import Judgement
from advisor.run import RunKind, RunState, RunSummary
from app.controllers.run import DoneRun
from probes.points import Point
from tests.app.window.machine import inventory


def done_run(
    case: Case | None = None,
    judgement: Judgement | None = None,
    *,
    target: str = "local",
    plan_name: str = "quick",
    points: Sequence[Point] = (),
    state: RunState = RunState.DONE,
    kind: RunKind = RunKind.CHECK,
    run_id: int = 1,
    findings: tuple[str, ...] = (),
) -> DoneRun:
    """A run of a case, or of points on the made-up machine."""
    made = case if case is not None else Case(target, inventory(), tuple(points))
    summary = RunSummary(run_id, target, plan_name, state, "", "", "", len(made.points), kind=kind)
    return DoneRun(summary, made, judgement or Judgement(()), findings)
