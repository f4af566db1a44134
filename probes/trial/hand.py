"""What sets the values of a trial and holds the way back, whoever does it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from probes.errors import MySQLAccessDenied, MySQLConnectionLost, MySQLError
from probes.mysql.answers import pairs, plain
from probes.trial.ended import Break, LimitPassed, TrialBroken
from probes.trial.guard import GuardBeat, GuardLimits, MachineRoom
from probes.trial.settings import Side, TriedSetting, differing, same_value

if TYPE_CHECKING:
    from probes.mysql.connection import MySQLSession

SILENCE_S = 10.0
"""For how long nothing may be heard before the old values are set."""

_RENAMED = "1287"
"""MySQL's warning that a name is out of date: the value was taken."""


class Hand(Protocol):
    """Sets values on a server; every way out of its context leaves the old ones.

    Each method raises TrialBroken where the trial can't go on: the old values are there by then,
    but for those that the fault names. ``room`` is what the server's machine has left, None where
    nobody is there to see it. ``beat`` is what the guard has seen last, another one each second;
    None until then.
    """

    room: MachineRoom | None
    beat: GuardBeat | None

    def set(self, side: Side, step: int = 0) -> None:
        """Set that side's values, and see that the server has them.

        ``step`` is which value of a path is the new one; the server may still be on its way to it.
        """

    def look(self) -> None:
        """Let the guard look, and show that somebody is there; call it four times a second."""

    def allow(self, limits: GuardLimits, *, aside: bool = False) -> None:
        """What the server may come to from now on.

        ``aside``: a limit that a neighbour may have passed has the old values set, and ``set`` and
        ``look`` raise SteppedAside then, not TrialBroken.
        """

    def over_old(self) -> LimitPassed | None:
        """A limit that the server has passed with the old values since these were last set."""

    def keep(self) -> None:
        """Leave the new values; nothing goes back after it."""

    def back(self) -> float:
        """Set the old values for good; returns how long that took, in milliseconds."""


def values_of(session: MySQLSession, settings: tuple[TriedSetting, ...]) -> dict[str, str]:
    """What the server has now, by name; raises MySQLError where it lacks one, and Cancelled."""
    names = ", ".join(f"'{each.name}'" for each in settings)
    found = pairs(session.rows(f"SHOW GLOBAL VARIABLES WHERE Variable_name IN ({names})"))
    values = {name.lower(): value for name, value in found.items()}
    for each in settings:
        if each.name not in values:
            raise MySQLError(f"The server no longer shows {each.name}.")
    return values


def set_values(session: MySQLSession, settings: tuple[TriedSetting, ...], side: Side) -> None:
    """Set that side's values one after the other and read them back.

    The new ones in their order, the old ones in the opposite one. Raises TrialBroken (REFUSED,
    CHANGED), MySQLConnectionLost and Cancelled.
    """
    for each in settings if side is Side.NEW else reversed(settings):
        if side is Side.NEW and not each.new:
            continue
        # One with a path may be on its way from the old value while it shows that.
        there = not each.path and same_value(values_of(session, settings)[each.name], each.old)
        if side is Side.OLD and there:
            continue
        _set_one(session, each, side)
    values = values_of(session, settings)
    on_the_way = {each.name for each in settings if each.path and each.own(values[each.name])}
    others = {
        name: values[name] for name in differing(settings, values, side) if name not in on_the_way
    }
    if others:
        raise changed(others)


def changed(values: Mapping[str, str]) -> TrialBroken:
    """The fault of a server that has other values than it was given."""
    listed = ", ".join(f"{name} = {value}" for name, value in values.items())
    return TrialBroken(
        Break.CHANGED,
        f"The server has another value than it was given: {listed}.",
        "It rounds it, cuts it, or moves it along with another setting.",
        detail=listed,
    )


def refused(name: str, answer: str) -> TrialBroken:
    """The fault of a server that does not take a value."""
    return TrialBroken(
        Break.REFUSED,
        f"The server did not take the value of {name}: {answer}.",
        "Nothing is changed.",
        detail=answer,
    )


def not_allowed(name: str, answer: str) -> TrialBroken:
    """The fault of an account that may not set a value; nor may any on many managed services."""
    return TrialBroken(
        Break.REFUSED,
        f"The account may not set {name}: {answer}.",
        "It takes SYSTEM_VARIABLES_ADMIN, or SUPER. A managed service that gives neither has the "
        "setting in its parameter group: change it there, and --restart looks before and after.",
        detail=answer,
    )


def _set_one(session: MySQLSession, one: TriedSetting, side: Side) -> None:
    try:
        session.rows(one.statement(side))
        warnings = session.rows("SHOW WARNINGS")
    except MySQLConnectionLost:
        raise
    except MySQLAccessDenied as error:
        raise not_allowed(one.name, error.sentence.rstrip(".")) from error
    except MySQLError as error:
        raise refused(one.name, error.sentence.rstrip(".")) from error
    for warning in warnings:
        if plain(warning["Code"]) != _RENAMED:
            answer = f"{plain(warning['Message'])} ({plain(warning['Code'])})"
            raise TrialBroken(
                Break.CHANGED,
                f"The server took {one.name} with a warning: {answer}.",
                "It may have rounded or cut the value.",
                detail=answer,
            )
