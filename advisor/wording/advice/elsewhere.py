"""That queries wait for what nobody timed: how much it is, what it may be, and what may shorten it.

The drive is named beside it: that it is busy, or that it is not what holds queries up.
"""

from __future__ import annotations

from advisor.case import Case
from advisor.gain import Wait
from advisor.judging.drive_aside import DriveAside, busy_drives, drive_aside, room_when_busy
from advisor.judging.limit import (
    Limit,
    LimitKind,
    may_shorten,
    relieving,
    rest_rivals,
    without_rule,
)
from advisor.judging.single_thread import single_applier
from advisor.outcomes import Judgement
from advisor.wording.advice.gains import share_text
from advisor.wording.advice.waits import MAY_SHORTEN, NOT_TIMED, WAITS, remedy
from probes.figures import listed, percent, times
from probes.statistics.ranges import Range

SEVERAL = "4 to 8"
"""With as many appliers a source's usual transactions keep pace (our choice)."""

BY_CLOCK = "slave_parallel_type = LOGICAL_CLOCK"

IDLE = 100.0
"""A drive that gives more times what is asked of it needs no figure of that (our choice)."""


def is_elsewhere(limit: Limit) -> str:
    """That a part of the time is in no wait that was timed; the brackets name what was not."""
    such = ["read-ahead"] if limit.scans else []
    such += ["the opening of tables"] if limit.opens_tables else []
    such += ["metadata locks"] if limit.open_s else []
    such += ["the other members' answers to commits"] if limit.asks_others else []
    such += [] if Wait.ROW_LOCKS in limit.time.waits else [WAITS[Wait.ROW_LOCKS]]
    return f"is in {NOT_TIMED} ({', '.join([*such, 'latches', 'table locks'])})"


def hidden(limit: Limit) -> str:
    """How much is in no wait that was timed, where that rivals what is named and is not said."""
    if not rest_rivals(limit):
        return ""
    explained = limit.time.explained
    rest = Range(1 - explained.value, 1 - explained.high, 1 - explained.low)
    return f"{share_text(rest)} of the time {is_elsewhere(limit)}"


def of_drive(judgement: Judgement, case: Case, limit: Limit) -> str:
    """That the drive is not what holds queries up, or that it is busy, and with what.

    "" where what most of the time goes to was timed.
    """
    short = limit.kind is LimitKind.MEMORY and rest_rivals(limit)
    if limit.kind is not LimitKind.ELSEWHERE and not short:
        return ""
    busy = [f"{name} is busy {percent(share)} of the time" for name, share in busy_drives(case)]
    if not busy:
        return _drive_aside(drive_aside(judgement, case))
    if limit.scans:
        return f"{listed(busy)}, with pages that are read ahead"
    gave = _gave(room_when_busy(case))
    return f"{listed(busy)}{f', though {gave}' if gave else ''}"


def _drive_aside(found: DriveAside | None) -> str:
    """That the drive is not what holds queries up, with its figures."""
    if found is None:
        return ""
    shows = [f"{percent(found.share)} of it is spent on reads, writes and syncs"]
    shows += [f"{name} is busy {percent(busy)} of the time" for name, busy in found.busy]
    shows += [gave] if (gave := _gave(found.more)) else []
    *others, last = shows
    before = f"{', '.join(others)}, and " if others else ""
    return f"the drive is not it: {before}{last}"


def _gave(more: float | None) -> str:
    """How many times the reads that are asked of it a drive gave; "" where that says nothing."""
    if more is None or more > IDLE:
        return ""
    return f"it gave {times(more)} as many reads when it was measured"


def more_appliers(limit: Limit, case: Case) -> str:
    """That a replica's setting makes it apply with one thread, where that one is busy."""
    setting = single_applier(case)
    if setting is None or not (limit.applies or limit.one == "applier"):
        return ""
    name, workers = setting
    return (
        f"{name} is {workers}: with {SEVERAL}, set while it is stopped, transactions that are "
        f"independent are applied at once{_by_clock(case)}"
    )


def _by_clock(case: Case) -> str:
    """What else that takes where appliers share the work by schema: most servers have one."""
    mysql = case.inventory.mysql
    kinds = [mysql.value(f"{name}_parallel_type") for name in ("replica", "slave")] if mysql else []
    return f" ({BY_CLOCK} with it)" if "DATABASE" in kinds else ""


def unanswered(judgement: Judgement, limit: Limit, case: Case) -> str:
    """What may shorten what is named, or that no rule here does, and what would.

    "" where the lists have a line on it.
    """
    if about := may_shorten(judgement, limit):
        return f"what may shorten that: {listed([MAY_SHORTEN[rule] for rule in about], 'or')}"
    if not without_rule(judgement, limit):
        return ""
    next_one = _shortens_next(judgement, limit)
    that = WAITS[limit.wait] if next_one and limit.wait is not None else "that"
    return f"{next_one}no rule here shortens {that}: {remedy(limit, case)}"


def _shortens_next(judgement: Judgement, limit: Limit) -> str:
    """Which change shortens the wait that is named behind the first; "" where none does."""
    behind = () if limit.wait is None else limit.waits[1:2]
    for wait, _ in behind:
        found = next((one.setting for one in relieving(judgement, wait) if one.setting), "")
        if found:
            return f"the proposed {found} shortens {WAITS[wait]}; "
    return ""
