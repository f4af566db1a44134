"""ZFS' records against the server's pages: what both rules on it share."""

from __future__ import annotations

from advisor.facts.server.variables import variable
from advisor.rulekit import Facts
from probes.inventory.facts import Storage
from probes.points import PAGE_BYTES

PAGE_SIZE = variable("innodb_page_size")
MOST_PAGES = 4
"""Records of more pages than this are to become smaller. Our choice."""


def page_bytes(facts: Facts) -> int:
    """Give the server's page size; that of nearly all servers where it is not known."""
    standing = facts.find(PAGE_SIZE)
    return PAGE_BYTES if standing is None else int(standing.number)


def holds_many(facts: Facts, storage: Storage) -> bool:
    """Whether a record of the data's dataset is to become smaller; no where nobody knows it."""
    return (storage.block_bytes or 0) > MOST_PAGES * page_bytes(facts)
