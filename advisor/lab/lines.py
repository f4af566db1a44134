"""The option lines that each server of a lab is started with."""

from __future__ import annotations

from advisor.lab.asked import POOL, REDO, Asked
from probes.lab.variant import LoadKind, Variant
from probes.sandbox.binaries import ServerBinary
from probes.sandbox.options import redo_lines

SPARE_CONNECTIONS = 20
STATEMENTS = 1 << 20
"""As many prepared statements as servers take: each connection of TPC-C has 63."""

_FLUSH_METHOD = "innodb_flush_method"
_BINLOG = frozenset({"log_bin", "sync_binlog", "binlog_format", "binlog_row_image"})
"""Who asks for one of these asks for a binary log, too."""


def full_lines(asked: Asked, variant: Variant, binary: ServerBinary) -> dict[str, str]:
    """All lines of a variant's server: the lab's own, then the question's, then the variant's.

    Else each server has its own defaults. Past the page cache by default, as a production server
    is set up; without a binary log unless a line asks for one.
    """
    own = dict(variant.lines)
    # A frozen server keeps the clients of a sysbench that was ended, until the next one's come.
    connections = sum(asked.levels) + max(asked.levels) + SPARE_CONNECTIONS
    pool_bytes = int(own.pop(POOL, asked.pool_bytes))
    redo_bytes = int(own.pop(REDO, asked.redo_bytes))
    found = {
        "innodb_buffer_pool_size": str(pool_bytes),
        **redo_lines(binary, redo_bytes),
        _FLUSH_METHOD: "O_DIRECT",
        "max_connections": str(max(200, connections)),
        **asked.lines,
        **own,
    }
    if asked.load.kind is LoadKind.TPCC:
        found["max_prepared_stmt_count"] = str(STATEMENTS)
    if variant.page_bytes:
        found["innodb_page_size"] = str(variant.page_bytes)
    if not _BINLOG & found.keys():
        found["skip_log_bin"] = ""
    return found


def pool_bytes(asked: Asked, variant: Variant) -> int:
    """The buffer pool of a variant's server, in bytes."""
    return int(variant.lines.get(POOL, asked.pool_bytes))
