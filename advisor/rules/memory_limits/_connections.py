"""Fewer connections, where hundreds are open for few queries and smaller buffers would not do."""

from __future__ import annotations

from advisor.facts.server.load import LOAD_RUNNING
from advisor.facts.server.variables import variable
from advisor.facts.watched.watch import WATCH_RUNNING
from advisor.rulekit import Card, Facts, Judged, Needs, by_hand
from advisor.rules.memory_limits._pools import FULL
from probes.figures import counted, percent

CONNECTIONS = "max_connections"
USES = (LOAD_RUNNING, WATCH_RUNNING, variable(CONNECTIONS))

MANY = 100
"""Fewer connections are no crowd (our choice)."""

IDLE = 20.0
"""From this many connections for each query at work on, hardly any of them works (ours)."""

CROWD = 0.5
"""Where more of them fit, other small steps do as well (our choice)."""

LEAST, FOR_EACH = 50.0, 10.0
"""A server is left this many connections at least, and ten for each query at work (our choices)."""

ROUND = 10.0


def fewer(facts: Facts, card: Card, most: float, fits: float, left: float) -> Judged | None:
    """Ask for a pool of connections in front; None where queries need them, or too few would fit.

    ``fits`` is how many hold the sum at its limit, ``left`` the share of the memory that the sum of
    all has with smaller buffers alone.
    """
    at_work, allowed = _at_work(facts), facts.find(variable(CONNECTIONS))
    if at_work is None or allowed is None or not _would_do(at_work, most, fits):
        return None
    enough = fits // ROUND * ROUND
    few = f"{enough:.0f}"
    return card.recommend(
        by_hand(
            f"{few}, behind a pool of connections",
            f"Put a pool of connections in front, and allow {few}",
            (
                "Put a pool of connections in front (ProxySQL, MaxScale, at Amazon RDS Proxy), or "
                f"make those of the application smaller: {few} at most for all of them.",
                "Run FLUSH STATUS, and look at Max_used_connections after a busy day.",
                f"Once it stays below {few}, set {CONNECTIONS} = {few}: before that, connections "
                "would be refused.",
            ),
            (f"Set {CONNECTIONS} = {allowed.now}.",),
            Needs.NOTHING,
        ),
        setting=CONNECTIONS,
        now=allowed.now,
        effect=f"On average {at_work:.1f} queries are at work: with {few} connections the sum is "
        f"{percent(FULL)} at most, while smaller buffers alone leave it at {percent(left)}.",
        risk=f"{counted(enough, 'connection')} may be few for what waits outside the server: the "
        "pool then makes its clients wait.",
        verify="Max_used_connections stays below it, and Aborted_connects does not grow.",
    )


def perhaps_fewer(facts: Facts, most: float, fits: float) -> bool:
    """Whether a pool of connections may be the answer, and nobody knows how many are at work."""
    return _at_work(facts) is None and _would_do(0.0, most, fits)


def _would_do(at_work: float, most: float, fits: float) -> bool:
    """Whether far more are open than work, and those that fit are enough for these."""
    idle = most >= max(MANY, IDLE * at_work)
    return idle and max(LEAST, FOR_EACH * at_work) <= fits // ROUND * ROUND <= CROWD * most


def _at_work(facts: Facts) -> float | None:
    running = facts.find(WATCH_RUNNING)
    return facts.find(LOAD_RUNNING) if running is None else running.value
