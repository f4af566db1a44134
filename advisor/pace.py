"""How far a check is, and how long it still takes."""

from __future__ import annotations

from advisor.events import CheckEvent, Progressed
from probes.events import PointDone, PointStarted, Preparing, SampleTaken
from probes.plans.expected import SANDBOX_START_S, TABLE_BYTES_PER_S, fill_seconds
from probes.plans.plan import Plan
from probes.points import Setting


class Pace:
    """Adds up the parts of a plan: each has planned seconds and a share that is done.

    Parts may run in any order; the time left is what their undone shares were planned to take.
    """

    def __init__(self, plan: Plan) -> None:
        self._planned_s = {
            "files": fill_seconds(plan),
            "steps": sum(step.seconds + step.warmup_s for step in plan.steps),
            "server": SANDBOX_START_S if plan.sandbox else 0.0,
            "table": plan.table_bytes / TABLE_BYTES_PER_S,
        }
        self._share = dict.fromkeys(self._planned_s, 0.0)
        self._file_bytes = sum(files.total_bytes for files in plan.file_sets)
        self._steps = {_key(step.setting): step for step in plan.steps}
        self._filled: dict[str, int] = {}
        self._finished_s = 0.0

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
                self._measured(0.0)
            case SampleTaken():
                step = self._steps[_key(event.setting)]
                self._measured(step.warmup_s + event.sample.at_s)
            case PointDone():
                step = self._steps[_key(event.point.setting)]
                self._finished_s += step.seconds + step.warmup_s
                self._measured(0.0)
            case _:
                return None
        return self._report()

    def _measured(self, running_s: float) -> None:
        planned = max(self._planned_s["steps"], 1e-9)
        self._share["steps"] = (self._finished_s + running_s) / planned

    def _report(self) -> Progressed:
        total_s = max(sum(self._planned_s.values()), 1e-9)
        left_s = sum(
            planned * (1 - min(self._share[part], 1.0)) for part, planned in self._planned_s.items()
        )
        return Progressed(1 - left_s / total_s, left_s)


def _key(setting: Setting) -> tuple[object, int]:
    return (setting.curve_key, setting.threads)
