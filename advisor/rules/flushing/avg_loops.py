"""innodb_flushing_avg_loops: over how long the flush rate is averaged.

## What it checks
Whether adaptive flushing reacts so slowly that the redo log fills before it does, or so fast that
it follows every twitch.

## Why it matters
Adaptive flushing averages the redo's growth and its own rate over this many rounds of about a
second. A long memory makes an even rate and misses a burst; a short one swings.

## How it is judged
- 5 to 120: fine (the default is 30).
- Above 120: recommended 30 where the redo log is filled to 75 % of what it may hold or more; watch
  where it is not, or is not known.
- Below 5: watch.

## How to check by hand
`SELECT @@innodb_flushing_avg_loops;`, and the page writes per second over a few minutes.

## Risk and undo
Changes online and can be undone at once.

## When it is wrong
When a load of regular bursts was tuned for by measuring.

## References
- MySQL reference manual, innodb_flushing_avg_loops
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.rules.flushing._flush_state import REDO, redo_fill
from probes import figures

SETTING = "innodb_flushing_avg_loops"
FAST, SLOW, USUAL = 5, 120, 30
PRESSED = 0.75


@rule(
    topic="Flushing",
    needs=(MYSQL_VERSION, variable(SETTING)),
    uses=REDO,
    settings=(SETTING,),
    applies_to=(mysql("5.6"), mariadb("10.0")),
)
def check(facts: Facts) -> Answer:
    """Look for a memory that is far too long or too short."""
    now = facts.get(variable(SETTING))
    fill = redo_fill(facts)
    log = "" if fill is None else f" The redo log is filled to {figures.percent(fill.share)}."
    saw = f"The flush rate is averaged over {figures.counted(now.number, 'round')}.{log}"
    formula = f"{FAST} to {SLOW} rounds; {now.number:.0f}"
    if FAST <= now.number <= SLOW:
        return Judged(
            Verdict.FINE,
            saw,
            SETTING,
            now.now,
            effect="Fine as it is.",
            flips_when=f"it is below {FAST} or above {SLOW}",
            formula=formula,
            because="the setting was told by the server",
            valid="for every load",
        )
    pressed = now.number > SLOW and fill is not None and fill.share >= PRESSED
    effect = (
        "The rate follows a burst sooner, before the redo log is full."
        if now.number > SLOW
        else "The rate swings less from second to second."
    )
    judged = Judged(
        Verdict.RECOMMEND if pressed else Verdict.WATCH,
        saw,
        SETTING,
        now.now,
        effect=effect,
        confidence=Confidence.MEDIUM if pressed else Confidence.LOW,
        because="the setting and the log's fill were told; how the rate swings was not watched",
        risk="Low: somewhat more or less even page writes.",
        cost_of_error="somewhat more or less even page writes",
        side_effects="None.",
        flips_when=f"it is between {FAST} and {SLOW}"
        + (
            f", or the redo log is filled to less than {figures.percent(PRESSED)}"
            if pressed
            else ""
        ),
        valid="for loads that change within minutes",
        gain=0.2 if pressed else 0.05,
        formula=formula if fill is None else f"{formula}; {fill.said}",
    )
    return judged.by(change(facts.get(MYSQL_VERSION), now, str(USUAL)))
