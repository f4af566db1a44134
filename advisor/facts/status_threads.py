"""What the server's status tells of its threads, temporary tables, open files and caches."""

from __future__ import annotations

from advisor.facts.fact import AnyFact, Fact
from advisor.facts.server import SHOW_STATUS, counter, gauge

COUNTERS: dict[str, tuple[str, str]] = {
    "Threads_created": ("threads", "how many threads had to be started for connections"),
    "Created_tmp_tables": ("tables", "how many internal temporary tables are made"),
    "Created_tmp_disk_tables": ("tables", "how many internal temporary tables go to disk"),
    "TempTable_count_hit_max_ram": ("times", "how often temptable_max_ram was reached"),
    "Opened_tables": ("tables", "how many tables have to be opened"),
    "Table_open_cache_overflows": ("tables", "how many open tables are pushed out of the cache"),
    "Opened_table_definitions": ("tables", "how many table definitions have to be read"),
    "Innodb_undo_truncations": ("times", "how often undo tablespaces are truncated"),
    "Qcache_hits": ("queries", "how many queries the query cache answers"),
    "Qcache_inserts": ("queries", "how many results the query cache stores"),
    "Qcache_not_cached": ("queries", "how many queries the query cache can't keep results of"),
    "Qcache_lowmem_prunes": ("queries", "how many results the query cache drops for room"),
    "Key_read_requests": ("reads", "how many index blocks of MyISAM tables are asked for"),
}

GAUGES: dict[str, tuple[str, str]] = {
    "Max_used_connections": ("connections", "the most connections that were open at once"),
    "Threads_connected": ("connections", "how many connections are open"),
    "Open_files": ("files", "how many files the server has open outside InnoDB"),
    "Open_tables": ("tables", "how many tables are open"),
    "Open_table_definitions": ("tables", "how many table definitions are cached"),
    "Innodb_num_open_files": ("files", "how many files InnoDB has open"),
}

FACTS: tuple[AnyFact, ...] = (
    *(
        Fact(f"mysql.status.{name}", f"{unit}/s", meaning, SHOW_STATUS, counter(name, unit))
        for name, (unit, meaning) in COUNTERS.items()
    ),
    *(
        Fact(f"mysql.status.{name}", unit, meaning, SHOW_STATUS, gauge(name, unit))
        for name, (unit, meaning) in GAUGES.items()
    ),
)
