"""What the plan of flushing and its upper limit have in common: when either is too high."""

from __future__ import annotations

import math

from advisor.model.server.round_figures import round_down
from advisor.rulekit import At, Condition, Is
from advisor.variables.catalogue import MYSQL, span
from advisor.workload.flushing.load import (
    AMPLE,
    CALM,
    LOWEST,
    PAGES,
    SMALL,
    WRITES,
    FlushLoad,
    goes_beyond,
    most_ever_useful,
)
from advisor.workload.flushing.settings import whole_multiple
from probes import figures
from probes.version import ServerVersion

DEMAND = ("redo.capacity", "buffer-pool.size")
"""Rules whose advice changes how many pages are written."""

DECIDES_WRITES = (
    "filesystem.zfs-recordsize",
    "durability.doublewrite",
    "doublewrite.on-zfs",
    *DEMAND,
)
"""Rules whose advice changes how much has to be written: either limit waits for them."""

BUYS_DRIVE = ("cloud.request-limit", "cloud.throughput-limit")
"""Rules whose advice changes how much the drive can write: what is too high now may not be then."""

RARELY_USEFUL = 20_000

WORTH = 0.8
"""A limit that would stay above this share of what it is now is not worth a change (our choice)."""

LOWERED = 400
"""No upper limit up to this is lowered: on the slowest drive that brings nothing (our choice)."""

AT_ONCE = 2.0
"""A limit this many times what the drive flushes is lowered whatever is about to change what is
written (our choice)."""


def too_high(load: FlushLoad, version: ServerVersion, planned_per_s: float) -> Condition:
    """Whether an innodb_io_capacity of all instances is too high.

    Of a load that nobody has seen yet only the drive can tell.
    """
    if load.unseen:
        return beyond_drive(load, planned_per_s)
    return (
        beyond_drive(load, planned_per_s)
        | slows(load, planned_per_s)
        | unneeded(load, planned_per_s, most_ever_useful(version))
    )


def too_low(load: FlushLoad, version: ServerVersion, planned_per_s: float) -> Condition:
    """Whether flushing has to be given a higher innodb_io_capacity of all instances."""
    written = load.written
    if written is None:
        return Is(False, "")
    behind = Is(bool(load.behind), "flushing falls behind", "flushing keeps up")
    if goes_beyond(version):
        if planned_per_s >= AMPLE * load.ways:
            return Is(False, "")
        return behind & At(WRITES, written, above=planned_per_s, say=PAGES)
    return behind | At(WRITES, written, least=0.9 * planned_per_s, say=PAGES)


def raised(load: FlushLoad, version: ServerVersion, now: float) -> int | None:
    """Give the innodb_io_capacity in place of one that is too low, None where ``now`` stays."""
    if not too_low(load, version, now * load.ways):
        return None
    factor = 1.1 if goes_beyond(version) else 2.0
    wanted = load.keeps_up(factor, 0.0, min(load.room_per_s, AMPLE * load.ways))
    return wanted if wanted > 1.1 * now else None


def beyond_drive(load: FlushLoad, planned_per_s: float, small: float = SMALL) -> Condition:
    """Whether a plan can't be fulfilled: it is not ``small`` and above the ceiling."""
    if planned_per_s <= small * load.ways:
        return Is(False, "it is raised above what the drive sustains")
    # A load to come lowers it to that limit alone, which has to be worth a line.
    most = WORTH * planned_per_s if load.unseen else planned_per_s
    return At("drive's limit", load.ceiling_per_s, below=most, say=PAGES)


def need_not_wait_for(load: FlushLoad, planned_per_s: float) -> tuple[str, ...]:
    """The rules that a limit far above what the drive flushes is lowered without."""
    return (*DEMAND, *BUYS_DRIVE) if planned_per_s >= AT_ONCE * load.ceiling_per_s else ()


def slows(load: FlushLoad, planned_per_s: float) -> Condition:
    """Whether a plan, clearly above what is needed, makes reads or commits slower."""
    if load.tolerated_per_s is None or load.behind:
        return Is(False, "")
    name = "rate that reads and commits tolerate"
    return At(name, _lowest_per_s(load), below=WORTH * planned_per_s, say=PAGES)


def unneeded(load: FlushLoad, planned_per_s: float, ample_per_s: float) -> Condition:
    """Whether a plan is above what is ever useful, and four times what is written."""
    if load.demand_per_s is None or planned_per_s <= ample_per_s or load.behind:
        return Is(False, "")
    return At(WRITES, load.written or load.demand_per_s, below=planned_per_s / 4, say=PAGES)


def why_too_high(load: FlushLoad, planned_per_s: float) -> str:
    """Say why a plan that is too high is."""
    if beyond_drive(load, planned_per_s):
        if load.lasting_per_s is not None and load.ceiling_per_s >= load.lasting_per_s:
            return "That is more than this drive goes on writing."
        if load.ceiling_per_s < load.bend.rate_per_s:
            return "That is more than this drive flushes."
        return "That is more than this drive sustains."
    if slows(load, planned_per_s):
        begin, are = load.tolerated_per_s or 0.0, load.slower_per_s or 0.0
        slower = f"get slower on this drive from some {figures.rate(begin, 'pages')} on"
        room = ", while the redo log has room for pages that are written later" * load.roomy
        return f"Reads and commits {slower} (they are at {figures.rate(are, 'pages')}){room}."
    return "That is over four times what the server writes."


def calm(load: FlushLoad, version: ServerVersion, planned_per_s: float) -> int:
    """Give the innodb_io_capacity for a server whose plan is too high.

    One that the drive fulfils, and that only slows others, goes down by half at a time.
    """
    if load.unseen:
        return load.most
    seen = unneeded(load, planned_per_s, most_ever_useful(version))
    if not seen and not beyond_drive(load, planned_per_s):
        half = planned_per_s / 2 if load.roomy else 0.0
        return max(LOWEST, round_down(max(_lowest_per_s(load), half) / load.ways))
    if load.demand_per_s is None:
        return max(LOWEST, round_down(min(load.room_per_s, AMPLE) / load.ways))
    return load.keeps_up(2.0, CALM, load.room_per_s)


def lowered_with(
    load: FlushLoad, version: ServerVersion, most: float, now: float, plan: int
) -> int:
    """Give the innodb_io_capacity_max of ``most`` that goes with a plan that falls from ``now``.

    Flushing for the redo log is as eager as the upper limit has it, so both go down alike. What the
    drive does not fulfil, or is far above what is written, goes down further.
    """
    wanted = most * plan / now
    if beyond_drive(load, most * load.ways):
        wanted = min(wanted, load.most)
    if unneeded(load, wanted * load.ways, rarely_useful(version)):
        wanted = enough(load)
    return multiple(load, max(wanted, plan), plan, min(load.ceiling_per_s / load.ways, most))


def enough(load: FlushLoad) -> int:
    """Give the upper limit for a server that writes far less than it allows."""
    return load.keeps_up(2.0, 2000.0, load.budget_per_s)


def multiple(load: FlushLoad, value: float, base: float, most: float) -> int:
    """The value as a whole multiple of the plan, but no limit that would hold flushing back."""
    found = whole_multiple(value, base, most)
    little = load.unseen or found * load.ways < 2 * (load.written_per_s or 0.0)
    short = found <= base and little
    return int(value) if short else found


def rarely_useful(version: ServerVersion) -> float:
    """The innodb_io_capacity_max above which a version needs a reason; none before 5.7."""
    if not version.at_least(MYSQL, 5, 7):
        return math.inf
    known = span(version, "innodb_io_capacity_max")
    return max(RARELY_USEFUL, float(known.default or 0) if known else 0)


def _lowest_per_s(load: FlushLoad) -> float:
    """The plan below which none is lowered for the sake of reads and commits.

    What is written follows the plan: it is no need where the redo log has room for more.
    """
    if not load.roomy:
        return load.tolerated_or_needed_per_s
    least = max(load.needed_per_s, min(CALM, load.ceiling_per_s))
    return max(load.tolerated_per_s or 0.0, least, LOWEST * load.ways)
