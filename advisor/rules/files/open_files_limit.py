"""The server's limit of open files (file descriptors).

## What it checks
Whether the limit of open files made the server lower its settings at its start, or is nearly
reached.

## Why it matters
Where the limit is too low, the server lowers its own settings and says so only in its error log.
Measured with 1,024 descriptors and max_connections=500: MySQL 5.5 to 9.7 allow 214 connections and
400 cached tables, MariaDB 10.11 and 11.8 keep 500 connections and cache 247 tables.

## How it is judged
- MySQL: (limit - 10 - max_connections) / 2 is exactly table_open_cache, and that is below the
  version's default: cut. MariaDB: the same with 30 instead of 10.
- Files open in the server, files open in InnoDB and connections together: below 85 % of the limit
(our choice)   is fine.
- Cut, while less than half of the remaining cache of tables is in use: watched; but not where MySQL
  lowered max_connections as well, its cache being at the minimum.
- Else cut, or from 85 % on: room for max_connections, twice the default cache of tables (or the
  one that files.table-open-cache would propose) and innodb_open_files is proposed, or twice what is
  open where that is more.

## How to check by hand
`SELECT @@open_files_limit, @@max_connections, @@table_open_cache;`, `grep 'open files'
/proc/PID/limits`, and warnings on changed limits in the error log.

## Risk and undo
Low. A restart each way. Under systemd the service's LimitNOFILE is the limit, whatever the option
file says.

## When it is wrong
When the small cache was intended and only happens to equal the figure.

## References
- MySQL reference manual, open_files_limit; "How MySQL Opens and Closes Tables"
- Behaviour of eleven real servers with 1,024 descriptors
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.model.server.round_figures import round_up
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Card, Facts, Is, Judged, Unjudged, number, rule
from advisor.rules.files._full_cache import EVICTED, FEW_PER_S, USES, asked_for
from advisor.steps import Needs, Procedure
from advisor.variables.catalogue import span
from probes.figures import count, percent

CONNECTIONS, CACHE = "max_connections", "table_open_cache"
PARTS, INNODB_FILES = variable("table_open_cache_instances"), variable("innodb_open_files")
NEAR = 0.85
OWN_MYSQL, OWN_MARIADB = 10, 30
"""Descriptors that each family keeps for itself before it divides the rest."""

CALM = 0.5
"""A cache of which a smaller share is in use does not need what was cut."""

LEAST_CACHE = 400
"""MySQL lowers max_connections before table_open_cache falls below this."""

OPEN_TABLES = status("Open_tables")
USED = (status("Open_files"), status("Threads_connected"))
INNODB = status("Innodb_num_open_files")


@rule(
    topic="Files",
    setting="open_files_limit",
    needs=(variable(CONNECTIONS), variable(CACHE)),
    uses=(INNODB_FILES, PARTS, *USED, INNODB, OPEN_TABLES, EVICTED, *USES),
    findings=("B11",),
)
def check(facts: Facts) -> Answer:
    """Look for the traces of a cut, then for how near the limit is."""
    limit, used = facts.now, _used(facts)
    traces = _cut(facts)
    cut = Is(bool(traces), "the server lowers its settings at its start", "no setting is lowered")
    if used is None and not cut:
        return Unjudged(
            f"No setting was lowered to fit {limit.value}; the open files are not known."
        )
    share = (used or 0.0) / limit.number if limit.number else 1.0
    of = f"{count(used or 0.0)} / {count(limit.number)}"
    near = At("share of descriptors in use", share, least=NEAR, of=of, say=percent)
    card = facts.card(
        f"The server has {count(used or 0.0)} of {count(limit.number)} descriptors open.",
        cut if used is None else cut | near,
        confidence=Confidence.HIGH,
        because="How servers divide their descriptors was measured on real ones.",
    )
    if not cut:
        if not near:
            return card.fine()
        return _raised(facts, card, used, "The server can go on opening tables and connections.")
    fits = f"to fit {count(limit.number)} descriptors"
    saw = f"At its start the server lowered its settings {fits}: {traces}"
    card = card.but(formula=_formula(facts), saw=f"{saw}.")
    if (used is None or not near) and (calm := _calm(facts)):
        opened = facts.get(OPEN_TABLES)
        return card.watch(
            "The lowered settings are enough so far: give the service more descriptors before the "
            "load grows.",
            saw=f"{saw}, and {count(opened)} tables are open.",
            condition=calm,
            confidence=Confidence.MEDIUM,
        )
    effect = "The server keeps the tables and connections that it is configured for."
    return _raised(facts, card, used, effect)


def _usual(facts: Facts) -> float:
    """Give the version's default cache of tables, 0 where it is not known."""
    known = span(facts.version, CACHE)
    return float(known.default) if known is not None and known.default else 0.0


def _cut(facts: Facts) -> str:
    """Say what a server that was cut shows, "" when it was not."""
    connections, cache = facts.get(variable(CONNECTIONS)), facts.get(variable(CACHE))
    usual, limit = _usual(facts), facts.now.number
    if cache.number >= usual or limit <= 0:
        return ""
    saw = f"{CONNECTIONS} {connections.value}, {CACHE} {cache.value} instead of {usual:.0f}"
    if facts.version.is_mariadb:
        rest = (limit - OWN_MARIADB - connections.number) // 2
        return saw if cache.number == rest // _instances(facts) else ""
    rest = (limit - OWN_MYSQL - connections.number) // 2
    return saw if cache.number == max(rest, LEAST_CACHE) else ""


def _calm(facts: Facts) -> At | None:
    """Ask whether the cut cache is hardly used; None where it is, or connections were cut too."""
    cache, opened = facts.get(variable(CACHE)), facts.find(OPEN_TABLES)
    lowered = cache.number <= LEAST_CACHE and not facts.version.is_mariadb
    if lowered or opened is None:
        return None
    calm = At("number of open tables", opened, below=CALM * cache.number, say=number())
    return calm if calm else None


def _instances(facts: Facts) -> float:
    found = facts.find(PARTS)
    return 1.0 if found is None else max(1.0, found.number)


def _used(facts: Facts) -> float | None:
    """Give the descriptors in use, None when not known; InnoDB's own count is not everywhere."""
    seen = [facts.find(name) for name in USED]
    if any(one is None for one in seen):
        return None
    return sum(one or 0.0 for one in seen) + (facts.find(INNODB) or 0.0)


def _formula(facts: Facts) -> str:
    own = OWN_MARIADB if facts.version.is_mariadb else OWN_MYSQL
    connections, cache = facts.get(variable(CONNECTIONS)), facts.get(variable(CACHE))
    return f"({facts.now.value} - {own} - {connections.value}) / 2 = {cache.value} cached tables"


def _raised(facts: Facts, card: Card, used: float | None, effect: str) -> Judged:
    tables = max(facts.get(variable(CACHE)).number, _usual(facts))
    tables *= _instances(facts) if facts.version.is_mariadb else 1.0
    evicted, opened = facts.find(EVICTED), facts.find(OPEN_TABLES)
    if evicted and opened is not None and evicted >= FEW_PER_S:
        tables = max(tables, asked_for(facts, opened, evicted))
    files = facts.find(INNODB_FILES)
    connections = facts.get(variable(CONNECTIONS)).number
    needed = connections + 2 * tables + max(tables, 0.0 if files is None else files.number)
    wanted = round_up(max(needed, 2 * (used or 0.0), facts.now.number + 1))
    service = Procedure(
        "Raise the service's limit of open files",
        (
            f"In the unit of the service: [Service] LimitNOFILE={wanted} (systemctl edit)",
            "systemctl daemon-reload, then restart the server",
        ),
        ("Take LimitNOFILE out again (systemctl edit), then restart the server",),
        Needs.RESTART,
    )
    judged = card.recommend(
        facts.to(str(wanted)),
        effect=effect,
        risk="Low: needs a restart, and the service's own limit has to be raised too.",
        cost_of_error="Unused descriptors cost next to nothing.",
        side_effects="The server may cache more tables, which takes memory.",
    )
    return replace(judged, steps=(*judged.steps, service))
