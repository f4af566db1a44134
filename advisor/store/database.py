"""One connection to an SQLite file: pragmas, transactions, and sqlite3's errors in our words."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from probes.boundary.malformed import Malformed
from probes.errors import StoreError, UsageError

BUSY_TIMEOUT_S = 5.0
_AGAIN_S = 0.01

MOST_VALUE_BYTES = 16 << 20
"""Of one value in a file that somebody else made."""

_MOST_SQL_BYTES = 1 << 16
_STEPS = 10_000
_MOST_STEPS = 200_000_000
"""What one statement may take of SQLite's own steps in such a file, seconds on any machine."""

_OF_VALUES = re.compile(r"(?:NULL|NUMERIC|TEXT|non-\w+) value in |CHECK constraint failed in ")
"""What SQLite's check says of values, not of the file that holds them."""

Params = Sequence[object] | Mapping[str, object]


class Database:
    """A connection to ``path`` that belongs to the thread that made it.

    ``read_only`` where the file can't be written, and this is a copy of it.

    Every method raises StoreError when the file can't be used, UsageError for what is no text, and
    Malformed for a text in the file that is none. It lets sqlite3's own error through when the
    statement is wrong: that is our fault, not the surroundings'.
    """

    def __init__(self, path: Path, busy_timeout_s: float = BUSY_TIMEOUT_S) -> None:
        self.path = path
        self.read_only = False
        self._busy_timeout_s = busy_timeout_s
        self._limited = False
        self._identity: tuple[int, int] | None = None
        with self._faults():
            self._connection = sqlite3.connect(path, timeout=busy_timeout_s, isolation_level=None)
        self._connection.row_factory = sqlite3.Row
        self._connection.text_factory = _text

    @classmethod
    def copy_of(cls, path: Path, *, own: bool = False) -> Self:
        """A copy in memory of the file at ``path``, which is only read and stays as it is.

        Nothing in it is trusted, and no statement on it runs for long, unless it is this account's
        ``own`` store: then its log beside it is read too.
        """
        database = cls(Path(":memory:"))
        database.path = path
        address = f"{path.absolute().as_uri()}?mode=ro{'' if own else '&immutable=1'}"
        with ExitStack() as half_way:
            half_way.callback(database.close)
            with database._faults(), closing(sqlite3.connect(address, uri=True)) as file:
                file.backup(database._connection)
            if not own:
                database._distrust()
            half_way.pop_all()
        return database

    def _distrust(self) -> None:
        self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_VALUE_BYTES)
        self._connection.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, _MOST_SQL_BYTES)
        self._connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        self._limited = True
        # Not trusted_schema = OFF: SQLite 3.40 counts json_valid() as unsafe then, which our schema
        # has. Whoever opens a copy compares the schema before any part of it is evaluated.
        self.execute("PRAGMA cell_size_check = ON")

    def _begin_steps(self) -> None:
        """Count from here on what a statement takes, where the file is not trusted."""
        if not self._limited:
            return
        left = iter(range(_MOST_STEPS // _STEPS))
        self._connection.set_progress_handler(lambda: next(left, None) is None, _STEPS)

    def set_up(self) -> None:
        """Choose how the file is written: a log of its own that readers don't wait for.

        A commit survives a killed program; it is not flushed to the drive each time, since that
        drive may be the one that is being measured.
        """
        self.execute("PRAGMA foreign_keys = ON")
        self._write_ahead()
        self.execute("PRAGMA synchronous = NORMAL")
        self._identity = _identity(self.path)

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

    def keep_nothing(self) -> None:
        """Refuse every write from now on, in the words for a file that can't be written."""
        self.execute("PRAGMA query_only = ON")

    def require_writable(self) -> None:
        """Raises FileFault where nothing can be kept: before work is done that would be lost."""
        if self.read_only:
            raise FileFault(self.path, *_NOT_WRITABLE, "")

    def check(self, *, values: bool = False) -> None:
        """Read the whole file once (30 ms for 50 MB); raises CorruptError.

        A value that its column forbids spoils one run, not the file: it counts with ``values``
        alone. SQLite looks at the file's own structure first.
        """
        found = str(self.rows("PRAGMA quick_check(1)")[0][0])
        # Its way through the file has filled the cache with pages that nobody asks for again.
        self.execute("PRAGMA shrink_memory")
        if found != "ok" and (values or not _OF_VALUES.match(found)):
            raise CorruptError(self.path, found)

    def execute(self, sql: str, params: Params = ()) -> int:
        """Run one statement; the id of the row that it inserted, if it did."""
        self._begin_steps()
        with self._faults(), closing(self._connection.execute(sql, params)) as cursor:
            return cursor.lastrowid or 0

    def execute_many(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        """Run one statement for each of ``rows``."""
        with self._faults(), closing(self._connection.executemany(sql, rows)):
            pass

    def rows(self, sql: str, params: Params = ()) -> list[sqlite3.Row]:
        """The rows of a query."""
        self._begin_steps()
        with self._faults(), closing(self._connection.execute(sql, params)) as cursor:
            return cursor.fetchall()

    def lenient_rows(self, sql: str, params: Params = ()) -> list[sqlite3.Row]:
        """The same, with U+FFFD for bytes that are no text: a list is shown whole."""
        self._connection.text_factory = _lenient_text
        try:
            return self.rows(sql, params)
        finally:
            self._connection.text_factory = _text

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All statements within are kept together, or none.

        Raises GoneError where nobody would find them again.
        """
        if self._identity is not None and _identity(self.path) != self._identity:
            raise GoneError(self.path)
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


class OverLimitError(StoreError):
    """The file holds more than is read of somebody else's; ``what`` follows its name."""

    def __init__(self, path: Path, what: str, details: str = "") -> None:
        super().__init__(f"The database {path} {what}.", "", details)
        self.path = path
        self.what = what


class GoneError(FileFault):
    """The file was removed, or another put in its place, while it was in use."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            path,
            "was removed or replaced while it was in use",
            "What was kept in it is lost. Start Leadline again: it begins a new one.",
            "",
        )


class LockedError(StoreError):
    """Another program has the file, or a part of it, for itself."""

    def __init__(self, path: Path, details: str) -> None:
        super().__init__(
            f"The database {path} is locked by another program.",
            "Close the other program, or wait until it has finished, and try again.",
            details,
        )


_NOT_WRITABLE = (
    "can't be written",
    "Give your account the right to write the file and its folder,"
    " or name another folder in LEADLINE_HOME.",
)


def _identity(path: Path) -> tuple[int, int] | None:
    """What distinguishes the file at ``path`` from another in its place; None without a file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def translate(error: sqlite3.Error, path: Path) -> StoreError | None:
    """What a user can be shown about ``error``; None when the statement was wrong, not the file."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return CorruptError(path, str(error))
    if code == sqlite3.SQLITE_BUSY:
        return LockedError(path, str(error))
    if code == sqlite3.SQLITE_TOOBIG:
        return OverLimitError(path, "holds a value that is too large", str(error))
    if code == sqlite3.SQLITE_INTERRUPT:
        return OverLimitError(path, "takes too long to read", str(error))
    sentences = {
        sqlite3.SQLITE_READONLY: _NOT_WRITABLE,
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
    if sentences is None:
        return None
    return FileFault(path, *sentences, str(error))


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        raise Malformed(f"a text in it is no UTF-8 at byte {error.start}") from error


def _lenient_text(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def now() -> str:
    """The time in UTC, ISO 8601, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
