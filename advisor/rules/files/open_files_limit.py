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
- A cache of tables or of InnoDB's files is full and evicts, and has no room for twice as many (see
  files.table-open-cache and files.innodb-open-files): short.
- Files open in the server, files open in InnoDB and connections together: below 85 % of the limit
  (our choice), and none of these, is fine.
- Cut, not short, while less than half of the remaining cache of tables is in use: watched; but not
  where MySQL lowered max_connections as well, its cache being at the minimum.
- Else cut, short, or from 85 % on: room for max_connections, twice the default cache of tables (or
  the one that files.table-open-cache would have) and innodb_open_files (or what it would be) is
  proposed, or twice what is open where that is more.

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
from advisor.model.server.round_figures import round_up
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Card, Facts, Is, Judged, Unjudged, number, rule
from advisor.rules.files._full_cache import (
    CONNECTIONS,
    FILES,
    MOST_OF_LIMIT,
    OPEN_FILES,
    OPEN_TABLES,
    PARTS,
    PER_TABLE,
    TABLES,
    USES_OF_FILES,
    USES_OF_TABLES,
    FullCache,
    full_files,
    full_tables,
    own_descriptors,
    room_for_tables,
)
from advisor.steps import Needs, Procedure
from advisor.variables.catalogue import span
from probes.figures import count, listed, percent

NEAR = 0.85

CALM = 0.5
"""A cache of which a smaller share is in use does not need what was cut."""

LEAST_CACHE = 400
"""MySQL lowers max_connections before table_open_cache falls below this."""

USED = (status("Open_files"), status("Threads_connected"))


@rule(
    topic="Files",
    do="Give the service more descriptors before the load grows",
    setting="open_files_limit",
    needs=(CONNECTIONS, TABLES),
    uses=(PARTS, *USED, *USES_OF_TABLES, *USES_OF_FILES),
    findings=("B11",),
)
def check(facts: Facts) -> Answer:
    """Look for the traces of a cut, for caches that can't grow, and for how near the limit is."""
    limit, used, traces, short = facts.now, _used(facts), _cut(facts), _short(facts)
    cut = Is(bool(traces), "the server lowers its settings at its start", "no setting is lowered")
    if used is None and not cut and not short:
        return Unjudged(
            f"No setting was lowered to fit {limit.value}; the open files are not known."
        )
    share = (used or 0.0) / limit.number if limit.number else 1.0
    of = f"{count(used or 0.0)} / {count(limit.number)}"
    near = At("share of descriptors in use", share, least=NEAR, of=of, say=percent)
    condition = cut if used is None else cut | near
    for each in short:
        condition |= each.short
    opened = "" if used is None else f"{count(used)} of "
    saw = f"The server has {opened}{count(limit.number)} descriptors{' open' if opened else ''}"
    if short:
        saw += f": they leave room for {listed([each.lacks for each in short])}"
    card = facts.card(
        f"{saw}.",
        condition,
        confidence=Confidence.HIGH,
        because="How servers divide their descriptors was measured on real ones.",
    )
    if cut:
        return _lowered(facts, card, traces, used, calm=not near and not short)
    if not short and not near:
        return card.fine()
    gains = "The server can go on opening tables and connections."
    return _raised(facts, card, used, "Its full caches can grow." if short else gains)


def _lowered(facts: Facts, card: Card, traces: str, used: float | None, *, calm: bool) -> Judged:
    """Judge a server that lowered its settings; ``calm`` is one that has what it needs else."""
    fits = f"to fit {count(facts.now.number)} descriptors"
    saw = f"At its start the server lowered its settings {fits}: {traces}"
    card = card.but(formula=_formula(facts), saw=f"{saw}.")
    if calm and (hardly_used := _calm(facts)):
        opened = facts.get(OPEN_TABLES)
        return card.watch(
            "The lowered settings are enough so far: give the service more descriptors before the "
            "load grows.",
            saw=f"{saw}, and {count(opened)} tables are open.",
            condition=hardly_used,
            confidence=Confidence.MEDIUM,
        )
    effect = "The server keeps the tables and connections that it is configured for."
    return _raised(facts, card, used, effect)


def _short(facts: Facts) -> list[FullCache]:
    """The full caches that descriptors keep from growing."""
    full = (full_tables(facts), full_files(facts))
    return [each for each in full if each is not None and each.short]


def _usual(facts: Facts) -> float:
    """Give the version's default cache of tables, 0 where it is not known."""
    known = span(facts.version, facts.get(TABLES).name)
    return float(known.default) if known is not None and known.default else 0.0


def _cut(facts: Facts) -> str:
    """Say what a server that was cut shows, "" when it was not."""
    connections, cache, rest = facts.get(CONNECTIONS), facts.get(TABLES), room_for_tables(facts)
    usual = _usual(facts)
    if cache.number >= usual or rest is None or facts.now.number <= 0:
        return ""
    least = 0 if facts.version.is_mariadb else LEAST_CACHE
    if cache.number != max(rest, least) or _instances(facts) > 1:
        return ""
    shown = f"{connections.name} {connections.value}, {cache.name} {cache.value}"
    return f"{shown} instead of {usual:.0f}"


def _calm(facts: Facts) -> At | None:
    """Ask whether the cut cache is hardly used; None where it is, or connections were cut too."""
    cache, opened = facts.get(TABLES), facts.find(OPEN_TABLES)
    lowered = cache.number <= LEAST_CACHE and not facts.version.is_mariadb
    if lowered or opened is None:
        return None
    calm = At("number of open tables", opened, below=CALM * cache.number, say=number())
    return calm if calm else None


def _instances(facts: Facts) -> float:
    """How many caches there are of the size that is set: MariaDB's; MySQL's are parts of one."""
    found = facts.find(PARTS) if facts.version.is_mariadb else None
    return 1.0 if found is None else max(1.0, found.number)


def _used(facts: Facts) -> float | None:
    """Give the descriptors in use, None when not known; InnoDB's own count is not everywhere."""
    seen = [facts.find(name) for name in USED]
    if any(one is None for one in seen):
        return None
    return sum(one or 0.0 for one in seen) + (facts.find(OPEN_FILES) or 0.0)


def _formula(facts: Facts) -> str:
    own, connections, cache = own_descriptors(facts), facts.get(CONNECTIONS), facts.get(TABLES)
    return f"({facts.now.value} - {own} - {connections.value}) / 2 = {cache.value} cached tables"


def _needed(facts: Facts) -> float:
    """Descriptors for all connections, and for the caches as they are, or would be."""
    asked, files, more = full_tables(facts), facts.find(FILES), full_files(facts)
    tables = max(facts.get(TABLES).number, _usual(facts), 0.0 if asked is None else asked.wanted)
    tables *= _instances(facts)
    kept = max(tables, 0.0 if files is None else files.number)
    for_files = 0.0 if more is None else max(more.wanted, more.value) / MOST_OF_LIMIT
    return max(facts.get(CONNECTIONS).number + PER_TABLE * tables + kept, for_files)


def _raised(facts: Facts, card: Card, used: float | None, effect: str) -> Judged:
    wanted = round_up(max(_needed(facts), 2 * (used or 0.0), facts.now.number + 1))
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
