"""What waits to be purged: old versions of rows, and the transactions that keep them."""

from __future__ import annotations

from statistics import fmean

from advisor.case import Case
from advisor.facts.fact import Fact, given, why_missing
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.variables import users_server
from advisor.facts.watched.watch import users_watch
from probes import figures
from probes.inventory.facts import MySQLFacts
from probes.watch.server_series import HISTORY_LENGTH

HISTORY_METRIC = "trx_rseg_history_len"
FEW_EACH = 3
"""With fewer looks in each half of a watch nobody can tell a burst from growth (our choice)."""
DELAY_CAP = "innodb_max_purge_lag_delay"


@given(users_server)
def _history(case: Case, mysql: MySQLFacts) -> Reading | Absent:
    watched = users_watch(case)
    seen = None if isinstance(watched, Absent) else watched.status.gauge(HISTORY_LENGTH)
    if seen is not None:
        counted = figures.count(seen.value)
        between = f" ({figures.count(seen.low)} to {figures.count(seen.high)})"
        text = counted + (between if seen.high > seen.low else "")
        return Reading(seen.value, f"{text}{figures.THIN}transactions, on average")
    length = None if mysql.window is None else mysql.window.gauge(HISTORY_LENGTH)
    if length is None:
        length = mysql.metrics.get(HISTORY_METRIC)
    if length is None:
        because = f"{mysql.version} showed no history list length"
        return Absent(why_missing(case, "mysql.innodb_metrics", because))
    return Reading(length, f"{figures.count(length)}{figures.THIN}transactions")


@given(users_server)
def _history_growth(case: Case, mysql: MySQLFacts) -> Reading | Absent:
    """Read it as the means of both halves of the watch: purge takes away in bursts."""
    watched = users_watch(case)
    if isinstance(watched, Absent):
        return watched
    lengths, seconds = watched.status.values.get(HISTORY_LENGTH, ()), watched.status.seconds
    half = len(lengths) // 2
    if half < FEW_EACH or seconds <= 0:
        return Absent(f"{mysql.version}'s history list was not watched")
    # From the middle of one half to that of the other.
    apart_s = seconds * (len(lengths) - half) / (len(lengths) - 1)
    per_s = (fmean(lengths[-half:]) - fmean(lengths[:half])) / apart_s
    return Reading(per_s, f"{figures.rate(per_s)} over {figures.seconds(seconds)}")


@given(users_server)
def _oldest_transaction(case: Case, mysql: MySQLFacts) -> Reading | Absent:
    if mysql.oldest_transaction_s is None:
        because = "the age of open transactions was not asked for"
        return Absent(why_missing(case, "mysql.transactions", because))
    return Reading(mysql.oldest_transaction_s, figures.seconds(mysql.oldest_transaction_s))


@given(users_server)
def _delay_cap(case: Case, mysql: MySQLFacts) -> Reading | Absent:
    cap_us = mysql.number(DELAY_CAP)
    if cap_us is None:
        return Absent(why_missing(case, "mysql.variables", f"{mysql.version} has no {DELAY_CAP}"))
    return Reading(cap_us, figures.duration_us(cap_us))


PURGE_HISTORY = Fact(
    "purge.history",
    float,
    "transactions",
    "how many committed transactions wait to be purged",
    "Innodb_history_list_length, or trx_rseg_history_len of INNODB_METRICS",
    _history,
)
PURGE_GROWTH = Fact(
    "purge.growth",
    float,
    "transactions/s",
    "by how much more wait to be purged each second; below 0 where there are fewer and fewer",
    "the history list length, watched",
    _history_growth,
)
PURGE_OLDEST_TRANSACTION = Fact(
    "purge.oldest_transaction",
    float,
    "s",
    "how long the oldest open transaction has been open",
    "information_schema.INNODB_TRX",
    _oldest_transaction,
)
PURGE_DELAY_CAP = Fact(
    "purge.delay_cap",
    float,
    "us",
    "the longest delay that a purge lag may put on a change",
    "@@innodb_max_purge_lag_delay",
    _delay_cap,
)
