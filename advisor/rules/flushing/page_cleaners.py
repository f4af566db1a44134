"""innodb_page_cleaners against the number of buffer pool instances.

## What it checks
Whether each buffer pool instance has a page cleaner of its own where flushing is under pressure.

## Why it matters
One page cleaner works on one instance at a time. With fewer cleaners than instances the last
instance waits for its turn; in I/O-bound tests of MySQL 8.0, 16 instances with 16 cleaners held
up against a server with a multi-threaded LRU flusher.

## How it is judged
- Cleaners equal to instances: fine (the default from MySQL 8.4).
- Fewer, and less than one query a second waited for a free page: fine.
- Fewer, queries waited, and the server writes 80 % or more of what the drive takes for pages:
  watch, more cleaners do not make a full drive faster.
- Fewer, and queries waited: recommended, as many as instances.
- MariaDB has had exactly one since 10.5.1, MySQL had one before 5.7: not applicable.

## How to check by hand
Compare `innodb_page_cleaners` with `innodb_buffer_pool_instances`; watch
`Innodb_buffer_pool_wait_free` under load.

## Risk and undo
Costs a thread each. Takes a restart, and another one to undo.

## When it is wrong
When the drive is full for another reason than this server's page writes.

## References
- MySQL reference manual, innodb_page_cleaners; "What Is New in MySQL 8.4"
- D. Kravtchuk, InnoDB I/O-bound workloads against Percona Server 5.7
- MariaDB MDEV-15058
"""

from __future__ import annotations

from advisor.facts.known import CURVE_RANDOM_WRITE_PAGE, MYSQL_VERSION, variable
from advisor.outcomes import Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.variables.catalogue import MARIADB
from advisor.variables.standing import Standing
from advisor.workload.flush_load import FULL, USES, FlushLoad, full_drive
from advisor.workload.free_pages import HARDLY_PER_S, WAITED_WHEN, WAITS, WAITS_END_WHEN, waited
from probes import figures
from probes.version import ServerVersion

SETTING = "innodb_page_cleaners"


@rule(
    topic="Flushing",
    needs=(MYSQL_VERSION,),
    uses=(
        variable("innodb_page_cleaners"),
        WAITS,
        CURVE_RANDOM_WRITE_PAGE,
        *USES,
    ),
    settings=(SETTING,),
    applies_to=(mysql("5.7"), mariadb("10.2")),
    findings=("F72", "F73", "F74"),
)
def check(facts: Facts) -> Answer:
    """Ask for one cleaner per instance where free pages are short."""
    version = facts.get(MYSQL_VERSION)
    if version.at_least(MARIADB, 10, 5, 1):
        return Inapplicable(f"{version} has exactly one page cleaner, so there is nothing to set.")
    now = facts.find(variable("innodb_page_cleaners"))
    instances = facts.find(variable("innodb_buffer_pool_instances"))
    waits = facts.find(WAITS)
    if now is None or instances is None:
        return Unjudged(f"No page cleaner setting of yours was found in {version}.")
    pools = _said(instances, "buffer pool instance")
    saw = f"The server has {_said(now, 'page cleaner')} for {pools}."
    if now.number >= instances.number:
        return _fine(saw, now, f"there are more instances than {now.number:.0f}")
    if waits is None:
        return Unjudged(f"{saw} Whether queries wait for free pages was not seen.")
    saw = f"{saw} {waited(waits)}"
    if waits < HARDLY_PER_S:
        return _fine(saw, now, WAITED_WHEN)
    load = full_drive(facts)
    return _no_cure(saw, now, load) if load else _more(version, now, instances, saw, waits)


def _more(
    version: ServerVersion, now: Standing, instances: Standing, saw: str, waits: float
) -> Judged:
    return Judged(
        Verdict.RECOMMEND,
        saw,
        SETTING,
        now.now,
        effect="Every instance is cleaned each second, so free pages are there when needed.",
        because="the waits were counted over the window; the cure was not tried here",
        risk="Low: a thread per instance.",
        cost_of_error="some idle threads, and a restart to return",
        side_effects="More page writes at a time.",
        flips_when=WAITS_END_WHEN,
        valid="while the drive has page writes to spare",
        gain=0.3,
        formula=f"{now.number:.0f} < {instances.number:.0f}, and {figures.rate(waits, 'waits')}",
    ).by(change(version, now, str(int(instances.number))))


def _no_cure(saw: str, now: Standing, load: FlushLoad) -> Judged:
    return Judged(
        Verdict.WATCH,
        saw,
        SETTING,
        now.now,
        effect="The drive is full already: more page cleaners would only queue for it.",
        because="the waits and the page writes were counted over the window",
        cost_of_error="none: nothing is changed",
        flips_when=f"{WAITS_END_WHEN}, or the server writes less than "
        f"{figures.rate(FULL * load.budget_per_s, 'pages')}",
        valid="for loads like the window's",
        gain=0.1,
        formula=f"{figures.count(load.written_per_s or 0.0)} written; {load.figures}",
    )


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
