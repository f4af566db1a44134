"""Every fact as a typed object: what a rule declares and asks for.

``variable`` and ``status`` give those that every server tells under the names of its own.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TypeVar

from advisor.facts.catalogue import CATALOGUE
from advisor.facts.fact import Fact
from advisor.facts.lines import Lines
from advisor.facts.machine_limits import ToldVolume
from advisor.facts.memory import Taken
from advisor.facts.option_files import FileLines
from advisor.facts.pool import HashSearches
from advisor.facts.sync_cost import SyncCost
from advisor.facts.volumes import Limits, LongWrite
from advisor.facts.watch import CallTime
from advisor.facts.watched_drive import CachedReads, FileShares
from advisor.knowledge.machine_limits import MachineLimits
from advisor.model.doublewrite_price import DoublewritePrice
from advisor.model.huge_pages_gain import HugePagesGain
from advisor.model.interference import Interference
from advisor.model.miss_ratio import MissCurve
from advisor.model.redo_log import RedoGrowth
from advisor.variables.standing import Standing
from probes.inventory.facts import Storage
from probes.points import Curve, Point
from probes.ranges import Range
from probes.version import ServerVersion
from probes.watch.watched import Device

T = TypeVar("T")


def known(name: str, kind: type[T]) -> Fact[T]:
    """Give the fact of that name, with values of ``kind``; raises KeyError for an unknown one."""
    return replace(CATALOGUE[name], kind=kind)


@cache  # rules ask by name in each of many judgements
def variable(name: str) -> Fact[Standing]:
    """Give a server variable; raises KeyError for one without a sheet."""
    return known(f"mysql.variable.{name}", Standing)


@cache
def status(name: str) -> Fact[float]:
    """Give a status counter's growth per second, or a gauge; raises KeyError for an unknown one."""
    return known(f"mysql.status.{name}", float)


BINLOG_PLACE_SEEN = known("binlog.place_seen", bool)
BUFFERS_HUGE_PAGES_GAIN = known("buffers.huge_pages_gain", HugePagesGain)
COMMITS_COUNTED = known("commits.counted", Range)
COMMITS_REPLICA_WAIT = known("commits.replica_wait", float)
CLUSTER_GALERA_NODES = known("cluster.galera_nodes", float)
CLUSTER_READ_ONLY = known("cluster.read_only", Standing)
CURVE_COMMITS = known("curve.commits", Curve)
CURVE_RANDOM_READ_16K = known("curve.random_read.16k", Curve)
CURVE_RANDOM_READ_4K = known("curve.random_read.4k", Curve)
CURVE_RANDOM_READ_8K = known("curve.random_read.8k", Curve)
CURVE_RANDOM_READ_PAGE = known("curve.random_read.page", Curve)
CURVE_RANDOM_WRITE_MANY_FILES = known("curve.random_write.many_files", Curve)
CURVE_RANDOM_WRITE_ONE_FILE = known("curve.random_write.one_file", Curve)
CURVE_RANDOM_WRITE_PAGE = known("curve.random_write.page", Curve)
DOUBLEWRITE_DIRECTORY = known("doublewrite.directory", Storage)
DRIVE_LOAD_SEEN = known("drive.load_seen", bool)
FLUSH_DOUBLEWRITE = known("flush.doublewrite", DoublewritePrice)
HOST_AIO_MAX = known("host.aio_max", float)
HOST_AIO_USED = known("host.aio_used", float)
HOST_CLOCK_SOURCE = known("host.clock_source", str)
HOST_CLOCK_SOURCES: Fact[tuple[str, ...]] = known("host.clock_sources", tuple)
HOST_COMMIT_LIMIT = known("host.commit_limit", float)
HOST_COMMITTED = known("host.committed", float)
HOST_CPU_GRANTED = known("host.cpu.granted", float)
HOST_CPU_THREADS = known("host.cpu.threads", float)
HOST_DAY = known("host.day", str)
HOST_DIRTY_BACKGROUND = known("host.dirty_background", float)
HOST_DIRTY_BACKGROUND_RATIO = known("host.dirty_background_ratio", float)
HOST_DISTRIBUTION = known("host.distribution", str)
HOST_ENERGY_PREFERENCE = known("host.energy_preference", str)
HOST_FREQUENCY_DRIVER = known("host.frequency_driver", str)
HOST_GOVERNOR = known("host.governor", str)
HOST_KERNEL = known("host.kernel", str)
HOST_KERNEL_BUILD = known("host.kernel_build", str)
HOST_MEMORY = known("host.memory", float)
HOST_MEMORY_AVAILABLE = known("host.memory_available", float)
HOST_MEMORY_PRESSURE = known("host.memory_pressure", float)
HOST_MEMORY_USABLE = known("host.memory_usable", float)
HOST_NUMA_BALANCING = known("host.numa_balancing", float)
HOST_NUMA_NODES = known("host.numa_nodes", float)
HOST_OVERCOMMIT = known("host.overcommit", float)
HOST_OVERCOMMIT_RATIO = known("host.overcommit_ratio", float)
HOST_PLATFORM = known("host.platform", str)
HOST_SERVER_HUGE_SHARE = known("host.server_huge_share", float)
HOST_SERVER_MEMORY_LIMIT = known("host.server_memory_limit", float)
HOST_SERVER_RESIDENT = known("host.server_resident", float)
HOST_SERVER_SWAPPED = known("host.server_swapped", float)
HOST_SWAP = known("host.swap", float)
HOST_SWAP_USED = known("host.swap_used", float)
HOST_SWAPPINESS = known("host.swappiness", float)
HOST_TRANSPARENT_HUGEPAGES = known("host.transparent_hugepages", str)
HOST_VIRTUAL = known("host.virtual", str)
HOST_VOLUME_LIMITS = known("host.volume_limits", MachineLimits)
HOST_ZFS_CACHE_MAX = known("host.zfs_cache_max", float)
HOST_ZONE_RECLAIM = known("host.zone_reclaim", float)
LOAD_AHEAD = known("load.ahead", str)
LOAD_BACKGROUND_READS = known("load.background_reads", float)
LOAD_FLUSHING_ASKED = known("load.flushing_asked", bool)
LOAD_REQUESTS = known("load.requests", float)
LOAD_RUNNING = known("load.running", float)
MEMORY_BUFFERS = known("memory.buffers", Taken)
MEMORY_LIMIT = known("memory.limit", float)
MEMORY_PERFORMANCE_SCHEMA = known("memory.performance_schema", float)
MEMORY_POOLS = known("memory.pools", Taken)
MIXED_CEILING = known("mixed.ceiling", float)
MIXED_COMMITS = known("mixed.commits", Interference)
MYSQL_DAY = known("mysql.day", str)
MYSQL_LINES = known("mysql.lines", Lines)
MYSQL_OPTION_FILES = known("mysql.option_files", FileLines)
MYSQL_VERSION = known("mysql.version", ServerVersion)
POOL_BUFFERED_CHANGES = known("pool.buffered_changes", float)
POOL_CORE_FILE = known("pool.core_file", Standing)
POOL_DATA = known("pool.data", float)
POOL_HASH_SEARCHES = known("pool.hash_searches", HashSearches)
POOL_HASH_WAITS = known("pool.hash_waits", float)
POOL_LARGE_PAGES = known("pool.large_pages", Standing)
POOL_MISS_CURVE = known("pool.miss_curve", MissCurve)
POOL_LOADING = known("pool.loading", str)
PROBE_DIRECT = known("probe.direct", bool)
PURGE_DELAY_CAP = known("purge.delay_cap", float)
PURGE_HISTORY = known("purge.history", float)
PURGE_OLDEST_TRANSACTION = known("purge.oldest_transaction", float)
REDO_CAPACITY = known("redo.capacity", float)
REDO_CHECKPOINT_AGE = known("redo.checkpoint_age", float)
REDO_DIRECTORY = known("redo.directory", Storage)
REDO_ENABLED = known("redo.enabled", bool)
REDO_FDATASYNC = known("redo.fdatasync", Point)
REDO_FSYNC = known("redo.fsync", Point)
REDO_GROWTH = known("redo.growth", RedoGrowth)
REDO_HAND_OVER = known("redo.hand_over", Range)
REDO_O_DSYNC = known("redo.o_dsync", Point)
REDO_PLACE_SEEN = known("redo.place_seen", bool)
REDO_RESIZING = known("redo.resizing", str)
REDO_SYNC_COST = known("redo.sync_cost", SyncCost)
REDO_WITH_BINLOG = known("redo.with_binlog", Point)
STORAGE_ALL: Fact[tuple[Storage, ...]] = known("storage.all", tuple)
STORAGE_BINLOG_APART = known("storage.binlog_apart", bool)
STORAGE_DATA = known("storage.data", Storage)
STORAGE_IN_USE = known("storage.in_use", str)
STORAGE_PROBE = known("storage.probe", Storage)
STORAGE_REDO_APART = known("storage.redo_apart", bool)
TEMP_DIRECTORY = known("temp.directory", Storage)
TEMP_ENGINE = known("temp.engine", str)
TEMP_ROOM_BESIDE_DATA = known("temp.room_beside_data", Storage)
VOLUME_LONG_WRITE = known("volume.long_write", LongWrite)
VOLUME_REQUEST_LIMITS = known("volume.request_limits", Limits)
VOLUME_THROUGHPUT_LIMITS = known("volume.throughput_limits", Limits)
VOLUME_TOLD = known("volume.told", ToldVolume)
WATCH_BINLOG_SYNC = known("watch.binlog_sync", CallTime)
WATCH_CACHED_READS = known("watch.cached_reads", CachedReads)
WATCH_DATA_DEVICE = known("watch.data_device", Device)
WATCH_FILE_SHARES = known("watch.file_shares", FileShares)
WATCH_OWN_WRITES = known("watch.own_writes", Range)
WATCH_PAGE_READ = known("watch.page_read", CallTime)
WATCH_PAGES_WRITTEN = known("watch.pages_written", Range)
WATCH_READS_IN_FLIGHT = known("watch.reads_in_flight", Range)
WATCH_RELAY_SYNC = known("watch.relay_sync", CallTime)
WATCH_RUN_DELAY = known("watch.run_delay", Range)
WATCH_RUNNING = known("watch.running", Range)
WATCH_SERVER_CPU = known("watch.server_cpu", Range)
