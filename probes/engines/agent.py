"""The agent as an engine: Leadline's own program on the target."""

from __future__ import annotations

from collections.abc import Iterator

from probes.cancel import CancelToken
from probes.engines.agent_events import AgentReader, planned_silence_s
from probes.engines.agent_plan import plan_line
from probes.engines.mysql_work import MySQLWork
from probes.errors import AgentFailed, LeadlineError
from probes.events import EngineEvent
from probes.plans.plan import Plan
from probes.targets.target import Stream, Target

_POLL_S = 0.25
_FINISH_S = 5.0


class AgentEngine:
    """Measures on one target; one plan at a time."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def measure(
        self, plan: Plan, *, mysql: MySQLWork | None, token: CancelToken
    ) -> Iterator[EngineEvent]:
        """Carry out the plan's steps in their order.

        Raises Cancelled soon after ``token`` is raised, AgentFailed when the agent dies or falls
        silent, ConnectionLost when the way to it is cut, and the typed error of a fatal fault.
        """
        reader = AgentReader(plan)
        with self._target.stream([self._target.agent(), "probe"], token=token) as stream:
            token.check()
            stream.send(plan_line(plan, mysql))
            yield from self._listen(stream, reader, planned_silence_s(plan), token)
            if not reader.done:
                raise _died(stream, self._target.name)

    def _listen(
        self, stream: Stream, reader: AgentReader, patience_s: float, token: CancelToken
    ) -> Iterator[EngineEvent]:
        silent_s = 0.0
        while not reader.done:
            line = stream.read_line(_POLL_S)
            token.check()
            if line is None:
                return
            if line:
                silent_s = 0.0
                yield from reader.read(line)
                continue
            silent_s += _POLL_S
            if silent_s > patience_s:
                raise AgentFailed(
                    f"The agent on {self._target.name} has said nothing for {patience_s:.0f} s.",
                    "The drive may hang; look at the kernel's log there.",
                )


def _died(stream: Stream, where: str) -> AgentFailed:
    try:
        result = stream.finish(_FINISH_S)
    except LeadlineError as error:
        return AgentFailed(f"The agent on {where} went away.", details=error.sentence)
    ended = f"signal {-result.status}" if result.status < 0 else f"status {result.status}"
    said = result.stderr.decode("utf-8", "replace").strip()
    return AgentFailed(
        f"The agent on {where} ended in the middle ({ended}).",
        "What had been measured is kept; start again.",
        details=said[-2000:],
    )
