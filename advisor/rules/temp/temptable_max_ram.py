"""The memory that all internal temporary tables share.

## What it checks
Whether MySQL's TempTable engine runs out of temptable_max_ram.

## Why it matters
The engine keeps the temporary tables of all sessions in one share of memory. When it is used up,
tables that are written go to disk, even the smallest ones of other sessions.

## How it is judged
- From the counter TempTable_count_hit_max_ram where the server has it; in MySQL 8.0.13 to 8.0.27
  from the temporary tables on disk, because there nothing but this limit sends them there; in other
  versions, without the counter, not judged while tables do go to disk.
- Reached less than once per second within the window, or hardly a table on disk: fine.
- Reached: 3 % of the memory, at least 1 GiB and at most 4 GiB, are proposed, as MySQL 8.4 does for
  its default, but no more than a tenth of the memory. Where the server has that much already:
  watched.
- More than 1 GiB and more than a tenth of the memory: watched, it is on top of the buffer pool.

## How to check by hand
`SELECT SUM(CURRENT_NUMBER_OF_BYTES_USED) FROM
performance_schema.memory_summary_global_by_event_name WHERE EVENT_NAME LIKE
'memory/temptable/physical_ram';`

## Risk and undo
Low: changed at run time and back; the memory is taken only when it is needed.

## When it is wrong
When one query alone fills it: a better plan for that query is worth more.

## References
- MySQL reference manual, temptable_max_ram; "What Is New in MySQL 8.4"
"""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.known import HOST_MEMORY_USABLE, MYSQL_VERSION, TEMP_ENGINE, status, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mysql
from advisor.variables.catalogue import MYSQL
from advisor.variables.standing import Standing
from probes import figures

SETTING = "temptable_max_ram"
GIB = 1 << 30
SHARE, LEAST, MOST = 0.03, 1 * GIB, 4 * GIB
LARGE = 0.1
FEW_PER_S = 1.0
NOT_REACHED = "the limit was not reached"


@rule(
    topic="Temporary tables",
    needs=(MYSQL_VERSION, TEMP_ENGINE, variable(SETTING), HOST_MEMORY_USABLE),
    uses=(status("TempTable_count_hit_max_ram"), status("Created_tmp_disk_tables")),
    settings=(SETTING,),
    applies_to=(mysql("8.0.11"),),
)
def check(facts: Facts) -> Answer:
    """Find out whether the limit is reached, then whether more would be right."""
    if facts.get(TEMP_ENGINE).upper() != "TEMPTABLE":
        return Inapplicable("Temporary tables are kept by another engine than TempTable.")
    now = facts.get(variable(SETTING))
    memory = facts.get(HOST_MEMORY_USABLE)
    share = now.number / memory
    formula = f"{figures.size(now.number)} / {figures.size(memory)} = {figures.percent(share)}"
    saw = (
        f"All temporary tables share {figures.size(now.number)}, {figures.percent(share)} of memory"
    )
    if share > LARGE and now.number > LEAST:
        effect = "It comes on top of the buffer pool: see that both fit together."
        flips = f"it is {figures.size(max(LEAST, LARGE * memory))} or less"
        return _judged(Verdict.WATCH, now, f"{saw}.", formula, effect, gain=0.2, flips=flips)
    reached = _reached(facts)
    if isinstance(reached, Unjudged):
        return reached
    saw = f"{saw}; {reached.words}."
    if not reached.so:
        return _judged(Verdict.FINE, now, saw, formula, "Fine as it is.")
    wanted = int(min(MOST, max(LEAST, SHARE * memory), LARGE * memory)) >> 20 << 20
    formula += (
        f"; {figures.percent(SHARE)} of {figures.size(memory)} within {figures.size(LEAST)} and "
        f"{figures.size(MOST)}, at most {figures.percent(LARGE)}: {figures.size(wanted)}"
    )
    if wanted <= now.number:
        effect = "It has what this machine's memory allows: look for the queries that fill it."
        return _judged(Verdict.WATCH, now, saw, formula, effect, gain=0.2)
    version = facts.get(MYSQL_VERSION)
    effect = f"Up to {figures.size(wanted)} of temporary tables stay in memory."
    judged = _judged(Verdict.RECOMMEND, now, saw, formula, effect, gain=0.3)
    return judged.by(change(version, now, str(wanted)))


@dataclass(frozen=True, slots=True)
class Reached:
    """Whether the limit was reached, and what tells so in words."""

    so: bool
    words: str


def _reached(facts: Facts) -> Reached | Unjudged:
    """Find out from the counter, else from tables on disk where only this limit sends them there.

    Tables in mapped files are not counted as tables on disk: without the counter, few on disk does
    not mean that the limit was never reached.
    """
    hits = facts.find(status("TempTable_count_hit_max_ram"))
    if hits is not None:
        words = f"the limit was reached {figures.rate(hits, 'times')}" if hits else NOT_REACHED
        return Reached(hits >= FEW_PER_S, words)
    disk = facts.find(status("Created_tmp_disk_tables"))
    if disk is None:
        return Unjudged("How many temporary tables go to disk was not seen.")
    if disk < FEW_PER_S:
        return Reached(False, f"{figures.rate(disk, 'tables')} went to disk")
    version = facts.get(MYSQL_VERSION)
    if version.at_least(MYSQL, 8, 0, 13) and version.before(MYSQL, 8, 0, 28):
        return Reached(True, f"{figures.rate(disk, 'tables')} went to disk for want of room in it")
    return Unjudged(
        f"Temporary tables go to disk ({figures.rate(disk)}); whether each is too large or all "
        "together are, this version does not count."
    )


def _judged(
    verdict: Verdict,
    now: Standing,
    saw: str,
    formula: str,
    effect: str,
    *,
    gain: float = 0.0,
    flips: str = "",
) -> Judged:
    often = f"{figures.rate(FEW_PER_S, 'times')} within the window"
    reached = f"the limit is reached {often if verdict is Verdict.FINE else f'less than {often}'}"
    return Judged(
        verdict,
        saw,
        SETTING,
        now.now,
        effect=effect,
        confidence=Confidence.MEDIUM,
        risk="Low: changed at run time; taken only when needed."
        if verdict is Verdict.RECOMMEND
        else "",
        flips_when=flips or reached,
        gain=gain,
        formula=formula,
        valid="MySQL with the TempTable engine",
        because="The limit was seen to be reached or not; which queries reach it was not.",
        cost_of_error="Memory that another use of the machine misses.",
        side_effects="None known.",
    )
