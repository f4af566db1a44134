"""What real servers showed of themselves, and coherent cases made from it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from advisor.facts.catalogue import CATALOGUE
from advisor.variables.catalogue import SETTINGS, span
from advisor.variables.defaults import Machine, default
from advisor.variables.entry import Span
from probes.version import ServerVersion

STATUS = "mysql.status."
_TOLD = [fact for fact in CATALOGUE.values() if fact.name.startswith(STATUS)]
COUNTERS = sorted(fact.name.removeprefix(STATUS) for fact in _TOLD if fact.unit.endswith("/s"))
GAUGES = sorted(fact.name.removeprefix(STATUS) for fact in _TOLD if not fact.unit.endswith("/s"))
REDO = ("Innodb_redo_log_current_lsn", "Innodb_lsn_current", "Innodb_os_log_written")
"""What tells how fast redo grows; a server has one or two of them."""

SERVERS: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("servers.toml").read_text(encoding="utf-8")
)

MACHINE = Machine(cpus=2, memory_bytes=23 << 30, open_files=20_000)
"""What the recorded servers ran on."""

HIGHEST = {
    "innodb_io_capacity": 100_000,
    "innodb_lru_scan_depth": 10_000,
    "innodb_buffer_pool_size": 1 << 38,
    "innodb_buffer_pool_chunk_size": 1 << 28,
    "sync_binlog": 1000,
}
ODD = {"innodb_io_capacity_max", "innodb_buffer_pool_instances"}
"""Set in step with another setting, or only as the server itself does."""


def version_of(server: str) -> str:
    return str(SERVERS[server]["version"])


def variables_of(server: str) -> dict[str, str]:
    return {name: row["value"] for name, row in SERVERS[server].items() if name != "version"}


def all_variables_of(server: str) -> dict[str, str]:
    """All variables that Leadline knows of, at the server's defaults on the recorded machine."""
    version = ServerVersion.parse(version_of(server))
    shown = {}
    for name in SETTINGS:
        value = default(version, name, MACHINE, shown) if span(version, name) else None
        if value is not None:
            shown[name] = value
    return shown | variables_of(server)


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
    if draw(st.integers(0, 3)) == 0:
        spec["host"]["memory_limit_gib"] = 1
    spec["where"] = {role: draw(_room()) for role in ("data", "tmp") if draw(st.booleans())}
    spec["server"] = draw(_internals())
    for name in ("reads_4k", "reads_8k", "reads_16k", "writes_one", "writes_many"):
        if draw(st.integers(0, 5)):
            spec[name] = draw(_curve())
    if draw(st.booleans()):
        spec["rates"] = draw(_rates())
        spec["gauges"] = draw(_gauges())
    return server, spec


@st.composite
def _room(draw: st.DrawFn) -> dict[str, Any]:
    """A file system of some size with some of it left."""
    size = draw(st.sampled_from((1 << 30, 100 << 30, 4 << 40)))
    filesystem = draw(st.sampled_from(("ext4", "xfs", "tmpfs")))
    return {"filesystem": filesystem, "size_bytes": size, "free_bytes": draw(st.integers(0, size))}


@st.composite
def _internals(draw: st.DrawFn) -> dict[str, Any]:
    """What takes the PROCESS privilege to be told; some accounts have it."""
    if draw(st.booleans()):
        return {}
    return {
        "metrics": {"trx_rseg_history_len": float(draw(st.integers(0, 10_000_000)))},
        "oldest_transaction_s": float(draw(st.sampled_from((0, 59, 60, 86_400)))),
        "performance_schema_bytes": draw(st.integers(0, 1 << 30)),
        "innodb_files_bytes": draw(st.integers(1 << 20, 1 << 40)),
    }


@st.composite
def _curve(draw: st.DrawFn) -> list[list[float]]:
    """A drive whose rate grows, each step by less, up to a limit."""
    one = draw(st.floats(20, 30_000))
    limit = one * draw(st.floats(1, 60))
    threads = draw(st.sampled_from(((1, 4, 16, 64), (1, 2, 4, 8, 16, 32, 64), (1, 16, 64))))
    return [[n, limit * n / (n + limit / one - 1 + 1e-9)] for n in threads]


@st.composite
def _variables(draw: st.DrawFn, server: str) -> dict[str, str]:
    values = all_variables_of(server)
    version = ServerVersion.parse(version_of(server))
    changed = draw(st.sets(st.sampled_from(sorted(set(values) - ODD)), max_size=25))
    for name in sorted(changed):
        known = span(version, name)
        if known is not None and (made := _value(name, known)) is not None:
            values[name] = draw(made)
    if "innodb_io_capacity_max" in values:
        base = int(values["innodb_io_capacity"])
        values["innodb_io_capacity_max"] = str(base * draw(st.integers(1, 5)))
    return values


def _value(name: str, known: Span) -> st.SearchStrategy[str] | None:
    """Values that the server takes, or None where they are texts of its own."""
    if known.words:
        return st.sampled_from(known.words)
    if known.default in {"ON", "OFF"}:
        return st.sampled_from(("ON", "OFF"))
    if known.low is None or not (known.default or "").isdigit():
        return None
    low, high = max(int(known.low), 1), int(known.high or 1 << 40)
    return st.integers(low, max(low, min(high, HIGHEST.get(name, 1 << 40)))).map(str)


@st.composite
def _rates(draw: st.DrawFn) -> dict[str, float]:
    """Some of the counters that rules look at, per second."""
    names = draw(st.sets(st.sampled_from(COUNTERS)))
    rate = st.one_of(st.just(0.0), st.floats(0.1, 200_000))
    bytes_per_s = st.floats(1_000, 500_000_000)
    return {name: draw(rate) for name in sorted(names)} | {
        draw(st.sampled_from(REDO)): draw(bytes_per_s)
    }


@st.composite
def _gauges(draw: st.DrawFn) -> dict[str, int]:
    names = draw(st.sets(st.sampled_from(GAUGES)))
    return {name: draw(st.integers(0, 1000)) for name in sorted(names)}
