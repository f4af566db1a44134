"""Doublewrite where the data lies on ZFS.

## What it checks
Whether doublewrite is on although the data lies on ZFS, and what the second copies take.

## Why it matters
ZFS never writes over a block that is in use: it writes a new one and then turns to it, as a whole.
A power cut leaves the old page or the new one, never half of each. Doublewrite guards against just
that, so on ZFS it only doubles the bytes. With records smaller than a page that holds no longer: a
page is then several records. Replicas and backups by files on other file systems are not guarded by
it either way.

## How it is judged
Only where the data lies on ZFS.
- OFF: fine, as long as a record holds a page.
- ON, and a record is smaller than a page: fine, it is needed.
- ON, and a record holds a page, or its size is not told: watch, with the price where it is known.
Switching it off is left to the owner: it is nowhere proposed.

## How to check by hand
`zfs get recordsize DATASET` against `SELECT @@innodb_page_size;`

## Risk and undo
Switching takes a restart on MySQL. Whoever moves the data to another file system must switch it on
again first: nothing will remind of that.

## When it is wrong
When the data lies in a ZFS volume (zvol) under another file system: that one tears pages as ever.

## References
- OpenZFS documentation, "Workload Tuning", InnoDB
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import (
    CURVE_RANDOM_WRITE_PAGE,
    MYSQL_VERSION,
    STORAGE_DATA,
    status,
    variable,
)
from advisor.model.knee import knee
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from probes import figures

SETTING = "innodb_doublewrite"
PAGE_BYTES = 16384


@rule(
    topic="Doublewrite",
    needs=(MYSQL_VERSION, variable("innodb_doublewrite"), STORAGE_DATA),
    uses=(
        variable("innodb_page_size"),
        status("Innodb_pages_written"),
        CURVE_RANDOM_WRITE_PAGE,
    ),
    settings=(SETTING,),
    findings=("F53", "F61"),
)
def check(facts: Facts) -> Answer:
    """Say what is paid for nothing."""
    data = facts.get(STORAGE_DATA)
    if data.filesystem != "zfs":
        name = data.filesystem or "another file system"
        return Inapplicable(f"The data lies on {name}, not on ZFS.")
    now = facts.get(variable("innodb_doublewrite"))
    page = facts.find(variable("innodb_page_size"))
    page_bytes = PAGE_BYTES if page is None else int(page.number)
    record = data.block_bytes
    told = "of a size that is not told" if record is None else f"of {figures.size(record)}"
    off = now.text.upper() in {"OFF", "0"}
    split = record is not None and record < page_bytes
    judged = Judged(
        Verdict.FINE,
        f"The data lies on ZFS with records {told}, a page has {figures.size(page_bytes)}, and "
        f"doublewrite is {now.text}.",
        SETTING,
        now.now,
        effect="Fine as it is: "
        + ("a page is several records, which a power cut may part." if split else "ZFS guards it."),
        confidence=Confidence.HIGH if record is not None else Confidence.MEDIUM,
        flips_when="a record holds a page"
        if split
        else "a record is smaller than a page, or the data moves to another file system",
        formula=f"record = {record or 'unknown'}, page = {page_bytes}",
        valid="While all tablespaces lie on ZFS itself.",
        because="ZFS turns to a new record only when it is written whole.",
        cost_of_error="A torn page that can't be repaired.",
    )
    if off and split:
        return _torn(judged)
    return judged if off or split else _twice(judged, facts, record)


def _torn(judged: Judged) -> Judged:
    return replace(
        judged,
        verdict=Verdict.WATCH,
        effect="A page is several records, and a power cut may leave some of them old: give the "
        "dataset records of a page at least, or switch doublewrite on.",
        risk="A torn page that can't be repaired.",
        flips_when="a record holds a page, or doublewrite is on",
        gain=0.8,
    )


def _twice(judged: Judged, facts: Facts, record: int | None) -> Judged:
    written = facts.find(status("Innodb_pages_written"))
    curve = facts.find(CURVE_RANDOM_WRITE_PAGE)
    share = None if written is None or curve is None else written / knee(curve).rate_per_s
    price = (
        "" if share is None else f" Its copies take up to {figures.percent(share)} of the drive."
    )
    return replace(
        judged,
        verdict=Verdict.WATCH,
        saw=f"{judged.saw}{price}",
        effect="Every page is written twice for a protection that ZFS gives already. It may be "
        "switched off as long as the data stays on ZFS; that is yours to decide."
        if record is not None
        else "Where a record holds a page, every page is written twice for a protection that ZFS "
        "gives already. See zfs get recordsize first; where it is smaller, keep doublewrite on.",
        risk="When the data moves to another file system it must be on again before.",
        gain=0.1 if share is None else min(0.4, 0.1 + share),
    )
