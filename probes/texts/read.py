"""Finding out what a text holds, and reading all of it: a mail may have everything in one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from probes.texts.reading.activity import read_drives, read_innodb, read_sar, read_vmstat
from probes.texts.reading.block_counters import read_block_counters
from probes.texts.reading.cloudwatch import read_cloudwatch
from probes.texts.reading.kernel_files import read_kernel_files
from probes.texts.reading.machine import read_machine
from probes.texts.reading.option_file import apart, is_excerpt, is_option_file, read_options
from probes.texts.reading.pieces import Piece, ServerText
from probes.texts.reading.plain import plain, without_comments
from probes.texts.reading.reports import read_reports
from probes.texts.reading.server import read_server, time_of_name
from probes.texts.reading.services import read_service
from probes.texts.reading.storage import read_storage_texts

UNREADABLE = (
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)
"""What a reader trips over when a text is not what it seems to be."""

_OF_SHELL = ("shell_info.yaml", "mysqlsh.log")
_MONITOR = re.compile(r"INNODB MONITOR OUTPUT")


def read_text(
    text: ServerText, sent: Sequence[str] = (), now_s: float | None = None
) -> list[Piece]:
    """All that a text gives; nothing where it is no server's.

    ``sent`` are the names of all texts that came with it, ``now_s`` is when they were taken: what
    an option file's age is counted from.
    """
    if _is_of_shell(text.name, sent):
        return []
    lines = without_comments(plain(text))
    age_s = None
    if now_s is not None and text.written_at is not None:
        age_s = max(0.0, now_s - text.written_at)
    if is_option_file(text.name, lines):
        return [read_options(text.name, lines, age_s, sent)]
    inside, outside = apart(lines)
    pieces: list[Piece] = []
    if inside:
        pieces.append(read_options(text.name, inside, None, sent))
    elif is_excerpt(outside):
        return [read_options(text.name, outside, None, sent)]
    return [*pieces, *_read_lines(outside, text)]


def _is_of_shell(name: str, sent: Sequence[str]) -> bool:
    """Whether a file says what MySQL Shell is, or what one beside it says as rows."""
    twin = f"{name.removesuffix('.yaml')}.tsv"
    return name.rpartition("/")[2] in _OF_SHELL or (name.endswith(".yaml") and twin in sent)


def _read_lines(lines: Sequence[str], text: ServerText) -> Iterator[Piece]:
    name = text.name
    monitors = list(read_innodb(lines))
    yield from monitors
    # Its averages and headings look like many things.
    rest = _without_monitors(lines) if monitors else lines
    yield from read_service(rest)
    yield from read_server(rest, time_of_name(name))
    yield from read_machine(rest)
    yield from read_kernel_files(rest)
    yield from read_storage_texts(rest)
    yield from read_drives(rest, name)
    yield from read_block_counters(rest, name, text.written_at)
    yield from read_vmstat(rest)
    yield from read_sar(rest, name)
    yield from read_cloudwatch(rest)
    yield from read_reports(rest, name)


def _without_monitors(lines: Sequence[str]) -> list[str]:
    """The lines that stand in no INNODB STATUS."""
    kept: list[str] = []
    inside = False
    for line in lines:
        if _MONITOR.search(line):
            inside = "END OF" not in line and "\\n" not in line
        elif not inside:
            kept.append(line)
    return kept
