"""Reading a file that anybody may have made: at most so large, and only text."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from probes.boundary import malformed
from probes.errors import ImportRefused, UsageError
from probes.figures import size

MOST_BYTES = 16 << 20
"""Larger than any result of a few thousand jobs; a text of this size may take four times as much
memory."""

_MOST_LETTERS = 1000
"""Of one sentence that quotes a file, or of its name."""

NAME_FILES = "Name the files in it; or, where they are of one server, add --as NAME."

_MARKS = {
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
    b"\xef\xbb\xbf": "utf-8-sig",
}
"""The byte order marks; what a Windows shell redirects is UTF-16."""


_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""A terminal obeys some of them, and names from a file are shown there."""


def read_text(path: Path) -> str:
    """The whole file as text, with the ends of lines as they are and no other control characters.

    Raises UsageError where there is no such file, and ImportRefused where it is empty, too large or
    no text.
    """
    return text_of(read_bytes(path), path)


def text_of(data: bytes, name: str | Path) -> str:
    """The text of a file's bytes; raises ImportRefused where they are none."""
    if not data.strip():
        raise ImportRefused(
            f"{shown(name)} is empty.", "Was the program that wrote it still running?"
        )
    encoding = next((each for mark, each in _MARKS.items() if data.startswith(mark)), "")
    if not encoding:
        # A text of Windows that lost its mark: every second byte of plain letters is 0.
        encoding = "utf-16-le" if data[1:200:2].count(0) > len(data[:200]) // 3 else "utf-8"
    text = data.decode(encoding, "replace")
    if "\0" in text:
        raise ImportRefused(f"{shown(name)} is no text file.", WHAT_CAN_BE_READ)
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


def shown(value: str | Path) -> str:
    """What a file says, or its name, as people may read it and any database keeps it: one line."""
    return malformed.shown(str(value), _MOST_LETTERS) if str(value) else ""


def read_bytes(path: Path) -> bytes:
    """All of a plain file; raises UsageError and ImportRefused as ``read_text``."""
    try:
        # Opening a pipe would wait for somebody to write into it.
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise UsageError(f"{shown(path)} is a folder.", NAME_FILES)
        if not stat.S_ISREG(mode):
            raise UsageError(f"{shown(path)} is no plain file.", WHAT_CAN_BE_READ)
        with open(path, "rb", opener=_open_without_waiting) as file:
            data = file.read(MOST_BYTES + 1) or b""
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UsageError(f"No such file: {shown(path)}.", "Check its name.") from error
    except OSError as error:
        raise ImportRefused(f"{shown(path)} can't be read ({error.strerror}).") from error
    except ValueError as error:
        raise UsageError(f"{shown(path):.200} is not a valid file name.") from error
    if len(data) > MOST_BYTES:
        raise ImportRefused(
            f"{shown(path)} is larger than {size(MOST_BYTES)}.",
            "With many fio jobs, --group_reporting makes one result of them; or split the file.",
        )
    return data


def _open_without_waiting(path: str, flags: int) -> int:
    """Some files of the kernel's look plain, yet let their reader wait."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


WHAT_CAN_BE_READ = (
    "Leadline reads fio (--output-format=json, json+ or terse), sysbench (the text of fileio and "
    "oltp tests), iostat -x, and CSV with a header that begins with probe."
)
