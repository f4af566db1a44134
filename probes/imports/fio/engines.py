"""fio's I/O engines: which of them read and write, and what the others do instead (fio(1))."""

from __future__ import annotations

_READ_AND_WRITE = frozenset(
    (
        *("sync", "psync", "vsync", "pvsync", "pvsync2", "libaio", "io_uring", "io_uring_cmd"),
        *("posixaio", "solarisaio", "windowsaio", "mmap", "splice", "sg", "libblkio", "xnvme"),
        *("nbd", "rbd", "rados", "gfapi", "gfapi_async", "libiscsi", "libhdfs", "nfs", "http"),
        *("pmemblk", "dev-dax", "libpmem", "libzbc", "guasi", "syslet-rw"),
    )
)

_OTHERWISE = {
    "falloc": "reserves space and writes nothing",
    "ftruncate": "sets a file's size and writes nothing",
    "null": "does nothing at all",
    "cpuio": "keeps processors busy and does no I/O",
    "filecreate": "creates files and writes nothing",
    "fileopen": "opens files and reads nothing",
    "filestat": "asks for files' attributes and reads nothing",
    "filedelete": "deletes files and writes nothing",
    "dircreate": "creates directories and writes nothing",
    "dirstat": "asks for directories' attributes and reads nothing",
    "dirdelete": "deletes directories and writes nothing",
    "exec": "runs another program and does no I/O of its own",
    "net": "sends over a network",
    "netsplice": "sends over a network",
    "rdma": "reads and writes another machine's memory",
    "librpma_apm_client": "writes another machine's memory",
    "librpma_gpspm_client": "writes another machine's memory",
    "mtd": "works on raw flash, below any drive",
    "e4defrag": "moves a file's blocks and keeps what is in them",
    "binject": "sends commands past the block layer",
}

ONE_AT_A_TIME = frozenset(
    {"sync", "psync", "vsync", "pvsync", "pvsync2", "mmap", "splice", *_OTHERWISE}
)
"""Engines that wait for each request: for them iodepth means nothing (fio(1), iodepth)."""


def no_io(engine: str) -> str:
    """Why an engine's figures are none of reads and writes, as a sentence's end; "" where it does.

    An engine that is not known counts as none: nobody can say what it did.
    """
    name = engine.strip().split(",")[0].lower()
    if name in _READ_AND_WRITE or name.startswith("external:"):
        return ""
    return f"{engine} {_OTHERWISE[name]}" if name in _OTHERWISE else f"{engine} is not known here"
