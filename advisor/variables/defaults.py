"""The default that a server gives itself on a machine, beside the settings that were made.

The figures behind each formula were measured on real servers, with as many processors, as much
memory and as many open files as the machine had or could be made to show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from advisor.variables.catalogue import reads_group_limits, span
from probes.boundary.malformed import Malformed
from probes.boundary.numbers import whole_from_text
from probes.version import ServerVersion

_MIB, _GIB = 2**20, 2**30


@dataclass(frozen=True, slots=True)
class Machine:
    """What a server looks at when it starts; None where it is not known.

    ``cpus`` are the processors that the kernel schedules on, ``open_files`` what the kernel allows
    the server's process, ``granted_cpus`` how many processors' time its control group grants, None
    where that is all.
    """

    cpus: int | None = None
    memory_bytes: int | None = None
    open_files: int | None = None
    granted_cpus: float | None = None


def default(
    version: ServerVersion,
    name: str,
    machine: Machine,
    settings: Mapping[str, str] | None = None,
) -> str | None:
    """Tell what ``name`` is where nobody sets it.

    ``settings`` are the other settings as text. None where the version lacks the variable, or where
    what decides it is not known.
    """
    return _Server(version, machine, settings or {}).default(name)


@dataclass(frozen=True, slots=True)
class _Server:
    version: ServerVersion
    machine: Machine
    settings: Mapping[str, str] = field(default_factory=dict)

    def default(self, name: str) -> str | None:
        known = span(self.version, name)
        if known is None:
            return None
        return FORMULAS[known.formula].formula(self) if known.formula else known.default

    @property
    def cpus(self) -> int | None:
        """How many processors it counts; of a grant it counts whole ones, and below one none."""
        granted = int(self.machine.granted_cpus or 0)
        return granted if granted and reads_group_limits(self.version) else self.machine.cpus

    def number(self, name: str) -> int | None:
        """A setting as it would be, as a whole number; None for what is none."""
        text = self.settings.get(name) or self.default(name)
        try:
            return None if text is None else whole_from_text(text, name)
        except Malformed:
            return None

    def constant(self, name: str) -> int:
        """A default that nothing decides but the version."""
        known = span(self.version, name)
        return int(known.default) if known is not None and known.default else 0


Formula = Callable[[_Server], str | None]


def _pool_instances(server: _Server) -> str | None:
    pool = server.number("innodb_buffer_pool_size")
    return None if pool is None else "1" if pool < _GIB else "8"


def _pool_instances_by_cpus(server: _Server) -> str | None:
    pool, chunk = (server.number(f"innodb_buffer_pool_{part}") for part in ("size", "chunk_size"))
    if pool is not None and pool <= _GIB:
        return "1"
    if not pool or not chunk or server.cpus is None:
        return None
    return str(max(1, min(64, pool // chunk // 2, server.cpus // 4)))


def _page_cleaners(server: _Server) -> str | None:
    instances = server.number("innodb_buffer_pool_instances")
    return None if instances is None else str(min(4, instances))


def _pool_chunk(server: _Server) -> str | None:
    pool = server.number("innodb_buffer_pool_size")
    return None if pool is None else str(max(_MIB, pool // 64 // _MIB * _MIB))


def _twice_io_capacity(at_least: int) -> Formula:
    def formula(server: _Server) -> str | None:
        pages = server.number("innodb_io_capacity")
        return None if pages is None else str(max(at_least, 2 * pages))

    return formula


def _same_as(name: str) -> Formula:
    def formula(server: _Server) -> str | None:
        return server.settings.get(name) or server.default(name)

    return formula


def _by_cpus(value: Callable[[int], object]) -> Formula:
    def formula(server: _Server) -> str | None:
        return None if server.cpus is None else str(value(server.cpus))

    return formula


def _parallel_reads(server: _Server) -> str | None:
    # Documented as an eighth of the processors, but a server that was shown 128 kept 4.
    cpus = server.cpus
    return "4" if cpus is not None and cpus < 40 else None


def _log_writers_by_binlog(server: _Server) -> str | None:
    if server.cpus is None:
        return None
    binlog = server.settings.get("log_bin", "ON").upper() in {"ON", "1"}
    return "ON" if server.cpus >= (32 if binlog else 5) else "OFF"


def _log_buffering(server: _Server) -> str | None:
    # Otherwise it depends on whether the drive reports its block size.
    return "ON" if server.settings.get("innodb_flush_log_at_trx_commit") == "2" else None


def _temptable_ram(server: _Server) -> str | None:
    memory = server.machine.memory_bytes
    return None if memory is None else str(min(4 * _GIB, max(_GIB, memory * 3 // 100)))


def _connections(server: _Server) -> str | None:
    if server.machine.open_files is None:
        return None
    wanted = server.constant("max_connections")
    return str(max(1, min(wanted, server.machine.open_files - 10 - 2 * 400)))


def _open_tables(server: _Server) -> str | None:
    connections = server.number("max_connections")
    if server.machine.open_files is None or connections is None:
        return None
    fits = (server.machine.open_files - 10 - connections) // 2
    return str(max(400, min(server.constant("table_open_cache"), fits)))


def _table_cache_instances(server: _Server) -> str | None:
    connections, tables = (server.number(name) for name in ("max_connections", "table_open_cache"))
    if server.machine.open_files is None or connections is None or not tables:
        return None
    # Some 30 files are the server's own, and each open table takes two.
    fits = (server.machine.open_files - 30 - connections) // 2 // tables
    return str(max(1, min(server.constant("table_open_cache_instances"), fits)))


def _table_definitions(server: _Server) -> str | None:
    tables = server.number("table_open_cache")
    return None if tables is None else str(min(2000, 400 + tables // 2))


def _innodb_open_files(server: _Server) -> str | None:
    tables = server.number("table_open_cache")
    return None if tables is None else str(max(300, tables))


def _by_connections(value: Callable[[int], int]) -> Formula:
    def formula(server: _Server) -> str | None:
        connections = server.number("max_connections")
        return None if connections is None else str(value(connections))

    return formula


def _unknowable(_: _Server) -> str | None:
    """What kernel, drive or build decide at start."""
    return None


@dataclass(frozen=True, slots=True)
class Computed:
    """How a default comes about: in words, and for one server."""

    words: str
    formula: Formula


FORMULAS: dict[str, Computed] = {
    "pool-instances-5.6": Computed("8", lambda _: "8"),
    "pool-instances": Computed("1 in a pool below 1 GiB, else 8", _pool_instances),
    "pool-instances-by-cpus": Computed(
        "1 in a pool of up to 1 GiB, else the lesser of half the chunks and a quarter of the "
        "processors",
        _pool_instances_by_cpus,
    ),
    "pool-instances-many": Computed(
        "as many as buffer pool instances", _same_as("innodb_buffer_pool_instances")
    ),
    "pool-size": Computed("the pool's size at start", _same_as("innodb_buffer_pool_size")),
    "pool-size-max": Computed(
        "innodb_buffer_pool_size_max", _same_as("innodb_buffer_pool_size_max")
    ),
    "pool-chunk": Computed("a 64th of the pool", _pool_chunk),
    "page-cleaners": Computed("4, but no more than buffer pool instances", _page_cleaners),
    "twice-io-capacity": Computed("twice innodb_io_capacity", _twice_io_capacity(at_least=0)),
    "twice-io-capacity-at-least-2000": Computed(
        "twice innodb_io_capacity, at least 2000", _twice_io_capacity(at_least=2000)
    ),
    "half-the-cpus-at-least-4": Computed(
        "half the processors, at least 4", _by_cpus(lambda cpus: max(4, min(64, cpus // 2)))
    ),
    "purge-threads": Computed(
        "1 on up to 16 processors, else 4", _by_cpus(lambda cpus: 1 if cpus <= 16 else 4)
    ),
    "log-writers": Computed(
        "ON from 32 processors on", _by_cpus(lambda cpus: "ON" if cpus >= 32 else "OFF")
    ),
    "log-writers-by-binlog": Computed(
        "ON from 32 processors on, from 5 without a binary log", _log_writers_by_binlog
    ),
    "parallel-reads": Computed("4", _parallel_reads),
    "cpus": Computed("the number of processors", _by_cpus(lambda cpus: cpus)),
    "log-buffering": Computed(
        "OFF where the drive reports its block size, ON with innodb_flush_log_at_trx_commit = 2",
        _log_buffering,
    ),
    "temptable-ram": Computed("3 % of the memory, 1 to 4 GiB", _temptable_ram),
    "connections-within-files": Computed("151, fewer with few open files", _connections),
    "table-cache-within-files": Computed("fewer with few open files", _open_tables),
    "table-cache-instances": Computed("8, fewer with few open files", _table_cache_instances),
    "table-definitions": Computed("400 + half of table_open_cache, up to 2000", _table_definitions),
    "innodb-open-files": Computed("table_open_cache, at least 300", _innodb_open_files),
    "thread-cache": Computed(
        "8 + a hundredth of max_connections",
        _by_connections(lambda connections: min(100, 8 + connections // 100)),
    ),
    "thread-cache-mariadb": Computed(
        "max_connections, up to 256", _by_connections(lambda connections: min(256, connections))
    ),
    "back-log": Computed(
        "50 + a fifth of max_connections",
        _by_connections(lambda connections: min(900, 50 + connections // 5)),
    ),
    "back-log-8": Computed("max_connections", _by_connections(lambda connections: connections)),
    "native-aio": Computed("ON where kernel and build allow it", _unknowable),
    "physical-block": Computed("the drive's physical block", _unknowable),
    "environment": Computed("what the system gives", _unknowable),
}
"""Each formula that a sheet names."""
