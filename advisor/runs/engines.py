"""Which engine measures a plan, by its name."""

from __future__ import annotations

from probes.engines.agent import AgentEngine
from probes.engines.engine import Engine
from probes.engines.find import find_engine
from probes.engines.fio import FioEngine
from probes.engines.sysbench import SysbenchEngine
from probes.errors import UsageError
from probes.targets.target import Target

AGENT = "agent"


def open_engine(target: Target, name: str) -> Engine:
    """The engine ``name`` on ``target``.

    A plan names none but those that there are. Raises UsageError when it is not installed there in
    a version that can be used.
    """
    if name == AGENT:
        return AgentEngine(target)
    found = find_engine(target, name)
    if not found.usable:
        raise UsageError(
            f"{name} can't measure on {target.name}: {found.because.rstrip('.')}.",
            f"Install {name} there, or measure with Leadline's own agent.",
        )
    return FioEngine(target, found) if name == "fio" else SysbenchEngine(target, found)
