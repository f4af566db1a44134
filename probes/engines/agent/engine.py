"""The agent as an engine: Leadline's own program on the target."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from probes.cancel import CancelToken
from probes.engines.agent.events import AgentReader
from probes.engines.agent.patience import Patience
from probes.engines.agent.plan import end_line, plan_line, point_id, point_line
from probes.errors import AgentFailed, CommandFailed, ConnectionLost, LeadlineError
from probes.events import BUDGET_SPENT, STEPPED_BACK, EngineEvent, Warned
from probes.kinds.words import setting_line
from probes.mysql.work import MySQLWork
from probes.plans.plan import Plan
from probes.plans.spend.chooser import Chooser
from probes.plans.spend.gentler import StepBacks
from probes.plans.spend.spent import Clock
from probes.points import Setting
from probes.targets.target import Stream, Target

_POLL_S = 0.25
_FINISH_S = 5.0


class AgentEngine:
    """Measures on one target; one plan at a time."""

    def __init__(self, target: Target, clock: Clock = time.monotonic) -> None:
        self._target = target
        self._clock = clock

    @property
    def name(self) -> str:
        """What points and messages call it."""
        return "agent"

    def refuses(self, setting: Setting) -> str:
        """Nothing: every probe was made for it."""
        return ""

    def measure(
        self, plan: Plan, chooser: Chooser, *, mysql: MySQLWork | None, token: CancelToken
    ) -> Iterator[EngineEvent]:
        """Carry out the steps that ``chooser`` names, one after the other; see Engine.

        Files of the plan stay until the end. What a used-up budget leaves out becomes a warning.
        """
        first = chooser.choose(())
        if first is not None:
            with self._target.stream([self._target.agent(), "probe"], token=token) as stream:
                token.check()
                stream.send(plan_line(plan, first, mysql))
                talk = _Talk(plan, chooser, first, stream, self._target.name)
                with _ending_what_fails(stream):
                    yield from self._listen(talk, token)
                if not talk.reader.done:
                    raise _died(stream, self._target.name)
                if left_out := talk.step_backs.sentence(talk.reader.points):
                    yield Warned("left_out", left_out)
        if chooser.stopped_because:
            yield Warned(BUDGET_SPENT, chooser.stopped_because)

    def _listen(self, talk: _Talk, token: CancelToken) -> Iterator[EngineEvent]:
        patience = Patience(talk.plan, self._target.name)
        while not talk.reader.done:
            began_s = self._clock()
            line = talk.stream.read_line(_POLL_S)
            listened_s = self._clock() - began_s
            token.check()
            if line is None:
                return
            if line:
                yield from talk.hear(line)
            patience.listened(
                listened_s,
                talk.reader.running,
                heard=bool(line),
                news=bool(line) and not talk.reader.heartbeat,
            )


class _Talk:
    """Reads the agent's events and sends it the next point whenever it waits for one."""

    def __init__(
        self, plan: Plan, chooser: Chooser, first: int, stream: Stream, where: str
    ) -> None:
        self.plan = plan
        self._chooser = chooser
        self._asked = Counter((first,))
        self._measuring = True
        self._next: int | None = None
        self.step_backs = StepBacks(plan)
        self.stream = stream
        self.reader = AgentReader(plan, where)

    def hear(self, line: bytes) -> Iterator[EngineEvent]:
        yield from self.reader.read(line)
        yield from self._spared()
        if self.reader.waiting:
            # Whether the agent died or the way to it was cut shows when it is listened to again.
            with suppress(ConnectionLost):
                self.stream.send(self._next_line())
            if self._measuring:
                self._chooser.look(self.reader.points)

    def _spared(self) -> Iterator[Warned]:
        """Leave out what loads the drive as hard as what slowed the server down."""
        slowed, self.reader.slowed = self.reader.slowed, None
        if slowed is not None:
            beside = setting_line(slowed.setting)
            yield Warned(STEPPED_BACK, f"The server got slower beside {beside}: {slowed.because}")
            left_out = self.step_backs.slowed(slowed.setting, slowed.because)
            self._chooser.leave_out(left_out)
            self._next = None if slowed.unmeasured in left_out else slowed.unmeasured
        recovered_s, self.reader.recovered_s = self.reader.recovered_s, None
        if recovered_s is not None:
            self.step_backs.recovered(recovered_s)

    def _next_line(self) -> bytes:
        index, self._next = self._next, None
        if self.reader.over_budget:
            index = None
        elif index is None:
            index = self._chooser.choose(self.reader.points)
        self._measuring = index is not None
        if index is None:
            self.reader.asked()
            return end_line()
        repeat = self._asked[index]
        self._asked[index] += 1
        self.reader.asked(point_id(index, repeat))
        return point_line(self.plan, index, repeat)


@contextmanager
def _ending_what_fails(stream: Stream) -> Iterator[None]:
    """Nobody waits for an agent that hangs, or speaks nonsense, to end on its own."""
    try:
        yield
    except (AgentFailed, CommandFailed):
        stream.kill()
        raise


def _died(stream: Stream, where: str) -> AgentFailed:
    try:
        result = stream.finish(_FINISH_S)
    except LeadlineError as error:
        return AgentFailed(f"The agent on {where} exited unexpectedly.", details=error.sentence)
    ended = f"signal {-result.status}" if result.status < 0 else f"status {result.status}"
    stderr = result.stderr.decode("utf-8", "replace").strip()
    return AgentFailed(
        f"The agent on {where} ended in the middle ({ended}).",
        "What had been measured is kept; start again.",
        details=stderr[-2000:],
    )
