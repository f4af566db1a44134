"""Setting values with an account alone: by a session of its own, guarded from this computer."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from probes.cancel import CancelToken
from probes.errors import LeadlineError, MySQLConnectionLost, MySQLSilent
from probes.mysql.answers import pairs
from probes.mysql.connection import MySQLSession
from probes.trial.counters import ABORTED, SUMS_SQL, Sources
from probes.trial.ended import (
    Break,
    GuardLimit,
    LimitPassed,
    SteppedAside,
    TrialBroken,
    limit_passed,
    set_by_others,
)
from probes.trial.guard import (
    BEAT_S,
    UNANSWERED_S,
    GuardBeat,
    GuardLimits,
    GuardLook,
    MachineRoom,
    by_others,
    kept_looks,
    limit_over,
    seen_over,
)
from probes.trial.hand import set_values, values_of
from probes.trial.settings import Side, TriedSetting, foreign, in_steps, same_value
from probes.trial.way_back import hold_lock, release_lock

SET_LIMIT_S = 10.0
"""How long the server may take over one statement that sets a value."""

STEP_LIMIT_S = 600.0
"""The same of a size that is set in steps: some servers resize before they answer."""

_STATUS_SQL = (
    "SHOW GLOBAL STATUS WHERE Variable_name IN "
    "('Threads_running', 'Innodb_row_lock_current_waits', 'Questions', 'Aborted_clients', "
    "'Aborted_connects')"
)


class SessionHand:
    """Sets values by one session and looks by another; see ``Hand``."""

    def __init__(
        self,
        setting: MySQLSession,
        looking: MySQLSession,
        settings: tuple[TriedSetting, ...],
        sources: Sources,
        lock: str,
    ) -> None:
        self._setting = setting
        self._lock = lock
        self._looking = looking
        self._settings = settings
        self._sources = sources
        self._limits = GuardLimits()
        self._looks: tuple[GuardLook, ...] = ()
        self._looked_s = 0.0
        self._aside = False
        self._since_s: float | None = None
        self._side = Side.OLD
        self._over_old: LimitPassed | None = None
        self._kept = False
        self.room: MachineRoom | None = None
        self.beat: GuardBeat | None = None
        self._beaten_s = 0.0

    def set(self, side: Side, step: int = 0) -> None:
        """Set that side's values, and see that the server has them."""
        self._settings = tuple(each.step(step) for each in self._settings)
        if others := foreign(self._settings, values_of(self._setting, self._settings)):
            raise set_by_others(others)
        if self._since_s is None or side is not self._side:
            self._since_s, self._side = time.perf_counter(), side
        self._over_old = None
        try:
            set_values(self._setting, self._settings, side)
        except TrialBroken:
            # What the server has now is its own doing, and nobody else's.
            set_values(self._setting, self._settings, Side.OLD)
            raise

    def allow(self, limits: GuardLimits, *, aside: bool = False) -> None:
        """What the server may come to from now on."""
        self._limits, self._aside = limits, aside

    def over_old(self) -> LimitPassed | None:
        """A limit that the server has passed with the old values since these were last set."""
        return self._over_old

    def look(self) -> None:
        """Look, unless that was a moment ago."""
        if time.perf_counter() - self._looked_s < self._sources.looks_s:
            return
        self._looked_s = time.perf_counter()
        try:
            self._looks = kept_looks(self._looks, self._look())
            # The server ends the one that holds the lock where nothing is heard of it.
            with self._setting.within(UNANSWERED_S):
                self._setting.rows("DO 0")
        except MySQLSilent as error:
            passed = LimitPassed(GuardLimit.UNANSWERED, UNANSWERED_S * 1e6, UNANSWERED_S * 1e6)
            raise limit_passed(passed) from error
        if self._looked_s - self._beaten_s >= BEAT_S:
            self._beaten_s = self._looked_s
            self.beat = GuardBeat(seen_over(self._looks), self._limits)
        if self._since_s is not None:
            passed_one = limit_over(self._looks, self._limits, self._since_s)
            if passed_one is not None:
                self._over(passed_one)

    def _over(self, passed: LimitPassed) -> None:
        if self._side is Side.OLD:
            self._over_old = self._over_old or passed
        elif self._aside and by_others(passed):
            begin = time.perf_counter()
            self.set(Side.OLD)
            raise SteppedAside(passed, (time.perf_counter() - begin) * 1e3)
        else:
            raise limit_passed(passed)

    def keep(self) -> None:
        """Leave the new values; nothing goes back after it."""
        set_values(self._setting, self._settings, Side.NEW)
        self._kept = True

    def back(self) -> float:
        """Set the old values for good; returns how long that took, in milliseconds."""
        begin = time.perf_counter()
        self._since_s = None
        if self._kept:
            return 0.0
        if others := _set_back(self._setting, self._settings):
            raise set_by_others(others)
        release_lock(self._setting, self._lock)
        return (time.perf_counter() - begin) * 1e3

    def _look(self) -> GuardLook:
        status = pairs(self._looking.rows(_STATUS_SQL))
        at_s = time.perf_counter()
        found = {name: float(value) for name, value in status.items()}
        running = self._sources.at_work(status)
        statements, errors = found.get("Questions", 0.0), 0.0
        if self._sources.sums:
            values = self._looking.one(SUMS_SQL).values()
            statements, busy_s, errors = (float(str(each)) for each in values)
            at_s = time.perf_counter()
        else:
            last = self._looks[-1] if self._looks else None
            busy_s = last.busy_s + running * (at_s - last.at_s) if last else 0.0
        waits = found.get("Innodb_row_lock_current_waits", 0.0)
        aborted = sum(found.get(name, 0.0) for name in ABORTED)
        return GuardLook(at_s, statements, busy_s, running, waits, errors, aborted)


@contextmanager
def session_hand(
    asking: MySQLSession, settings: tuple[TriedSetting, ...], sources: Sources, lock: str
) -> Iterator[SessionHand]:
    """Two sessions of the account of ``asking``; whatever ends the context, the old values are set.

    Raises MySQLError, TargetError; LOST where the old values could not be set from here.
    """
    # Nothing that a person cancels may end these before the old values are back.
    token = CancelToken()
    limit_s = STEP_LIMIT_S if in_steps(settings) else SET_LIMIT_S
    with (
        asking.writer(token, limit_s) as setting,
        asking.writer(token, UNANSWERED_S) as looking,
    ):
        hold_lock(setting, lock)
        hand = SessionHand(setting, looking, settings, sources, lock)
        try:
            yield hand
        finally:
            _restored(hand, asking, settings)


def _restored(hand: SessionHand, asking: MySQLSession, settings: tuple[TriedSetting, ...]) -> None:
    """Go back by the session that is there, or by a new one where that is lost."""
    try:
        hand.back()
    except MySQLConnectionLost:
        restore(asking, settings)
    except TrialBroken as fault:
        if fault.cause is not Break.FOREIGN:
            raise


def restore(asking: MySQLSession, settings: tuple[TriedSetting, ...]) -> tuple[str, ...]:
    """Set the old values by a new session, unless somebody else has set others; names those.

    Raises MySQLError, TargetError, TrialBroken.
    """
    limit_s = STEP_LIMIT_S if in_steps(settings) else SET_LIMIT_S
    with asking.writer(CancelToken(), limit_s) as session:
        return tuple(_set_back(session, settings))


def _set_back(session: MySQLSession, settings: tuple[TriedSetting, ...]) -> dict[str, str]:
    """Set the old values but where somebody else has set others; returns those, by name."""
    others = foreign(settings, values_of(session, settings))
    rest = tuple(each for each in settings if each.name not in others)
    if rest:
        set_values(session, rest, Side.OLD)
    return others


def first_set(asking: MySQLSession, settings: tuple[TriedSetting, ...]) -> None:
    """Set each value that is there once more, to see whether the account may.

    Raises TrialBroken (REFUSED), MySQLError and TargetError.
    """
    with asking.writer(CancelToken(), SET_LIMIT_S) as session:
        for each in settings:
            only_old = TriedSetting(each.name, each.old, each.old, each.number)
            set_values(session, (only_old,), Side.NEW)
        with suppress(LeadlineError):
            session.rows("DO 0")


def left_to_others(
    asking: MySQLSession, settings: tuple[TriedSetting, ...], theirs: Mapping[str, str]
) -> None:
    """Give values back to who has set them, where the way back has taken them since.

    Raises MySQLError, TargetError, TrialBroken.
    """
    with asking.writer(CancelToken(), SET_LIMIT_S) as session:
        values = values_of(session, settings)
        for each in settings:
            if each.name in theirs and same_value(values[each.name], each.old):
                own = TriedSetting(each.name, each.old, theirs[each.name], each.number)
                set_values(session, (own,), Side.NEW)
