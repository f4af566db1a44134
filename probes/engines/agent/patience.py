"""How long an agent may say nothing, or nothing new, before it counts as hung."""

from __future__ import annotations

from probes.errors import AgentFailed
from probes.figures import seconds
from probes.plans.plan import Plan, Step

SILENT_S = 15.0
"""It says every second that it lives, whatever its drive does."""

STUCK_S = 60.0
"""A point that should have ended by now: connecting, a last slow operation and a sync included."""

PREPARING_S = 300.0
"""Nothing new between points: a large file is synced, or read in one very slow piece."""

PER_THREAD_S = 0.05

SLOWEST_BYTES_PER_S = 1 << 20
"""A drive that fills files more slowly than this is past waiting for."""

OVERRUN_S = 10.0
"""The agent keeps to the plan's budget itself; an operation that hangs may take it past that."""

MOST_LINES_PER_S = 400
"""A mixture has 15 samples a second, and a live server's guard one beat."""

AT_ONCE_LINES = 5000
"""What a pipe holds of them comes at once after a pause."""


class Patience:
    """Watches for an agent that hangs, talks without end, or works on past its time.

    It is given how long somebody listened rather than reading a clock: whoever asks for events may
    pause, and what was said meanwhile then comes at once.
    """

    def __init__(self, plan: Plan, where: str) -> None:
        self._where = where
        self._budget_s = plan.budget.seconds
        self._between_s = PREPARING_S + plan.file_bytes / SLOWEST_BYTES_PER_S
        self._whole_s = self._step_s = self._stuck_s = self._silent_s = 0.0
        self._lines = 0
        self._step: Step | None = None

    def listened(self, seconds: float, step: Step | None, *, heard: bool, news: bool) -> None:
        """Somebody listened for ``seconds`` while ``step`` was measured (None: between points).

        ``heard``: a line came; ``news``: it said more than that the agent lives. Raises AgentFailed
        when there should have been an end long ago.
        """
        same = step is self._step
        self._step = step
        self._whole_s += seconds
        self._lines += heard
        self._silent_s = 0.0 if heard else self._silent_s + seconds
        self._step_s = self._step_s + seconds if same else 0.0
        # Samples of a point that never ends are no progress; files that grow are.
        self._stuck_s = self._stuck_s + seconds if same and not (step is None and news) else 0.0
        self._check()

    def _check(self) -> None:
        step = self._step
        if self._silent_s > SILENT_S:
            raise AgentFailed(
                f"The agent on {self._where} has said nothing for {seconds(SILENT_S)}.",
                "It hangs, or the machine does; look at the kernel's log there.",
            )
        if self._lines > AT_ONCE_LINES + MOST_LINES_PER_S * self._whole_s:
            raise AgentFailed(
                f"The agent on {self._where} sent {self._lines:,} lines within "
                f"{seconds(self._whole_s)}, more than it ever has to say.",
                "What had been measured is kept. Use the agent that came with this Leadline.",
            )
        if self._budget_s and self._whole_s > self._budget_s + OVERRUN_S:
            raise AgentFailed(
                f"The agent on {self._where} did not end with the {seconds(self._budget_s)} that "
                "it was given.",
                "What had been measured is kept. The drive may hang; look at the kernel's log "
                "there.",
            )
        longest = PREPARING_S if step is None else longest_s(step)
        if self._stuck_s > longest or (step is None and self._step_s > self._between_s):
            raise AgentFailed(
                f"Nothing has come of {_what(step)} on {self._where} for {seconds(self._step_s)}.",
                "The drive may hang; look at the kernel's log there.",
            )


def longest_s(step: Step) -> float:
    """The time after which a point can only be stuck."""
    return step.warmup_s + step.seconds + STUCK_S + PER_THREAD_S * step.setting.threads


def _what(step: Step | None) -> str:
    return "the files" if step is None else step.setting.probe.value
