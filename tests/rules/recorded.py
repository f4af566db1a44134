"""What real servers showed of themselves, and coherent cases made from it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

SERVERS: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("servers.toml").read_text(encoding="utf-8")
)

WORDS: dict[str, tuple[str, ...]] = {
    "innodb_flush_method": ("fsync", "O_DSYNC", "O_DIRECT", "O_DIRECT_NO_FSYNC"),
    "innodb_page_size": ("4096", "8192", "16384"),
    "innodb_use_fdatasync": ("ON", "OFF"),
    "innodb_data_file_buffering": ("ON", "OFF"),
    "log_bin": ("ON", "OFF"),
}
HIGHEST = {
    "innodb_io_capacity": 100_000,
    "innodb_lru_scan_depth": 10_000,
    "innodb_buffer_pool_size": 1 << 38,
    "innodb_buffer_pool_chunk_size": 1 << 28,
    "sync_binlog": 1000,
}


def version_of(server: str) -> str:
    return str(SERVERS[server]["version"])


def variables_of(server: str) -> dict[str, str]:
    return {name: row["value"] for name, row in SERVERS[server].items() if name != "version"}


@st.composite
def coherent_cases(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A recorded server with other settings that it accepts, on some drive, under some load."""
    server = draw(st.sampled_from(sorted(SERVERS)))
    spec: dict[str, Any] = {
        "version": version_of(server),
        "sandbox": draw(st.integers(0, 4)) == 0,
        "variables": draw(_variables(server)),
        "direct": draw(st.booleans()),
        "host": {
            "cpus": draw(st.sampled_from((1, 2, 8, 16, 64))),
            "memory_gib": draw(st.sampled_from((1, 16, 256))),
            "kernel": draw(st.sampled_from(("3.10.0-1160", "5.4.0", "6.8.0", "odd"))),
            "platform": draw(st.sampled_from(("", "KVM"))),
        },
        "drive": {
            "filesystem": draw(st.sampled_from(("ext4", "xfs", "zfs", "nfs4", "overlay"))),
            "rotational": draw(st.sampled_from((True, False, None))),
            "write_cache": draw(st.sampled_from(("", "write back", "write through"))),
            "atomic_write_unit_max_bytes": draw(st.sampled_from((None, 0, 4096, 16384))),
        },
        "sync": {
            word: draw(st.floats(2, 30_000))
            for word in ("fdatasync", "fsync", "o_dsync")
            if draw(st.booleans())
        },
    }
    for name in ("reads_4k", "reads_8k", "reads_16k", "writes_one", "writes_many"):
        if draw(st.integers(0, 5)):
            spec[name] = draw(_curve())
    if draw(st.booleans()):
        spec["rates"] = draw(_rates())
        spec["gauges"] = draw(_gauges())
    return server, spec


@st.composite
def _curve(draw: st.DrawFn) -> list[list[float]]:
    """A drive whose rate grows, each step by less, up to a limit."""
    one = draw(st.floats(20, 30_000))
    limit = one * draw(st.floats(1, 60))
    threads = draw(st.sampled_from(((1, 4, 16, 64), (1, 2, 4, 8, 16, 32, 64), (1, 16, 64))))
    return [[n, limit * n / (n + limit / one - 1 + 1e-9)] for n in threads]


@st.composite
def _variables(draw: st.DrawFn, server: str) -> dict[str, str]:
    values = variables_of(server)
    for name, row in SERVERS[server].items():
        if name == "version" or draw(st.booleans()):
            continue
        if name in WORDS:
            values[name] = draw(st.sampled_from(WORDS[name]))
        elif name == "innodb_doublewrite":
            values[name] = draw(st.sampled_from(_doublewrite(server)))
        elif "min" in row:
            high = min(row.get("max", HIGHEST.get(name, 100)), HIGHEST.get(name, 1 << 40))
            values[name] = str(draw(st.integers(max(row["min"], 1), high)))
    if "innodb_io_capacity_max" in values:
        base = int(values["innodb_io_capacity"])
        values["innodb_io_capacity_max"] = str(base * draw(st.integers(1, 5)))
    return values


def _doublewrite(server: str) -> tuple[str, ...]:
    if server in {"mysql-8.0.33", "mysql-9.7.4"}:
        return ("ON", "OFF", "DETECT_ONLY", "DETECT_AND_RECOVER")
    return ("ON", "OFF", "fast") if server >= "mariadb-11" and "maria" in server else ("ON", "OFF")


def _rates() -> st.SearchStrategy[dict[str, float]]:
    rate = st.one_of(st.just(0.0), st.floats(0.1, 200_000))
    return st.fixed_dictionaries(
        {
            "Innodb_pages_written": rate,
            "Innodb_data_reads": rate,
            "Innodb_buffer_pool_reads": rate,
            "Innodb_buffer_pool_wait_free": st.sampled_from((0, 0.1, 50)),
        }
    )


def _gauges() -> st.SearchStrategy[dict[str, int]]:
    return st.fixed_dictionaries(
        {
            "Threads_running": st.integers(1, 500),
            "Innodb_buffer_pool_pages_dirty": st.integers(0, 1000),
            "Innodb_buffer_pool_pages_total": st.integers(0, 1000),
            "Innodb_checkpoint_age": st.integers(0, 1000),
            "Innodb_checkpoint_max_age": st.integers(0, 1000),
        }
    )
