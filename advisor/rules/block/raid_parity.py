"""Price of parity in a software RAID.

## What it checks
Whether the data lies on a software RAID of level 4, 5 or 6, and whether the measured curves of
reads and writes show its cost.

## Why it matters
To change one page such an array reads the old page and the old parity, and writes both again: 4
requests on level 5, 6 on level 6. Random writes reach a quarter or a sixth of what the same disks
would give without parity. A write cache can hide it for a while, but not at a steady rate.

## How it is judged
`ratio = peak of reads / peak of writes`, 16 KiB at random, many files where measured.
- ratio of 2.5 or more (our choice): the array's parity shows, and RAID 10 is proposed. A mirror
  alone explains 2, parity 4 to 6. Flash reads faster than it writes even without parity, so the
  confidence is lower there.
- 2 to 2.5: watch; a mirror would show as much. Below 2: fine; a cache absorbs it.
- the server writes less than half of the array's peak (our choice): fine, whatever the ratio.
- not measured: watch. Hardware controllers don't report their level to the kernel and are not
  judged.

## How to check by hand
`cat /proc/mdstat`, `mdadm --detail /dev/md0`

## Risk and undo
Another level takes a new array, so a copy of everything. RAID 10 offers half of the disks'
capacity.

## When it is wrong
When the writes of the measurement fitted into a cache, or the window was a quiet one.

## References
- md(4), RAID levels
- P. Zaitsev, "Evaluating IO subsystem performance for MySQL Needs" (2008)
"""

from __future__ import annotations

from advisor.facts.measured.points import CURVE_RANDOM_READ_16K, CURVE_RANDOM_WRITE_PAGE
from advisor.facts.server.status import status
from advisor.facts.server.storage import STORAGE_PROBE
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Change, Facts, Inapplicable, Needs, by_hand, per_s, rule
from probes.figures import rate, times
from probes.inventory.facts import Layer

REQUESTS = {"raid4": 4, "raid5": 4, "raid6": 6}
MIRROR, SHOWS = 2.0, 2.5
"""What a mirror alone explains, and from where on parity is likelier (our choice)."""
MUCH = 0.5
"""Below this share of what the array takes, writes are not what limits the server (our choice)."""
BY_PEAKS = "The array's level and the measured peaks of reads and writes"


@rule(
    topic="Block layer",
    do="Measure what parity costs random writes here",
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
    half = requests // 2
    saw = f"The data lies on {array}: one page write becomes {requests} requests."
    card = facts.card(
        saw,
        formula=f"1 page = {half} reads + {half} writes = {requests} requests; without parity 1",
        valid="For writes of single pages that no cache absorbs.",
    )
    reads, writes = facts.find(CURVE_RANDOM_READ_16K), facts.find(CURVE_RANDOM_WRITE_PAGE)
    if reads is None or writes is None or writes.peak.rate_per_s <= 0:
        return card.watch(
            f"Random writes may reach 1/{requests} of what these disks give; reads and writes of "
            "16 KiB would show it.",
            confidence=Confidence.LOW,
            flips_when="reads and writes are measured",
        )
    read_per_s, written_per_s = reads.peak.rate_per_s, writes.peak.rate_per_s
    name, of = "peak reads / peak writes", f"{rate(read_per_s)} / {rate(written_per_s)}"
    ratio = read_per_s / written_per_s
    mirror = At(name, ratio, the=False, of=of, least=MIRROR, say=times)
    shows = At(name, ratio, the=False, of=of, least=SHOWS, say=times)
    saw = (
        f"{saw} The peaks are {per_s('reads')(read_per_s)} and {per_s('writes')(written_per_s)} "
        f"({times(ratio)})."
    )
    card = card.but(saw=saw)
    if not mirror:
        return card.fine(
            "Fine as it is: the cost of parity does not show here.",
            condition=mirror,
            because="The measured peaks; a cache may have absorbed the writes of a short run.",
        )
    pages_per_s = facts.find(status("Innodb_pages_written"))
    if pages_per_s is not None:
        busy = At(
            "server's rate of page writes",
            pages_per_s,
            least=MUCH * written_per_s,
            say=per_s("pages"),
        )
        if not busy:
            return card.fine(
                "Fine for this load: the array takes more than twice as many page writes.",
                saw=f"{saw} The server writes {per_s('pages')(pages_per_s)}.",
                condition=busy,
                because="The measured peaks and the server's counters; a cache may have absorbed "
                "the writes of a short run.",
            )
    if not shows:
        return card.watch(
            "A mirror of the same disks would show as much: RAID 10 may bring little.",
            condition=mirror & ~shows,
            confidence=Confidence.LOW,
            because="Measured peaks, which a mirror explains as well as parity does.",
        )
    flash = any(disk.rotational is False for disk in storage.disks)
    return card.recommend(
        _raid10(),
        setting="RAID level",
        now=_level(array),
        effect=f"Page writes cost 2 requests instead of {requests}: up to {times(requests / 2)} "
        "the writes on the same disks.",
        condition=shows,
        confidence=Confidence.LOW if flash else Confidence.MEDIUM,
        because=f"{BY_PEAKS}; flash may write that much slower than it reads without parity, too."
        if flash
        else f"{BY_PEAKS}.",
        risk="High: everything is copied, and half of the disks' capacity goes into mirrors.",
        valid="For loads that write pages at random.",
        cost_of_error="Capacity that is paid for without a gain, where the load mostly reads.",
        side_effects="Less capacity, and a single failed disk no longer slows all reads.",
        verify="measure random writes of 16 KiB again",
    )


def _level(layer: Layer) -> str:
    return layer.detail.partition(" ")[0] if layer.kind == "md" else ""


def _raid10() -> Change:
    return by_hand(
        "raid10",
        "Move to an array without parity",
        (
            "Take a backup and try to restore it.",
            "Make a RAID 10 of the disks, or of new ones, and a file system on it.",
            "Shut the server down, copy the data directory, start, measure again.",
        ),
        ("Keep the old array until the new one has served; then go back by copying.",),
        Needs.REWRITE,
    )
