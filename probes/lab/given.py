"""A data directory that somebody names: looked at, copied, and recovered in the copy alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from probes.cancel import CancelToken
from probes.errors import UsageError
from probes.lab.data import copy_data
from probes.lab.server import LabEntrant, LabTable, started
from probes.lab.variant import LoadKind
from probes.mysql.existing_table import existing_table, written_column
from probes.sandbox.binaries import ServerBinary
from probes.sandbox.place import SandboxPlace
from probes.targets.target import Target
from probes.version import Flavour

if TYPE_CHECKING:
    from probes.mysql.connection import MySQLSession

MIB = 1 << 20

RECOVERY_LIMIT_S = 3600.0
RECOVERY_POOL_BYTES = 256 * MIB
_LOOK_LIMIT_S = 300.0
_USUAL_PAGE_BYTES = 16 << 10
_FIRST_FILE_BYTES = 12 * MIB

# "used" names a process: one that has locked the system tablespace (any account may see that), has
# anything in it open (only the process's owner and root see that), or has left its number.
# "outside" is what a server on a copy would open elsewhere: links, tablespaces with a path.
_LOOK = r"""
cd -- "$1" 2>/dev/null || exit 3
printf 'at %s\n' "$(pwd -P)"
for file in ibdata[0-9]* ib_logfile[0-9]*; do
  [ -f "$file" ] && printf 'file %s %s\n' "$(stat -c %s -- "$file")" "$file"
done
[ -f ibdata1 ] && printf 'flags %s\n' "$(od -An -tu1 -j54 -N4 ibdata1 | tr -s ' ' ' ')"
printf 'undo %s\n' "$(find . -maxdepth 1 -name 'undo0[0-9][0-9]' | wc -l)"
for file in ibdata[0-9]* mysql.ibd aria_log_control; do
  [ -f "$file" ] && inode=$(stat -c %i -- "$file") || continue
  awk -v inode=":$inode" '$6 ~ inode "$" {print "used", $5}' /proc/locks 2>/dev/null
done
find /proc/[0-9]*/fd -lname "$(pwd -P)/*" 2>/dev/null | sed 's|^/proc/\([0-9]*\)/.*|used \1|'
for file in *.pid; do
  read -r pid _ 2>/dev/null < "$file" || continue
  case $(cat "/proc/$pid/comm" 2>/dev/null) in mysqld*|mariadbd*) printf 'used %s\n' "$pid" ;; esac
done
find . \( -type l -o -name '*.isl' \) -print 2>/dev/null | sed 's/^/outside /' | head -n 1
[ -f mysql.ibd ] && LC_ALL=C grep -aoE -m 1 "$(printf '\001')/[ -~]+\.ib[du]" mysql.ibd |
  tr -d '\001' | sed 's/^/outside /' | head -n 1
for file in xtrabackup_checkpoints mariadb_backup_checkpoints; do
  [ -f "$file" ] && sed -n 's/^backup_type *= */backup /p' "$file"
done
printf 'kib %s\n' "$(du -sk . 2>/dev/null | cut -f1)"
"""


@dataclass(frozen=True, slots=True)
class GivenData:
    """A data directory of somebody's, as it lies there.

    ``data_files`` and ``log_files`` are name and size in bytes of the system tablespace's files and
    of the redo log's; ``undo_files`` how many undo tablespaces of the old kind there are.
    """

    directory: str
    page_bytes: int
    size_bytes: int
    data_files: tuple[tuple[str, int], ...]
    log_files: tuple[tuple[str, int], ...]
    undo_files: int


def look_at(target: Target, directory: str) -> GivenData:
    """What lies in a data directory, which nobody may use.

    Raises UsageError for one that can't be worked on a copy of, and TargetError.
    """
    done = target.run(["sh", "-c", _LOOK, "sh", directory], timeout_s=_LOOK_LIMIT_S)
    text = done.stdout.decode("utf-8", "replace")
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        name, _, value = line.partition(" ")
        found.setdefault(name, []).append(value.strip())
    if done.status == 3 or "flags" not in found:
        raise UsageError(
            f"{directory} on {target.name} is no data directory of InnoDB's that this account may "
            "read: it has no ibdata1.",
            "Name the directory that holds ibdata1 and the schemas' folders.",
        )
    _refuse(directory, target, found)
    files = [(name, int(size)) for size, _, name in (e.partition(" ") for e in found["file"])]
    return GivenData(
        directory=found["at"][0],
        page_bytes=page_size(bytes(int(each) for each in found["flags"][0].split())),
        size_bytes=int(found["kib"][0] or 0) * 1024,
        data_files=tuple(each for each in files if each[0].startswith("ibdata")),
        log_files=tuple(each for each in files if each[0].startswith("ib_logfile")),
        undo_files=int(found["undo"][0]),
    )


def page_size(flags: bytes) -> int:
    """The page size that the flags of a system tablespace say, in bytes; raises UsageError."""
    value = int.from_bytes(flags, "big")
    # MariaDB since 10.5 marks its own layout by a bit that no system tablespace had before.
    shift = value & 15 if value & 16 else value >> 6 & 15
    if not shift:
        return _USUAL_PAGE_BYTES
    if not 3 <= shift <= 7:
        raise UsageError("The head of ibdata1 names no page size: it is damaged or encrypted.")
    return 512 << shift


def _refuse(directory: str, target: Target, found: Mapping[str, list[str]]) -> None:
    if "used" in found:
        raise UsageError(
            f"{directory} on {target.name} is in use: process {found['used'][0]} works in it.",
            "Name a restored backup or a cold copy, never a running server's own directory.",
        )
    if "outside" in found:
        raise UsageError(
            f"Parts of {directory} lie elsewhere ({found['outside'][0]}): a server on a copy of it "
            "would open them where they are.",
            "Restore it into one directory.",
        )
    kinds = [each for each in found.get("backup", []) if not each.endswith("prepared")]
    if kinds:
        raise UsageError(
            f"{directory} is a backup that was not prepared ({kinds[0]}).",
            "Prepare it first: xtrabackup --prepare or mariadb-backup --prepare.",
        )


def given_lines(binary: ServerBinary, given: GivenData) -> dict[str, str]:
    """Option lines that every server on a copy of such data needs.

    Nobody has an account, and neither replication nor events run.
    """
    lines = {
        "skip_grant_tables": "",
        "event_scheduler": "OFF",
        "loose_skip_slave_start": "",
        "loose_skip_replica_start": "",
    }
    *first, (last, last_bytes) = given.data_files
    if first or last_bytes < _FIRST_FILE_BYTES:
        parts = [f"{name}:{size // MIB}M" for name, size in first]
        path = ";".join([*parts, f"{last}:{last_bytes // MIB}M:autoextend"])
        lines["innodb_data_file_path"] = path
    if given.undo_files and not binary.version.at_least(Flavour.MYSQL, 8, 0):
        lines["innodb_undo_tablespaces"] = str(given.undo_files)
    if given.page_bytes != _USUAL_PAGE_BYTES:
        lines["innodb_page_size"] = str(given.page_bytes)
    return lines


def recovered(
    target: Target,
    given: GivenData,
    room: SandboxPlace,
    binary: ServerBinary,
    *,
    lines: Mapping[str, str],
    kind: LoadKind,
    token: CancelToken,
) -> LabTable:
    """Copy given data into a room and start a server on the copy once, which ends in good order.

    ``lines`` are further options of it. Returns the largest table that a load of this kind can work
    on. Raises UsageError where there is none, or somebody has begun to use the data meanwhile;
    SandboxFailed with the server's own words, NotEnoughSpace, MySQLError, TargetError, Cancelled.
    """
    copy_data(target, given.directory, room, token)
    look_at(target, given.directory)
    # Options that its last server kept.
    target.run(["rm", "-f", "--", f"{room.data}/mysqld-auto.cnf"])
    return opened(target, given, room, binary, lines=lines, kind=kind, token=token)


def opened(
    target: Target,
    given: GivenData,
    room: SandboxPlace,
    binary: ServerBinary,
    *,
    lines: Mapping[str, str],
    kind: LoadKind,
    token: CancelToken,
) -> LabTable:
    """Start a server once on what was put into a room, as ``recovered`` does."""
    with started(target, _recovery(given, room, binary, lines), token) as server:
        server.answers(token, RECOVERY_LIMIT_S)
        with server.connect(token) as session:
            found = _table(session, given, kind)
        server.end(token)
    return found


def _table(session: MySQLSession, given: GivenData, kind: LoadKind) -> LabTable:
    found = existing_table(session)
    if found is None:
        raise UsageError(
            f"{given.directory} has no InnoDB table with rows and a single integer primary key: "
            "the lab's clients have nothing to look up."
        )
    (table,) = found.tables.values()
    column = written_column(session, found.database, table.name)
    if kind.writes and not column:
        raise UsageError(
            f"{found.database}.{table.name} has no column that updates could write 120 letters to.",
            "Look rows up instead: --load point-select.",
        )
    # The copy is the lab's own.
    own = replace(table, value_column=column or table.key_column, own=True)
    return LabTable(found.database, own)


def _recovery(
    given: GivenData, room: SandboxPlace, binary: ServerBinary, lines: Mapping[str, str]
) -> LabEntrant:
    own = {
        "innodb_buffer_pool_size": str(RECOVERY_POOL_BYTES),
        "innodb_fast_shutdown": "1",
        "loose_information_schema_stats_expiry": "0",
        "skip_log_bin": "",
        **_log_lines(binary, given),
        **given_lines(binary, given),
        **lines,
    }
    return LabEntrant(
        "", f"The server that recovers the data ({binary.version})", binary, room, own
    )


def _log_lines(binary: ServerBinary, given: GivenData) -> dict[str, str]:
    """The redo log as it is: old servers refuse one of another size."""
    if not given.log_files or binary.version.at_least(Flavour.MYSQL, 8, 0, 30):
        return {}
    return {
        "innodb_log_file_size": str(given.log_files[0][1]),
        "loose_innodb_log_files_in_group": str(len(given.log_files)),
    }
