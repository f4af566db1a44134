"""Whether a server's pages pass through the kernel's page cache: asked by rules of two families."""

from __future__ import annotations

from advisor.facts.server.variables import variable
from advisor.rulekit.facts import Facts

METHOD = variable("innodb_flush_method")
SWITCH = variable("innodb_data_file_buffering")

_BUFFERED = frozenset({"", "FSYNC", "FDATASYNC", "NORMAL", "O_DSYNC", "LITTLESYNC", "NOSYNC"})
"""Flush methods under which data files are opened without O_DIRECT."""


def pages_buffered(facts: Facts) -> bool | None:
    """Tell whether data files go through the page cache; None where no server reports it.

    The rule has to declare ``METHOD`` and ``SWITCH``; MariaDB from 11.0 on obeys the switch.
    """
    switch = facts.find(SWITCH)
    if switch is not None:
        return switch.on
    method = facts.find(METHOD)
    return None if method is None else method.value.upper() in _BUFFERED
