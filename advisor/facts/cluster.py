"""Whether other servers hold the same data at the same time."""

from __future__ import annotations

from advisor.facts.fact import AnyFact, Fact
from advisor.facts.server import SHOW_VARIABLES, switch

FACTS: tuple[AnyFact, ...] = (
    Fact(
        "cluster.galera",
        "switch",
        "whether the server is a node of a Galera cluster",
        SHOW_VARIABLES,
        switch("wsrep_on"),
    ),
)
