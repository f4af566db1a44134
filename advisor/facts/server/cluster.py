"""Whether other servers hold the same data at the same time."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.fact import Fact, given, why_missing
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.status import SHOW_STATUS
from advisor.facts.server.variables import SHOW_VARIABLES, switch, users_window
from advisor.variables.standing import Standing
from probes import figures
from probes.inventory.facts import StatusWindow

NODES = "wsrep_cluster_size"


@given(users_window)
def _galera_nodes(case: Case, window: StatusWindow) -> Reading | Absent:
    """Read how many there are now: a provider that is loaded may stand alone."""
    nodes = window.gauge(NODES)
    if nodes is None:
        return Absent(why_missing(case, "mysql.status", "the server reports no Galera cluster"))
    return Reading(nodes, figures.counted(int(nodes), "node"))


CLUSTER_GALERA_NODES = Fact(
    "cluster.galera_nodes",
    float,
    "nodes",
    "how many nodes the server's Galera cluster has, itself among them",
    SHOW_STATUS,
    _galera_nodes,
)
CLUSTER_READ_ONLY = Fact(
    "cluster.read_only",
    Standing,
    "switch",
    "whether the server takes changes from its source alone",
    SHOW_VARIABLES,
    switch("read_only"),
)
