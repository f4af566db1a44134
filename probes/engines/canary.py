"""The agent as a guard of a live server while another program probes its drive."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from probes.cancel import CancelToken
from probes.engines.agent.events import AgentReader
from probes.engines.agent.plan import watch_line
from probes.errors import AgentFailed
from probes.events import CanaryBeat, EngineEvent
from probes.mysql.work import MySQLWork
from probes.plans.plan import Plan
from probes.targets.target import Stream, Target

READY_S = 30.0
"""How long it may take to log in and to learn how fast the server usually answers."""

SILENCE_S = 10.0
"""The agent says each second that it lives."""

MOST_AT_ONCE = 5000
"""What a pipe holds of its lines comes at once after a pause."""

_AT_ONCE_S = 0.01
_POLL_S = 0.25


class Canary:
    """A guard at work."""

    def __init__(self, stream: Stream, plan: Plan, where: str) -> None:
        self._stream = stream
        self._reader = AgentReader(plan, where)
        self._where = where
        self._beats: list[CanaryBeat] = []
        self._heard_at = time.monotonic()

    def begin(self, token: CancelToken) -> None:
        """Wait until it knows how the server fares at rest. Raises as ``beat``, and Cancelled."""
        deadline = time.monotonic() + READY_S
        while not self._reader.waiting:
            token.check()
            if time.monotonic() > deadline:
                raise self._lost()
            self._hear(_POLL_S)

    def beat(self) -> None:
        """Hear what it has said since; call it a few times a second.

        Raises GuardTripped when the server gets slower, MySQLError when it can't be watched any
        more, AgentFailed when the guard itself is gone.
        """
        for _ in range(MOST_AT_ONCE):
            if not self._hear(_AT_ONCE_S):
                break
        else:
            raise AgentFailed(
                f"The guard of the live server on {self._where} talks without end.",
                "What had been measured is kept; start again.",
            )
        if time.monotonic() - self._heard_at > SILENCE_S:
            raise self._lost()

    def beats(self) -> Iterator[EngineEvent]:
        """What is to be reported of the server since the last call."""
        beats, self._beats = self._beats, []
        yield from beats

    def _hear(self, timeout_s: float) -> bool:
        line = self._stream.read_line(timeout_s)
        if line is None:
            raise self._lost()
        if not line:
            return False
        self._heard_at = time.monotonic()
        self._beats += [event for event in self._reader.read(line) if isinstance(event, CanaryBeat)]
        return True

    def _lost(self) -> AgentFailed:
        return AgentFailed(
            f"The guard of the live server on {self._where} stopped responding.",
            "What had been measured is kept; start again.",
        )


@contextmanager
def watched(
    target: Target, plan: Plan, mysql: MySQLWork | None, token: CancelToken
) -> Iterator[Canary | None]:
    """Guard the server as ``plan.guard`` asks; None where there is nothing to guard.

    Raises AgentFailed where no agent runs on the target, and as ``Canary.beat``.
    """
    line = watch_line(plan, mysql)
    if line is None:
        yield None
        return
    with target.stream([target.agent(), "probe"], token=token) as stream:
        stream.send(line)
        canary = Canary(stream, plan, target.name)
        canary.begin(token)
        yield canary
