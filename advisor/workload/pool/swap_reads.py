"""Memory that is read back from the swap, as the drive's counters show."""

from __future__ import annotations

from advisor.facts.machine.kernel import HOST_MEMORY_USABLE, HOST_SWAP_USED
from advisor.facts.machine.server_process import HOST_SERVER_SWAPPED
from advisor.facts.watched.beside import WATCH_READS_BESIDE, ReadsBeside
from advisor.rulekit.facts import Facts
from advisor.workload.pool import memory_short

MOST_BYTES = 32 << 10
"""The kernel reads up to eight pages of swap at once (vm.page-cluster = 3); larger reads are those
of files, of backups for example."""

USES = (*memory_short.USES, HOST_MEMORY_USABLE, WATCH_READS_BESIDE)


def swap_reads(facts: Facts) -> ReadsBeside | None:
    """The drive's reads that are most likely those of swap; None where memory is not short.

    They are small, and no file of the server asked for them, while memory of it is swapped.
    """
    beside = facts.find(WATCH_READS_BESIDE)
    if beside is None or beside.each_bytes > MOST_BYTES or memory_short.memory_short(facts) is None:
        return None
    return beside


def owned(facts: Facts) -> float:
    """The share (0..1) of swapped memory that is the server's; 0 where nobody knows."""
    own, used = facts.find(HOST_SERVER_SWAPPED), facts.find(HOST_SWAP_USED)
    return min(1.0, own / used) if own is not None and used else 0.0
