"""Puts a figure into a case: where each figure that a condition names stands there."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from advisor.model.server.redo_log import LIMITS, LIMITS_SINCE_8_0_30
from probes.version import Flavour, ServerVersion

GIB = 1 << 30
GROWTH = ("Innodb_redo_log_current_lsn", "Innodb_lsn_current", "Innodb_os_log_written")
SEARCHES = re.compile(r"[\d.]+ hash searches/s, [\d.]+ non-hash searches/s")

Spec = dict[str, Any]
Put = Callable[[Spec, float], Spec | None]
"""Puts a figure into a case, None where the case has no place for it."""


def row(table: str, name: str, part_of: str = "") -> Put:
    """Put the figure into one row of a table, as a share of another row where one is named."""

    def put(spec: Spec, figure: float) -> Spec | None:
        rows = spec.get(table, {})
        if name not in rows or (part_of and part_of not in rows):
            return None
        whole = float(rows[part_of]) if part_of else 1.0
        text = f"{figure * whole:.9f}"
        value: object = text if table == "variables" else float(text)
        return spec | {table: rows | {name: value}}

    return put


def memory(spec: Spec, figure: float) -> Spec | None:
    if "memory_limit_gib" in spec.get("host", {}):
        return None
    return row("host", "memory_gib")(spec, figure / GIB)


def one_read(spec: Spec, figure: float) -> Spec | None:
    """One read at a time takes so long; the rest of the curve stays."""
    curve = spec.get("reads_16k")
    return spec | {"reads_16k": [[1, curve[0][1], figure], *curve[1:]]} if curve else None


def buffered(spec: Spec, figure: float) -> Spec | None:
    text = spec.get("server", {}).get("innodb_status", "")
    changed = re.sub(r"(?m)^Ibuf: size \d+", f"Ibuf: size {figure:.0f}", text)
    return spec | {"server": spec["server"] | {"innodb_status": changed}} if text else None


def asked_for(spec: Spec, figure: float) -> Spec | None:
    """All free pages that are asked for are those of misses."""
    rates = spec.get("rates", {})
    others = {"Innodb_pages_read", "Innodb_pages_created"}
    kept = {name: value for name, value in rates.items() if name not in others}
    return row("rates", "Innodb_buffer_pool_reads")(spec | {"rates": kept}, figure)


def drive(spec: Spec, figure: float) -> Spec | None:
    """Make the drive as much faster or slower as its knee is away from the figure."""
    if "flush" in spec:  # its own rate limits as well
        return None
    curves = [name for name in ("writes_one", "writes_many") if name in spec]
    if len(curves) != 1:
        return None
    rows = spec[curves[0]]
    knee = next(row[1] for row in rows if row[1] >= 0.9 * max(row[1] for row in rows))
    return spec | {curves[0]: [[row[0], row[1] * figure / knee] for row in rows]}


def pages_written(spec: Spec, figure: float) -> Spec | None:
    """The server writes so many pages per second, watched or counted at the window's two ends."""
    watched = spec.get("watched", {})
    series = {
        name: told
        for name, told in watched.get("series", {}).items()
        if name != "Innodb_pages_written"
    }
    kept = spec | {"watched": watched | {"series": series}} if watched else spec
    return row("rates", "Innodb_pages_written")(kept, figure)


def sync_time(spec: Spec, figure: float) -> Spec | None:
    """A sync takes so long: the server's own where it was watched, else the measured one."""
    watched = spec.get("watched", {})
    if not watched:
        commits = [[*row[:2], figure] if row[0] == 1 else row for row in spec.get("commits", ())]
        return row("sync", "fdatasync")(spec | {"commits": commits}, figure)
    files = watched.get("files", ())
    if not any(each[:2] == ["redo", "sync"] for each in files):
        return None
    put = [[*each[:3], figure] if each[:2] == ["redo", "sync"] else each for each in files]
    return spec | {"watched": watched | {"files": put}}


def active(spec: Spec, figure: float) -> Spec | None:
    """So many connections are active beside the one that asks, at both ends of the window."""
    running = math.floor(figure) + 1
    return spec | {"samples": spec.get("samples", {}) | {"Threads_running": [running, running]}}


def filled_in(spec: Spec, seconds: float) -> Spec | None:
    """Redo grows so fast that what is usable of the log is filled in the time."""
    rates = spec.get("rates", {})
    found = [name for name in GROWTH if name in rates]
    capacity = spec.get("variables", {}).get("innodb_redo_log_capacity")
    resized = "Innodb_redo_log_capacity_resized" in spec.get("gauges", {})
    if not found or capacity is None or resized or "samples" in spec:
        return None
    version = ServerVersion.parse(spec["version"])
    newer = version.at_least(Flavour.MYSQL, 8, 0, 30)
    limits = LIMITS_SINCE_8_0_30 if newer else LIMITS
    return row("rates", found[0])(spec, limits.usable * float(capacity) / seconds)


def numeral(name: str) -> Put:
    """Put a whole number into a variable."""

    def put(spec: Spec, value: float) -> Spec | None:
        variables = spec.get("variables", {})
        return spec | {"variables": variables | {name: str(round(value))}}

    return put


def inner(table: str, name: str, key: str) -> Put:
    """Put the figure into a table within a table."""

    def put(spec: Spec, value: float) -> Spec | None:
        rows = spec.get(table, {})
        if key not in rows.get(name, {}):
            return None
        return spec | {table: rows | {name: rows[name] | {key: value}}}

    return put


def answered(spec: Spec, share: float) -> Spec | None:
    """The hash index answers this share of ten thousand searches."""
    text = spec.get("server", {}).get("innodb_status", "")
    searches = f"{share * 1e4:.2f} hash searches/s, {(1 - share) * 1e4:.2f} non-hash searches/s"
    if "Innodb_adaptive_hash_hash_searches" in spec.get("rates", {}) or not text:
        return None
    return spec | {"server": spec["server"] | {"innodb_status": SEARCHES.sub(searches, text)}}


def innodb_files(spec: Spec, share: float) -> Spec | None:
    most = float(spec["variables"]["innodb_open_files"])
    return row("gauges", "Innodb_num_open_files")(spec, share * most)


def descriptors(spec: Spec, share: float) -> Spec | None:
    gauges = spec.get("gauges", {})
    if "Open_files" not in gauges:
        return None
    others = gauges["Threads_connected"] + gauges.get("Innodb_num_open_files", 0)
    limit = float(spec["variables"]["open_files_limit"])
    return row("gauges", "Open_files")(spec, share * limit - others)


def truncated(spec: Spec, per_minute: float) -> Spec | None:
    return row("rates", "Innodb_undo_truncations")(spec, per_minute / 60)


def history(spec: Spec, length: float) -> Spec | None:
    name = "Innodb_history_list_length"
    if name in spec.get("gauges", {}):
        return row("gauges", name)(spec, length)
    return inner("server", "metrics", "trx_rseg_history_len")(spec, length)


def memory_of(spec: Spec) -> float:
    host = spec["host"]
    return float(host.get("memory_limit_gib", host["memory_gib"])) * GIB


def pool(spec: Spec, share: float) -> Spec | None:
    return numeral("innodb_buffer_pool_size")(spec, share * memory_of(spec))


def instruments(spec: Spec, share: float) -> Spec | None:
    held = round(share * memory_of(spec))
    return spec | {"server": spec["server"] | {"performance_schema_bytes": held}}


def room(spec: Spec, share: float) -> Spec | None:
    free = round(share * spec["server"]["innodb_files_bytes"])
    return inner("where", "tmp", "free_bytes")(spec, free)


def kept(spec: Spec, share: float) -> Spec | None:
    size_bytes = float(spec["variables"]["innodb_buffer_pool_size"])
    return numeral("innodb_buffer_pool_size_auto_min")(spec, share * size_bytes)


def size_of_pool(spec: Spec, size_bytes: float) -> Spec | None:
    return row("variables", "innodb_buffer_pool_size")(spec, round(size_bytes))


def with_descriptors(spec: Spec, size_bytes: float) -> Spec | None:
    return size_of_pool(spec, size_bytes / 1.05)


def old_share(spec: Spec, share: float) -> Spec | None:
    whole = math.floor if share < 0.4 else math.ceil
    return numeral("innodb_old_blocks_pct")(spec, whole(100 * share))


MISSES = row("rates", "Innodb_buffer_pool_reads")
UNUSED = row("rates", "Innodb_buffer_pool_read_ahead_evicted")
CREATED_ON_DISK = row("rates", "Created_tmp_disk_tables")
DIRTY = row("gauges", "Innodb_buffer_pool_pages_dirty", "Innodb_buffer_pool_pages_total")
AGE = row("gauges", "Innodb_checkpoint_age", "Innodb_checkpoint_max_age")


def age(spec: Spec, figure: float) -> Spec | None:
    """A share of its limit, or in bytes."""
    return (AGE if figure < 2 else row("gauges", "Innodb_checkpoint_age"))(spec, figure)


FIGURES: dict[str, Put] = {
    "server's write rate": pages_written,
    "rate of waits for a free page": row("rates", "Innodb_buffer_pool_wait_free"),
    "miss rate": MISSES,
    "read latency": one_read,
    "checkpoint age": age,
    "share of dirty pages": DIRTY,
    "change buffer": buffered,
    "drive's limit": drive,
    "sync time": sync_time,
    "rate of waits": row("rates", "Innodb_log_waits"),
    "time to fill the log": filled_in,
    "rate of free pages needed": asked_for,
    "its share of the searches": answered,
    "rate of pages evicted unused": UNUSED,
    "time of a 4 KiB O_DSYNC write": row("sync", "o_dsync"),
    "share of innodb_open_files in use": innodb_files,
    "share of descriptors in use": descriptors,
    "rate of evicted tables": row("rates", "Table_open_cache_overflows"),
    "rate of truncations": truncated,
    "history list length": history,
    "buffer pool's share of the memory": pool,
    "its share of the memory": instruments,
    "room / size of all tables": room,
    "rate of temporary tables on disk": CREATED_ON_DISK,
    "rate of limit hits": row("rates", "TempTable_count_hit_max_ram"),
    "their share of all": row("rates", "Created_tmp_disk_tables", "Created_tmp_tables"),
    "share of the pool that is kept": kept,
    "size of the buffer pool": size_of_pool,
    "pool with its descriptors": with_descriptors,
    "limit": numeral("innodb_buffer_pool_size_max"),
    "delay": numeral("binlog_group_commit_sync_delay"),
    "old sublist's share": old_share,
}
"""Where a figure goes, by its name in a condition."""

WHOLE: dict[str, Put] = {
    "number of active connections": active,
    "number of running threads": row("gauges", "Threads_running"),
}
"""The same of numbers of things."""


OTHERWISE: dict[tuple[str, str], Put | None] = {
    ("filesystem.zfs-cache", "size of the buffer pool"): None,
    ("flushing.max-dirty-pages-pct", "limit"): None,
    ("flushing.max-dirty-pages-pct", "share of dirty pages"): None,
    ("flushing.max-dirty-pages-pct-lwm", "limit"): None,
    ("flushing.max-dirty-pages-pct-lwm", "share of dirty pages"): lambda spec, percent: DIRTY(
        spec, percent / 100
    ),
    ("redo.flush-spin", "limit"): None,
    ("temp.tmp-table-size", "rate of temporary tables on disk"): None,
}
"""Figures of the same name that have another unit, or another place that no case tells."""

WORDED = (
    (r"fewer than ([\d.]+)( ?k?) ?requests/s miss", MISSES, False),
    (r"([\d.]+)( ?k?) ?requests/s or more miss the pool", MISSES, True),
    (r"the machine has ([\d.]+) (.iB) of memory or more", memory, True),
    (r"fewer than ([\d,]+)() connections are active", active, False),
    (r"less than ([\d.]+) (.iB) are available", row("host", "memory_available_bytes"), False),
)
"""What rules on the pool's size say in words of their own: pattern, place, whether it rises."""

UNITS = {"": 1.0, "k": 1e3, "MiB": 1 << 20, "GiB": GIB, "TiB": GIB << 10}
