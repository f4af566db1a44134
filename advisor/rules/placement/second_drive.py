"""Use of the drive, and what a second one would bring.

## What it checks
How much of the drive's capacity the server uses, in reads and writes together.

## Why it matters
Two drives double a load's rate only when one is at its limit. Published runs with a second Optane
in a stripe showed no gain while the working set fit into the pool; once one volume was saturated, a
second more than doubled the rate.

## How it is judged
- Reads/s and writes/s are what the kernel counts on the data's device while the server works: page
  writes, doublewrite, redo and binary log together. Where nobody looked: `Innodb_data_reads` and
  `Innodb_pages_written`.
- `used` = reads/s / the read curve's knee + writes/s / the write curve's knee. Below 0.9
  (our choice): fine, a second drive would gain nothing. 0.9 and more: watch.
- Where nobody looked and the server reads more than the drive ever gave: not judged, for a cache
  answers a part, or the drive can do more than was tried.
- Busy less than half of the time (our choice): fine, whatever the curves say.
- The load is at nine tenths of the volume's limit on requests (our choice): fine, for that limit is
  judged by the rules on cloud volumes.
- Without curves: busy nine tenths of the time or more: watch, with low confidence, because many
  drives serve more requests at a time. Less: fine.

## How to check by hand
`iostat -x 1` under load: `r/s` and `w/s` against the measured curves. `%util` is meaningless on
drives that serve many requests at a time; only a low one says something.

## Risk and undo
Nothing is changed.

## When it is wrong
When the window was quiet; when other programs use the drive; when a limit in bytes comes before the
one on requests, which the rules on cloud volumes check.

## References
- D. Kravtchuk, "8.0 GA and IO-bound TPCC"
- Published sweeps of InnoDB over network volumes, one and two of them striped
"""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE, CURVE_RANDOM_WRITE_PAGE
from advisor.facts.server.status import status
from advisor.facts.watched.drive import DRIVE_LOAD_SEEN, WATCH_DATA_DEVICE, WATCH_FILE_SHARES
from advisor.facts.watched.volumes import VOLUME_REQUEST_LIMITS, VOLUME_THROUGHPUT_LIMITS
from advisor.model.curves.knee import knee
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Condition, Facts, Knowledge, Unjudged, rule
from advisor.workload.volume_use import USES, limit_reached
from probes.figures import percent, rate
from probes.watch.watched import Device

FULL, IDLE = 0.9, 0.5


@rule(
    topic="Placement",
    do="Reduce reads, then add a second drive",
    needs=(DRIVE_LOAD_SEEN, status("Innodb_data_reads"), status("Innodb_pages_written")),
    uses=(
        CURVE_RANDOM_READ_PAGE,
        CURVE_RANDOM_WRITE_PAGE,
        WATCH_FILE_SHARES,
        VOLUME_REQUEST_LIMITS,
        VOLUME_THROUGHPUT_LIMITS,
        *USES,
    ),
    findings=("F33", "F105"),
    symptom_of=("buffer-pool.size", "cloud.request-limit", "cloud.throughput-limit"),
    major=True,
    knowledge=Knowledge.MEASURED,
)
def check(facts: Facts) -> Answer:
    """Hold the load of the drive against what it can do."""
    device, used = facts.find(WATCH_DATA_DEVICE), _used(facts)
    if used is None:
        return _by_the_device(facts, facts.get(WATCH_DATA_DEVICE))
    if device is None and used.reads > used.most_reads:
        return Unjudged(
            f"The server reads {rate(used.reads)}, and the drive gave {rate(used.most_reads)} at "
            "most: a cache answers a part, or more at a time were needed, so what the drive can do "
            "beside them is not known."
        )
    full: Condition = used.full
    busy = None if device is None else _busy(device, IDLE)
    card = facts.card(
        f"{_load(facts, device)}: {percent(used.full.value)} of the drive's capacity.",
        full if busy is None else full & busy,
        confidence=Confidence.MEDIUM if used.reached else Confidence.LOW,
        because="Both curves were measured beyond their knee."
        if used.reached
        else "A curve still grew at its end, so the drive can do more than this.",
        valid="For the load of the window.",
    )
    limit = limit_reached(facts)
    if limit is not None:
        return card.fine(
            "The volume's limit comes first, which the rules on cloud volumes judge: a second "
            "volume brings another one, and raising this one is simpler.",
            condition=limit.share,
        )
    if not full or (busy is not None and not busy):
        return card.fine(
            "A second drive would add capacity, not speed; a lower latency would help."
        )
    return card.watch(
        "The drive is saturated. First reduce reads (a larger buffer pool); then a second drive in "
        f"a stripe, or a faster one, would help.{_apart(facts)}",
        cost_of_error="Money for a drive without benefit.",
    )


@dataclass(frozen=True, slots=True)
class _Used:
    """The share of both curves that is used, and whether both were measured to their knee.

    ``reads`` per second are held against the ``most_reads`` that were measured.
    """

    full: At
    reads: float
    most_reads: float
    reached: bool


def _used(facts: Facts) -> _Used | None:
    """Add up the shares of both curves; None where one was not measured."""
    read_curve, write_curve = (
        facts.find(CURVE_RANDOM_READ_PAGE),
        facts.find(CURVE_RANDOM_WRITE_PAGE),
    )
    if read_curve is None or write_curve is None:
        return None
    device = facts.find(WATCH_DATA_DEVICE)
    reads, writes = (
        facts.get(status("Innodb_data_reads")),
        facts.get(status("Innodb_pages_written")),
    )
    if device is not None:
        reads, writes = device.reads.per_s.value, device.writes.per_s.value
    read_knee, write_knee = knee(read_curve), knee(write_curve)
    full = At(
        "used share",
        reads / read_knee.rate_per_s + writes / write_knee.rate_per_s,
        of=f"{rate(reads)} / {rate(read_knee.rate_per_s)} + {rate(writes)} / "
        f"{rate(write_knee.rate_per_s)}",
        least=FULL,
        say=percent,
    )
    reached = read_knee.reached and write_knee.reached
    return _Used(full, reads, read_curve.peak.rate_per_s, reached)


def _load(facts: Facts, device: Device | None) -> str:
    if device is None:
        reads = facts.get(status("Innodb_data_reads"))
        writes = facts.get(status("Innodb_pages_written"))
        return f"The server reads {rate(reads)} and writes {rate(writes, 'pages')}"
    return (
        f"Under the server's load {device.name} does {rate(device.reads.per_s.value, 'reads')} and "
        f"{rate(device.writes.per_s.value, 'writes')}, and is busy "
        f"{percent(device.busy.value)} of the time"
    )


def _busy(device: Device, share: float) -> At:
    return At("share of time that the drive is busy", device.busy, least=share, say=percent)


def _by_the_device(facts: Facts, device: Device) -> Answer:
    """Judge by how much of the time the drive has nothing to do."""
    flight = device.reads.in_flight.value + device.writes.in_flight.value
    busy = _busy(device, FULL)
    card = facts.card(
        f"{_load(facts, device)}, with {flight:.1f} requests in flight on average.",
        busy,
        confidence=Confidence.LOW if busy else Confidence.MEDIUM,
        because="The kernel counted it; what the drive can do at most was not measured.",
    )
    if not busy:
        return card.fine(
            f"The drive is idle for {percent(1 - device.busy.value)} of the time: a second drive "
            "would add capacity, not speed; a lower latency would help."
        )
    return card.watch(
        "The drive is hardly ever idle. Whether it can serve more requests at a time shows a probe "
        f"of random reads and writes. First reduce reads (a larger buffer pool).{_apart(facts)}",
        cost_of_error="Money for a drive without benefit.",
    )


def _apart(facts: Facts) -> str:
    """Say what the server writes, which another drive could take a part of; "" where unknown."""
    shares = facts.find(WATCH_FILE_SHARES)
    return "" if shares is None else f" Of the bytes that the server writes: {shares.text}."
