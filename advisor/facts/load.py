"""How busy the server is inside: queries at work, background reads, history to be purged."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.fact import AnyFact, Fact, why_missing
from advisor.facts.readings import Absent, Reading
from advisor.facts.server import users_server, users_window
from advisor.facts.status import SHOW_STATUS
from probes import figures
from probes.inventory.facts import figure

LEADLINES_OWN = 1
"""Leadline's connection is at work itself while it asks for the status."""

READ_AHEAD = ("Innodb_buffer_pool_read_ahead", "Innodb_buffer_pool_read_ahead_rnd")
HISTORY_STATUS = "Innodb_history_list_length"
HISTORY_METRIC = "trx_rseg_history_len"
DELAY_CAP = "innodb_max_purge_lag_delay"


def _running(case: Case) -> Reading | Absent:
    """Read what was at work at both ends of the window: one sample alone may be a moment's peak."""
    window = users_window(case)
    if isinstance(window, Absent):
        return window
    before, after = (
        figure(sample.get("Threads_running")) for sample in (window.before, window.after)
    )
    if before is None or after is None:
        return Absent("the server did not report Threads_running")
    running = max(0.0, min(before, after) - LEADLINES_OWN)
    return Reading(
        running, f"{figures.count(running)}{figures.THIN}at work at both ends of the status window"
    )


def _background_reads(case: Case) -> Reading | Absent:
    window = users_window(case)
    if isinstance(window, Absent):
        return window
    rates = [rate for name in READ_AHEAD if (rate := window.per_s(name)) is not None]
    if not rates:
        return Absent("the server did not report its read-ahead over the status window")
    return Reading(sum(rates), f"{figures.rate(sum(rates), 'pages')} of read-ahead")


def _history(case: Case) -> Reading | Absent:
    mysql = users_server(case)
    if isinstance(mysql, Absent):
        return mysql
    length = None if mysql.window is None else mysql.window.gauge(HISTORY_STATUS)
    if length is None:
        length = mysql.metrics.get(HISTORY_METRIC)
    if length is None:
        because = f"{mysql.version} showed no history list length"
        return Absent(why_missing(case, "mysql.innodb_metrics", because))
    return Reading(length, f"{figures.count(length)}{figures.THIN}transactions")


def _oldest_transaction(case: Case) -> Reading | Absent:
    mysql = users_server(case)
    if isinstance(mysql, Absent):
        return mysql
    if mysql.oldest_transaction_s is None:
        because = "the age of open transactions was not asked for"
        return Absent(why_missing(case, "mysql.transactions", because))
    return Reading(mysql.oldest_transaction_s, figures.seconds(mysql.oldest_transaction_s))


def _delay_cap(case: Case) -> Reading | Absent:
    mysql = users_server(case)
    if isinstance(mysql, Absent):
        return mysql
    cap_us = mysql.number(DELAY_CAP)
    if cap_us is None:
        return Absent(why_missing(case, "mysql.variables", f"{mysql.version} has no {DELAY_CAP}"))
    return Reading(cap_us, figures.duration_us(cap_us))


def _ahead(case: Case) -> Reading | Absent:
    if not case.load_ahead:
        return Absent("the server's counters are of its usual load")
    return Reading(case.load_ahead, f"another one, because {case.load_ahead}")


def _flushing_asked(case: Case) -> Reading | Absent:
    asked = case.flushing_asked
    if asked is None:
        return Absent("no load was seen before the one to come")
    return Reading(asked, "it asked for more than is planned" if asked else "it asked for no more")


FACTS: tuple[AnyFact, ...] = (
    Fact(
        "load.ahead",
        "text",
        "what load is to come where the counters do not show it",
        "the plan of changes, or a server that is not there yet",
        _ahead,
    ),
    Fact(
        "load.flushing_asked",
        "yes/no",
        "whether the load until now asked for more flushing than is planned",
        "the plan of changes, from the page writes and the checkpoint age before it",
        _flushing_asked,
    ),
    Fact(
        "load.running",
        "connections",
        "how many connections are at work all the time",
        SHOW_STATUS,
        _running,
    ),
    Fact(
        "load.background_reads",
        "pages/s",
        "how many pages are read ahead in the background",
        SHOW_STATUS,
        _background_reads,
    ),
    Fact(
        "purge.history",
        "transactions",
        "how many committed transactions wait to be purged",
        "Innodb_history_list_length, or trx_rseg_history_len of INNODB_METRICS",
        _history,
    ),
    Fact(
        "purge.oldest_transaction",
        "s",
        "how long the oldest open transaction has been open",
        "information_schema.INNODB_TRX",
        _oldest_transaction,
    ),
    Fact(
        "purge.delay_cap",
        "us",
        "the longest delay that a purge lag may put on a change",
        "@@innodb_max_purge_lag_delay",
        _delay_cap,
    ),
)
