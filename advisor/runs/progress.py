"""How far a run is, and how long it still takes."""

from __future__ import annotations

from advisor.runs.events import CheckEvent, Progressed
from probes.events import PointDone, PointStarted, Preparing, SampleTaken
from probes.plans.patterns import without_part
from probes.plans.plan import Plan
from probes.plans.spend.expected import (
    BETWEEN_S,
    SANDBOX_START_S,
    TABLE_BYTES_PER_S,
    expected_s,
    expected_steps,
    fill_seconds,
)
from probes.points import SERVER_PROBES, Probe, Setting

PRIOR_S = 10.0
"""What was expected counts as if this many seconds of it had come true."""

_Key = tuple[str, object, int]
"""A step: its probe, its curve and its level."""


class RunProgress:
    """Compares what was expected of a plan with what came.

    An adaptive plan takes other steps than expected, and points end sooner or later than they
    might: so the time left is what the steps that may still come were expected to take, scaled by
    how those that came did. The fraction never falls.
    """

    def __init__(self, plan: Plan) -> None:
        self._steps = {_key(step.setting): expected_s(step) for step in plan.steps}
        self._ahead = [_key(step.setting) for step in expected_steps(plan)]
        self._measured: set[_Key] = set()
        self._budget_s = plan.budget.seconds
        self._planned_s = {
            "files": fill_seconds(plan),
            "server": SANDBOX_START_S if plan.sandbox else 0.0,
            "table": plan.table_bytes / TABLE_BYTES_PER_S,
        }
        self._share = dict.fromkeys(self._planned_s, 0.0)
        self._file_bytes = sum(files.total_bytes for files in plan.file_sets)
        self._filled: dict[str, int] = {}
        self._expected_s = self._took_s = PRIOR_S
        self._running: _Key | None = None
        self._running_s = 0.0
        self._fraction = 0.0

    def saw(self, event: CheckEvent) -> Progressed | None:
        """Take an event into account; what to report, or None when it says nothing of progress."""
        match event:
            case Preparing() if event.what.startswith("table"):
                self._share["server"] = 1.0
                self._share["table"] = event.done_bytes / max(event.total_bytes, 1)
            case Preparing():
                self._filled[event.what] = event.done_bytes
                self._share["files"] = sum(self._filled.values()) / max(self._file_bytes, 1)
            case PointStarted():
                self._started(_key(event.setting))
            case SampleTaken():
                self._running_s = max(self._running_s, event.sample.at_s)
            case PointDone():
                self._ended(event)
            case _:
                return None
        return self._report()

    def _started(self, key: _Key) -> None:
        self._running, self._running_s = key, 0.0
        if key in self._ahead:
            # What was expected before this one has been skipped.
            self._ahead = self._ahead[self._ahead.index(key) + 1 :]
        elif key in self._measured:
            # Repeats come last, of the drive's steps and of the server's.
            self._ahead = [other for other in self._ahead if _asks(other) != _asks(key)]
        else:
            self._comes_instead(key)
        self._measured.add(key)

    def _comes_instead(self, key: _Key) -> None:
        """Another level of a curve, or rate of a mixture, than was expected to be chosen."""
        for other in self._ahead:
            if other[0] == key[0] and (key[0] == Probe.MIXED or other[1] == key[1]):
                self._ahead.remove(other)
                return

    def _ended(self, event: PointDone) -> None:
        key = _key(event.point.setting)
        if key != self._running:
            return  # another part of a mixture that has been counted
        self._expected_s += self._expected_of(key)
        self._took_s += event.point.warmup_s + event.point.seconds + BETWEEN_S
        self._running, self._running_s = None, 0.0

    def _report(self) -> Progressed:
        scale = self._took_s / self._expected_s
        running_s = self._expected_of(self._running) * scale - self._running_s
        left_s = (
            sum(planned * (1 - self._done(part)) for part, planned in self._planned_s.items())
            + sum(self._steps[key] for key in self._ahead) * scale
            + max(running_s, 0.0)
        )
        done_s = (
            sum(planned * self._done(part) for part, planned in self._planned_s.items())
            + self._took_s
            - PRIOR_S
            + self._running_s
        )
        if self._budget_s:
            left_s = min(left_s, max(self._budget_s - done_s, 0.0))
        self._fraction = max(self._fraction, done_s / max(done_s + left_s, 1e-9))
        return Progressed(self._fraction, left_s)

    def _expected_of(self, key: _Key | None) -> float:
        return 0.0 if key is None else self._steps.get(key, 0.0)

    def _done(self, part: str) -> float:
        return min(self._share[part], 1.0)


def _key(setting: Setting) -> _Key:
    return (setting.probe, without_part(setting).curve_key, setting.threads)


def _asks(key: _Key) -> bool:
    """Whether it asks a server."""
    return key[0] in SERVER_PROBES
