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
- ratio of 2.5 or more: the array's parity shows, and RAID 10 is proposed. A mirror alone explains
  2, parity 4 to 6. Flash reads faster than it writes by itself, so there it is said with less
  certainty.
- 2 to 2.5: watch; a mirror would show as much. Below 2: fine; something absorbs it.
- the server is known to write less than half of what the array takes: fine, whatever the ratio.
- not measured: watch.
Hardware controllers don't tell the kernel their level: nothing is said about them.

## How to check by hand
`cat /proc/mdstat`, `mdadm --detail /dev/md0`

## Risk and undo
Another level takes a new array, so a copy of everything. RAID 10 gives half of the disks as room.

## When it is wrong
When the writes of the measurement fitted into a cache, or the window was a quiet one.

## References
- md(4), RAID levels
- P. Zaitsev, "Evaluating IO subsystem performance for MySQL Needs" (2008)
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import (
    CURVE_RANDOM_READ_16K,
    CURVE_RANDOM_WRITE_PAGE,
    STORAGE_PROBE,
    status,
)
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import by_hand
from advisor.rulekit.rule import rule
from advisor.steps import Needs
from probes import figures
from probes.inventory.facts import Layer

REQUESTS = {"raid4": 4, "raid5": 4, "raid6": 6}
MIRROR, SHOWS = 2.0, 2.5
"""What a mirror alone explains, and from where on parity is likelier (our choice)."""
MUCH = 0.5
"""Below this share of what the array takes, writes are not what limits the server (our choice)."""


@rule(
    topic="Block layer",
    needs=(STORAGE_PROBE,),
    uses=(
        CURVE_RANDOM_READ_16K,
        CURVE_RANDOM_WRITE_PAGE,
        status("Innodb_pages_written"),
    ),
    findings=("F21", "F25", "F26"),
)
def check(facts: Facts) -> Answer:
    """Find an array with parity, then see whether its price shows."""
    storage = facts.get(STORAGE_PROBE)
    array = next((layer for layer in storage.layers if _level(layer) in REQUESTS), None)
    if array is None:
        return Inapplicable("No software RAID with parity lies below.")
    requests = REQUESTS[_level(array)]
    saw = f"The data lies on {array}: one page write becomes {requests} requests."
    reads = facts.find(CURVE_RANDOM_READ_16K)
    writes = facts.find(CURVE_RANDOM_WRITE_PAGE)
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
    formula = (
        f"{_formula(requests)}; {figures.rate(reads.peak.rate_per_s)} / "
        f"{figures.rate(writes.peak.rate_per_s)} = {figures.times(ratio)}, against "
        f"{figures.times(SHOWS)}"
    )
    measured = (
        f"{saw} It gave {figures.rate(reads.peak.rate_per_s, 'reads')} and "
        f"{figures.rate(writes.peak.rate_per_s, 'writes')} at most ({figures.times(ratio)})."
    )
    if ratio < MIRROR:
        return _fine(
            measured,
            "Fine as it is: the price of parity does not show here.",
            formula,
            f"reads peak at {figures.times(MIRROR)} the writes or more",
        )
    written, most = facts.find(status("Innodb_pages_written")), writes.peak.rate_per_s
    if written is not None and written < MUCH * most:
        return _fine(
            f"{measured} The server writes {figures.rate(written, 'pages')}.",
            "Fine for this load: the array takes more than twice as many page writes.",
            f"{formula}; {figures.rate(written)} / {figures.rate(most)} = "
            f"{figures.percent(written / most)}",
            f"the server writes {figures.rate(MUCH * most, 'pages')} or more",
        )
    if ratio < SHOWS:
        return Judged(
            Verdict.WATCH,
            measured,
            effect="A mirror of the same disks would show as much: RAID 10 may bring little.",
            confidence=Confidence.LOW,
            formula=formula,
            because="measured peaks, which a mirror explains as well as parity does",
            valid="for writes of single pages that no cache absorbs",
            cost_of_error="none: nothing is changed",
            flips_when=f"reads peak at {figures.times(SHOWS)} the writes or more, or below "
            f"{figures.times(MIRROR)}",
            gain=0.15,
        )
    flash = any(disk.rotational is False for disk in storage.disks)
    moved = _moved(measured, array, requests, ratio, flash=flash)
    return replace(moved, formula=f"{formula}; {moved.formula}")


def _fine(saw: str, effect: str, formula: str, flips_when: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        effect=effect,
        confidence=Confidence.MEDIUM,
        formula=formula,
        because="measured peaks; a cache may have absorbed the writes of a short run",
        flips_when=flips_when,
    )


def _level(layer: Layer) -> str:
    return layer.detail.partition(" ")[0] if layer.kind == "md" else ""


def _formula(requests: int) -> str:
    reads = requests // 2
    return f"1 page = {reads} reads + {reads} writes = {requests} requests; without parity 1"


def _moved(saw: str, array: Layer, requests: int, ratio: float, *, flash: bool) -> Judged:
    return Judged(
        Verdict.RECOMMEND,
        saw,
        setting="RAID level",
        now=_level(array),
        effect=f"Page writes cost 2 requests in place of {requests}: up to "
        f"{figures.times(requests / 2)} the writes on the same disks.",
        confidence=Confidence.LOW if flash else Confidence.MEDIUM,
        formula=f"RAID 10: 2 requests; {requests} / 2 = {figures.times(requests / 2)}",
        because="the array's level and the measured peaks of reads and writes; flash alone may "
        "write that much slower than it reads"
        if flash
        else "the array's level and the measured peaks of reads and writes",
        risk="High: everything is copied, and half of the disks' room goes into mirrors.",
        valid="for loads that write pages at random",
        cost_of_error="room that is paid for, without a gain where the load only reads",
        side_effects="less room, and a single failed disk no longer slows all reads",
        verify="measure random writes of 16 KiB again",
        flips_when=f"reads peak at less than {figures.times(SHOWS)} the writes (here "
        f"{figures.times(ratio)})",
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
