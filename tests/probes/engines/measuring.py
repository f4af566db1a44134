"""Measuring with the real agent, and finding the agents that measure for this process."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from probes.cancel import CancelToken
from probes.engines.agent.engine import AgentEngine
from probes.events import (
    EngineEvent,
    PointDone,
)
from probes.mysql.work import MySQLWork
from probes.plans.plan import Plan
from probes.plans.spend.chooser import Chooser, InOrder
from probes.points import Setting
from probes.targets.target import Target
from tests.probes.engines.lines import (
    read_setting,
)


def agents() -> set[int]:
    """The agents that measure for this process now, be it behind an sshd that it started."""
    parents = {}
    measuring = set()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            command = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        parents[int(entry.name)] = int(fields[1])
        if b"leadline-agent" in command and command.endswith(b"\0probe\0"):
            measuring.add(int(entry.name))
    return {pid for pid in measuring if os.getpid() in ancestors(pid, parents)}


def ancestors(pid: int, parents: dict[int, int]) -> Iterator[int]:
    while (pid := parents.get(pid, 0)) > 1:
        yield pid


def measure(
    target: Target,
    plan: Plan,
    mysql: MySQLWork | None = None,
    *,
    token: CancelToken | None = None,
    chooser: Chooser | None = None,
) -> Iterator[EngineEvent]:
    return AgentEngine(target).measure(
        plan, chooser or InOrder(plan), mysql=mysql, token=token or CancelToken()
    )


def done(events: Sequence[EngineEvent]) -> list[PointDone]:
    return [event for event in events if isinstance(event, PointDone)]


def drive(directory: Path, threads: int = 1, **changes: object) -> Setting:
    return replace(read_setting(threads, str(directory)), **changes)  # type: ignore[arg-type]
