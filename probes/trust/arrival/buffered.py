"""The page cache took part.

InnoDB reads and writes its pages with O_DIRECT (innodb_flush_method=O_DIRECT, the default since
MySQL 8.4 and MariaDB 10.6). Where the filesystem refuses that flag, reads may come from the host's
memory and writes may stop there: the figure is not the drive's. ``redo_sync`` is left out: InnoDB
writes its redo log through the page cache, and the sync behind it reaches the drive.
Source: open(2), "O_DIRECT".
"""

from __future__ import annotations

from probes.points import Trust
from probes.trust.arrival.seen import Seen
from probes.trust.doubt import Doubt

BUFFERED = (
    "The filesystem refused O_DIRECT, so the page cache took part and the figure may be memory's."
)


def check(seen: Seen) -> Doubt | None:
    """Doubt a point whose I/O went through the page cache although it should not."""
    return Doubt(Trust.DOUBTFUL, BUFFERED) if seen.point.direct is False else None
