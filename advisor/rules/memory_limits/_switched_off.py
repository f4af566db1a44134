"""innodb_dedicated_server switched off, with lines for what a start would then choose otherwise."""

from __future__ import annotations

from advisor.facts.machine.kernel import HOST_MEMORY_USABLE
from advisor.facts.server.variables import variable
from advisor.facts.watched.redo import REDO_CHECKPOINT_AGE, REDO_GROWTH
from advisor.rulekit import Card, Facts, Judged
from advisor.variables.catalogue import MYSQL
from advisor.workload.flushing.checkpoint import redo_log
from advisor.workload.pool.room import is_too_large
from probes.figures import seconds, size

POOL = variable("innodb_buffer_pool_size")
CAPACITY, METHOD = variable("innodb_redo_log_capacity"), variable("innodb_flush_method")
USES = (POOL, HOST_MEMORY_USABLE, CAPACITY, METHOD, REDO_GROWTH, REDO_CHECKPOINT_AGE)


def switched_off(facts: Facts, card: Card) -> Judged | None:
    """Switch it off beside the advice that makes its pool smaller.

    None where the memory holds the pool, or somebody has set its size, or where one of the lines
    would have no value.
    """
    pool, memory = facts.get(POOL), facts.get(HOST_MEMORY_USABLE)
    capacity, method = facts.find(CAPACITY), facts.find(METHOD)
    log = None if capacity is None else redo_log(facts, capacity.number)
    if capacity is None or log is None:
        return None
    if pool.is_stated or not is_too_large(pool.number, memory):
        return None
    saw, first = card.says["saw"], []
    if not capacity.is_stated:
        if log.enough >= log.capacity:
            return None
        first.append((capacity, str(log.enough)))
        full = f"the redo log has {size(log.capacity)}, which are full after {seconds(log.held_s)}"
        saw = f"{saw.rstrip('.')}, and {full}."
    if facts.version.before(MYSQL, 8, 4) and method is not None and not method.is_stated:
        first.append((method, "O_DIRECT"))
    return card.recommend(
        facts.to("OFF", first=tuple(first)),
        saw=saw,
        effect="The next start sizes nothing by memory that the server does not have, and recovery "
        "has less redo to read.",
        flips_when="the memory holds the pool, or the pool's size is set by hand",
        risk="Low: a restart, with lines for all that it decides.",
        cost_of_error="A redo log that a busier hour fills sooner.",
    )
