"""How the kernel of a machine is set, where that touches a database."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KernelFacts:
    """The kernel's own settings and gauges; None or "" is unknown.

    ``build`` is its whole line of version, with the distribution's own number in it.
    ``overcommit`` is 0 (by guess), 1 (always) or 2 (never); with 2 ``commit_limit_bytes`` binds,
    which is ``overcommit_ratio`` per cent of the memory and all swap (0: it is set in KiB instead).
    ``dirty_background_bytes`` is from how much on the kernel begins to write dirty pages of its
    cache: as set in bytes, or the set share of what memory was available;
    ``dirty_background_ratio`` is that share in per cent, 0 where bytes are set.
    ``zone_reclaim`` is vm.zone_reclaim_mode, ``numa_balancing`` kernel.numa_balancing.
    ``governor`` rules the clock of the first processor, by ``frequency_driver``;
    ``energy_preference`` is its hint to processors that choose their clock themselves.
    ``memory_pressure`` is the share (0..1) of the last five minutes in which somebody waited for
    memory. ``zfs_cache_max_bytes`` is what ZFS' cache may grow to.
    ``aio_used`` of ``aio_max`` places of native asynchronous I/O are taken, machine-wide.
    ``huge_pages_free`` are those that were set aside (vm.nr_hugepages) and nobody has taken.
    """

    build: str = ""
    swap_used_bytes: int | None = None
    overcommit: int | None = None
    overcommit_ratio: int | None = None
    commit_limit_bytes: int | None = None
    committed_bytes: int | None = None
    dirty_background_bytes: int | None = None
    dirty_background_ratio: int | None = None
    zone_reclaim: int | None = None
    numa_balancing: int | None = None
    governor: str = ""
    frequency_driver: str = ""
    energy_preference: str = ""
    clock_source: str = ""
    clock_sources: tuple[str, ...] = ()
    memory_pressure: float | None = None
    zfs_cache_max_bytes: int | None = None
    aio_max: int | None = None
    aio_used: int | None = None
    huge_pages_free: int | None = None
