"""Price of parity in a software RAID.

## What it checks
Whether the data lies on a software RAID of level 4, 5 or 6, and what the measured curves of reads
and writes say of it.

## Why it matters
To change one page such an array reads the old page and the old parity, and writes both anew: 4
requests on level 5, 6 on level 6. Random writes reach a quarter or a sixth of what the same disks
would give without parity. A cache in front can hide it for a while; the steady rate can't.

## How it is judged
`ratio = peak of reads / peak of writes`, 16 KiB at random, many files where measured.
- ratio of 2 or more: the array's parity shows, and RAID 10 is proposed. A mirror alone halves the
  writes, so below 2 nothing is to be gained that parity would explain.
- below 2: fine; something absorbs it.
- not measured: watch.
Hardware controllers don't tell the kernel their level: nothing is said about them.

## How to check by hand
`cat /proc/mdstat`, `mdadm --detail /dev/md0`

## Risk and undo
Another level takes a new array, so a copy of everything. RAID 10 gives half of the disks as room.

## When it is wrong
When the writes of the measurement fitted into a cache, or the load hardly writes.

## References
- md(4), RAID levels
- P. Zaitsev, "Evaluating IO subsystem performance for MySQL Needs" (2008)
"""

from __future__ import annotations

from advisor import wording
from advisor.outcomes import Confidence, Needs, Verdict
from advisor.rules.facts import Facts
from advisor.rules.host_change import by_hand
from advisor.rules.rule import Answer, Inapplicable, Judged, rule
from probes.inventory.facts import Layer, Storage
from probes.points import Curve

REQUESTS = {"raid4": 4, "raid5": 4, "raid6": 6}
SHOWS = 2.0


@rule(
    topic="Block layer",
    needs=("storage.probe",),
    uses=("curve.random_read.16k", "curve.random_write.page"),
    findings=("F21", "F25", "F26"),
)
def check(facts: Facts) -> Answer:
    """Find an array with parity, then see whether its price shows."""
    storage = facts.get("storage.probe", Storage)
    array = next((layer for layer in storage.layers if _level(layer) in REQUESTS), None)
    if array is None:
        return Inapplicable("No software RAID with parity lies below.")
    requests = REQUESTS[_level(array)]
    saw = f"The data lies on {array}: one page write becomes {requests} requests."
    reads = facts.find("curve.random_read.16k", Curve)
    writes = facts.find("curve.random_write.page", Curve)
    if reads is None or writes is None or writes.peak.rate_per_s <= 0:
        return Judged(
            Verdict.WATCH,
            saw,
            effect=f"Random writes may reach 1/{requests} of what these disks give; reads and "
            "writes of 16 KiB would tell.",
            confidence=Confidence.LOW,
            formula=_formula(requests),
            because="the level of the array alone",
            valid="for writes of single pages that no cache absorbs",
            cost_of_error="none: nothing is changed",
            flips_when="reads and writes are measured",
            gain=0.2,
        )
    ratio = reads.peak.rate_per_s / writes.peak.rate_per_s
    measured = (
        f"{saw} It gave {wording.rate(reads.peak.rate_per_s, 'reads')} and "
        f"{wording.rate(writes.peak.rate_per_s, 'writes')} at most ({wording.times(ratio)})."
    )
    if ratio < SHOWS:
        return Judged(
            Verdict.FINE,
            measured,
            effect="Fine as it is: the price of parity does not show here.",
            confidence=Confidence.MEDIUM,
            formula=_formula(requests),
            because="measured peaks; a cache may have absorbed the writes of a short run",
            flips_when=f"reads peak at {wording.times(SHOWS)} the writes or more",
        )
    return _moved(measured, array, requests, ratio)


def _level(layer: Layer) -> str:
    return layer.detail.partition(" ")[0] if layer.kind == "md" else ""


def _formula(requests: int) -> str:
    reads = requests // 2
    return f"1 page = {reads} reads + {reads} writes = {requests} requests; without parity 1"


def _moved(saw: str, array: Layer, requests: int, ratio: float) -> Judged:
    return Judged(
        Verdict.RECOMMEND,
        saw,
        setting="RAID level",
        now=_level(array),
        effect=f"Page writes cost 2 requests in place of {requests}: up to "
        f"{wording.times(requests / 2)} the writes on the same disks.",
        confidence=Confidence.MEDIUM,
        formula=f"{_formula(requests)}; RAID 10: 2; {requests} / 2 = {wording.times(requests / 2)}",
        because="the array's level and the measured peaks of reads and writes",
        risk="High: everything is copied, and half of the disks' room goes into mirrors.",
        valid="for loads that write pages at random",
        cost_of_error="room that is paid for, without a gain where the load only reads",
        side_effects="less room, and a single failed disk no longer slows all reads",
        verify="measure random writes of 16 KiB again",
        flips_when=f"reads peak at less than {wording.times(SHOWS)} the writes (here "
        f"{wording.times(ratio)})",
        gain=0.5,
    ).by(
        by_hand(
            "raid10",
            "Move to an array without parity",
            (
                "Take a backup and try to restore it.",
                "Make a RAID 10 of the disks, or of new ones, and a file system on it.",
                "Shut the server down, copy the data directory, start, measure again.",
            ),
            ("Keep the old array until the new one has served; then go back by copying.",),
            Needs.OS,
        )
    )
