"""innodb_adaptive_flushing_lwm: how full the redo log is when its flushing starts.

## What it checks
Whether adaptive flushing starts so late that a burst of writes fills the redo log first.

## Why it matters
Below this share of the redo log's size nothing is flushed for the log's sake. Above it the rate
grows with the fill to the power of 1.5, up to `innodb_io_capacity_max`. A high mark leaves little
way between the first page and the stall.

## How it is judged
- Up to 30 %: fine (the default is 10).
- Above 30 %: recommended 10 where the log was filled past the mark within the window, or to half of
  what it may hold; watch where it was not.
- Above 30 % and the fill unknown: not judged.

## How to check by hand
`SELECT @@innodb_adaptive_flushing_lwm;` and the checkpoint's age against the redo log's size.

## Risk and undo
Changes online. Page writes begin somewhat earlier.

## When it is wrong
When bursts are short and fit below the mark: then a high mark saves writes.

## References
- MySQL reference manual, innodb_adaptive_flushing_lwm
- MySQL source, storage/innobase/buf/buf0flu.cc
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.rules.flushing._flush_state import REDO, Fill, redo_fill
from advisor.variables.standing import Standing
from probes import figures

SETTING = "innodb_adaptive_flushing_lwm"
HIGH, USUAL = 30.0, 10
HALF = 0.5


@rule(
    topic="Flushing",
    needs=(MYSQL_VERSION, variable(SETTING)),
    uses=REDO,
    settings=(SETTING,),
    applies_to=(mysql("5.6"), mariadb("10.0")),
)
def check(facts: Facts) -> Answer:
    """Look for a high mark, then for a log that is filled past it."""
    now = facts.get(variable(SETTING))
    mark = f"{now.number:g}{figures.THIN}%"
    fill = redo_fill(facts)
    if now.number <= HIGH:
        return Judged(
            Verdict.FINE,
            f"Flushing for the redo log's sake starts at {mark} of it.",
            SETTING,
            now.now,
            effect="Fine as it is.",
            flips_when=f"the mark is above {HIGH:g}{figures.THIN}%",
            formula=f"{now.number:g} % <= {HIGH:g} %" + ("" if fill is None else f"; {fill.said}"),
            because="the setting was told by the server",
            valid="for every load",
        )
    if fill is None:
        return Unjudged(
            f"Flushing for the redo log's sake starts at {mark} of it, which is late; how full the "
            "log gets was not seen."
        )
    saw = (
        f"Flushing for the redo log's sake starts at {mark} of it, and it is filled to "
        f"{figures.percent(fill.share)} of what it may hold."
    )
    return _late(facts, now, saw, fill)


def _late(facts: Facts, now: Standing, saw: str, fill: Fill) -> Judged:
    pressed = fill.share >= min(HALF, now.number / 100)
    bound = figures.percent(min(HALF, now.number / 100))
    judged = Judged(
        Verdict.RECOMMEND if pressed else Verdict.WATCH,
        saw,
        SETTING,
        now.now,
        effect="Page writes begin earlier and grow more slowly, so that a burst is less likely to "
        "fill the log and stop all writers.",
        confidence=Confidence.MEDIUM,
        because="mark and fill were told by the server; bursts were not watched",
        risk="Low: somewhat more page writes.",
        cost_of_error="pages that are written once more than necessary",
        side_effects="The checkpoint is nearer, so recovery is shorter.",
        flips_when=f"the log is filled to less than {bound} under load"
        if pressed
        else f"the log is filled to {bound} or more under load",
        valid="for loads like the window's",
        gain=0.25 if pressed else 0.08,
        formula=f"{fill.said}, with the mark at {now.number:g} %",
    )
    return judged.by(change(facts.get(MYSQL_VERSION), now, str(USUAL)))
