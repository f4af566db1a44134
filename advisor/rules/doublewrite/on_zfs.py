"""Doublewrite where the data lies on ZFS.

## What it checks
Whether doublewrite is on although the data lies on ZFS, and what the second copies take.

## Why it matters
ZFS never overwrites a block that is in use: it writes a new one and then switches to it. A power
cut leaves the old page or the new one, never half of each. Doublewrite protects against just that,
so on ZFS it only doubles the bytes. With records smaller than a page this does not hold: a page
then spans several records.

## How it is judged
Only where the data lies on ZFS.
- OFF: fine, as long as a record holds a page; else a risk, for a power cut can tear pages.
- ON, and a record is smaller than a page: fine, it is needed.
- ON, and a record holds a page, or its size is not known: watch, with the price where it is known.
Switching it off is left to the owner: it is never proposed.

## How to check by hand
`zfs get recordsize DATASET` against `SELECT @@innodb_page_size;`

## Risk and undo
Switching takes a restart on MySQL. Switch it on again before the data moves to another file system:
the server gives no warning.

## When it is wrong
When the data lies in a ZFS volume (zvol) under another file system: that one can tear pages.

## References
- OpenZFS documentation, "Workload Tuning", InnoDB
"""

from __future__ import annotations

from advisor.facts.measured.points import CURVE_RANDOM_WRITE_PAGE
from advisor.facts.server.status import status
from advisor.facts.server.storage import STORAGE_DATA
from advisor.facts.server.variables import variable
from advisor.model.curves.knee import knee
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Card, Facts, Inapplicable, Is, Stakes, rule
from advisor.rules.doublewrite._switched_off import switched_off
from probes.figures import percent, size
from probes.points import PAGE_BYTES


@rule(
    topic="Doublewrite",
    do="Decide whether ZFS alone keeps pages whole",
    setting="innodb_doublewrite",
    needs=(STORAGE_DATA,),
    uses=(
        variable("innodb_page_size"),
        status("Innodb_pages_written"),
        CURVE_RANDOM_WRITE_PAGE,
    ),
    findings=("F53", "F61"),
    major=True,
)
def check(facts: Facts) -> Answer:
    """Say what is paid for without need."""
    data = facts.get(STORAGE_DATA)
    if data.filesystem != "zfs":
        return Inapplicable(
            f"The data lies on {data.filesystem or 'another file system'}, not on ZFS."
        )
    page = facts.find(variable("innodb_page_size"))
    page_bytes = PAGE_BYTES if page is None else int(page.number)
    record, off = data.block_bytes, switched_off(facts)
    split = Is(
        record is not None and record < page_bytes,
        "a record is smaller than a page",
        "a record holds a page",
    )
    card = facts.card(
        f"Doublewrite is {facts.now.value}, and the data lies on ZFS with records of "
        f"{'unknown size' if record is None else size(record)} and pages of {size(page_bytes)}.",
        split,
        confidence=Confidence.MEDIUM if record is None else Confidence.HIGH,
        valid="While all tablespaces lie on ZFS itself.",
        because="ZFS switches to a new record only when it is written whole.",
    )
    if off and split:
        return card.watch(
            "A page spans several records, and a power cut may leave some of them old: give the "
            "dataset records of a page at least, or switch doublewrite on.",
            flips_when=f"{split.turn}, or doublewrite is on",
            risk="A torn page that can't be repaired.",
            stakes=Stakes.DATA,
        )
    if split:
        return card.fine("Fine as it is: a page spans several records, so a power cut can tear it.")
    moved = f"{split.turn}, or the data moves to another file system"
    if off:
        return card.fine("Fine as it is: ZFS protects pages.", flips_when=moved)
    return _twice(facts, card.but(flips_when=moved), known=record is not None)


def _twice(facts: Facts, card: Card, *, known: bool) -> Answer:
    written, curve = facts.find(status("Innodb_pages_written")), facts.find(CURVE_RANDOM_WRITE_PAGE)
    share = None if written is None or curve is None else written / knee(curve).rate_per_s
    price = "" if share is None else f" Its copies take up to {percent(share)} of the drive."
    return card.watch(
        "Every page is written twice for a protection that ZFS already gives. It may be switched "
        "off as long as the data stays on ZFS; the decision is yours."
        if known
        else "Where a record holds a page, every page is written twice for a protection that ZFS "
        "already gives. Check zfs get recordsize first; where it is smaller, keep doublewrite on.",
        saw=f"{card.says['saw']}{price}",
        risk="Switch it on again before the data moves to another file system.",
    )
