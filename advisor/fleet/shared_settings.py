"""The settings that servers of one role, and one server over time, are compared by."""

from __future__ import annotations

import re

from advisor.variables.catalogue import SETTINGS
from probes.inventory.facts import MySQLFacts

_OWN = re.compile(
    r"(^|_)(host|hostname|server_id|server_uuid|port|socket|pid_file|file|basename|dir|path|user"
    r"|index|id|address)$|^(report|wsrep_node|gtid|timestamp|bind)_"
)
"""Settings that every server has its own of."""


def settings_of(mysql: MySQLFacts | None) -> dict[str, str]:
    """The settings that servers of one role should have in common."""
    if mysql is None:
        return {}
    return {
        name: variable.value
        for name, variable in mysql.variables.items()
        if name in SETTINGS and not _OWN.search(name)
    }
