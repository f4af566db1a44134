"""innodb_adaptive_flushing: page writes that follow the redo log.

## What it checks
Whether flushing follows the growth of the redo log.

## Why it matters
A page's change may be dropped from the redo log only after the page is written. Adaptive flushing
writes the more, the fuller the log. Without it nothing is written for the log's sake until it is
nearly full; then everything is, at once, and commits wait for it.

## How it is judged
- ON: fine.
- OFF: recommended ON; the redo log's fill over the window says how near the stall is. On a server
  that hardly writes (under 100 pages/s) it is watched: there it makes no difference yet.

## How to check by hand
`SELECT @@innodb_adaptive_flushing;` and the checkpoint's age in SHOW ENGINE INNODB STATUS ("Log
sequence number" less "Last checkpoint at").

## Risk and undo
Changes online and can be undone at once.

## When it is wrong
For a measured run in which all flushing has to be held back.

## References
- MySQL reference manual, "Configuring Buffer Pool Flushing"
- MySQL source, storage/innobase/buf/buf0flu.cc
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, status, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rules.flushing._flush_state import REDO, redo_fill
from advisor.workload.flush_load import QUIET
from probes import figures

SETTING = "innodb_adaptive_flushing"


@rule(
    topic="Flushing",
    needs=(MYSQL_VERSION, variable(SETTING)),
    uses=(status("Innodb_pages_written"), *REDO),
    settings=(SETTING,),
    findings=("F14", "F62"),
)
def check(facts: Facts) -> Answer:
    """Ask for the switch, and say how near a full log is."""
    now = facts.get(variable(SETTING))
    fill = redo_fill(facts)
    written = facts.find(status("Innodb_pages_written"))
    log = "" if fill is None else f" The redo log is filled to {figures.percent(fill.share)}."
    does = "follows" if now.on else "does not follow"
    saw = f"Flushing {does} the growth of the redo log.{log}"
    formula = "the switch alone" if fill is None else fill.said
    if now.on:
        return Judged(
            Verdict.FINE,
            saw,
            SETTING,
            now.now,
            effect="Fine as it is.",
            flips_when="it is switched off",
            formula=formula,
            because="the setting was told by the server",
            valid="for every load",
        )
    quiet = written is not None and written < QUIET
    judged = Judged(
        Verdict.WATCH if quiet else Verdict.RECOMMEND,
        saw,
        SETTING,
        now.now,
        effect="Pages are written evenly as the log fills, not all at once when it is full.",
        confidence=Confidence.HIGH if written is not None else Confidence.MEDIUM,
        because="the setting was told by the server; what a full log does is in its source",
        risk="None known.",
        cost_of_error="page writes somewhat earlier than necessary",
        side_effects="More even page writes.",
        flips_when=f"the server writes fewer than {QUIET} pages/s",
        valid="for every load that writes",
        gain=0.05 if quiet else 0.4,
        formula=formula,
    )
    return judged.by(change(facts.get(MYSQL_VERSION), now, "ON"))
