"""Files that InnoDB may keep open.

## What it checks
Whether InnoDB is at its own limit of open files and has to close one for each that it opens.

## Why it matters
With a file for each table InnoDB keeps up to innodb_open_files of them open. At the limit it
closes the one used longest ago before it opens another, under a lock that all I/O passes.

## How it is judged
- Below 80 % of the limit: fine. From 80 % on: watched.
- From 95 % on: twice the files that are open are proposed; where open_files_limit has no room for
  them beside the rest, it is watched and that limit comes first.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_num_open_files';` and `SELECT @@innodb_open_files;`

## Risk and undo
Low: a descriptor and a little memory for each file. A restart each way.

## When it is wrong
When nearly all the files belong to tables that nobody touches: closing those costs nothing.

## References
- MySQL reference manual, innodb_open_files
- MariaDB documentation, innodb_open_files
"""

from __future__ import annotations

from advisor import wording
from advisor.model.round_figures import round_up
from advisor.outcomes import Confidence, Verdict
from advisor.rules.change import change
from advisor.rules.facts import Facts
from advisor.rules.rule import Answer, Judged, rule
from advisor.rules.versions import mariadb, mysql
from advisor.variables.standing import Standing
from probes.version import ServerVersion

SETTING = "innodb_open_files"
NEAR, FULL = 0.8, 0.95
MOST_OF_LIMIT = 0.8
"""The rest of open_files_limit is for tables' other files, logs and connections."""


@rule(
    topic="Files",
    needs=("mysql.version", f"mysql.variable.{SETTING}", "mysql.status.Innodb_num_open_files"),
    uses=("mysql.variable.open_files_limit",),
    settings=(SETTING,),
    applies_to=(mysql("5.6"), mariadb("10.0")),
    waits_for=("files.open-files-limit",),
)
def check(facts: Facts) -> Answer:
    """Compare what is open with what may be."""
    now = facts.get(f"mysql.variable.{SETTING}", Standing)
    opened = facts.get("mysql.status.Innodb_num_open_files", float)
    share = opened / now.number if now.number else 1.0
    saw = f"InnoDB has {wording.count(opened)} of {now.text} files open."
    formula = f"{opened:.0f} / {now.text} = {wording.percent(share)}"
    if share < NEAR:
        return _judged(Verdict.FINE, now, saw, formula, "Fine as it is.")
    if share < FULL:
        effect = "It has not come to the limit yet: look again when tables are added."
        return _judged(Verdict.WATCH, now, saw, formula, effect, gain=0.1)
    wanted = round_up(2 * opened)
    limit = facts.find("mysql.variable.open_files_limit", Standing)
    if limit is not None and wanted > MOST_OF_LIMIT * limit.number:
        effect = f"The server may open {limit.text} files in all: raise open_files_limit first."
        return _judged(Verdict.WATCH, now, saw, formula, effect, gain=0.3)
    effect = "Files stay open between the queries that use them."
    judged = _judged(Verdict.RECOMMEND, now, saw, formula, effect, gain=0.3)
    return judged.by(change(facts.get("mysql.version", ServerVersion), now, str(wanted)))


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
        risk="Low: takes a restart." if verdict is Verdict.RECOMMEND else "",
        flips_when=f"{wording.percent(NEAR if verdict is Verdict.FINE else FULL)} of them are open"
        if verdict is not Verdict.RECOMMEND
        else f"less than {wording.percent(FULL)} of them are open",
        gain=gain,
        formula=formula,
        valid="a file for each table",
        because="What is open was counted; how often a file is closed and opened again was not.",
        cost_of_error="Some idle descriptors; a restart for nothing.",
        side_effects="More descriptors in use.",
    )
