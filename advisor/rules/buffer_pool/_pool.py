"""The size of the buffer pool that is judged, and what is said where there is none."""

from __future__ import annotations

from advisor.facts.server.variables import variable
from advisor.rulekit import At, Unjudged
from probes.figures import size

SIZE = variable("innodb_buffer_pool_size")

NO_SERVER = Unjudged("No server was examined, so there is no buffer pool to judge.")


def pool_at_least(bound_bytes: int, pool_bytes: float) -> At:
    """Ask whether the pool is so large."""
    return At("size of the buffer pool", pool_bytes, least=bound_bytes, say=size)
