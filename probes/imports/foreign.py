"""What a file is that Leadline does not import: called by its name, with what to bring instead."""

from __future__ import annotations

import re
from collections.abc import Iterator

from probes.errors import ImportRefused
from probes.imports.content import WHAT_CAN_BE_READ, shown
from probes.imports.iostat import TAKE_X, WITHOUT_X
from probes.imports.iostat_text import PLAIN

_FROM_THE_SERVER = (
    "Import it as a server's, with all else that was sent of it: `leadline import FILE... --as "
    "NAME`. Where the server can be reached, `leadline watch` asks it itself."
)
_LATENCIES = "For what the devices did, take `iostat -dxt 1`."
_OF_A_SERVER = (
    "With `--as NAME` it is read as one of a server's texts. For what the devices did, take "
    "`iostat -dxt 1`."
)

_FIO_TEXT = re.compile(r"^[ \t]*(?:read|write)[ \t]*: (?:IOPS=|io=)", re.MULTILINE)
_FIO_SAYS = re.compile(r"^(?:fio|fio_[a-z]{1,20}): (\S.{0,300})$", re.MULTILINE)
_FIO_STARTED = re.compile(
    r"^.{1,100}: \(g=\d{1,9}\): rw=|^fio-\d\S{0,40}[ \t\r]*$|^Starting \d{1,9} (?:process|thread)",
    re.MULTILINE,
)

_MARKS: tuple[tuple[re.Pattern[str], str, str], ...] = tuple(
    (re.compile(pattern, re.MULTILINE), sentence, advice)
    for pattern, sentence, advice in (
        (
            r"^.{0,60}\bINNODB MONITOR OUTPUT\b",
            "it is what SHOW ENGINE INNODB STATUS says.",
            _FROM_THE_SERVER,
        ),
        (
            r"^.{0,20}\b(?:Com_select|Innodb_rows_read|Threads_running|Uptime)\b[ \t|]{1,80}\d",
            "it is what SHOW STATUS says: the server's counters.",
            _FROM_THE_SERVER,
        ),
        (
            r"^.{0,20}\bVariable_name\b[ \t|]{1,80}Value\b"
            r"|^.{0,20}\b(?:innodb_buffer_pool_size|innodb_flush_method)[ \t|]{1,80}[\w-]",
            "it is what SHOW VARIABLES says: the server's settings.",
            _FROM_THE_SERVER,
        ),
        (
            r"^[ \t]*\[(?:mysqld|mariadb|mariadbd|server|client|mysql)(?:[-_.\w]{0,30})\][ \t\r]*$",
            "it is an option file.",
            _FROM_THE_SERVER,
        ),
        (
            r"^.{0,40}\bprocs? -+memory|^.{0,40}\bswpd[ \t]+free[ \t]+(?:buff|inact)",
            "it is vmstat: it shows the machine as a whole, and no device's latency.",
            _OF_A_SERVER,
        ),
        (
            r"^--- .{0,200} ioping statistics ---|^.{0,80}: request=\d{1,9} time=",
            "it is ioping: one request at a time.",
            "fio says more: `fio --rw=randread --bs=16k --direct=1 --output-format=json ...`.",
        ),
        (
            r"^.{0,20}\btop - \d{1,2}:\d\d:\d\d up ",
            "it is top: it shows processes, and no device.",
            _LATENCIES,
        ),
        (
            r"^Total DISK READ[ \t]*:",
            "it is iotop: it shows who did I/O, and not how long that took.",
            _LATENCIES,
        ),
        (
            r"^.{0,20}[ \t]+total[ \t]+used[ \t]+free[ \t]+shared",
            "it is free: it shows memory alone.",
            _OF_A_SERVER,
        ),
        (
            r"^\d{1,2}:\d\d:\d\d(?: [AP]M)?[ \t]+(?:DEV[ \t]+tps|CPU[ \t]+%user)",
            "it is sar: iostat shows the same, and reads and writes apart.",
            _LATENCIES,
        ),
        (
            r"^\d{1,18}\+\d{1,9} records in",
            "it is dd: it reads or writes in order, through the page cache unless asked otherwise.",
            "fio says more: `fio --rw=randread --bs=16k --direct=1 --output-format=json ...`.",
        ),
    )
)
"""How each begins, what it is, and what to do: the first that fits counts."""


def refusal(text: str) -> ImportRefused:
    """Why a file is not imported, by what it looks like."""
    for sentence, advice in _called(text):
        return ImportRefused(sentence, advice)
    return ImportRefused("it is not a file that Leadline can import.", WHAT_CAN_BE_READ)


def _called(text: str) -> Iterator[tuple[str, str]]:
    if PLAIN.search(text):
        yield WITHOUT_X, TAKE_X
    if _FIO_TEXT.search(text):
        yield (
            "it is fio's output for people: run it with --output-format=json.",
            WHAT_CAN_BE_READ,
        )
    for mark, sentence, advice in _MARKS:
        if mark.search(text):
            yield sentence, advice
    found = _FIO_SAYS.search(text)
    if found is not None:
        yield (
            f"it holds what fio said, and no result: “{shown(found[1].strip())}”.",
            "Run it again once that is mended, with --output-format=json.",
        )
    if _FIO_STARTED.search(text):
        yield (
            "fio was started, but there is no result: it was cut off, or went to another file.",
            "Import the file that --output names, or run it with --output-format=json.",
        )
