"""innodb_flush_neighbors against what a seek costs on this drive.

## What it checks
Whether neighbouring dirty pages should be flushed together, judged from how long a random read
takes. What the drive claims to be (`rotational`) is not used: virtual disks and RAID volumes
claim it wrongly.

## Why it matters
On a rotating disk one seek of 4 to 10 ms pays for a whole row of neighbours. On flash a seek
costs nothing, and every neighbour is a page written before its time: more writes, more wear,
fewer changes per write.

## How it is judged
One random 16 KiB read at a time, median latency:
- below 1 ms: random access is cheap, proposed 0;
- above 3 ms: the drive seeks, proposed 1;
- between (network volumes, busy drives): left as it is.
MariaDB 10.4.4 and newer skip the setting on a drive that reports itself as non-rotational; there
the verdict is "fine" when it does. Where only several reads at a time were measured, nothing is
judged: each then waits for the others.

## How to check by hand
`fio --rw=randread --bs=16k --direct=1 --iodepth=1` on a file larger than any controller cache.

## Risk and undo
None to speak of; changes at once and can be undone at once.

## When it is wrong
When the measured file fitted into a RAID controller's cache: a disk array then looks like flash.

## References
- MySQL worklog 9631 (default 0 since 8.0)
- MariaDB MDEV-17380 (ignored on SSD)
- MySQL reference manual, innodb_flush_neighbors
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, STORAGE_DATA, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.variables.catalogue import MARIADB
from advisor.variables.standing import Standing
from advisor.workload.single_read import (
    CHEAP,
    CHEAP_US,
    CURVE,
    NOT_ALONE,
    SEEK,
    SEEK_US,
    single_read_us,
)
from probes import figures
from probes.version import ServerVersion

SETTING = "innodb_flush_neighbors"


@rule(
    topic="Flushing",
    needs=(
        MYSQL_VERSION,
        variable("innodb_flush_neighbors"),
        CURVE,
    ),
    uses=(STORAGE_DATA,),
    settings=(SETTING,),
    applies_to=(mysql("5.6"), mariadb("10.0")),
    findings=("F71",),
)
def check(facts: Facts) -> Answer:
    """Choose 0 where random access is cheap and 1 where it means a seek."""
    version = facts.get(MYSQL_VERSION)
    now = facts.get(variable("innodb_flush_neighbors"))
    seek_us = single_read_us(facts)
    if seek_us is None:
        return Unjudged(NOT_ALONE)
    saw = (
        f"A random read takes {figures.duration_us(seek_us)} here (median, one at a time), and the "
        f"{'default' if now.default else 'setting'} is {now.text}."
    )
    wanted = "0" if seek_us < CHEAP_US else "1" if seek_us > SEEK_US else now.text
    if now.text != "0" and _skipped_by(version, facts):
        why = f"Fine as it is: {version} skips it on a drive that reports itself as non-rotational."
        flips = f"the drive reports itself as rotational while a read takes less than {CHEAP}"
        return _fine(saw, now, why, seek_us, flips)
    if wanted == now.text or (now.text == "2" and wanted == "1"):
        flips = f"more than {SEEK}" if now.text == "0" else f"less than {CHEAP}"
        return _fine(saw, now, "Fine as it is.", seek_us, f"a single random read takes {flips}")
    return Judged(
        Verdict.RECOMMEND,
        saw,
        SETTING,
        now.now,
        effect="Only pages that are due are written: fewer page writes, less wear."
        if wanted == "0"
        else "One seek serves a row of neighbouring pages.",
        confidence=Confidence.HIGH if seek_us < CHEAP_US / 2 else Confidence.MEDIUM,
        because="the read was measured on this drive; what it claims to be is not used",
        risk="None known.",
        cost_of_error="some more page writes, or some more seeks"
        if wanted == "0"
        else "pages written before their time",
        side_effects="None.",
        flips_when="a single random read takes "
        + (f"{CHEAP} or more" if wanted == "0" else f"{SEEK} or less"),
        valid="for the drive that was measured, beyond any controller's cache",
        gain=0.12,
        formula=_formula(seek_us),
    ).by(change(version, now, wanted))


def _skipped_by(version: ServerVersion, facts: Facts) -> bool:
    storage = facts.find(STORAGE_DATA)
    if storage is None or not storage.disks or not version.at_least(MARIADB, 10, 4, 4):
        return False
    return all(disk.rotational is False for disk in storage.disks)


def _fine(saw: str, now: Standing, effect: str, seek_us: float, flips_when: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect=effect,
        flips_when=flips_when,
        formula=_formula(seek_us),
        because="the read was measured on this drive",
        valid="for the drive that was measured",
    )


def _formula(seek_us: float) -> str:
    return f"{figures.duration_us(seek_us)} a read; cheap below {CHEAP}, a seek above {SEEK}"
