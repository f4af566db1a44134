"""What ends a trial before its test does, as values and as a fault with its sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from probes.errors import LeadlineError
from probes.figures import duration_us, rate, seconds, size, throughput


class GuardLimit(StrEnum):
    """What a guard looks at."""

    TIME = "time"
    THREADS_RUNNING = "threads_running"
    ROW_LOCK_WAITS = "row_lock_waits"
    STATEMENTS_PER_S = "statements_per_s"
    UNANSWERED = "unanswered"
    ERRORS = "errors_per_s"
    ABORTED = "aborted_per_s"
    SWAPPED = "swapped_bytes_per_s"
    AVAILABLE = "available_bytes"
    FREE = "free_bytes"
    REPLICA_LAG = "replica_lag_s"

    @property
    def figure(self) -> str:
        """What its figure is called, with its unit, among limits and in what a guard has seen."""
        return "time_us" if self is GuardLimit.TIME else self.value


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
    NO_RESTART = "no_restart"
    """The server was not started again within the time, though a person was to do that."""
    LOST = "lost"
    """The server or the machine could not be reached any more, or what holds the way back died."""


@dataclass(frozen=True, slots=True)
class LimitPassed:
    """A limit with what was seen.

    A statement's time is in microseconds and a replica's lag in seconds, else it is a count, bytes,
    or a rate per second.
    """

    limit: GuardLimit
    seen: float
    most: float

    def text(self) -> str:
        """``a statement took 12 ms, more than 4.2 ms``."""
        return _TEXTS[self.limit](self.seen, self.most)


_TEXTS: dict[GuardLimit, Callable[[float, float], str]] = {
    GuardLimit.TIME: lambda seen, most: (
        f"a statement took {duration_us(seen)}, more than {duration_us(most)}"
    ),
    GuardLimit.THREADS_RUNNING: lambda seen, most: (
        f"threads at work: {seen:.0f}, more than {most:.0f}"
    ),
    GuardLimit.ROW_LOCK_WAITS: lambda seen, most: (
        f"row locks that are waited for: {seen:.0f}, more than {most:.0f}"
    ),
    GuardLimit.STATEMENTS_PER_S: lambda seen, least: (
        f"{rate(seen, 'statements')} were done while threads were at work, less than {least:.3g}"
    ),
    GuardLimit.UNANSWERED: lambda _seen, most: (
        f"it did not say within {duration_us(most)} how it fares"
    ),
    GuardLimit.ERRORS: lambda seen, most: (
        f"{rate(seen, 'statements')} failed, more than {most:.3g}"
    ),
    GuardLimit.ABORTED: lambda seen, most: (
        f"{rate(seen, 'connections')} were cut or refused, more than {most:.3g}"
    ),
    GuardLimit.SWAPPED: lambda seen, most: (
        f"the machine wrote {throughput(seen)} of memory to swap, more than {throughput(most)}"
    ),
    GuardLimit.AVAILABLE: lambda seen, least: (
        f"{size(seen)} of the machine's memory were left, less than {size(least)}"
    ),
    GuardLimit.FREE: lambda seen, least: (
        f"{size(seen)} were free on a volume of the server's, less than {size(least)}"
    ),
    GuardLimit.REPLICA_LAG: lambda seen, most: (
        f"a replica was {seconds(seen)} behind, more than {seconds(most)}"
    ),
}


class SteppedAside(LeadlineError):
    """The old values are set because of a limit that others may have passed; a trial may go on.

    ``back_ms`` is how long that took.
    """

    def __init__(self, passed: LimitPassed, back_ms: float) -> None:
        super().__init__(f"The old values were set: {passed.text()}.")
        self.passed = passed
        self.back_ms = back_ms


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
