"""The truncation of undo tablespaces.

## What it checks
Whether InnoDB gives back the room of undo tablespaces that have grown, and whether it does so all
the time because the size that it waits for is small.

## Why it matters
One long transaction can make the undo tablespaces grow by many GiB, and without truncation they
keep that size until the data directory is built anew. A truncation empties a tablespace and syncs
it; where the size that starts one is small, as MariaDB's 10 MiB, a busy server truncates again and
again.

## How it is judged
- ON, and less than 12 truncations per minute or no count of them: fine. So many are two in the ten
  seconds that are usually looked at; a single one tells nothing of how often it happens.
- ON with more: innodb_max_undo_log_size of 1 GiB, MySQL's default, is proposed; with 1 GiB or more
  already it is watched.
- OFF with a history of a million transactions or more: watched, the files are growing now.
- OFF otherwise: fine, as MariaDB ships it.
- Fewer than two undo tablespaces, the default of MySQL 5.7 and of MariaDB before 11.0: as OFF, for
  all undo lies in the system tablespace then, which no switch makes smaller.

## How to check by hand
`SELECT @@innodb_undo_log_truncate, @@innodb_max_undo_log_size;`, the sizes of the undo files, and
on MariaDB `Innodb_undo_truncations`.

## Risk and undo
Low: changed at run time and back; the files may grow to the new size.

## When it is wrong
When room on the drive is short: then frequent truncations are the lesser evil.

## References
- MySQL reference manual, "Undo Tablespaces", section on truncation
- MariaDB documentation, innodb_max_undo_log_size, Innodb_undo_truncations
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, PURGE_HISTORY, status, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.variables.standing import Standing
from probes import figures

SWITCH, SIZE = "innodb_undo_log_truncate", "innodb_max_undo_log_size"
SPACES, ENOUGH_SPACES = "innodb_undo_tablespaces", 2
"""With fewer tablespaces none can be empty while another one takes the new undo."""

OFTEN = 12
"""Truncations per minute."""

USUAL = 1 << 30
GROWING = 1_000_000


@rule(
    topic="Files",
    needs=(MYSQL_VERSION, variable(SWITCH)),
    uses=(
        variable(SIZE),
        variable(SPACES),
        status("Innodb_undo_truncations"),
        PURGE_HISTORY,
    ),
    settings=(SWITCH, SIZE),
    applies_to=(mysql("5.7"), mariadb("10.2")),
)
def check(facts: Facts) -> Answer:
    """Judge how often it truncates, or what it does without."""
    switch = facts.get(variable(SWITCH))
    spaces = facts.find(variable(SPACES))
    inside = spaces is not None and spaces.number < ENOUGH_SPACES
    if inside or not switch.on:
        return _off(facts, switch, inside=inside)
    size = facts.find(variable(SIZE))
    if size is None:
        return Unjudged(f"Undo tablespaces are truncated; {SIZE} was not told.")
    from_size = f"from {figures.size(size.number)} on"
    often = facts.find(status("Innodb_undo_truncations"))
    if often is None:
        saw = f"Undo tablespaces are truncated {from_size}; how often is not counted."
        return _judged(Verdict.FINE, size, saw, "no count", "Fine as it is.")
    per_minute = round(60 * often, 6)
    saw = f"Undo tablespaces are truncated {from_size}, {per_minute:.1f} times a minute."
    formula = f"{per_minute:.1f} against {OFTEN} a minute"
    if per_minute < OFTEN:
        return _judged(Verdict.FINE, size, saw, formula, "Fine as it is.")
    if size.number >= USUAL:
        effect = (
            "Undo grows by that much every few seconds: look for the statements that change so "
            "many rows."
        )
        return _judged(Verdict.WATCH, size, saw, formula, effect, gain=0.2)
    effect = (
        f"A tablespace is emptied and synced once it holds {figures.size(USUAL)}, far less often."
    )
    judged = _judged(Verdict.RECOMMEND, size, saw, formula, effect, gain=0.2)
    return judged.by(change(facts.get(MYSQL_VERSION), size, str(USUAL)))


def _off(facts: Facts, switch: Standing, *, inside: bool) -> Judged:
    history = facts.find(PURGE_HISTORY)
    saw = (
        "Undo lies in the system tablespace, which keeps the largest size that it ever had."
        if inside
        else "Undo tablespaces keep the largest size that they ever had."
    )
    if history is None or history < GROWING:
        effect = "Fine as it is while no transaction stays open for long."
        return _judged(Verdict.FINE, switch, saw, "nothing is truncated", effect)
    cure = (
        "only a data directory that is made anew, with undo tablespaces of its own, can"
        if inside
        else "switch truncation on once the history is short again"
    )
    effect = (
        f"It grows now, with {figures.count(history)} transactions to be purged, and will not "
        f"shrink by itself: {cure}."
    )
    formula = f"{figures.count(history)} against {figures.count(GROWING)}"
    return _judged(Verdict.WATCH, switch, saw, formula, effect, gain=0.3)


def _flips(verdict: Verdict, now: Standing) -> str:
    fewer = "" if verdict is Verdict.FINE else "fewer than "
    if now.name == SIZE:
        return f"{fewer}{OFTEN} are truncated per minute"
    return f"{fewer}{figures.count(GROWING)} transactions wait to be purged"


def _judged(
    verdict: Verdict, now: Standing, saw: str, formula: str, effect: str, *, gain: float = 0.0
) -> Judged:
    return Judged(
        verdict,
        saw,
        now.name,
        now.now,
        effect=effect,
        confidence=Confidence.MEDIUM,
        risk="Low: changed at run time; the files may grow to the new size."
        if verdict is Verdict.RECOMMEND
        else "",
        flips_when=_flips(verdict, now),
        gain=gain,
        formula=formula,
        valid="two undo tablespaces or more",
        because="Truncations were counted over the window; the files' sizes were not read.",
        cost_of_error=f"Up to {figures.size(USUAL)} of the drive for each undo tablespace.",
        side_effects="The undo files are larger.",
    )
