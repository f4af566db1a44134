"""What several rules on threads hold their figures against."""

from __future__ import annotations

from advisor.facts.machine.server_process import HOST_CPU_GRANTED
from advisor.rulekit import At, Facts, number
from advisor.variables.catalogue import MYSQL

SLOTS = 256
"""Requests that one I/O thread may have in the kernel at a time, with native AIO."""

LONG_HISTORY = 100_000
PILED_UP = 1_000_000
"""A server with 10,000 commits per second needs more than a minute and a half for as many."""

USUAL_THREADS = 4
"""The default of MySQL 5.7 to 8.3 and of every MariaDB."""


def more_active_than(bound: float, running: float) -> At:
    """Ask whether more connections are active than ``bound``."""
    return At("number of active connections", running, above=bound, say=number())


def threads_worth(facts: Facts) -> int:
    """How many threads are worth it, as far as the server has processors for them."""
    if facts.version.before(MYSQL, 5, 6):
        return 1
    return int(min(USUAL_THREADS, facts.find(HOST_CPU_GRANTED) or USUAL_THREADS))


def history_at_least(bound: float, history: float) -> At:
    """Ask whether this many transactions wait to be purged."""
    return At("history list length", history, least=bound, say=number())
