"""innodb_flush_sync: flushing while the redo log runs full.

## What it checks
Whether flushing may go beyond `innodb_io_capacity` when the redo log runs full.

## Why it matters
When the checkpoint is far behind, all writers wait until pages are written. With the setting ON the
server then writes as fast as the drive can; OFF keeps it to `innodb_io_capacity`, which spares
reads and prolongs the wait.

## How it is judged
- ON: fine.
- OFF: the redo log's fill decides. From 75 % of what it may hold: recommended ON. Below 50 %: fine,
  the case that the setting is for is far away. Between: watch. Unknown: not judged.

## How to check by hand
`SELECT @@innodb_flush_sync;` and the checkpoint's age under the highest load.

## Risk and undo
Changes online. With ON a burst of page writes makes reads slower for its time.

## When it is wrong
Where reads matter more than writes and a stall of all writers is borne.

## References
- MySQL reference manual, innodb_flush_sync
- MariaDB documentation, "InnoDB Page Flushing"
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.rules.flushing._flush_state import REDO, redo_fill
from advisor.variables.standing import Standing
from probes import figures

SETTING = "innodb_flush_sync"
PRESSED, FAR = 0.75, 0.5


@rule(
    topic="Flushing",
    needs=(MYSQL_VERSION, variable(SETTING)),
    uses=REDO,
    settings=(SETTING,),
    applies_to=(mysql("5.7"), mariadb("10.2")),
    findings=("F67",),
)
def check(facts: Facts) -> Answer:
    """Ask how near the burst is that the switch would hold back."""
    now = facts.get(variable(SETTING))
    fill = redo_fill(facts)
    if now.on:
        saw = "Flushing may go beyond innodb_io_capacity when the redo log runs full."
        formula = "the switch alone" if fill is None else fill.said
        return _fine(saw, now, "it is switched off", formula)
    if fill is None:
        return Unjudged(
            "Flushing keeps to innodb_io_capacity even when the redo log runs full; how full it "
            "gets was not seen."
        )
    saw = (
        "Flushing keeps to innodb_io_capacity even when the redo log runs full; it is filled to "
        f"{figures.percent(fill.share)}."
    )
    if fill.share < FAR:
        flips = f"the redo log is filled to {figures.percent(FAR)} or more"
        return _fine(saw, now, flips, fill.said)
    pressed = fill.share >= PRESSED
    judged = Judged(
        Verdict.RECOMMEND if pressed else Verdict.WATCH,
        saw,
        SETTING,
        now.now,
        effect="A log that runs full is emptied as fast as the drive can, so that writers wait for "
        "less long.",
        confidence=Confidence.MEDIUM,
        because="the fill was told by the server; no stall was watched",
        risk="Medium: reads are slower while the burst lasts.",
        cost_of_error="some seconds of slow reads at each burst",
        side_effects="Page writes come in bursts where the log is too small: enlarge it as well.",
        flips_when=f"the redo log is filled to less than "
        f"{figures.percent(PRESSED if pressed else FAR)}",
        valid="for loads like the window's",
        gain=0.35 if pressed else 0.1,
        formula=fill.said,
    )
    return judged.by(change(facts.get(MYSQL_VERSION), now, "ON"))


def _fine(saw: str, now: Standing, flips_when: str, formula: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when=flips_when,
        formula=formula,
        because="the setting was told by the server",
        valid="for loads like the window's",
    )
