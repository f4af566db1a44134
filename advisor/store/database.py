"""One connection to an SQLite file: pragmas, transactions, and sqlite3's errors in our words."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from probes.errors import StoreError, UsageError

BUSY_TIMEOUT_S = 5.0
_AGAIN_S = 0.01

Params = Sequence[object] | Mapping[str, object]


class Database:
    """A connection to ``path`` that belongs to the thread that made it.

    Every method raises StoreError when the file can't be used and UsageError for what is no text.
    It lets sqlite3's own error through when the statement is wrong: that is our fault, not the
    surroundings'.
    """

    def __init__(self, path: Path, busy_timeout_s: float = BUSY_TIMEOUT_S) -> None:
        self.path = path
        self._busy_timeout_s = busy_timeout_s
        with self._faults():
            self._connection = sqlite3.connect(path, timeout=busy_timeout_s, isolation_level=None)
        self._connection.row_factory = sqlite3.Row

    @classmethod
    def copy_of(cls, path: Path) -> Self:
        """A copy in memory of the file at ``path``, which is only read and stays as it is."""
        database = cls(Path(":memory:"))
        database.path = path
        # Nothing beside the file is looked at: who only reads may lack the right to write there.
        address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        with ExitStack() as half_way:
            half_way.callback(database.close)
            with database._faults(), closing(sqlite3.connect(address, uri=True)) as file:
                file.backup(database._connection)
            half_way.pop_all()
        return database

    def set_up(self) -> None:
        """Choose how the file is written: a log of its own that readers don't wait for.

        A commit survives a killed program; it is not flushed to the drive each time, since that
        drive may be the one that is being measured.
        """
        self.execute("PRAGMA foreign_keys = ON")
        self._write_ahead()
        self.execute("PRAGMA synchronous = NORMAL")

    def _write_ahead(self) -> None:
        """Switch to the log; the first programs to open a new file may do so at one moment.

        Then each holds the file as a reader and wants it alone: SQLite refuses all but one of them
        at once, without the wait that it keeps elsewhere.
        """
        give_up = time.monotonic() + self._busy_timeout_s
        while True:
            try:
                self.execute("PRAGMA journal_mode = WAL")
            except LockedError:
                if time.monotonic() >= give_up:
                    raise
                time.sleep(_AGAIN_S)
            else:
                return

    def check(self) -> None:
        """Read the whole file once (30 ms for 50 MB); raises CorruptError."""
        found = self.rows("PRAGMA quick_check(1)")
        if found[0][0] != "ok":
            raise CorruptError(self.path, str(found[0][0]))

    def execute(self, sql: str, params: Params = ()) -> int:
        """Run one statement; the id of the row that it inserted, if it did."""
        with self._faults(), closing(self._connection.execute(sql, params)) as cursor:
            return cursor.lastrowid or 0

    def execute_many(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        """Run one statement for each of ``rows``."""
        with self._faults(), closing(self._connection.executemany(sql, rows)):
            pass

    def rows(self, sql: str, params: Params = ()) -> list[sqlite3.Row]:
        """The rows of a query."""
        with self._faults(), closing(self._connection.execute(sql, params)) as cursor:
            return cursor.fetchall()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All statements within are kept together, or none."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        finally:
            self._roll_back()

    def close(self) -> None:
        """Give the file back; may be called twice."""
        self._connection.close()

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            self.execute("ROLLBACK")

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            fault = translate(error, self.path)
            if fault is None:
                raise
            raise fault from error
        except UnicodeDecodeError as error:
            # What sqlite3 raises where it would quote a damaged table's name.
            raise CorruptError(self.path, str(error)) from error
        except UnicodeEncodeError as error:
            raise UsageError(
                "A name or a path holds bytes that are no text (UTF-8), and can't be kept.",
                "Give it a name that is.",
                repr(error.object[max(0, error.start - 40) : error.end]),
            ) from error


class FileFault(StoreError):
    """The file at ``path`` can't be used; ``what`` says why, in words that follow its name."""

    def __init__(self, path: Path, what: str, advice: str, details: str) -> None:
        super().__init__(f"The database {path} {what}.", advice, details)
        self.path = path
        self.what = what


class CorruptError(StoreError):
    """The file is damaged, or no database at all."""

    def __init__(self, path: Path, details: str) -> None:
        super().__init__(
            f"The database {path} is damaged.",
            "Start Leadline again: it keeps the damaged file aside and begins a new one.",
            details,
        )


class LockedError(StoreError):
    """Another program has the file, or a part of it, for itself."""

    def __init__(self, path: Path, details: str) -> None:
        super().__init__(
            f"The database {path} is locked by another program.",
            "Close the other program, or wait until it has finished, and try again.",
            details,
        )


def translate(error: sqlite3.Error, path: Path) -> StoreError | None:
    """What a user can be told about ``error``; None when the statement was wrong, not the file."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return CorruptError(path, str(error))
    if code == sqlite3.SQLITE_BUSY:
        return LockedError(path, str(error))
    told = {
        sqlite3.SQLITE_READONLY: (
            "can't be written",
            "Give your account the right to write the file and its folder,"
            " or name another folder in LEADLINE_HOME.",
        ),
        sqlite3.SQLITE_CANTOPEN: (
            "can't be opened",
            "Check that the folder exists and that your account may write there,"
            " or name another folder in LEADLINE_HOME.",
        ),
        sqlite3.SQLITE_FULL: (
            "can't grow: the disk is full",
            "Free some space, or name a folder on another disk in LEADLINE_HOME.",
        ),
        sqlite3.SQLITE_IOERR: (
            "can't be read or written: the disk is full, or reports an error",
            "Free some space, look into the system's log for the disk, or name another folder in"
            " LEADLINE_HOME.",
        ),
    }.get(code)
    if told is None:
        return None
    return FileFault(path, *told, str(error))


def now() -> str:
    """The time in UTC, ISO 8601, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
