"""Whether the drive can be ruled out as what holds queries up, and what shows that, as values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from advisor.case import Case
from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE
from advisor.facts.server.variables import users_window
from advisor.facts.watched.drive import WATCH_DATA_DEVICE
from advisor.facts.watched.watch import users_watch
from advisor.gain import MOST, STANDS_OUT, QueryTime, VolumeLimit, Wait
from advisor.outcomes import Judgement, Recommendation, Verdict
from advisor.rulekit.facts import Facts, FactSource
from advisor.workload.commit_waits import syncs_under_way
from probes.inventory.facts import StatusWindow
from probes.statistics.ranges import Range
from probes.watch.watched import Device, Watched

OF_DRIVE = (
    Wait.PAGE_READS,
    Wait.COMMITS,
    Wait.CHECKPOINTS,
    Wait.FREE_PAGES,
    Wait.LOG_BUFFER,
    Wait.TEMPORARY,
    Wait.OTHER_READS,
)
"""The waits that a drive makes."""

BUSY = 0.5
"""A drive with a request in flight for this share of the time may be what holds queries up (our
choice)."""

MORE = 2.0
"""A drive gives much more where it was measured to give this many times what is asked (our
choice)."""


def ceilings(judgement: Judgement) -> Iterator[tuple[VolumeLimit, Recommendation]]:
    """What the rules on a limit of the volume say, where it is used to a good part."""
    for one in judgement.recommendations:
        if one.limit is not None and one.verdict is not Verdict.FINE:
            yield one.limit, one


@dataclass(frozen=True, slots=True)
class DriveAside:
    """What shows that the drive is not what holds queries up.

    ``share`` (0..1) of query time is spent on it at most; ``busy`` are its devices, each with the
    share of the time that it has a request in flight; it gave ``more`` times the reads that are
    asked of it, None where nobody measured that or it gives hardly more.
    """

    share: float
    busy: tuple[tuple[str, float], ...]
    more: float | None


def drive_aside(judgement: Judgement, case: Case) -> DriveAside | None:
    """That the drive is not what holds queries up, with its figures; None where it may be.

    That is where it is busy, near a limit of its volume, or where what queries wait for it is not
    known or no small part.
    """
    time, devices = judgement.time, _devices(case)
    if time is None or time.untimed or any(ceilings(judgement)):
        return None
    most = _share_of_drive(time)
    if most >= STANDS_OUT or drive_is_busy(case):
        return None
    busy = tuple((each.name, each.busy.value) for each in devices)
    return DriveAside(most, busy, _more_reads(case))


def may_limit(wait: Wait, time: QueryTime, judgement: Judgement, case: Case, facts: Facts) -> bool:
    """Whether what makes a wait may be near its limit; a wait that takes most of query time is.

    A drive is not where its requests of that kind, and all those of its devices, leave it idle for
    most of the time, and no limit of its volume is used to a good part. Of waits that are no
    requests under way nobody knows that. The middle of a share counts.
    """
    share = time.share(wait)
    if wait not in {Wait.PAGE_READS, Wait.COMMITS} or share is None or _middle(share) >= MOST:
        return True
    if drive_is_busy(case) or any(ceilings(judgement)):
        return True
    under_way = time.waits[wait].value if wait is Wait.PAGE_READS else syncs_under_way(facts)
    return under_way is None or under_way >= BUSY


def _middle(share: Range) -> float:
    return (share.low + share.high) / 2


def drive_is_busy(case: Case) -> bool:
    """Whether a device of the server's was seen to have a request in flight most of the time."""
    return any(busy_drives(case))


def busy_drives(case: Case) -> Iterator[tuple[str, float]]:
    """Those devices, each with the share of the time that it has a request in flight."""
    for each in _devices(case):
        if each.busy.value >= BUSY:
            yield each.name, each.busy.value


def room_when_busy(case: Case) -> float | None:
    """How many times the reads that are asked of a busy drive it gave when it was measured.

    One that serves many requests at once is busy long before it has no room for more. None where
    reads are not most of what it does, as that alone was measured.
    """
    busy = [each for each in _devices(case) if each.busy.value >= BUSY]
    done = [kind for each in busy for kind in (each.reads, each.writes, each.syncs) if kind]
    reads = sum(each.reads.in_flight.value for each in busy)
    mostly_reads = reads > sum(kind.in_flight.value for kind in done) / 2
    return _more_reads(case) if mostly_reads else None


def _devices(case: Case) -> tuple[Device, ...]:
    watched = users_watch(case)
    machine = watched.machine if isinstance(watched, Watched) else None
    return () if machine is None else machine.devices


def _share_of_drive(time: QueryTime) -> float:
    """The share of query time (0..1) that the drive takes at most."""
    most = sum(time.waits[each].high for each in OF_DRIVE if each in time.waits)
    return most / time.running.value


def _more_reads(case: Case) -> float | None:
    """How many times the reads that are asked of its drive it gave when it was measured.

    None where nobody measured that, or it gives hardly more. What the device does counts before
    what InnoDB asks: the swap may lie on it, and other files.
    """
    window, facts = users_window(case), Facts(FactSource(case))
    curve, device = facts.find(CURVE_RANDOM_READ_PAGE), facts.find(WATCH_DATA_DEVICE)
    asked = window.per_s("Innodb_data_reads") if isinstance(window, StatusWindow) else None
    asked = asked if device is None else max(asked or 0.0, device.reads.per_s.value)
    more = curve.peak.rate_per_s / asked if curve is not None and asked else 0.0
    return more if more >= MORE else None
