"""Every fault as a sentence on standard error and an exit code; never a traceback."""

from __future__ import annotations

import errno
import os
import stat
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum
from itertools import count
from pathlib import Path

import click

from advisor.store.private_files import make_file, make_folder, write_text
from app.cli.shown.terminal import messages
from probes.errors import (
    AuthenticationFailed,
    Cancelled,
    GuardTripped,
    HostKeyRejected,
    LeadlineError,
    MySQLAccessDenied,
    MySQLUnreachable,
    NoSuchRun,
    StoreError,
    TargetUnreachable,
    UsageError,
)
from probes.home import home
from probes.redaction import cleaned
from probes.scarce import scarce


class ExitCode(IntEnum):
    """How the command line ends."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    UNREACHED = 3
    STOPPED = 4
    FOUND = 5


_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


@dataclass(slots=True)
class CommandEnd:
    """The exit code that a guarded block ends with."""

    code: int = ExitCode.DONE


def exit_code(error: LeadlineError) -> ExitCode:
    """The code for an expected fault."""
    match error:
        case UsageError() | NoSuchRun():
            return ExitCode.USAGE
        case TargetUnreachable() | AuthenticationFailed() | HostKeyRejected():
            return ExitCode.UNREACHED
        case MySQLUnreachable() | MySQLAccessDenied():
            return ExitCode.UNREACHED
        case Cancelled() | GuardTripped():
            return ExitCode.STOPPED
        case _:
            return ExitCode.FAILED


def code_of(returned: object) -> int:
    """What a command returned as an exit code: None is a plain success."""
    return returned if isinstance(returned, int) else ExitCode.DONE


@contextmanager
def guarded() -> Iterator[CommandEnd]:
    """Tell what goes wrong within, and set the outcome's code; nothing is raised from here."""
    outcome = CommandEnd()
    try:
        yield outcome
        sys.stdout.flush()
    except LeadlineError as error:
        tell(error)
        outcome.code = exit_code(error)
    except click.ClickException as error:
        error.show()
        outcome.code = ExitCode.USAGE
    except click.exceptions.Exit as asked:
        outcome.code = asked.exit_code
    except (click.Abort, KeyboardInterrupt):
        messages().print("Stopped.")
        outcome.code = ExitCode.STOPPED
    except BrokenPipeError:
        _swallow_output()
        outcome.code = ExitCode.FAILED
    except Exception as error:  # noqa: BLE001 - the edge of the program: nobody is above to tell
        if _is_hang_up(error):
            _swallow_output()
            outcome.code = ExitCode.STOPPED
            return
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            _tell_no_room(error)
        elif lacking := scarce(error):
            tell(lacking)
        else:
            _tell_crash(error)
        outcome.code = ExitCode.FAILED


def tell(error: LeadlineError) -> None:
    """The sentence in red where there are colours, and below it what to do."""
    console = messages()
    console.print(error.sentence, style="red", soft_wrap=True)
    if error.advice:
        console.print(error.advice, soft_wrap=True)


def _is_hang_up(error: Exception) -> bool:
    """Whether the terminal was closed that something was to be written to."""
    if not isinstance(error, OSError) or error.errno != errno.EIO or error.filename is not None:
        return False
    # Of a closed terminal its device is left, which is a terminal no more.
    return any(
        stat.S_ISCHR(os.fstat(stream).st_mode) and not os.isatty(stream) for stream in (1, 2)
    )


def _swallow_output() -> None:
    """Keep Python from complaining at exit about a reader that has gone."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return


def _tell_no_room(error: OSError) -> None:
    where = error.filename or "Standard output"
    tell(LeadlineError(f"{where} can't be written ({error.strerror}).", "Make room there."))
    _swallow_output()


def _tell_crash(error: Exception) -> None:
    console = messages()
    text = cleaned(repr(error))
    trace = cleaned("".join(traceback.format_exception(error)))
    console.print(f"Internal error in Leadline: {text}", style="red", soft_wrap=True)
    log = _write_crash_log(trace)
    if log is None:
        console.print(trace, soft_wrap=True)
    else:
        console.print(f"What was measured is kept. The details are in {log}.", soft_wrap=True)


def _write_crash_log(trace: str) -> Path | None:
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    try:
        make_folder(home() / "log")
        log = _new_log(home() / "log" / f"crash-{stamp}.txt")
        write_text(log, trace)
    except (OSError, StoreError):
        return None
    return log


def _new_log(wanted: Path) -> Path:
    """The file, made; with a number in its name where one of the same second is there."""
    for number in count(1):
        log = wanted if number == 1 else wanted.with_stem(f"{wanted.stem}-{number}")
        with suppress(FileExistsError):
            make_file(log)
            break
    return log
