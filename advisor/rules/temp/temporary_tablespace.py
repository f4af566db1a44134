"""The room for the temporary tablespace to grow.

## What it checks
Whether the file of innodb_temp_data_file_path may grow until the file system of the data is full.

## Why it matters
The file grows with temporary tables and shrinks only at a restart (from MariaDB 11.3 on also when
innodb_truncate_temporary_tablespace_now is set). When it fills the drive, writes of every table
fail, not only those of the query that caused it. One tool calls the shipped default
(autoextend without a maximum) wrong, another one calls a maximum wrong; what counts is the room.

## How it is judged
- A maximum no larger than the room that is left: fine. A larger one: watched.
- No maximum, with 15 % of the file system or 100 GiB left: fine.
- No maximum and less room: half of what is left is proposed as maximum. From MySQL 8.0.13 on it is
  only watched: there most temporary tables lie in session tablespaces, which have no maximum. The
  same where half of what is left is no more than the file starts with.

## How to check by hand
`SELECT @@innodb_temp_data_file_path;`, the size of ibtmp1, and `df` of the data directory.

## Risk and undo
Medium: at the maximum a query fails with "The table is full". A restart each way, which also makes
the file small again.

## When it is wrong
When the file has grown to its largest already; its present size is not known here.

## References
- MySQL reference manual, "Temporary Tablespaces"
- MariaDB documentation, innodb_temp_data_file_path
"""

from __future__ import annotations

import re

from advisor.facts.known import MYSQL_VERSION, TEMP_ROOM_BESIDE_DATA, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.variables.catalogue import MYSQL
from advisor.variables.standing import Standing
from probes import figures

SETTING = "innodb_temp_data_file_path"
GIB, MIB = 1 << 30, 1 << 20
ROOMY_SHARE, ROOMY = 0.15, 100 * GIB
UNITS = {"K": 1 << 10, "M": MIB, "G": GIB}


@rule(
    topic="Temporary tables",
    needs=(MYSQL_VERSION, variable(SETTING), TEMP_ROOM_BESIDE_DATA),
    settings=(SETTING,),
    applies_to=(mysql("5.7"), mariadb("10.2")),
)
def check(facts: Facts) -> Answer:
    """Compare how far the file may grow with the room that is left."""
    now = facts.get(variable(SETTING))
    where = facts.get(TEMP_ROOM_BESIDE_DATA)
    free, size = float(where.free_bytes or 0), float(where.size_bytes or 0)
    room = f"{figures.size(free)} ({figures.percent(free / size)}) left in {where.path}"
    if "autoextend" not in now.text.lower():
        return _judged(Verdict.FINE, now, f"It can't grow; {room}.", room, "Fine as it is.")
    if (most := _maximum(now.text)) is not None:
        return _bounded(now, room, most, free)
    saw = f"The temporary tablespace may grow without end; {room}."
    formula = f"{room}, against {figures.percent(ROOMY_SHARE)} or {figures.size(ROOMY)}"
    if free >= min(ROOMY_SHARE * size, ROOMY):
        return _judged(Verdict.FINE, now, saw, formula, "Fine as it is while there is room.")
    version = facts.get(MYSQL_VERSION)
    if version.at_least(MYSQL, 8, 0, 13):
        effect = "Make room: most temporary tables lie in session tablespaces, which have no bound."
        return _judged(Verdict.WATCH, now, saw, formula, effect, gain=0.3)
    most = max(64 * MIB, free / 2)
    if most <= (start := _start(now.text)):
        effect = f"Make room: the file alone starts with {figures.size(start)}."
        return _judged(Verdict.WATCH, now, saw, formula, effect, gain=0.3)
    bound = f"{most // GIB:.0f}G" if most >= GIB else f"{most // MIB:.0f}M"
    effect = f"A query that would need more than {bound} fails by itself, and no other with it."
    judged = _judged(
        Verdict.RECOMMEND, now, saw, f"{formula}; half of it {bound}", effect, gain=0.3
    )
    return judged.by(change(version, now, f"{now.text}:max:{bound}"))


def _bounded(now: Standing, room: str, most: float, free: float) -> Judged:
    saw = f"The temporary tablespace may grow to {figures.size(most)}; {room}."
    formula = f"{figures.size(most)} against {figures.size(free)}"
    if most <= free:
        return _judged(Verdict.FINE, now, saw, formula, "Fine as it is.")
    effect = (
        "The drive would be full before the bound is reached, unless the file has grown already."
    )
    return _judged(Verdict.WATCH, now, saw, formula, effect, gain=0.2)


def _maximum(text: str) -> float | None:
    return _bytes(re.search(r":max:(\d+)([KMG]?)", text, re.IGNORECASE))


def _start(text: str) -> float:
    """Give the size with which the file that may grow is made."""
    return _bytes(re.search(r":(\d+)([KMG]?):autoextend", text, re.IGNORECASE)) or 0.0


def _bytes(match: re.Match[str] | None) -> float | None:
    return None if match is None else float(match[1]) * UNITS.get(match[2].upper(), 1)


def _judged(
    verdict: Verdict, now: Standing, saw: str, formula: str, effect: str, *, gain: float = 0.0
) -> Judged:
    return Judged(
        verdict,
        saw,
        SETTING,
        now.now,
        effect=effect,
        confidence=Confidence.MEDIUM,
        risk="Medium: takes a restart; queries that reach the bound fail."
        if verdict is Verdict.RECOMMEND
        else "",
        flips_when=f"less than {figures.percent(ROOMY_SHARE)} and less than {figures.size(ROOMY)} "
        "are left"
        if verdict is Verdict.FINE
        else f"{figures.percent(ROOMY_SHARE)} or {figures.size(ROOMY)} are left",
        gain=gain,
        formula=formula,
        valid="a temporary tablespace in the data directory",
        because="The room was seen at one moment; the file's own size was not.",
        cost_of_error="A large query fails although there was room for it.",
        side_effects="The restart makes the file small again.",
    )
