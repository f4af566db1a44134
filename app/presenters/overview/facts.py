"""The inventory as a person reads it: chains from directory to disk, and rows of facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.runtime.translation import tr, tr_n
from probes.figures import count, duration_us, percent, seconds, size
from probes.inventory.facts import (
    Disk,
    HostFacts,
    Inventory,
    Layer,
    MySQLFacts,
    Role,
    StatusWindow,
    Storage,
)
from probes.version import dotted

ROLE_NAMES = {
    Role.DATA: "Data",
    Role.REDO: "Redo log",
    Role.DOUBLEWRITE: "Doublewrite",
    Role.UNDO: "Undo",
    Role.BINLOG: "Binary log",
    Role.RELAY_LOG: "Relay log",
    Role.TMP: "Temporary files",
    Role.PROBE: "Probe files",
}

MANY_ROLES = 4
"""Of as many roles that lie in one place none is named: there is no other place (our choice)."""

ORIGINS = {
    "COMPILED": "default",
    "COMPILE-TIME": "default",
    "AUTO": "chosen by the server",
    "CONFIG": "option file",
    "GLOBAL": "option file",
    "SERVER": "option file",
    "EXPLICIT": "option file",
    "SQL": "set at run time",
    "DYNAMIC": "set at run time",
    "COMMAND_LINE": "command line",
    "COMMAND-LINE": "command line",
    "PERSISTED": "persisted",
}
"""Where a variable was set, by the servers' words for it."""

DAY_S = 86_400.0

KEY_VARIABLES = (
    "innodb_buffer_pool_size",
    "innodb_buffer_pool_instances",
    "innodb_io_capacity",
    "innodb_io_capacity_max",
    "innodb_flush_method",
    "innodb_flush_log_at_trx_commit",
    "innodb_flush_neighbors",
    "innodb_doublewrite",
    "innodb_page_size",
    "innodb_lru_scan_depth",
    "innodb_page_cleaners",
    "innodb_redo_log_capacity",
    "innodb_log_file_size",
    "innodb_read_io_threads",
    "innodb_write_io_threads",
    "innodb_use_native_aio",
    "sync_binlog",
    "max_connections",
)


@dataclass(frozen=True, slots=True)
class Box:
    """One step of a chain: what it is, its name, what is worth knowing of it.

    ``figures`` are what was measured and seen of it, a line each.
    """

    kind: str
    name: str
    details: tuple[str, ...]
    icon: str
    figures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chain:
    """Where some roles' directories lie: the same way down for all of them."""

    roles: tuple[str, ...]
    paths: tuple[str, ...]
    boxes: tuple[Box, ...]
    disks: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact as label and text; ``note`` is said more quietly."""

    label: str
    text: str
    note: str = ""


def chains(
    inventory: Inventory, figures: Mapping[str, tuple[str, ...]] | None = None
) -> list[Chain]:
    """One chain for each different way down, data first; ``figures`` are lines by a disk's name."""
    groups: dict[tuple[object, ...], list[Storage]] = {}
    for storage in sorted(inventory.storage, key=lambda item: list(Role).index(item.role)):
        way = (storage.mount_point, storage.mount_source, storage.filesystem, storage.layers)
        groups.setdefault((*way, storage.disks), []).append(storage)
    found = [_chain(group, figures or {}) for group in groups.values()]
    if len(found) == 1 and len(found[0].roles) >= MANY_ROLES:
        return [replace(found[0], roles=(tr("All server files"),))]
    return found


def _chain(group: list[Storage], figures: Mapping[str, tuple[str, ...]]) -> Chain:
    first = group[0]
    return Chain(
        tuple(ROLE_NAMES[storage.role] for storage in group),
        tuple(dict.fromkeys(storage.path for storage in group)),
        (_filesystem(first), *(_layer(layer) for layer in first.layers)),
        _disks(first.disks, figures),
    )


def _filesystem(storage: Storage) -> Box:
    details = []
    if storage.mount_point:
        details.append(tr("at {place}", place=storage.mount_point))
    if storage.size_bytes and storage.free_bytes is not None:
        free = tr(
            "{free} of {size} free ({share})",
            free=size(storage.free_bytes),
            size=size(storage.size_bytes),
            share=percent(storage.free_bytes / storage.size_bytes),
        )
        details.append(free)
    if storage.mount_options:
        details.append(", ".join(storage.mount_options[:4]))
    name = storage.filesystem or tr("unknown")
    return Box(tr("Filesystem"), name, tuple(details), "folder-open")


def _layer(layer: Layer) -> Box:
    return Box(layer.kind.upper(), layer.name, (layer.detail,) if layer.detail else (), "layers")


def _disks(disks: tuple[Disk, ...], figures: Mapping[str, tuple[str, ...]]) -> tuple[Box, ...]:
    """One box for all disks that differ in nothing but their name."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for disk in disks:
        alike.setdefault(_disk_details(disk), []).append(disk.name)
    return tuple(
        Box(
            tr_n("Disk", "{n} disks", len(names)),
            ", ".join(names),
            details,
            "hard-drive",
            next((figures[name] for name in names if name in figures), ()),
        )
        for details, names in alike.items()
    )


def _disk_details(disk: Disk) -> tuple[str, ...]:
    details = []
    if disk.model or disk.bus:
        details.append(" ".join(part for part in (disk.bus, disk.model) if part))
    if disk.size_bytes:
        details.append(size(disk.size_bytes))
    if disk.rotational is not None:
        details.append(tr("reports rotational={value}", value=int(disk.rotational)))
    queue = [tr("scheduler {name}", name=disk.scheduler)] if disk.scheduler else []
    if disk.nr_requests is not None:
        queue.append(tr("queue of {requests}", requests=disk.nr_requests))
    if queue:
        details.append(", ".join(queue))
    if disk.write_cache:
        details.append(tr("cache: {kind}", kind=disk.write_cache))
    return tuple(details)


def host_rows(inventory: Inventory, host: HostFacts) -> list[FactRow]:
    """The machine, fact by fact; what is unknown is left to the list of missing facts."""
    cpu = host.cpu
    shape = []
    if cpu.sockets is not None:
        shape.append(tr_n("1 socket", "{n} sockets", cpu.sockets))
    if cpu.cores is not None:
        shape.append(tr_n("1 core", "{n} cores", cpu.cores))
    if cpu.threads is not None:
        shape.append(tr_n("1 thread", "{n} threads", cpu.threads))
    if cpu.numa_nodes is not None:
        shape.append(tr_n("1 NUMA node", "{n} NUMA nodes", cpu.numa_nodes))
    rows = [
        FactRow(tr("Name"), host.hostname),
        FactRow(tr("Processor"), cpu.model, ", ".join(shape)),
        FactRow(tr("Memory"), _size(host.memory_bytes), _available(host)),
        FactRow(tr("Granted"), _granted(inventory), tr("to the server, by its control group")),
        FactRow(tr("Swap"), _swap(host), _number("swappiness", host.swappiness)),
        FactRow(tr("Huge pages"), host.transparent_hugepages or ""),
        FactRow(tr("System"), host.distribution, host.architecture),
        FactRow(tr("Kernel"), host.kernel),
        FactRow(tr("Platform"), host.platform),
    ]
    return [row for row in rows if row.text]


def _granted(inventory: Inventory) -> str:
    cpus, memory_bytes = inventory.granted_cpus, inventory.granted_memory_bytes
    processors = "" if cpus is None else tr("{n} of the threads", n=f"{cpus:g}")
    memory = "" if memory_bytes is None else tr("{size} of memory", size=size(memory_bytes))
    return ", ".join(filter(None, (processors, memory)))


def _available(host: HostFacts) -> str:
    available = host.memory_available_bytes
    return "" if available is None else tr("{size} available", size=size(available))


def _swap(host: HostFacts) -> str:
    return tr("none") if host.swap_bytes == 0 else _size(host.swap_bytes)


def _number(label: str, value: int | None) -> str:
    return "" if value is None else f"{label} {value}"


def mysql_rows(mysql: MySQLFacts) -> list[FactRow]:
    """The server, fact by fact."""
    rows = [FactRow(tr("Version"), str(mysql.version), _version_text(mysql))]
    if mysql.sandbox:
        rows.append(FactRow(tr("Kind"), tr("private throwaway server of this run")))
    if mysql.uptime_s is not None:
        rows.append(FactRow(tr("Up for"), _lasting(mysql.uptime_s)))
    if mysql.round_trip_us is not None:
        rows.append(FactRow(tr("Round trip"), duration_us(mysql.round_trip_us)))
    if mysql.connection:
        rows.append(FactRow(tr("Connection"), mysql.connection))
    if mysql.window is not None:
        rows += _activity(mysql.window)
    return rows


def _lasting(time_s: float) -> str:
    """A long time in whole days."""
    if time_s < 2 * DAY_S:
        return seconds(time_s)
    return tr_n("1 day", "{n} days", int(time_s // DAY_S))


def _version_text(mysql: MySQLFacts) -> str:
    """What the server says of its version, where that is more than the number."""
    number = dotted(mysql.version.numbers)
    return "" if mysql.version.text == number else mysql.version.text


def _activity(window: StatusWindow) -> list[FactRow]:
    rows = []
    for label, name in (
        ("Questions", "Questions"),
        (tr("Pages read"), "Innodb_pages_read"),
        (tr("Pages written"), "Innodb_pages_written"),
        (tr("Log fsyncs"), "Innodb_os_log_fsyncs"),
    ):
        per_s = window.per_s(name)
        if per_s is not None:
            text = f"{count(per_s) if per_s >= 10 else f'{per_s:.1f}'}/s"
            rows.append(FactRow(label, text, tr("over {time}", time=seconds(window.seconds))))
    threads = window.gauge("Threads_running")
    if threads is not None:
        rows.append(FactRow(tr("Threads running"), count(threads)))
    return rows


def setting_rows(mysql: MySQLFacts) -> list[FactRow]:
    """The settings that matter to storage, those that the server has."""
    return [
        FactRow(name, variable_text(name, variable.value), origin_text(variable.origin))
        for name in KEY_VARIABLES
        if (variable := mysql.variables.get(name)) is not None
    ]


def variable_text(name: str, value: str) -> str:
    """A variable's value, bytes as a size."""
    if name.endswith(("_size", "_capacity")) and "io_capacity" not in name and value.isdigit():
        return size(int(value))
    return value


def origin_text(origin: str) -> str:
    """Where a variable was set, in words."""
    return ORIGINS.get(origin.upper(), origin)


def _size(value: int | None) -> str:
    return "" if value is None else size(value)
