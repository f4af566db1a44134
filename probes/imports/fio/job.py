"""What a fio job was asked to do, read from its options."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from probes.imports.figures import MOST_BLOCK_BYTES, count, size_bytes, thread_count
from probes.imports.fio.engines import ONE_AT_A_TIME

_OTHER_NAMES = {
    "readwrite": "rw",
    "blocksize": "bs",
    "sync_file": "sync",
    "buffered_io": "buffered",
    "o_direct": "direct",
}
HELD_BACK = ("rate", "rate_iops", "thinktime", "rate_process", "flow")
"""Options with which a job goes slower than it could."""

_OWN_TIME = (
    *HELD_BACK,
    "thinkcycles",
    "verify",
    "refill_buffers",
    "buffer_compress_percentage",
    "dedupe_percentage",
    "sync_file_range",
    "end_fsync",
    "fsync_on_close",
    "openfiles",
    "iodepth_low",
    "iodepth_batch",
    "iodepth_batch_submit",
    "iodepth_batch_complete",
    "iodepth_batch_complete_min",
    "read_iolog",
    "latency_target",
    "zonemode",
    "startdelay",
)
"""Options with which jobs spend time that is in no request's latency, or keep fewer in flight."""

_UNTIMED = ("gtod_reduce", "disable_lat", "disable_clat")
_DEFAULT_BLOCK_BYTES = 4096
_TIME = re.compile(r"(\d{1,12}(?:\.\d{1,6})?)\s*(us|ms|s|m|h|d)?", re.IGNORECASE)
_SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_OFF = frozenset({"0", "none", "false", "off"})


@dataclass(frozen=True, slots=True)
class FioJob:
    """Options by name, the global ones included; a flag without a value is "1"."""

    options: Mapping[str, str]

    @classmethod
    def of(cls, shared: Mapping[str, object], own: Mapping[str, object]) -> FioJob:
        """A job's own options over those of the global section."""
        options = {}
        for name, value in {**shared, **own}.items():
            options[_OTHER_NAMES.get(name, name)] = "1" if value in (None, "") else str(value)
        return cls(options)

    @property
    def mode(self) -> str:
        """``randread``, ``randwrite``, ``randrw``, ``read``, ``write``, ``rw``, or another."""
        mode = self.options.get("rw", "read").split(":")[0].strip().lower()
        return "rw" if mode == "readwrite" else mode

    @property
    def names_mode(self) -> bool:
        """Whether it says what it did; fio's default is to read in order."""
        return "rw" in self.options

    @property
    def mix(self) -> str:
        """Reads of a mixed job in percent."""
        if "rwmixwrite" in self.options and "rwmixread" not in self.options:
            return str(100 - count(self.options["rwmixwrite"], "rwmixwrite", 100))
        return str(count(self.options.get("rwmixread", "50"), "rwmixread", 100))

    @property
    def direct(self) -> bool:
        """Whether it bypassed the page cache."""
        if self.io_engine == "mmap":
            return False
        if "direct" in self.options:
            return self._on("direct")
        return self.options.get("buffered") == "0"

    @property
    def io_engine(self) -> str:
        """How it spoke to the kernel; fio's own choice on Linux is psync."""
        return self.options.get("ioengine", "psync")

    @property
    def depth(self) -> int:
        """Requests that one job had in flight."""
        if self.io_engine in ONE_AT_A_TIME:
            return 1
        return thread_count(self.options.get("iodepth", "1"), "iodepth")

    @property
    def jobs(self) -> int:
        """Threads or processes that it was made of."""
        return thread_count(self.options.get("numjobs", "1"), "numjobs")

    @property
    def files(self) -> int:
        """Files that were worked on together: without a name, each job has its own."""
        if "filename" in self.options:
            # A colon separates names unless a backslash stands before it.
            return 1 + len(re.findall(r"(?<!\\):", self.options["filename"][:4096]))
        return self.jobs * thread_count(self.options.get("nrfiles", "1"), "nrfiles")

    @property
    def file_bytes(self) -> int | None:
        """The size that each job worked on, where it says so in bytes."""
        return size_bytes(self.options.get("size", self.options.get("filesize", "")))

    @property
    def sync(self) -> str:
        """How each single write was made durable; "" when it was not."""
        if self.options.get("fdatasync") == "1":
            return "fdatasync"
        if self.options.get("fsync") == "1":
            return "fsync"
        how = self.options.get("sync", "0").lower()
        if how == "dsync":
            return "o_dsync"
        return "" if how in _OFF else "o_sync"

    @property
    def sync_every(self) -> str:
        """How many writes one sync was made for, where there was more than one."""
        for name in ("fdatasync", "fsync"):
            every = self.options.get(name, "0")
            if every not in ("0", "1"):
                return f"{name} every {every} writes"
        return ""

    @property
    def held_back(self) -> str:
        """The option that kept it from going as fast as it could; "" without one."""
        return next((name for name in HELD_BACK if self._on(name)), "")

    @property
    def closed(self) -> bool:
        """Whether its threads did nothing but wait for requests, one after the other."""
        return not any(self._on(name) for name in _OWN_TIME)

    @property
    def untimed(self) -> bool:
        """Whether it was set not to time its requests."""
        return any(self._on(name) for name in _UNTIMED)

    @property
    def asked_s(self) -> float:
        """For how long it was to run, in seconds; nan where it says none, or only a size."""
        found = _TIME.fullmatch(
            self.options.get("runtime", self.options.get("timeout", "")).strip()
        )
        seconds = float(found[1]) * _SECONDS[(found[2] or "s").lower()] if found else 0.0
        return seconds or math.nan

    @property
    def time_based(self) -> bool:
        """Whether it was to run for all of that time, however often it had to begin again."""
        return self._on("time_based")

    @property
    def block_bytes(self) -> int:
        """The size of requests that it was asked for; 0 where none is given."""
        text = re.split(r"[,\s]+", self.options.get("bs", "")[:200].strip())[0]
        size = size_bytes(text) if text else _DEFAULT_BLOCK_BYTES
        return size if size and size <= MOST_BLOCK_BYTES else 0

    @property
    def many_sizes(self) -> bool:
        """Whether its requests were of different sizes."""
        sizes = set(re.split(r"[,\s]+", self.options.get("bs", "")[:200].strip()))
        return len(sizes) > 1 or any(name in self.options for name in ("bsrange", "bssplit"))

    def _on(self, name: str) -> bool:
        return self.options.get(name, "0").lower() not in _OFF
