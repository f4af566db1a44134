"""How fast rows can be changed in a pool that is smaller than the data, by the pages it may clean.

Each change of a row that is not in the pool needs a free page, and most pages at the end of the LRU
list are dirty: the server can change no more rows per second than it cleans pages there. MySQL's
page cleaner looks once a second at innodb_lru_scan_depth pages of each instance.
"""

from __future__ import annotations


def most_updates_per_s(instances: int, scan_depth: int, dirty_per_update: float = 1.0) -> float:
    """The most updates per second of rows that the pool does not hold.

    ``dirty_per_update`` is how many pages an update dirties that were not dirty, above 0. More
    cannot be had for long; less is, where something else limits. Raises ValueError for nonsense.
    """
    if instances < 1 or scan_depth < 1 or dirty_per_update <= 0:
        raise ValueError("from one instance, one page and more than no page per update")
    return instances * scan_depth / dirty_per_update
