"""Whether other servers hold the same data at the same time."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass

from advisor.case import Case
from advisor.facts.fact import Fact, given, why_missing
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.status import SHOW_STATUS
from advisor.facts.server.variables import SHOW_VARIABLES, switch, users_server, users_window
from advisor.tried import plain_value
from advisor.variables.standing import Standing
from probes import figures
from probes.inventory.facts import MySQLFacts, StatusWindow
from probes.inventory.redact import CACHE_DIRECTORY, CACHE_SIZE, PROVIDER_OPTIONS

NODES = "wsrep_cluster_size"

PAUSED, SENT = "wsrep_flow_control_paused_ns", "wsrep_flow_control_sent"
"""How long a cluster's flow control stopped commits, and the pauses that a node asked for."""

FELT = 0.02
"""Commits that stand still for less of the time are not felt (our choice)."""

ANSWERS = (
    "rpl_semi_sync_source_wait_for_replica_count",
    "rpl_semi_sync_master_wait_for_slave_count",
)
"""How many semi-synchronous replicas have to answer each commit, by the name of the plugin."""

APPLIERS = ("wsrep_applier_threads", "wsrep_slave_threads")
"""How many threads apply what other nodes write, by the name of the version: the newer one first,
for a server may show both."""

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
    return isinstance(server, MySQLFacts) and _in_group(case, server)


def _in_group(case: Case, server: MySQLFacts) -> bool:
    """Whether it is a member of a group of MySQL's that is at work."""
    if not server.value(GROUP):
        return False
    window = users_window(case)
    sent = window.per_s(GROUP_SENDS) if isinstance(window, StatusWindow) else None
    return sent is None or sent > 0


def stops_others(case: Case) -> float:
    """The part of the time (0..1) for which the server stops its cluster's commits; 0 if hardly."""
    window = users_window(case)
    if not isinstance(window, StatusWindow) or not window.per_s(SENT):
        return 0.0
    paused = min(1.0, (window.per_s(PAUSED) or 0.0) / 1e9)
    return paused if paused >= FELT else 0.0


@given(users_server)
def _group(case: Case, server: MySQLFacts) -> Reading | Absent:
    if not _in_group(case, server):
        return Absent(why_missing(case, "mysql.variables", "the server is in no group at work"))
    return Reading(True, f"a member of the group {server.value(GROUP)}")


@given(users_server)
def _answers_asked(_: Case, mysql: MySQLFacts) -> Reading | Absent:
    """Read it; one is what MySQL asks for by default, and MariaDB always."""
    asked = next((count for name in ANSWERS if (count := mysql.number(name))), 1.0)
    return Reading(asked, figures.counted(int(asked), "replica"))


@given(users_server)
def _appliers(case: Case, mysql: MySQLFacts) -> Reading | Absent:
    for name in APPLIERS:
        found, threads = mysql.variables.get(name), mysql.number(name)
        if found is not None and threads is not None:
            standing = Standing(name, found.value, found.origin)
            return Reading(standing, figures.counted(int(threads), "thread"))
    return Absent(why_missing(case, "mysql.variables", f"{mysql.version} has no {APPLIERS[-1]}"))


@given(users_window)
def _in_parallel(case: Case, window: StatusWindow) -> Reading | Absent:
    distance = window.gauge("wsrep_cert_deps_distance")
    if distance is None:
        return Absent(why_missing(case, "mysql.status", "the server reports no such distance"))
    return Reading(distance, figures.counted(int(distance), "write set"))


@given(users_server)
def _write_cache(case: Case, mysql: MySQLFacts) -> Reading | Absent:
    """Read what the inventory keeps of the provider's options."""
    stated = mysql.value(CACHE_SIZE)
    if stated is None:
        return Absent(why_missing(case, "mysql.variables", f"{PROVIDER_OPTIONS} was not read"))
    cache = float(plain_value(stated))
    return Reading(cache, figures.size(cache))


@dataclass(frozen=True, slots=True)
class CachePlace:
    """Where a node's write-set cache lies; ``with_data`` is whether in the data directory."""

    directory: str
    with_data: bool


@given(users_server)
def _cache_place(case: Case, mysql: MySQLFacts) -> Reading | Absent:
    """Read what the inventory keeps of it; the server takes a relative one from its data's."""
    stated, data = mysql.value(CACHE_DIRECTORY), mysql.value("datadir")
    if not stated or not data:
        return Absent(why_missing(case, "mysql.variables", f"{PROVIDER_OPTIONS} was not read"))
    home = posixpath.normpath(data)
    directory = posixpath.normpath(posixpath.join(home, stated))
    return Reading(CachePlace(directory, f"{directory}/".startswith(f"{home}/")), directory)


CLUSTER_GALERA_NODES = Fact(
    "cluster.galera_nodes",
    float,
    "nodes",
    "how many nodes the server's Galera cluster has, itself among them",
    SHOW_STATUS,
    _galera_nodes,
)
CLUSTER_GROUP = Fact(
    "cluster.group",
    bool,
    "switch",
    "whether the server is a member of a group (Group Replication, InnoDB Cluster)",
    SHOW_VARIABLES,
    _group,
)
CLUSTER_READ_ONLY = Fact(
    "cluster.read_only",
    Standing,
    "switch",
    "whether the server takes changes from its source alone",
    SHOW_VARIABLES,
    switch("read_only"),
)
CLUSTER_APPLIERS = Fact(
    "cluster.appliers",
    Standing,
    "threads",
    "how many threads apply what other nodes of the Galera cluster write",
    SHOW_VARIABLES,
    _appliers,
)
CLUSTER_IN_PARALLEL = Fact(
    "cluster.in_parallel",
    float,
    "write sets",
    "how many write sets could be applied at once on average (wsrep_cert_deps_distance)",
    SHOW_STATUS,
    _in_parallel,
)
CLUSTER_WRITE_CACHE = Fact(
    "cluster.write_cache",
    float,
    "bytes",
    "the size of the node's write-set cache (gcache.size)",
    SHOW_VARIABLES,
    _write_cache,
)
CLUSTER_CACHE_PLACE = Fact(
    "cluster.cache_place",
    CachePlace,
    "path",
    "where the node's write-set cache lies (gcache.dir)",
    SHOW_VARIABLES,
    _cache_place,
)
CLUSTER_ANSWERS_ASKED = Fact(
    "cluster.answers_asked",
    float,
    "replicas",
    "how many semi-synchronous replicas have to answer each commit",
    SHOW_VARIABLES,
    _answers_asked,
)
