"""Opening the database file: made when absent, kept aside when damaged, refused when newer.

It is this account's alone. One that can't be written is read from a copy in memory.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock

from advisor.store.database import BUSY_TIMEOUT_S, CorruptError, Database
from advisor.store.private_files import FILE_MODE, keep_store, make_file, make_folder
from advisor.store.schema.migrations import known, migrate
from advisor.store.schema.read_only import can_be_written, read_only_copy
from advisor.store.schema.shapes import refuse_incomplete
from probes.errors import StoreError


def open_database(
    path: Path, *, busy_timeout_s: float = BUSY_TIMEOUT_S
) -> tuple[Database, tuple[str, ...]]:
    """A database that is ready to use, and what its user should know about it.

    One that can't be written is ``read_only`` and a copy: what is done to it is not kept. Raises
    StoreError when the file is locked, can't be read or made, or is newer than this program.
    """
    if not can_be_written(path):
        return _open_to_read(path)
    _make_folder(path.parent)
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    kept = path.with_name(f"{path.name}.corrupt-{stamp}")
    try:
        return _open(path, busy_timeout_s, keep_as=kept), ()
    except CorruptError:
        return _replace(path, busy_timeout_s, kept)


def _open_to_read(path: Path) -> tuple[Database, tuple[str, ...]]:
    try:
        with ExitStack() as half_way:
            database = half_way.enter_context(closing(read_only_copy(path)))
            database.execute("PRAGMA foreign_keys = ON")
            _make_ready(database)
            database.read_only = True
            half_way.pop_all()
    except CorruptError as fault:
        raise StoreError(
            f"The database {path} is damaged, and can't be kept aside: it can't be written.",
            "Name another folder in LEADLINE_HOME.",
            fault.details,
        ) from fault
    warning = (
        f"The database {path} can't be written. What it holds can be read; nothing new is kept."
    )
    return database, (warning,)


def _make_ready(database: Database) -> None:
    """See that it is whole, and of the shape that this program knows."""
    database.check()
    migrate(database, known())
    refuse_incomplete(database)


def _replace(path: Path, busy_timeout_s: float, kept: Path) -> tuple[Database, tuple[str, ...]]:
    # Two programs may find the damage at one moment; the second must not put the new file aside.
    with FileLock(path.with_name(f"{path.name}.repair"), mode=FILE_MODE):
        try:
            return _open(path, busy_timeout_s), ()
        except CorruptError as fault:
            _rename(path, kept)
            warning = (
                f"The database was damaged ({fault.details}). It was kept as {kept},"
                " and a new one was started."
            )
            return _open(path, busy_timeout_s), (warning,)


def _open(path: Path, busy_timeout_s: float, keep_as: Path | None = None) -> Database:
    keep_store(path)
    database = Database(path, busy_timeout_s)
    try:
        database.set_up()
        _make_ready(database)
    except BaseException as fault:
        if isinstance(fault, CorruptError) and keep_as is not None:
            _copy_log(path, keep_as)
        database.close()
        raise
    return database


def _copy_log(path: Path, kept: Path) -> None:
    """Save the write-ahead log while the file is still open: closing it removes the log."""
    log = path.with_name(f"{path.name}-wal")
    with _keeping(path):
        if log.exists() and log.stat().st_size > 0:
            beside = kept.with_name(f"{kept.name}-wal")
            make_file(beside)
            shutil.copyfile(log, beside)


def _rename(path: Path, kept: Path) -> None:
    with _keeping(path):
        path.rename(kept)


@contextmanager
def _keeping(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"The database {path} is damaged and can't be kept aside ({error.strerror}).",
            "Close other Leadline windows and move the file away by hand.",
            str(error),
        ) from error


def _make_folder(folder: Path) -> None:
    try:
        make_folder(folder)
    except OSError as error:
        raise StoreError(
            f"The folder {folder} for Leadline's database can't be made ({error.strerror}).",
            "Give your account the right to write there, or name another folder in LEADLINE_HOME.",
            str(error),
        ) from error
