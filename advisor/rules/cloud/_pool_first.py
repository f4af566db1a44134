"""What another buffer pool makes of a purchase: a larger one sends fewer reads and costs no money.

While one is recommended that is expected to bring the server below three quarters of its limit,
more of the limit is bought only if misses remain. One that has to become smaller sends more of
them.
"""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.machine.kernel import HOST_MEMORY_USABLE
from advisor.facts.server.pool import POOL_DATA
from advisor.facts.server.variables import MYSQL_VERSION
from advisor.facts.watched.watch import POOL_MISS_CURVE
from advisor.model.server.pool_shape import share_of_misses
from advisor.rulekit import Card, Change, Facts, Judged
from advisor.steps import Procedure
from advisor.workload.pool import growth as pool_growth
from advisor.workload.pool.growth import growth
from advisor.workload.pool.read_cost import MISSES
from advisor.workload.pool.room import is_too_large, most_accepted, whole_steps
from advisor.workload.pool.saved import saved_share
from probes.figures import io_rate, percent, size
from probes.points import PAGE_BYTES

POOL_USES = (
    MYSQL_VERSION,
    pool_growth.SIZE,
    HOST_MEMORY_USABLE,
    POOL_MISS_CURVE,
    *pool_growth.USES,
)

RELIEVED = 0.75
"""A limit of which more is used beside the larger pool stays one: what is sent at a limit is what
that lets pass, and more comes once queries wait less (our choice)."""


@dataclass(frozen=True, slots=True)
class PoolFirst:
    """The pool in bytes that comes before a purchase, and what is then asked of the limit."""

    pool: float
    left: float
    share: float
    in_bytes: bool

    def buys(self, card: Card, change: Change) -> Judged:
        """Show the purchase for what is left once the pool is larger; its gain nobody knows then.

        The change has one step, by hand.
        """
        what = next(step.what for step in change.steps if isinstance(step, Procedure))
        return card.consider(
            change,
            effect=f"{what} only if misses remain: a pool of {size(self.pool)} costs no money, and "
            f"about {io_rate(self.left, in_bytes=self.in_bytes)} are expected beside it, "
            f"{percent(self.share)} of the limit.",
            relieves=(),
        )


def pool_first(facts: Facts, asks: float, limit: float, *, in_bytes: bool) -> PoolFirst | None:
    """The pool that is expected to bring what is asked below the limit; None where none is.

    The rule declares ``POOL_USES``.
    """
    found = growth(facts)
    if found is None or not found.wanted:
        return None
    saved = saved_share(facts, found).value * found.missed_per_s * (PAGE_BYTES if in_bytes else 1)
    left = max(0.0, asks - saved)
    share = left / limit
    return PoolFirst(found.value, left, share, in_bytes) if share < RELIEVED else None


def more_misses(facts: Facts, *, in_bytes: bool) -> float:
    """What a pool that its memory does not hold asks of the limit besides, once it is smaller.

    The rule declares ``POOL_USES``.
    """
    pool, usable = facts.find(pool_growth.SIZE), facts.find(HOST_MEMORY_USABLE)
    missed = facts.find(MISSES)
    if pool is None or usable is None or missed is None or not is_too_large(pool.number, usable):
        return 0.0
    then = whole_steps(facts, most_accepted(facts, usable))
    curve, data = facts.find(POOL_MISS_CURVE), facts.find(POOL_DATA)
    more = share_of_misses(pool.number, then, data, curve).value - 1
    return max(0.0, more) * missed * (PAGE_BYTES if in_bytes else 1)
