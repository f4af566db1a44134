"""Which doublewrite a server has, and what it takes of what is written, as it was watched."""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.facts.watched.drive import NOTABLE, WATCH_FILE_SHARES
from advisor.rulekit import Facts
from advisor.variables.catalogue import MYSQL
from probes.figures import percent, throughput
from probes.version import ServerVersion
from probes.watch.words import FileRole

COPIED = status("Innodb_dblwr_pages_written")
USES = (WATCH_FILE_SHARES, COPIED)
PERCONA = "Percona"


def in_own_files(version: ServerVersion) -> bool:
    """Whether copies go to files that share no lock, as on MySQL from 8.0.20 on."""
    return version.at_least(MYSQL, 8, 0, 20)


def in_one_area(version: ServerVersion) -> bool:
    """Whether all page cleaners share one area of the system tablespace, as on MariaDB.

    Percona Server has an area for each buffer pool instance and way of flushing from 5.7.11-4 until
    MySQL's files replaced it, unless innodb_parallel_doublewrite_path is empty (its manuals of 5.7
    and 8.0, "XtraDB Performance Improvements for I/O-Bound Highly-Concurrent Workloads").
    """
    parallel = version.vendor == PERCONA and version.at_least(MYSQL, 5, 7, 11)
    return not in_own_files(version) and not parallel


def doublewrite_use(facts: Facts, page_bytes: int) -> str:
    """Say the share of written bytes and the calls under way; "" where not watched.

    Servers that keep their copies in the system tablespace write them to no file of their own: of
    those the copied pages are counted. The rule declares ``USES``.
    """
    shares, copied = facts.find(WATCH_FILE_SHARES), facts.find(COPIED)
    if shares is None:
        return ""
    written = sum(shares.bytes_per_s.values())
    own = shares.bytes_per_s.get(FileRole.DOUBLEWRITE, 0.0)
    bytes_per_s = own or (copied or 0.0) * page_bytes
    if not bytes_per_s or bytes_per_s > written:
        return ""
    waiting = shares.waiting.get(FileRole.DOUBLEWRITE, 0.0)
    inside = f" On average {waiting:.2f} of its calls are under way." if waiting > NOTABLE else ""
    return (
        f" Its copies are {percent(bytes_per_s / written)} of the {throughput(written)} that the "
        f"server writes.{inside}"
    )
