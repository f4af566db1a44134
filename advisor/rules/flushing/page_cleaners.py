"""innodb_page_cleaners against the number of buffer pool instances.

## What it checks
Whether each buffer pool instance has a page cleaner of its own where flushing is under pressure.

## Why it matters
One page cleaner works on one instance at a time. With fewer cleaners than instances the last
instance waits for its turn; in I/O-bound tests of MySQL 8.0, 16 instances with 16 cleaners held
up against a server with a multi-threaded LRU flusher.

## How it is judged
- Cleaners equal to instances: fine (the default from MySQL 8.4).
- Fewer, and queries waited for free pages within the window: recommended, as many as instances.
- Fewer, and nobody waited: fine.
- MariaDB has had exactly one since 10.5.1, MySQL had one before 5.7: not applicable.

## How to check by hand
Compare `innodb_page_cleaners` with `innodb_buffer_pool_instances`; watch
`Innodb_buffer_pool_wait_free` under load.

## Risk and undo
Costs a thread each. Takes a restart, and another one to undo.

## When it is wrong
When waits come from a drive that is full already: more cleaners do not make it faster.

## References
- MySQL reference manual, innodb_page_cleaners; "What Is New in MySQL 8.4"
- D. Kravtchuk, InnoDB I/O-bound workloads against Percona Server 5.7
- MariaDB MDEV-15058
"""

from __future__ import annotations

from advisor import wording
from advisor.outcomes import Verdict
from advisor.rules.change import change
from advisor.rules.facts import Facts
from advisor.rules.rule import Answer, Inapplicable, Judged, Unjudged, rule
from advisor.rules.versions import mariadb, mysql
from advisor.variables.catalogue import MARIADB
from advisor.variables.standing import Standing
from probes.version import ServerVersion

SETTING = "innodb_page_cleaners"


@rule(
    topic="Flushing",
    needs=("mysql.version",),
    uses=(
        "mysql.variable.innodb_page_cleaners",
        "mysql.variable.innodb_buffer_pool_instances",
        "mysql.status.Innodb_buffer_pool_wait_free",
    ),
    settings=(SETTING,),
    applies_to=(mysql("5.7"), mariadb("10.2")),
    findings=("F72", "F73", "F74"),
)
def check(facts: Facts) -> Answer:
    """Ask for one cleaner per instance where free pages are short."""
    version = facts.get("mysql.version", ServerVersion)
    if version.at_least(MARIADB, 10, 5, 1):
        return Inapplicable(f"{version} has exactly one page cleaner, so there is nothing to set.")
    now = facts.find("mysql.variable.innodb_page_cleaners", Standing)
    instances = facts.find("mysql.variable.innodb_buffer_pool_instances", Standing)
    waits = facts.find("mysql.status.Innodb_buffer_pool_wait_free", float)
    if now is None or instances is None:
        return Unjudged(f"No page cleaner setting of yours was found in {version}.")
    pools = _said(instances, "buffer pool instance")
    saw = f"The server has {_said(now, 'page cleaner')} for {pools}."
    if now.number >= instances.number:
        return _fine(saw, now, "there are more instances than cleaners")
    if waits is None:
        return Unjudged(f"{saw} Whether queries wait for free pages was not seen.")
    if waits == 0:
        return _fine(f"{saw} No query waited for a free page.", now, "queries wait for free pages")
    return Judged(
        Verdict.RECOMMEND,
        f"{saw} Queries waited for a free page {wording.rate(waits, 'times')}.",
        SETTING,
        now.now,
        effect="Every instance is cleaned each second, so free pages are there when needed.",
        because="the waits were counted over the window; the cure was not tried here",
        risk="Low: a thread per instance.",
        cost_of_error="some idle threads, and a restart to return",
        side_effects="More page writes at a time.",
        flips_when="queries no longer wait for free pages",
        valid="while the drive has page writes to spare",
        gain=0.3,
        formula=f"{now.number:.0f} < {instances.number:.0f}, and {wording.rate(waits, 'waits')}",
    ).by(change(version, now, str(int(instances.number))))


def _fine(saw: str, now: Standing, flips_when: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when=flips_when,
        formula=f"{now.text} cleaners",
        because="the server's own settings and counter",
        valid="for loads like the window's",
    )


def _said(standing: Standing, what: str) -> str:
    return f"{standing.number:.0f} {what}{'' if standing.number == 1 else 's'}"
