"""The file descriptors that the server may have.

## What it checks
Whether the server was cut at its start by the number of files that it may open, or comes near it.

## Why it matters
Where the limit is too low the server does not say so to anybody who does not read its log: it
lowers its own settings. Measured with 1,024 descriptors and max_connections=500: MySQL 5.5 to 9.7
take 214 connections and 400 cached tables, MariaDB 10.11 and 11.8 keep 500 connections and cache
247 tables.

## How it is judged
- MySQL: (limit - 10 - max_connections) / 2 is exactly table_open_cache, and that is below the
  version's default: cut. MariaDB: the same with 30 in place of 10.
- Files open in the server, files open in InnoDB and connections together: below 85 % of the limit
  is fine.
- Cut, while the server has less than half of the tables open that are left to it: watched. Where
  MySQL had to lower max_connections as well, the cache being down to its least, it is not.
- Else cut, or from 85 % on: room for max_connections, twice the default cache of tables and
  innodb_open_files is proposed, or twice of what is open where that is more.

## How to check by hand
`SELECT @@open_files_limit, @@max_connections, @@table_open_cache;`, `grep 'open files'
/proc/PID/limits`, and warnings on changed limits in the error log.

## Risk and undo
Low. A restart each way. Under systemd the service's LimitNOFILE is the limit, whatever the option
file says.

## When it is wrong
When the small cache was meant and only happens to equal the figure.

## References
- MySQL reference manual, open_files_limit; "How MySQL Opens and Closes Tables"
- Behaviour of eleven real servers with 1,024 descriptors
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import MYSQL_VERSION, status, variable
from advisor.model.round_figures import round_up
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.steps import Needs, Procedure
from advisor.variables.catalogue import span
from advisor.variables.standing import Standing
from probes import figures

SETTING, CONNECTIONS, CACHE = "open_files_limit", "max_connections", "table_open_cache"
NEAR = 0.85
OWN_MYSQL, OWN_MARIADB = 10, 30
"""Descriptors that each family keeps for itself before it divides the rest."""

CALM = 0.5
"""A cache of which less is in use does not miss what was cut."""

LEAST_CACHE = 400
"""MySQL lowers max_connections before it goes below so many cached tables."""

OPEN_TABLES = status("Open_tables")
USED = (status("Open_files"), status("Threads_connected"))
INNODB = status("Innodb_num_open_files")


@rule(
    topic="Files",
    needs=(
        MYSQL_VERSION,
        variable(SETTING),
        variable(CONNECTIONS),
        variable(CACHE),
    ),
    uses=(
        variable("innodb_open_files"),
        variable("table_open_cache_instances"),
        *USED,
        INNODB,
        OPEN_TABLES,
    ),
    settings=(SETTING,),
    findings=("B11",),
)
def check(facts: Facts) -> Answer:
    """Look for the traces of a cut, then for how near the limit is."""
    limit = facts.get(variable(SETTING))
    traces = _cut(facts, limit)
    used = _used(facts)
    roomy = used is None or used < NEAR * limit.number
    if traces and roomy and (calm := _calm(facts)):
        return replace(
            _judged(
                Verdict.WATCH,
                limit,
                f"{_cut_to(limit, traces)}, and {calm}.",
                _formula(facts, limit),
                "Nothing misses what was cut so far: give the service more descriptors before it "
                "grows.",
            ),
            confidence=Confidence.MEDIUM,
            flips_when=f"{figures.percent(CALM)} of the cached tables are open",
            gain=0.1,
        )
    if traces:
        saw = f"{_cut_to(limit, traces)}."
        formula = _formula(facts, limit)
        effect = "The server keeps the tables and connections that it was meant to have."
        return _raised(facts, limit, used, _judged(Verdict.RECOMMEND, limit, saw, formula, effect))
    if used is None:
        return Unjudged(f"Nothing was cut to fit {limit.text}; how many are open was not seen.")
    share = used / limit.number if limit.number else 1.0
    saw = f"The server has {figures.count(used)} of {limit.text} descriptors open."
    formula = f"{used:.0f} / {limit.text} = {figures.percent(share)}"
    if share < NEAR:
        return _judged(Verdict.FINE, limit, saw, formula, "Fine as it is.")
    effect = "The server can go on opening tables and taking connections."
    return _raised(facts, limit, used, _judged(Verdict.RECOMMEND, limit, saw, formula, effect))


def _cut(facts: Facts, limit: Standing) -> str:
    """Say what a server that was cut shows, "" when it was not."""
    version = facts.get(MYSQL_VERSION)
    connections = facts.get(variable(CONNECTIONS))
    cache = facts.get(variable(CACHE))
    known = span(version, CACHE)
    usual = float(known.default) if known is not None and known.default else None
    if usual is None or cache.number >= usual or limit.number <= 0:
        return ""
    said = f"{CONNECTIONS} {connections.text}, {CACHE} {cache.text} in place of {usual:.0f}"
    if version.is_mariadb:
        rest = (limit.number - OWN_MARIADB - connections.number) // 2
        return said if cache.number == rest // _instances(facts) else ""
    rest = (limit.number - OWN_MYSQL - connections.number) // 2
    return said if cache.number == max(rest, LEAST_CACHE) else ""


def _cut_to(limit: Standing, traces: str) -> str:
    return f"The server was cut at its start to fit {limit.text} descriptors: {traces}"


def _calm(facts: Facts) -> str:
    """Say that the cut cache is hardly used, "" when it is or connections were cut as well."""
    cache = facts.get(variable(CACHE))
    opened = facts.find(OPEN_TABLES)
    lowered = cache.number <= LEAST_CACHE and not facts.get(MYSQL_VERSION).is_mariadb
    if lowered or opened is None or opened >= CALM * cache.number:
        return ""
    return f"{figures.count(opened)} tables are open"


def _instances(facts: Facts) -> float:
    found = facts.find(variable("table_open_cache_instances"))
    return 1.0 if found is None else max(1.0, found.number)


def _used(facts: Facts) -> float | None:
    """Give the descriptors in use, None when not seen; InnoDB's own count is not everywhere."""
    seen = [facts.find(name) for name in USED]
    if any(one is None for one in seen):
        return None
    return sum(one or 0.0 for one in seen) + (facts.find(INNODB) or 0.0)


def _formula(facts: Facts, limit: Standing) -> str:
    own = OWN_MARIADB if facts.get(MYSQL_VERSION).is_mariadb else OWN_MYSQL
    connections = facts.get(variable(CONNECTIONS))
    cache = facts.get(variable(CACHE))
    return f"({limit.text} - {own} - {connections.text}) / 2 = {cache.text} cached tables"


def _raised(facts: Facts, limit: Standing, used: float | None, judged: Judged) -> Judged:
    version = facts.get(MYSQL_VERSION)
    known = span(version, CACHE)
    cache = facts.get(variable(CACHE)).number
    tables = max(cache, float(known.default) if known is not None and known.default else 0.0)
    tables *= _instances(facts) if version.is_mariadb else 1.0
    files = facts.find(variable("innodb_open_files"))
    connections = facts.get(variable(CONNECTIONS)).number
    needed = connections + 2 * tables + max(tables, 0.0 if files is None else files.number)
    wanted = round_up(max(needed, 2 * (used or 0.0), limit.number + 1))
    made = change(version, limit, str(wanted))
    service = Procedure(
        "Let the service have so many descriptors",
        (
            f"In the unit of the service: [Service] LimitNOFILE={wanted} (systemctl edit)",
            "systemctl daemon-reload, then restart the server",
        ),
        ("Take LimitNOFILE out again (systemctl edit), then restart the server",),
        Needs.RESTART,
    )
    whole = judged.by(made)
    return replace(whole, steps=(*whole.steps, service))


def _judged(verdict: Verdict, limit: Standing, saw: str, formula: str, effect: str) -> Judged:
    return Judged(
        verdict,
        saw,
        SETTING,
        limit.now,
        effect=effect,
        confidence=Confidence.HIGH,
        risk="Low: takes a restart, and the service's own limit has to be raised too."
        if verdict is Verdict.RECOMMEND
        else "",
        flips_when=f"{figures.percent(NEAR)} of the descriptors are open"
        if verdict is Verdict.FINE
        else f"less than {figures.percent(NEAR)} are open and nothing is cut",
        gain=0.4 if verdict is Verdict.RECOMMEND else 0.0,
        formula=formula,
        valid="Linux",
        because="How servers divide their descriptors was measured on real ones.",
        cost_of_error="Unused descriptors cost nothing worth naming.",
        side_effects="The server may cache more tables, which takes memory.",
    )
