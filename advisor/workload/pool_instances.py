"""How many instances a buffer pool has: what the server shows is not always what it made."""

from __future__ import annotations

from advisor.facts.machine.host import HOST_CPU_THREADS
from advisor.facts.machine.server_process import HOST_CPU_GRANTED
from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.rulekit.facts import Facts
from advisor.variables.catalogue import MYSQL, reads_group_limits
from probes.version import ServerVersion

INSTANCES = variable("innodb_buffer_pool_instances")
SIZE = variable("innodb_buffer_pool_size")

COUNTED_CPUS = (HOST_CPU_THREADS, HOST_CPU_GRANTED)

UNDIVIDED_BYTES = 1000 << 20
"""MySQL 5.5 and 5.6 made one instance of 999 MiB, and as many as were set of 1,000 MiB."""


def undivided(version: ServerVersion, pool_bytes: float) -> bool:
    """Whether the server makes one instance of such a pool and shows the number that was set.

    From MySQL 5.7 and MariaDB 10.2 on the variable shows what was made.
    """
    return version.before(MYSQL, 5, 7) and pool_bytes < UNDIVIDED_BYTES


def pool_instances(facts: Facts) -> int:
    """Count the instances that there are; 1 where nothing is known."""
    shown, pool = facts.find(INSTANCES), facts.find(SIZE)
    if shown is None:
        return 1
    if pool is not None and undivided(facts.get(MYSQL_VERSION), pool.number):
        return 1
    return max(1, int(shown.number))


def counted_cpus(facts: Facts) -> float | None:
    """How many processors the server counts where it chooses how many instances to make."""
    granted = reads_group_limits(facts.get(MYSQL_VERSION))
    return facts.find(HOST_CPU_GRANTED if granted else HOST_CPU_THREADS)
