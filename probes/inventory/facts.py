"""The inventory: facts about a target at one moment, as plain values.

``None`` always means "unknown", never "no".
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from probes.inventory.kernel_facts import KernelFacts
from probes.inventory.option_files import OptionFiles
from probes.inventory.server_process import ServerProcess
from probes.mysql.standby import SCHEDULER, scheduler_runs
from probes.targets.address import StatedMachine
from probes.targets.container.facts import ContainerFacts
from probes.version import ServerVersion
from probes.watch.watched import Watched, is_below_zero


class Role(StrEnum):
    """What a directory is for."""

    DATA = "data"
    REDO = "redo"
    DOUBLEWRITE = "doublewrite"
    UNDO = "undo"
    BINLOG = "binlog"
    RELAY_LOG = "relay_log"
    TMP = "tmp"
    PROBE = "probe"


@dataclass(frozen=True, slots=True)
class Missing:
    """A fact that could not be had, and why, in words that follow "because"."""

    fact: str
    because: str


@dataclass(frozen=True, slots=True)
class CpuFacts:
    """The processors; ``threads`` is what the operating system schedules on."""

    model: str = ""
    sockets: int | None = None
    cores: int | None = None
    threads: int | None = None
    numa_nodes: int | None = None


@dataclass(frozen=True, slots=True)
class HostFacts:
    """The machine. ``platform`` names the hypervisor or cloud as the firmware reports it.

    ``memory_limit_bytes`` is what a control group grants where that is less than the machine has.
    """

    hostname: str = ""
    cpu: CpuFacts = field(default_factory=CpuFacts)
    memory_bytes: int | None = None
    memory_available_bytes: int | None = None
    memory_limit_bytes: int | None = None
    swap_bytes: int | None = None
    swappiness: int | None = None
    transparent_hugepages: str | None = None
    kernel: str = ""
    distribution: str = ""
    architecture: str = ""
    platform: str = ""
    kernel_settings: KernelFacts = field(default_factory=KernelFacts)

    @property
    def usable_memory_bytes(self) -> int | None:
        """What a server here may use: the machine's memory, or a control group's share."""
        return self.memory_bytes if self.memory_limit_bytes is None else self.memory_limit_bytes


BUS_LABELS = {
    "nvme": "NVMe",
    "sata": "SATA",
    "sas": "SAS",
    "scsi": "SCSI",
    "usb": "USB",
    "xen": "Xen",
    "iscsi": "iSCSI",
    "fibre channel": "Fibre Channel",
    "hyper-v": "Hyper-V",
    "mmc": "MMC",
    "rbd": "Ceph RBD",
}
"""How people write a ``Disk.bus``; the others are written as they are."""


@dataclass(frozen=True, slots=True)
class Disk:
    """A whole disk as the kernel describes it.

    ``bus`` is how it is attached: nvme (nvme-tcp, nvme-rdma, nvme-fc over a network), sata, sas,
    scsi, virtio, virtio-scsi, xen, hyper-v, usb, iscsi, fibre channel, mmc, rbd, nbd, drbd, loop,
    memory, virtual; "" when unknown.
    ``rotational`` is what the device claims; virtual disks and RAID volumes claim it wrongly.
    ``write_cache`` is sysfs' "write back" or "write through".
    ``atomic_write_unit_max_bytes`` is the largest power of two that it takes whole or not at all, 0
    when it guarantees none (Linux 6.11 and newer report it); no such write may cross a multiple of
    ``atomic_write_boundary_bytes`` (0: there is no such boundary).
    ``queue_depth`` is how many requests a SCSI or SATA disk takes at a time. ``own_write_cache`` is
    what the disk itself said of its cache, in SCSI's words; ``write_cache`` is what the kernel goes
    by. ``interrupt_cpus`` are, for each of its interrupts, the processors that answer it.
    """

    name: str
    model: str = ""
    size_bytes: int | None = None
    bus: str = ""
    rotational: bool | None = None
    scheduler: str = ""
    nr_requests: int | None = None
    read_ahead_bytes: int | None = None
    write_cache: str = ""
    hardware_queues: int | None = None
    logical_block_bytes: int | None = None
    physical_block_bytes: int | None = None
    atomic_write_unit_max_bytes: int | None = None
    discard: bool | None = None
    atomic_write_max_bytes: int | None = None
    atomic_write_boundary_bytes: int | None = None
    queue_depth: int | None = None
    own_write_cache: str = ""
    interrupt_cpus: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Bus and model, or name, as people write them: "NVMe INTEL SSDPE2KX020T8"."""
        bus = BUS_LABELS.get(self.bus, self.bus)
        return " ".join(part for part in (bus, self.model or self.name) if part)


@dataclass(frozen=True, slots=True)
class Layer:
    """One step between the filesystem and the disks.

    ``kind`` is lvm, crypt, md, multipath, loop, ...; ``detail`` says more: "raid1 of 2", "LUKS2".
    Of md: ``chunk_bytes``, ``missing_disks`` and ``activity`` (idle, resync, recover, check, ...).
    ``direct`` is whether a loop device goes around the page cache. ``device`` is the kernel's own
    name (``dm-0``). A file system reads ahead, and sends trims, by what its own device says.
    """

    name: str
    kind: str
    detail: str = ""
    chunk_bytes: int | None = None
    missing_disks: int | None = None
    activity: str = ""
    logical_block_bytes: int | None = None
    direct: bool | None = None
    device: str = ""
    read_ahead_bytes: int | None = None
    discard: bool | None = None

    def __str__(self) -> str:
        words = f"{self.kind} {self.name}".strip()
        return f"{words} ({self.detail})" if self.detail else words


@dataclass(frozen=True, slots=True)
class Partition:
    """A part of a disk on the way down; ``start_bytes`` counts from the disk's first byte."""

    name: str
    start_bytes: int


@dataclass(frozen=True, slots=True)
class Storage:
    """Where a role's directory lies: path, mount, layers, disks.

    ``block_bytes`` is the file system's. ``atomic_write_unit_max_bytes`` is what the kernel
    guarantees for direct writes to a file there (0: nothing; Linux 6.13 and newer report it).
    ``allocation_bytes`` divides the room that each file there takes: an upper bound of the pieces
    that it is given out in. ``reserved_bytes`` are free for root alone. ``attributes`` are the
    directory's flags as lsattr shows them (FS_IOC_GETFLAGS).
    """

    role: Role
    path: str
    resolved_path: str = ""
    mount_point: str = ""
    mount_source: str = ""
    filesystem: str = ""
    mount_options: tuple[str, ...] = ()
    size_bytes: int | None = None
    free_bytes: int | None = None
    layers: tuple[Layer, ...] = ()
    disks: tuple[Disk, ...] = ()
    block_bytes: int | None = None
    atomic_write_unit_max_bytes: int | None = None
    allocation_bytes: int | None = None
    reserved_bytes: int | None = None
    attributes: int | None = None
    partitions: tuple[Partition, ...] = ()

    @property
    def chain(self) -> str:
        """The way down in one line: ``ext4 > lvm vg0-data > 2x NVMe INTEL SSDPE2KX020T8``."""
        names = [self.filesystem or "unknown filesystem"]
        names += [str(layer) for layer in self.layers]
        kinds: dict[str, int] = {}
        for disk in self.disks:
            kinds[disk.label] = kinds.get(disk.label, 0) + 1
        names += [label if count == 1 else f"{count}x {label}" for label, count in kinds.items()]
        return " > ".join(names)


PERSISTED, DYNAMIC, COMMAND_LINE = "PERSISTED", "DYNAMIC", "COMMAND_LINE"
"""Origins of a value, in the server's words: SET PERSIST, SET GLOBAL, and what its start gave."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A global variable.

    ``origin`` says where it was set: COMPILED, COMMAND_LINE, DYNAMIC (by SET GLOBAL), PERSISTED,
    AUTO (by the server itself), or the path of an option file; "" if unknown. ``because`` says why
    ``value`` is none that the variable can have: then nothing is read of it.
    """

    name: str
    value: str
    origin: str = ""
    because: str = ""

    @property
    def persisted(self) -> bool:
        """Whether the server keeps the value in its data directory."""
        return self.origin.upper() == PERSISTED


LARGEST_FIGURE = 2.0**64
"""No figure of a server's has over 64 bits."""


def figure(text: str | None) -> float | None:
    """A number that can be reckoned with; None when there is none."""
    try:
        number = math.nan if text is None else float(text)
    except ValueError:
        return None
    return number if abs(number) <= LARGEST_FIGURE else None


@dataclass(frozen=True, slots=True)
class StatusWindow:
    """Two samples of the server's status counters, ``seconds`` apart.

    ``averaged``: over so long, or since the server's start, that rates are no load of now.
    """

    seconds: float
    before: Mapping[str, str]
    after: Mapping[str, str]
    averaged: bool = False

    def delta(self, name: str) -> float | None:
        """By how much a counter grew within the window; None if absent, no number or reset."""
        before, after = figure(self.before.get(name)), figure(self.after.get(name))
        if before is None or after is None:
            return None
        return after - before if after >= before else None

    def per_s(self, name: str) -> float | None:
        """A counter's growth per second of the window."""
        grown = self.delta(name)
        return None if grown is None or self.seconds <= 0 else grown / self.seconds

    def gauge(self, name: str) -> float | None:
        """A value that goes up and down, as the second sample has it; None below zero."""
        number = figure(self.after.get(name))
        return None if number is None or is_below_zero(number) else number


@dataclass(frozen=True, slots=True)
class MySQLFacts:
    """The server. ``sandbox`` marks our own throwaway one: its settings are ours, not the user's.

    ``innodb_files_bytes`` is the size of all InnoDB tablespace files, ``innodb_files`` how many:
    one of each table or partition, and some of the server's own. ``metrics`` holds the enabled
    counters of INNODB_METRICS that the status does not show. ``oldest_transaction_s`` is how long
    the oldest open transaction has been open, 0 when none is; ``performance_schema_bytes`` is the
    memory that the Performance Schema says it holds. ``connection`` says how Leadline's own was
    protected ("unix socket", "TLS, not verified"), "" in runs of older versions.
    """

    version: ServerVersion
    variables: Mapping[str, Variable]
    window: StatusWindow | None = None
    uptime_s: float | None = None
    innodb_status: str | None = None
    round_trip_us: float | None = None
    innodb_files_bytes: int | None = None
    metrics: Mapping[str, float] = field(default_factory=dict)
    sandbox: bool = False
    oldest_transaction_s: float | None = None
    performance_schema_bytes: int | None = None
    connection: str = ""
    innodb_files: int | None = None

    def value(self, name: str) -> str | None:
        """A variable's text, None when the server has no such variable, or none that can be."""
        variable = self.variables.get(name)
        return None if variable is None or variable.because else variable.value

    def number(self, name: str) -> float | None:
        """A variable as a number, None when absent or no number."""
        text = self.value(name)
        return figure(text)

    def switch(self, name: str) -> bool | None:
        """A variable as ON/OFF (also 1/0, YES/NO); None when absent or neither."""
        text = (self.value(name) or "").upper()
        return {"ON": True, "1": True, "YES": True, "OFF": False, "0": False, "NO": False}.get(text)

    @property
    def scheduler_runs(self) -> bool:
        """Whether the event scheduler has a thread: it counts as one that is running."""
        return scheduler_runs({SCHEDULER: self.value(SCHEDULER) or ""})


@dataclass(frozen=True, slots=True)
class Inventory:
    """Everything that was read from a target at ``taken_at`` (UTC, ISO 8601).

    ``told`` is what a person said of a machine that can't be asked, ``container`` what the engine
    says of the container that was looked into.
    """

    taken_at: str
    host: HostFacts | None = None
    storage: tuple[Storage, ...] = ()
    mysql: MySQLFacts | None = None
    missing: tuple[Missing, ...] = ()
    server_process: ServerProcess | None = None
    option_files: OptionFiles | None = None
    watched: Watched | None = None
    told: StatedMachine | None = None
    container: ContainerFacts | None = None

    def role(self, role: Role) -> Storage | None:
        """Where a role's directory lies, None when unknown."""
        return next((storage for storage in self.storage if storage.role is role), None)

    @property
    def granted_cpus(self) -> float | None:
        """How many processors' time the server's groups grant, where its machine has more."""
        there_are = None if self.host is None else self.host.cpu.threads
        limit = None if self.server_process is None else self.server_process.cpu_limit
        return limit if limit and (there_are is None or limit < there_are) else None

    @property
    def granted_memory_bytes(self) -> int | None:
        """What the server's groups grant of the memory, where its machine has more."""
        host, process = self.host, self.server_process
        there_are = None if host is None else host.memory_bytes
        limits = (
            None if host is None else host.memory_limit_bytes,
            None if process is None else process.memory_limit_bytes,
        )
        limit = min(filter(None, limits), default=None)
        return limit if limit and (there_are is None or limit < there_are) else None


@dataclass(frozen=True, slots=True)
class RawInventory:
    """The answers as they came, by name (``agent.inventory``, ``mysql.variables``, ...), as text.

    Kept with the run so that a better reader can read an old answer again.
    """

    taken_at: str
    answers: Mapping[str, str]
    missing: tuple[Missing, ...] = ()
