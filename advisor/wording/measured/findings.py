"""What was found out about a drive on the way, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.wording.measured import doubts
from probes import figures
from probes.kinds.table import PROBES
from probes.points import Curve, LimitedBy, Point, Probe
from probes.trust import thresholds
from probes.trust.across.first_touch import HiddenCache
from probes.trust.findings import (
    Cliff,
    FasterSet,
    Finding,
    FindingName,
    Limited,
    NotADrive,
    OthersIo,
)
from probes.trust.throttle import Throttle, ThrottleEvidence

MOST_LEVELS = 2
"""This many numbers of threads are named in a sentence, each with its curves."""

MOST_NAMES = 3
"""This many curves are named in a sentence; the points show the others."""


def sentence(finding: Finding) -> str:
    """One statement: a sentence or a few with their figures."""
    match finding.found:
        case NotADrive():
            text = _not_a_drive(finding.found)
        case Throttle():
            text = _throttle(finding.found)
        case HiddenCache():
            text = _hidden_cache(finding.found)
        case FasterSet(fast, slow):
            compressed = finding.name is FindingName.COMPRESSION
            text = _zeros(fast, slow) if compressed else _small(fast, slow)
        case Cliff():
            text = _cliff(finding.found)
        case OthersIo():
            own = finding.name is FindingName.BESIDE_SERVER
            text = _servers_io(finding.found) if own else _others_io(finding.found)
        case Limited():
            text = _limited(finding.found)
    return text


def _not_a_drive(found: NotADrive) -> str:
    which = "all" if found.alike == found.rejected else f"{found.alike} of them"
    if not found.same:
        more = f", {which} like this one"
    elif found.alike < found.rejected:
        more = f", {which} for this"
    else:
        more = ""
    rejected = figures.counted(found.rejected, "point")
    return f"{rejected} rejected{more}: {doubts.sentence(found.doubt)}"


def _throttle(throttle: Throttle) -> str:
    flat = throttle.plateau
    first, last = flat.points[0].setting, flat.points[-1].setting
    kind = "reads" if first.probe is Probe.RANDOM_READ else "writes"
    rate = f"{figures.rate(flat.rate_per_s)} from {first.threads} to {last.threads} threads"
    if throttle.in_bytes:
        rate += f" ({figures.rated_throughput(flat.bytes_per_s)})"
    head = f"Throttled: {figures.size(first.block_size_bytes)} {kind} stay at {rate}"
    names = " or ".join(limit.name for limit in throttle.limits)
    figure = (
        figures.rated_throughput(throttle.figure)
        if throttle.in_bytes
        else figures.rate(throttle.figure)
    )
    match throttle.evidence:
        case ThrottleEvidence.SOLD:
            sentence = f"{head}; {figure} = {names}."
        case ThrottleEvidence.SAME_THROUGHPUT:
            sentence = (
                f"{head}, and {_called_all(throttle)} have the same throughput: a limit on bytes, "
                "not the drive."
            )
        case ThrottleEvidence.SAME_RATE if throttle.in_bytes:
            sentence = (
                f"{head}, and so do {_called_all(throttle)}, while smaller ones go higher: a limit "
                "on bytes, not the drive."
            )
        case ThrottleEvidence.SAME_RATE:
            sentence = (
                f"{head}, and so do {_called_all(throttle)}: a limit on requests, not the drive."
            )
        case ThrottleEvidence.ROUND:
            sold = f" ({figure} = {names})" if names else ""
            sentence = f"{head}, a round figure that looks like a limit somebody set{sold}."
    if any(limit.burst for limit in throttle.limits):
        sentence += " A burst ends when its credit is spent: a long write shows when."
    return sentence


def _called_all(throttle: Throttle) -> str:
    return " and ".join(dict.fromkeys(_called(other.points[0]) for other in throttle.others))


def _called(point: Point) -> str:
    kind = "reads" if point.setting.probe is Probe.RANDOM_READ else "writes"
    return f"{figures.size(point.setting.block_size_bytes)} {kind}"


def _hidden_cache(cache: HiddenCache) -> str:
    """Both figures, which of them feeds the rules, and why."""
    setting = cache.first.setting
    if not cache.usual_is_cached:
        choice = (
            "The usual set is too large for that cache, so its points feed the rules as they are."
        )
    elif cache.first_feeds:
        choice = (
            "The first touch feeds the rules: a server reads pages that it has not read for long, "
            "and this cache may no longer have them."
        )
    else:
        choice = (
            "First touches were measured at one thread count alone, so the usual points feed the "
            "rules: take them as an upper bound."
        )
    return (
        f"Something below O_DIRECT keeps what was read: {figures.size(setting.block_size_bytes)} "
        f"reads of {figures.counted(setting.threads, 'thread')} came at "
        f"{figures.rate(cache.first.rate_per_s)} at the first touch of each block and at "
        f"{figures.rate(cache.again.rate_per_s)} at the second. {choice}"
    )


def _small(small: Point, large: Point) -> str:
    threads = small.setting.threads
    return (
        f"A cache holds the small set of blocks: {figures.rate(small.rate_per_s)} against "
        f"{figures.rate(large.rate_per_s)} of the large set at {threads} "
        f"{'thread' if threads == 1 else 'threads'}. The large set feeds the rules."
    )


def _zeros(zeros: Point, usual: Point) -> str:
    return (
        f"Zeros are read at {figures.rate(zeros.rate_per_s)}, random data at "
        f"{figures.rate(usual.rate_per_s)}: something below compresses or leaves zeros out. Random "
        "data feeds the rules."
    )


def _cliff(found: Cliff) -> str:
    fast, slow = (
        phase.rate_per_s * found.block_size_bytes for phase in (found.before, found.after)
    )
    names = " or ".join(found.sold)
    cause = f"that is {names}" if names else "a cache was full, or a credit was spent"
    return (
        f"A long write fell from {figures.rated_throughput(fast)} to "
        f"{figures.rated_throughput(slow)} after {figures.size(found.after.bytes_before)} and "
        f"{figures.seconds(found.after.start_s)}: {cause}. The lower figure is the sustained one."
    )


def _others_io(found: OthersIo) -> str:
    return (
        f"Others used {found.device or 'the device'} during {_points_of(found)}: up to "
        f"{figures.percent(found.share)} of its I/O. Measure again when it is quiet."
    )


def _servers_io(found: OthersIo) -> str:
    return (
        f"The server's own load used the drive during {_points_of(found)}: up to "
        f"{figures.percent(found.share)} of its I/O. They show what the drive gives beside that "
        "load, not what it can do when idle."
    )


def _points_of(found: OthersIo) -> str:
    return f"{figures.counted(found.points, 'point')} of {found.of}"


def _limited(found: Limited) -> str:
    levels = _from_levels(found.curves, found.limit)
    if found.limit is LimitedBy.CPU:
        return (
            f"The processors were busier than "
            f"{figures.percent(thresholds.BUSIEST_PROCESSORS)} {levels}: there the figures show "
            "the CPUs' limit rather than the drive's."
        )
    return (
        f"The prober came near its own limit {levels}: there the drive may be faster than measured."
    )


def _from_levels(found: Sequence[Curve], limit: LimitedBy) -> str:
    """Say ``from 64 threads on (random read 16 KiB, page flush 16 KiB)``, the fewest first.

    Where that takes more than ``MOST_LEVELS``, how many points it was: each of them says so, too.
    """
    limited: dict[str, set[int]] = {}
    free: dict[str, set[int]] = {}
    for curve in found:
        size = curve.setting.block_size_bytes
        what = PROBES[curve.setting.probe].title + (f" {figures.size(size)}" if size else "")
        for point in curve.points:
            sort = limited if point.limited_by is limit else free
            sort.setdefault(what, set()).add(point.setting.threads)
    together: dict[str, list[str]] = {}
    for what in sorted(limited, key=lambda one: min(limited[one])):
        levels = _levels(sorted(limited[what]), sorted(free.get(what, ())))
        together.setdefault(levels, []).append(what)
    if len(together) > MOST_LEVELS:
        points = [point for curve in found for point in curve.points]
        near = sum(point.limited_by is limit for point in points)
        return f"at {near} of {figures.counted(len(points), 'point')}"
    return ", ".join(f"{levels} ({_few(those)})" for levels, those in together.items())


def _levels(limited: Sequence[int], free: Sequence[int]) -> str:
    """Say ``at 1 and from 16 threads on``: "on" where no larger count was free of the limit."""
    beyond = free[-1] if free else 0
    after = [threads for threads in limited if threads > beyond]
    if not after or len({*limited, *free}) == 1:
        return f"at {_threads(limited)}"
    onward = f"from {_threads(after[:1])} on"
    before = [str(threads) for threads in limited if threads <= beyond]
    return f"at {figures.listed(before)} and {onward}" if before else onward


def _threads(counts: Sequence[int]) -> str:
    noun = "thread" if counts[-1] == 1 else "threads"
    return f"{figures.listed([str(each) for each in counts])} {noun}"


def _few(names: Sequence[str]) -> str:
    """All names, or the first ones and how many others there are."""
    others = len(names) - MOST_NAMES
    shown = names if others <= 1 else [*names[:MOST_NAMES], f"{others} others"]
    return ", ".join(shown)
