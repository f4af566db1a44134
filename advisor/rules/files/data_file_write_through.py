"""Write-through of data files (MariaDB).

## What it checks
Whether each page write waits until the drive has made it durable.

## Why it matters
With innodb_data_file_write_through=ON every single page write is durable when it returns. Without,
InnoDB writes many pages and syncs each file once before a checkpoint relies on them: as safe, and
much cheaper where a sync is slow. Write-through costs little only on a drive with power-loss
protection or fast FUA writes.

## How it is judged
By the drive's median time for a 4 KiB O_DSYNC write.
- OFF: fine.
- ON with `innodb_doublewrite = fast`, or where doublewrite is not known: fine. `fast` never syncs
  the data files, so write-through is all that makes pages durable.
- ON and below 200 microseconds (our choice): fine.
- ON and slower: OFF is proposed.

## How to check by hand
`SHOW GLOBAL VARIABLES LIKE 'innodb_data_file%';`

## Risk and undo
Low: durability stays as it is. Changed at run time and back.

## When it is wrong
On storage that honours O_DSYNC but not fsync.

## References
- MariaDB documentation, "InnoDB Flush Method"; MariaDB 11.0 release notes
- M. Callaghan, "SSDs, power loss protection and fsync latency" (2026)
"""

from __future__ import annotations

import math

from advisor.facts.measured.points import REDO_O_DSYNC
from advisor.facts.server.variables import variable
from advisor.rulekit import Answer, At, Facts, Is, Knowledge, Unjudged, mariadb, rule
from probes.figures import duration_us

COPIES = "innodb_doublewrite"
PROTECTED_US = 200.0


@rule(
    topic="Files",
    setting="innodb_data_file_write_through",
    uses=(REDO_O_DSYNC, variable(COPIES)),
    applies_to=(mariadb("11.0"),),
    findings=("F88", "F89"),
    knowledge=Knowledge.MEASURED,
)
def check(facts: Facts) -> Answer:
    """Judge the switch by what one durable write costs here."""
    on, one = Is(facts.now.on, "it is switched on"), facts.find(REDO_O_DSYNC)
    time_us = math.nan if one is None else one.latency.p50_us
    slow = At("time of a 4 KiB O_DSYNC write", time_us, least=PROTECTED_US, say=duration_us)
    if not on:
        saw = "Page writes are made durable together, one sync a file."
        return facts.card(saw, on if one is None else on & slow).fine()
    copies = facts.find(variable(COPIES))
    if copies is None or copies.value.upper() == "FAST":
        how = "not known" if copies is None else copies.value
        return facts.card(f"Every page write waits for the drive, and {COPIES} is {how}.").fine(
            "Fine as it is: with doublewrite 'fast' nothing else makes pages durable.",
            formula=f"{COPIES} = {how}",
            flips_when=f"{COPIES} is ON",
        )
    if one is None:
        return Unjudged("Every page write waits for the drive; how long was not measured.")
    card = facts.card(
        "Every page write waits for the drive, and a 4 KiB O_DSYNC write takes "
        f"{duration_us(time_us)}.",
        slow,
        because="The durable write was measured on this drive with 4 KiB, not with a whole page.",
    )
    if not slow:
        return card.fine("Fine as it is: the drive is as fast as a protected write cache.")
    return card.recommend(
        facts.to("OFF"),
        effect=f"A page write no longer waits {duration_us(time_us)}; each file is synced once for "
        "many pages.",
        risk="Low: the pages are synced before a checkpoint relies on them.",
        cost_of_error="Page writes come in bursts at each sync; undone at once.",
        side_effects="Syncs take longer, as there is more to sync.",
    )
