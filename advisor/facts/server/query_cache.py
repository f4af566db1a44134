"""How often queries ask the query cache, each of them twice under its one lock."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.fact import Fact, given, why_missing
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.status import SHOW_STATUS
from advisor.facts.server.variables import users_server
from probes.figures import rate
from probes.inventory.facts import MySQLFacts

KIND, SIZE = "query_cache_type", "query_cache_size"
ASKING = tuple(f"Qcache_{name}" for name in ("hits", "inserts", "not_cached"))
"""What it answers, what it stores, and what it can't store: a query is one of them."""


@given(users_server)
def _asked(case: Case, mysql: MySQLFacts) -> Reading | Absent:
    if not mysql.switch(KIND) or not mysql.number(SIZE):
        return Absent("the server has no query cache in use")
    counted = [] if mysql.window is None else [mysql.window.per_s(name) for name in ASKING]
    known = [each for each in counted if each is not None]
    if not known:
        return Absent(why_missing(case, "mysql.status", "its requests were not counted"))
    return Reading(sum(known), rate(sum(known), "queries"))


QUERY_CACHE_ASKED = Fact(
    "query_cache.asked",
    float,
    "queries/s",
    "how many queries ask the query cache, which is switched on",
    SHOW_STATUS,
    _asked,
)
