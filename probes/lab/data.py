"""A lab's data: made once for each layout, then copied for each variant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from probes.cancel import CancelToken
from probes.errors import (
    AgentFailed,
    CommandFailed,
    MySQLError,
    NotEnoughSpace,
    ProbeError,
    SandboxFailed,
)
from probes.events import Preparing
from probes.figures import size
from probes.lab.loader import loader
from probes.lab.server import LabEntrant, LabServer, LabTable, common_options, started
from probes.lab.variant import ClientGroup, LabLoad, Layout, LoadKind, TableEngine
from probes.mysql.lookup_table import (
    TABLE,
    begin_lookups,
    end_lookups,
    lookup_batches,
    lookups_of,
)
from probes.mysql.work import MySQLWork
from probes.sandbox.binaries import ServerBinary
from probes.sandbox.options import option_words, redo_lines
from probes.sandbox.place import SandboxPlace
from probes.sandbox.process import guarded, initialise, runs_as_root
from probes.sandbox.table import DATABASE
from probes.targets.target import Target
from probes.version import Flavour

MIB = 1 << 20

NO_DATA = (ProbeError, MySQLError, CommandFailed)
"""What keeps one variant from its data, and not the lab."""

FILLING_POOL_BYTES = 256 * MIB
FILLING_REDO_BYTES = 96 * MIB
"""Copied with each variant's data: no more than filling needs."""
FILLING_UNLOGGED_BYTES = 32 * MIB
"""Where the filling server writes no redo log."""
FILLING_CONNECTIONS = 8
"""A processor each is worth it; more would only wait for one."""

WAREHOUSE_BYTES = 125 * MIB
"""What a warehouse of TPC-C takes with its indexes, as it is filled (measured on InnoDB)."""

_COPY_LIMIT_S = 3600.0
_SYNC = 'find "$1" -type f -exec sync -d -- {} +'


def filled(
    target: Target, room: SandboxPlace, layout: Layout, load: LabLoad, token: CancelToken
) -> Iterator[Preparing]:
    """Make a data directory with the load's tables in a room, closed in good order.

    Nothing is synced on the way. Raises SandboxFailed, MySQLError, TargetError and Cancelled.
    """
    binary = layout.binary
    empty_data(target, room, layout, token)
    what = f"The server that fills the tables ({binary.version})"
    filling = LabEntrant("", what, binary, room, _filling_lines(binary, layout))
    with started(target, filling, token) as server:
        server.answers(token)
        try:
            with _unlogged(server, binary, token):
                yield from _fill(target, server, layout, load, token)
        except (AgentFailed, MySQLError):
            # One that has ended says why in its log.
            server.check()
            raise
        server.end(token)
    if binary.version.before(Flavour.MYSQL, 5, 6, 8):
        # It refuses redo logs of another size than its lines', and makes new ones where none are.
        target.run(["sh", "-c", 'rm -f -- "$1"/ib_logfile*', "sh", room.data])


def copied(target: Target, source: SandboxPlace, room: SandboxPlace, token: CancelToken) -> None:
    """Copy one room's data directory, which is not in use, into another room: see copy_data."""
    copy_data(target, source.data, room, token)


def copy_data(target: Target, source: str, room: SandboxPlace, token: CancelToken) -> None:
    """Copy a data directory that is not in use: by reference where the file system can.

    It is on the drive then, so that nothing is written back beside what is measured. It ends with
    the guard's listener. Raises NotEnoughSpace, SandboxFailed, TargetError and Cancelled.
    """
    argv = ["cp", "-a", "--reflink=auto", "--", f"{source}/.", room.data]
    what = f"The copying of the data on {target.name}"
    try:
        with guarded(target, room, argv, what=what, remove=False, token=token) as copying:
            copying.wait(_COPY_LIMIT_S, token)
    except SandboxFailed as error:
        if "No space left" in error.details:
            raise NotEnoughSpace(
                f"{room.directory} on {target.name} has no room for one more copy of the data.",
                "Ask for less data, or for fewer variants.",
            ) from error
        raise
    # Old programs know no sync of a file's data and sync all there is.
    target.run(["sh", "-c", _SYNC, "sh", room.data], timeout_s=_COPY_LIMIT_S)


def remove_data(target: Target, room: SandboxPlace) -> None:
    """Remove a data directory; raises TargetError."""
    target.run(["rm", "-rf", "--", room.data], timeout_s=_COPY_LIMIT_S)


def own_table(load: LabLoad) -> LabTable:
    """The table that was filled for a load."""
    return LabTable(DATABASE, lookups_of(load.data_bytes))


def data_bytes(load: LabLoad) -> int:
    """About what the load's tables take on the drive."""
    return load.warehouses * WAREHOUSE_BYTES if load.warehouses else load.data_bytes


def require_space(target: Target, directory: str, wanted_bytes: int, kept_share: float) -> None:
    """Raises NotEnoughSpace where less than ``kept_share`` of the file system would stay free."""
    text = target.run(["df", "-Pk", "--", directory]).stdout.decode("utf-8", "replace")
    found = re.search(r"\s(\d{1,18})\s+\d{1,18}\s+(\d{1,18})\s+\d+%\s+/", text)
    if found is None:
        return
    total_bytes, free_bytes = int(found[1]) * 1024, int(found[2]) * 1024
    usable_bytes = free_bytes - kept_share * total_bytes
    if wanted_bytes > usable_bytes:
        raise NotEnoughSpace(
            f"The lab needs {size(wanted_bytes)} in {directory} on {target.name}, and "
            f"{size(max(0.0, usable_bytes))} may be used: a tenth of the file system stays free.",
            "Ask for less data or fewer variants, or name another directory.",
        )


def empty_data(target: Target, room: SandboxPlace, layout: Layout, token: CancelToken) -> None:
    """A data directory without tables; MariaDB and old MySQL make theirs at their first start."""
    binary = layout.binary
    if not binary.needs_initialising:
        made = target.run(["mkdir", "-m", "700", "--", room.data])
        if made.status != 0:
            raise CommandFailed(f"{room.data} can't be made on {target.name}.")
        return
    command = [
        *common_options(binary, room, as_root=runs_as_root(target)),
        *option_words(page_size_line(layout)),
        "--innodb-flush-method=nosync",
        "--initialize-insecure",
    ]
    initialise(target, room, command, token)


def _filling_lines(binary: ServerBinary, layout: Layout) -> Mapping[str, str]:
    """Options that fill fast; what a crash would lose is made again."""
    lines = {
        "innodb_buffer_pool_size": str(FILLING_POOL_BYTES),
        "innodb_doublewrite": "OFF",
        "innodb_flush_method": "nosync",
        "loose_innodb_adaptive_hash_index": "OFF",
        "loose_performance_schema": "OFF",
        # Without locks on the rows that others fill from, too.
        "transaction_isolation": "READ-COMMITTED",
        "innodb_flush_log_at_trx_commit": "0",
        "innodb_io_capacity": "10000",
        "loose_innodb_io_capacity_max": "20000",
        "loose_innodb_autoinc_lock_mode": "2",
        "innodb_fast_shutdown": "1",
        "skip_log_bin": "",
    }
    redo_bytes = FILLING_UNLOGGED_BYTES if _may_go_unlogged(binary) else FILLING_REDO_BYTES
    return lines | page_size_line(layout) | redo_lines(binary, redo_bytes)


def _may_go_unlogged(binary: ServerBinary) -> bool:
    return binary.version.at_least(Flavour.MYSQL, 8, 0, 21)


@contextmanager
def _unlogged(server: LabServer, binary: ServerBinary, token: CancelToken) -> Iterator[None]:
    """Without a redo log, where the server can; it has one again before it ends in good order."""
    if not _may_go_unlogged(binary):
        yield
        return
    with server.connect(token) as session:
        session.rows("ALTER INSTANCE DISABLE INNODB REDO_LOG")
    yield
    with server.connect(token) as session:
        session.rows("ALTER INSTANCE ENABLE INNODB REDO_LOG")


def page_size_line(layout: Layout) -> dict[str, str]:
    """The option line that says a layout's page size; none for the server's default."""
    return {"innodb_page_size": str(layout.page_bytes)} if layout.page_bytes else {}


def _fill(
    target: Target, server: LabServer, layout: Layout, load: LabLoad, token: CancelToken
) -> Iterator[Preparing]:
    with server.connect(token) as session:
        if load.kind.fills_itself:
            session.rows(f"CREATE DATABASE {DATABASE}")
        else:
            yield from _rows(target, server, layout, load, token)
            return
    work = server.work(own_table(load), token)
    clients = ClientGroup(load, FILLING_CONNECTIONS)
    myisam = load.kind is LoadKind.SYSBENCH and layout.engine is TableEngine.MYISAM
    options = ["--mysql-storage-engine=myisam"] if myisam else []
    with loader(target, clients, work, server.pid, token, options=options) as filling:
        yield from filling.prepare()
        filling.end()


def _rows(
    target: Target, server: LabServer, layout: Layout, load: LabLoad, token: CancelToken
) -> Iterator[Preparing]:
    statements = lookup_batches(DATABASE, load.data_bytes)
    with server.connect(token) as session:
        session.rows(f"CREATE DATABASE {DATABASE}")
        begin_lookups(session, DATABASE, engine=layout.engine.value)
        work = MySQLWork(session.login, DATABASE, {})
    # Each writer locks all of MyISAM's table, and rows lie as they come.
    connections = FILLING_CONNECTIONS if layout.engine is TableEngine.INNODB else 1
    with loader(target, None, work, server.pid, token) as filling:
        filling.ready()
        for share in filling.run(statements, connections):
            yield Preparing("table of the lab", int(share * load.data_bytes), load.data_bytes)
        filling.end()
    with server.connect(token) as session:
        end_lookups(session, DATABASE)
        if load.kind in (LoadKind.READ_WRITE, LoadKind.MIX):
            session.rows(f"ALTER TABLE {DATABASE}.{TABLE} ADD KEY k (k)")
