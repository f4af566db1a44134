"""What ends a trial before its test does, as values and as a fault with its sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from probes.errors import LeadlineError
from probes.figures import counted, duration_us, rate


class GuardLimit(StrEnum):
    """What a guard looks at."""

    TIME = "time"
    THREADS_RUNNING = "threads_running"
    ROW_LOCK_WAITS = "row_lock_waits"
    STATEMENTS_PER_S = "statements_per_s"
    UNANSWERED = "unanswered"


class Break(StrEnum):
    """Why a trial ended before its test did."""

    LIMIT = "limit"
    REFUSED = "refused"
    """The server did not take the value."""
    CHANGED = "changed"
    """The server took another value than it was given, or moved another setting along."""
    FOREIGN = "foreign"
    """Somebody else has set a setting that is tried."""
    RESTARTED = "restarted"
    """The server was started again, or another one answers."""
    LOAD_GONE = "load_gone"
    MIX_SHIFTED = "mix_shifted"
    OTHER_WORK = "other_work"
    """Tables were altered, or another setting was set, again and again."""
    LOST = "lost"
    """The server or the machine could not be reached any more, or what holds the way back died."""


@dataclass(frozen=True, slots=True)
class LimitPassed:
    """A limit with what was seen; a time in microseconds, else a count or a rate per second."""

    limit: GuardLimit
    seen: float
    most: float

    def text(self) -> str:
        """``a statement took 12 ms, more than 4.2 ms``."""
        match self.limit:
            case GuardLimit.TIME:
                seen, most = duration_us(self.seen), duration_us(self.most)
                return f"a statement took {seen}, more than {most}"
            case GuardLimit.THREADS_RUNNING:
                seen, most = counted(round(self.seen), "thread"), f"{self.most:.0f}"
                return f"{seen} were at work, more than {most}"
            case GuardLimit.ROW_LOCK_WAITS:
                seen, most = counted(round(self.seen), "row lock"), f"{self.most:.0f}"
                return f"{seen} were waited for, more than {most}"
            case GuardLimit.STATEMENTS_PER_S:
                seen, least = rate(self.seen, "statements"), f"{self.most:.3g}"
                return f"{seen} were done while threads were at work, less than {least}"
            case GuardLimit.UNANSWERED:
                return f"it did not say within {duration_us(self.most)} how it fares"


class TrialBroken(LeadlineError):
    """A trial can't go on; the server has its old values unless ``stays`` names some.

    ``detail`` is what the server said, or the names of settings; ``theirs`` are values that
    somebody else has set.
    """

    def __init__(
        self,
        cause: Break,
        sentence: str,
        advice: str = "",
        *,
        detail: str = "",
        passed: LimitPassed | None = None,
        stays: tuple[str, ...] = (),
        back_ms: float | None = None,
        theirs: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(sentence, advice)
        self.cause = cause
        self.detail = detail
        self.passed = passed
        self.stays = stays
        self.back_ms = back_ms
        self.theirs = dict(theirs or {})


def limit_passed(passed: LimitPassed, back_ms: float | None = None) -> TrialBroken:
    """The fault of a limit that was passed."""
    sentence = f"The guard ended the trial: {passed.text()}."
    return TrialBroken(Break.LIMIT, sentence, passed=passed, back_ms=back_ms)


def set_by_others(values: Mapping[str, str]) -> TrialBroken:
    """The fault of somebody who sets what is tried; ``values`` are theirs, by name."""
    names = tuple(values)
    listed = ", ".join(names)
    return TrialBroken(
        Break.FOREIGN,
        f"Somebody else has set {listed} meanwhile: that stays as it is now.",
        "Find out who sets it before you try again.",
        detail=listed,
        stays=names,
        theirs=values,
    )
