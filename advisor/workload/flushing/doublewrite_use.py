"""What doublewrite takes of what the server writes, as it was watched."""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.facts.watched.drive import NOTABLE, WATCH_FILE_SHARES
from advisor.rulekit import Facts
from probes.figures import percent, throughput
from probes.watch.words import FileRole

COPIED = status("Innodb_dblwr_pages_written")
USES = (WATCH_FILE_SHARES, COPIED)


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
