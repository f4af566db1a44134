"""How long an agent may say nothing, or nothing new, before it counts as hung."""

from __future__ import annotations

from probes.errors import AgentFailed
from probes.plans.plan import Step

SILENT_S = 15.0
"""It says every second that it lives, whatever its drive does."""

STUCK_S = 60.0
"""A point that should have ended by now: connecting, a last slow operation and a sync included."""

PREPARING_S = 300.0
"""Nothing new between points: a large file is synced, or read in one very slow piece."""

PER_THREAD_S = 0.05


class Patience:
    """Watches for an agent that hangs, and for a point that never ends on a drive that does.

    It counts what it hears rather than reading a clock: whoever asks for events may pause.
    """

    def __init__(self, where: str) -> None:
        self._where = where
        self._silent_s = 0.0
        self._step: Step | None = None
        self._alive_s = 0.0

    def waited(self, seconds: float) -> None:
        """Nothing came for ``seconds``; raises AgentFailed once that has lasted too long."""
        self._silent_s += seconds
        if self._silent_s > SILENT_S:
            raise AgentFailed(
                f"The agent on {self._where} has said nothing for {SILENT_S:.0f} s.",
                "It hangs, or the machine does; look at the kernel's log there.",
            )

    def heard(self, step: Step | None, *, alive: bool) -> None:
        """A line came while ``step`` was measured (None: between points).

        ``alive``: it only said, as every second, that the agent lives. Raises AgentFailed when
        there should have been an end long ago.
        """
        self._silent_s = 0.0
        if step is not self._step or (step is None and not alive):
            self._step, self._alive_s = step, 0.0
        self._alive_s += alive
        if self._alive_s > (PREPARING_S if step is None else longest_s(step)):
            raise AgentFailed(
                f"Nothing has come of {_what(step)} on {self._where} for {self._alive_s:.0f} s.",
                "The drive may hang; look at the kernel's log there.",
            )


def longest_s(step: Step) -> float:
    """The time after which a point can only be stuck."""
    return step.warmup_s + step.seconds + STUCK_S + PER_THREAD_S * step.setting.threads


def _what(step: Step | None) -> str:
    return "the files" if step is None else step.setting.probe.value
