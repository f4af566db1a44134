"""How a server opens its data files: through the kernel's page cache, or past it."""

from __future__ import annotations

from advisor.facts.server.variables import variable
from advisor.variables.standing import Standing
from probes.inventory.facts import Storage

METHOD = variable("innodb_flush_method")
SWITCH = variable("innodb_data_file_buffering")

FOR_PAGE_CACHE = frozenset({"nfs", "nfs4", "zfs"})
"""File systems on which O_DIRECT gains nothing: data files stay in the page cache there."""

_BUFFERED = frozenset({"", "FSYNC", "FDATASYNC", "NORMAL", "O_DSYNC", "LITTLESYNC", "NOSYNC"})
"""Flush methods under which data files are opened without O_DIRECT."""


def opened_buffered(switch: Standing | None, method: Standing | None) -> bool | None:
    """Whether they go through the page cache; None where no server reports it.

    MariaDB from 11.0 on obeys the switch.
    """
    if switch is not None:
        return switch.on
    return None if method is None else method.value.upper() in _BUFFERED


def kept_all_the_same(data: Storage | None) -> bool:
    """Whether a file system keeps pages in memory despite O_DIRECT."""
    journalled = data is not None and "data=journal" in data.mount_options
    return journalled or (data is not None and data.filesystem == "zfs")
