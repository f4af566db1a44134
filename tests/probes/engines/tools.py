"""Plans for engines that are programs of others: small files and short points."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from probes.cancel import CancelToken
from probes.engines.engine import Engine
from probes.events import EngineEvent, PointDone, Warned
from probes.mysql.work import MySQLWork
from probes.plans.plan import FileSet, Plan, PlanName, Step
from probes.plans.spend.chooser import InOrder
from probes.points import Point, Probe, Setting

MIB = 1 << 20


def read(directory: Path | str, threads: int = 2, files: int = 1, **options: str) -> Setting:
    """A random read."""
    return Setting(Probe.RANDOM_READ, threads, 16384, files, str(directory), options)


def plan_of(*settings: Setting, seconds: float = 0.6, **more: Any) -> Plan:
    """A plan of these settings, with 8 MiB of files where they need some."""
    shapes = {(each.directory, each.files) for each in settings if each.directory}
    sets = tuple(FileSet(directory, files, 8 * MIB // files) for directory, files in shapes)
    steps = tuple(Step(each, seconds, 0.1) for each in settings)
    return Plan(PlanName.QUICK, sets, steps, 10.0, sandbox=False, **more)


def run(
    engine: Engine, plan: Plan, mysql: MySQLWork | None = None, token: CancelToken | None = None
) -> list[EngineEvent]:
    """Every event of a plan in its order."""
    token = token or CancelToken()
    return list(engine.measure(plan, InOrder(plan), mysql=mysql, token=token))


def points(events: list[EngineEvent]) -> list[Point]:
    """The points among them."""
    return [event.point for event in events if isinstance(event, PointDone)]


def warnings(events: list[EngineEvent]) -> list[str]:
    """What was said."""
    return [event.message for event in events if isinstance(event, Warned)]
