"""Whether other servers hold the same data at the same time."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.fact import Fact, given, why_missing
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.status import SHOW_STATUS
from advisor.facts.server.variables import SHOW_VARIABLES, switch, users_server, users_window
from advisor.variables.standing import Standing
from probes import figures
from probes.inventory.facts import MySQLFacts, StatusWindow

NODES = "wsrep_cluster_size"

GROUP = "group_replication_group_name"
GROUP_SENDS = "Gr_data_messages_sent_count"
"""What a member sends to its group; MySQL has the counter from 8.1 on."""


@given(users_window)
def _galera_nodes(case: Case, window: StatusWindow) -> Reading | Absent:
    """Read how many there are now: a provider that is loaded may stand alone."""
    nodes = window.gauge(NODES)
    if nodes is None:
        return Absent(why_missing(case, "mysql.status", "the server reports no Galera cluster"))
    return Reading(nodes, figures.counted(int(nodes), "node"))


def asks_others(case: Case) -> bool:
    """Whether commits wait for the answers of other members: of a Galera cluster, or of a group.

    Members of a group agree on the order of commits, nodes of a cluster certify each (MySQL
    reference manual, "Group Replication"; Galera documentation, "Certification-based replication").
    A name alone makes no group that is at work: where its messages are counted, some must be sent.
    """
    server, window = users_server(case), users_window(case)
    nodes = window.gauge(NODES) if isinstance(window, StatusWindow) else None
    if nodes is not None and nodes > 1:
        return True
    if not isinstance(server, MySQLFacts) or not server.value(GROUP):
        return False
    sent = window.per_s(GROUP_SENDS) if isinstance(window, StatusWindow) else None
    return sent is None or sent > 0


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
