"""innodb_io_capacity against what a volume was bought with, where nobody could measure it."""

from __future__ import annotations

from advisor.facts.machine.machine_limits import HOST_VOLUME_LIMITS, VOLUME_STATED
from advisor.facts.measured.points import CURVE_RANDOM_WRITE_PAGE
from advisor.facts.server.variables import variable
from advisor.knowledge.machine_limits import Cap
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Unjudged
from advisor.rules.flushing._limits import WORTH
from advisor.variables.standing import Standing
from advisor.workload.flushing.load import (
    CALM,
    LOWEST,
    PAGES,
    QUIET,
    SMALL,
    flush_ways,
    goes_beyond,
    pages_written,
    reached_by_none,
    unseen,
    writes_once,
)
from advisor.workload.flushing.settings import round_setting, whole_multiple
from probes.figures import rate
from probes.points import PAGE_BYTES

PAGE_SIZE = variable("innodb_page_size")
MAX = variable("innodb_io_capacity_max")
STATED = (VOLUME_STATED, HOST_VOLUME_LIMITS, PAGE_SIZE)
BECAUSE = "The limit is as its user stated, and was not measured."


def above_stated(facts: Facts) -> Answer | None:
    """Lower a plan that the volume can't fulfil; None where it may."""
    found = _lowest(facts)
    if found is None:
        return None
    most, saw = found
    ways, written = flush_ways(facts), pages_written(facts)
    planned = facts.now.number * ways
    if written is not None and written.value < QUIET:
        return None
    over = _over(most, planned)
    if planned <= SMALL * ways or not over:
        return None
    budget = most if writes_once(facts) else most / 2
    wanted = max(CALM, 0.0 if written is None else 2 * written.value)
    if unseen(facts):
        wanted = budget = most
    value = max(LOWEST, round_setting(min(wanted, budget) / ways))
    if value > WORTH * facts.now.number:
        return None
    return facts.card(f"InnoDB plans {rate(planned, 'pages')}. {saw}", over).recommend(
        facts.to(str(value), then=_with_limit(facts, value, most / ways)),
        effect="Page writes no longer take what reads and commits need of the volume.",
        confidence=Confidence.LOW,
        because=BECAUSE,
        risk="Low: if dirty pages or the checkpoint age grow under load, raise it again.",
        cost_of_error="More dirty pages and a higher checkpoint age, until it is raised again.",
        side_effects="Idle flushing and merges of the change buffer are slower.",
        slight=not unseen(facts) and reached_by_none(facts, budget),
    )


def _with_limit(facts: Facts, value: int, most: float) -> tuple[tuple[Standing, str], ...]:
    """The upper limit that goes down with a plan: flushing for the redo log follows that one."""
    limit = facts.find(MAX)
    if limit is None:
        return ()
    lower = whole_multiple(2 * value, value, most)
    return ((limit, str(lower)),) if lower <= WORTH * limit.number else ()


def within_stated(facts: Facts) -> Answer:
    """Say that the volume gives what is planned; not judged where nobody stated what it gives."""
    found = _lowest(facts)
    if found is None or not goes_beyond(facts.version):
        return Unjudged(facts.lacks(CURVE_RANDOM_WRITE_PAGE))
    most, saw = found
    planned = facts.now.number * flush_ways(facts)
    return facts.card(
        f"InnoDB plans {rate(planned, 'pages')}. {saw}",
        _over(most, planned),
        confidence=Confidence.MEDIUM,
        because=BECAUSE,
    ).fine("Fine as it is: what is planned is within that.")


def _over(most: float, planned: float) -> At:
    return At("what the volume gives", most, the=False, below=planned, say=PAGES)


def _lowest(facts: Facts) -> tuple[float, str] | None:
    """The page writes/s that volume and class let through, and a sentence on whose limit it is.

    None where the volume's requests were not stated: a lower limit may be there.
    """
    volume, limits = facts.find(VOLUME_STATED), facts.find(HOST_VOLUME_LIMITS)
    page = facts.find(PAGE_SIZE)
    if volume is None or volume.requests is None:
        return None
    page_bytes = PAGE_BYTES if page is None else page.number
    caps = [
        ("The volume", cap, ", as stated") for cap in (volume.requests, volume.throughput) if cap
    ]
    caps += [("The class", cap, "") for cap in (() if limits is None else limits.caps)]
    whose, cap, stated = min(caps, key=lambda each: _pages(each[1], page_bytes))
    pages = _pages(cap, page_bytes)
    text = f"{cap.say(cap.lasting)}{stated}: {rate(pages, 'page writes')} at most"
    return pages, f"{whose} gives {text}."


def _pages(cap: Cap, page_bytes: float) -> float:
    return cap.lasting / page_bytes if cap.in_bytes else cap.lasting
