"""How many syncs a batch of doublewrite takes, by version and flush method, and how long one is."""

from __future__ import annotations

from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.facts.watched.data_sync import DATA_SYNC_COST
from advisor.facts.watched.placement import STORAGE_REDO_APART
from advisor.facts.watched.sync_cost import REDO_SYNC_COST
from advisor.rulekit import Facts
from advisor.variables.catalogue import MYSQL

METHOD = variable("innodb_flush_method")

SYNC_USES = (REDO_SYNC_COST, DATA_SYNC_COST, STORAGE_REDO_APART)
"""What ``data_sync_us`` reads."""

CHEAP = 0.05
"""Syncs that take less of the time than this cost hardly anything. Our choice."""


def syncs_of_a_batch(facts: Facts) -> int:
    """One of the copies and one of the data files, at least; the rule declares ``METHOD``.

    MySQL from 8.0.20 on syncs no copies that it writes with O_DIRECT (buf0dblwr.cc,
    is_fsync_required), and with O_DIRECT_NO_FSYNC the data files only where one has grown.
    """
    if not facts.get(MYSQL_VERSION).at_least(MYSQL, 8, 0, 20):
        return 2
    method = facts.find(METHOD)
    word = "" if method is None else method.value.upper()
    return {"O_DIRECT_NO_FSYNC": 0, "O_DIRECT": 1}.get(word, 2)


def data_sync_us(facts: Facts) -> float | None:
    """What a sync takes where doublewrite's copies and the data lie; None where nobody knows."""
    apart = facts.find(STORAGE_REDO_APART)
    cost = facts.find(DATA_SYNC_COST if apart else REDO_SYNC_COST)
    return None if cost is None else cost.takes_us.value
