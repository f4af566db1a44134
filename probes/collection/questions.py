"""What the script asks a server: the questions of an inventory and of a watch, word for word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from probes.inventory.ask_mysql import (
    METRICS,
    OLDEST_TRANSACTION,
    ORIGINS_MARIADB,
    ORIGINS_MYSQL,
    ORIGINS_OLD_MARIADB,
    PERFORMANCE_SCHEMA,
    VERSION,
    sizes_sql,
)
from probes.version import ServerVersion
from probes.watch import clients, file_series, server_series

VARIABLES = "SHOW GLOBAL VARIABLES"
STATUS = "SHOW GLOBAL STATUS"
INNODB = server_series.LOG
TIME = "SELECT UNIX_TIMESTAMP(SYSDATE(/*!50604 6*/)) AS server_s, {} AS machine_s"
"""Asked behind other questions: when they were answered, by the clocks of both."""

SERVER_S, MACHINE_S = "server_s", "machine_s"

CAREFUL = (
    "SET NAMES utf8",
    "SET SESSION TRANSACTION READ ONLY",
    "SET SESSION lock_wait_timeout = 5",
)

CONNECTION = (
    "SELECT SUBSTRING_INDEX(USER(), '@', -1) AS host, "
    "@@skip_name_resolve + @@skip_networking AS no_names"
)
"""Where ``no_names`` is not 0, "localhost" comes over the socket alone."""

WAY = (
    "SELECT CONNECTION_TYPE AS way FROM performance_schema.threads "
    "WHERE PROCESSLIST_ID = CONNECTION_ID()"
)

BOTH = (METRICS, OLDEST_TRANSACTION, PERFORMANCE_SCHEMA)
"""With them, ``INNODB``."""

OF_MYSQL = (
    "SET SESSION max_execution_time = 10000",
    WAY,
    ORIGINS_MYSQL,
    sizes_sql(ServerVersion.parse("8.0.36")),
    sizes_sql(ServerVersion.parse("5.7.44")),
)
OF_MARIADB = (
    "SET SESSION max_statement_time = 10",
    ORIGINS_MARIADB,
    ORIGINS_OLD_MARIADB,
    sizes_sql(ServerVersion.parse("10.11.19-MariaDB")),
)
"""Questions of several versions: what one of them refuses is none of its answers."""

SAMPLED = server_series.STATUS
"""Every second, with ``FILES`` where the server counts them, and what knows of clients."""

FILES = (server_series.FILES, server_series.BACKGROUND)
BY_FILE = (file_series.FILES, file_series.UNCOUNTED)
"""At both ends, with ``STATUS``."""

SWITCHED_OFF = server_series.OFF

ASKED: Mapping[str, Sequence[str]] = {
    "settings": (*CAREFUL, VERSION, VARIABLES, CONNECTION),
    "mysql": OF_MYSQL,
    "mariadb": OF_MARIADB,
    "internals": (INNODB, *BOTH, SWITCHED_OFF),
    "ends": (STATUS, *BY_FILE),
    "status": (SAMPLED,),
    "files": FILES,
    "history": (server_series.HISTORY_QUESTION,),
    "threads": (clients.IN_THREADS,),
    "processes": (clients.IN_PROCESSES,),
    "pids": (clients.OF_CLIENTS,),
}
"""By the names that the script has for them."""
