"""The batches of purge.

## What it checks
Whether innodb_purge_batch_size is far from what its version was tuned for.

## Why it matters
A batch is the undo pages that purge works through before it looks again at what may go. Small
batches waste work on each look. Large ones hold more pages at once: in MariaDB a batch of 1,000
made updates of secondary indexes wait for purge, and the default went from 300 to 1,000 and then to
127, one page for each rollback segment.

## How it is judged
- Within a quarter and four times the version's default: fine.
- Smaller, with 100,000 transactions or more in the history and none open for a minute: the default
  is proposed.
- Smaller with a short history: fine, it does keep up.
- Larger: watched while the history is short, for then nothing needs such batches; fine while the
  history is long.

## How to check by hand
`SELECT @@innodb_purge_batch_size;` and the length of the history list.

## Risk and undo
Low: changed at run time and back.

## When it is wrong
When a large batch was set for a load that was away while the window was taken.

## References
- MariaDB MDEV-34515 (127), MDEV-32050 (1,000)
- MySQL reference manual, "Purge Configuration"
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import MYSQL_VERSION, PURGE_HISTORY, PURGE_OLDEST_TRANSACTION, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.variables.catalogue import span
from advisor.variables.standing import Standing
from probes import figures

SETTING = "innodb_purge_batch_size"
FAR = 4
"""Within so many times the default, up or down, nobody measured a difference worth a change."""

LONG_HISTORY = 100_000
OPEN_LONG_S = 60.0


@rule(
    topic="Threads",
    needs=(MYSQL_VERSION, variable(SETTING)),
    uses=(PURGE_HISTORY, PURGE_OLDEST_TRANSACTION),
    settings=(SETTING,),
)
def check(facts: Facts) -> Answer:
    """Compare with the version's default, in a wide band."""
    version = facts.get(MYSQL_VERSION)
    now = facts.get(variable(SETTING))
    known = span(version, SETTING)
    if known is None or known.default is None:
        return Unjudged(f"The default of {SETTING} in {version} is not known.")
    usual = int(known.default)
    formula = f"{usual} / {FAR} = {usual / FAR:g} to {usual} x {FAR} = {usual * FAR}; {now.text}"
    saw = f"Purge takes {now.text} undo pages at a time; the default of {version} is {usual}."
    if usual / FAR <= now.number <= usual * FAR:
        return _judged(now, saw, formula, usual)
    history = facts.find(PURGE_HISTORY)
    if history is None:
        return Unjudged(f"{saw} Whether old row versions pile up was not seen.")
    saw = f"{saw} {figures.count(history)} transactions wait to be purged."
    judged = _judged(now, saw, formula, usual)
    if now.number > usual:
        return _large(judged, usual, piled_up=history >= LONG_HISTORY)
    if history < LONG_HISTORY:
        flips = f"{figures.count(LONG_HISTORY)} transactions wait to be purged"
        return replace(judged, effect="Fine as it is: purge keeps up.", flips_when=flips)
    return _small(facts, now, judged, usual)


def _small(facts: Facts, now: Standing, judged: Judged, usual: int) -> Judged | Unjudged:
    """Judge small batches under a long history."""
    oldest = facts.find(PURGE_OLDEST_TRANSACTION)
    if oldest is None:
        return Unjudged(f"{judged.saw} Whether an open transaction keeps them is not known.")
    if oldest >= OPEN_LONG_S:
        effect = "Fine as it is: an open transaction keeps them, not the size of a batch."
        return replace(judged, effect=effect, flips_when="no transaction is open for a minute")
    version = facts.get(MYSQL_VERSION)
    return replace(
        judged,
        verdict=Verdict.RECOMMEND,
        effect="Purge looks around less often and works more.",
        risk="Low: changed at run time and back.",
        flips_when=f"it lies within {usual / FAR:g} and {usual * FAR}",
        gain=0.2,
    ).by(change(version, now, str(usual)))


def _large(judged: Judged, usual: int, *, piled_up: bool) -> Judged:
    if piled_up:
        flips = f"fewer than {figures.count(LONG_HISTORY)} transactions wait to be purged"
        effect = "Fine as it is while old row versions pile up."
        return replace(judged, effect=effect, flips_when=flips)
    return replace(
        judged,
        verdict=Verdict.WATCH,
        effect="Nothing needs such batches now, and they make updates of secondary indexes wait: "
        f"try {usual} and compare.",
        flips_when=f"it lies within {usual / FAR:g} and {usual * FAR}",
        gain=0.1,
    )


def _judged(now: Standing, saw: str, formula: str, usual: int) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect="Fine as it is.",
        confidence=Confidence.LOW,
        flips_when=f"it lies outside {usual / FAR:g} to {usual * FAR}",
        formula=formula,
        valid=f"a default of {usual}",
        because="The defaults were tuned by the makers; here only the history was seen.",
        cost_of_error="Purge is somewhat slower or in the way; undone at once.",
        side_effects="None known.",
    )
