"""Where a log lies that commits sync, judged by what its syncs take under the server's own load."""

from __future__ import annotations

from advisor.facts.watched.drive import WATCH_DATA_DEVICE, WATCH_FILE_SHARES
from advisor.facts.watched.watch import CallTime
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Card, Facts, Knowledge, Unjudged
from advisor.rules.placement._log import FAST_US, Log, fast, takes
from advisor.workload.commit_waits import shorter_by_up_to
from advisor.workload.sync_cost import BUSY, SLOW_US
from probes.figures import duration_us, percent
from probes.watch.watched import Device

USES = (WATCH_DATA_DEVICE, WATCH_FILE_SHARES)


def judge_watched(facts: Facts, log: Log, own: CallTime | None, *, synced: bool) -> Answer:
    """Judge a log that shares the data's drive by its syncs, and by what else the drive does."""
    shared = f"The {log.name} and the data share a drive"
    if not synced:
        return facts.card(
            f"{shared}, and commits do not sync the {log.name}.", confidence=Confidence.HIGH
        ).fine(log.useless, flips_when=f"commits sync the {log.name}")
    if own is None:
        return Unjudged(
            f"Neither were commits measured beside flushing nor were syncs of the {log.name} "
            "watched."
        )
    card = facts.card(
        f"{shared}. Beside this server's other work a sync takes "
        f"{own.latency_us.text(duration_us)}, {own.source}.",
        takes(log, own, FAST_US if fast(own) else SLOW_US),
        because="The server's own syncs were watched.",
        knowledge=Knowledge.PUBLISHED,
        valid="While the load is like that of the status window.",
    )
    if not takes(log, own, SLOW_US):
        most = duration_us(own.latency_us.value)
        return card.fine(f"A drive of its own would save at most {most} for each sync.")
    return _slow(facts, log, own, card)


def _slow(facts: Facts, log: Log, own: CallTime, card: Card) -> Answer:
    device = facts.find(WATCH_DATA_DEVICE)
    measure = "Measure commits beside flushing before you buy a drive."
    if device is None:
        return card.watch(
            f"Whether they wait for other requests of this drive is not known. {measure}",
            confidence=Confidence.LOW,
        )
    busy = _busy(device)
    card = card.but(condition=takes(log, own, SLOW_US) & busy)
    if not busy:
        return card.fine(
            f"The drive is idle for {percent(1 - device.busy.value)} of the time, so its syncs "
            "seldom wait for other requests: they take as long on any drive like it."
        )
    shares = facts.find(WATCH_FILE_SHARES)
    written = "" if shares is None else f" Of the bytes that the server writes: {shares.text}."
    return card.watch(
        f"The drive is busy {percent(device.busy.value)} of the time, so syncs may wait for "
        f"other requests.{written} {measure}",
        relieves=(shorter_by_up_to(facts, log.role, device.busy.value),),
        confidence=Confidence.LOW,
    )


def _busy(device: Device) -> At:
    return At("share of time that the drive is busy", device.busy, least=BUSY, say=percent)
