"""Facts that reports, banners and logs state: MySQLTuner, pt-summary, the client's own status.

Their advice is left aside: only what they saw counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from probes.figures import counted
from probes.texts.reading import amounts
from probes.texts.reading.pieces import Piece, RemarkPiece, StatedPiece

_VERSION = re.compile(
    r"(?:Server version: ?[ \t]*(?P<banner>\d+\.\d+[.\d]*\S*)(?P<comment> [^\n]{0,80})?"
    r"|running supported MySQL version (?P<tuner>\d+\.\d+\S*)"
    r"|mysqld(?:-\w+)?\s+Ver (?P<program>\d+\.\d+\S*) for"
    r"|mariadbd?\s+Ver (?P<maria>\d+\.\d+\S*-MariaDB\S*) for"
    r"|ready for connections\.? Version: '(?P<log>[^']{3,60})'"
    r"|\bVersion: '(?P<start>\d+\.\d+[^']{1,60})'[ \t]+socket:"
    r"|^[ \t]*Version \| (?P<toolkit>\d+\.\d+\S*) ?(?P<build>[^\n]{0,60})$)",
    re.MULTILINE,
)
_UPTIME = re.compile(
    r"^[ \t]*(?:Uptime:|.*\bhas been running for)[ \t]+(\d[\w ,]{3,80}?)[ \t]*[.(]?[ \t]*"
    r"(?:It started|$|Threads:)",
    re.MULTILINE,
)
_UPTIME_LINE = re.compile(r"^[ \t]*Uptime: (\d{1,12})[ \t]+Threads: \d", re.MULTILINE)
_TUNER_UP = re.compile(r"\[--\] Up for: ((?:\d{1,6}[dhms] ?){1,4})")
_DATA = re.compile(r"\[--\] Data in InnoDB tables: ([\d.]+[KMGT]?)")
_TUNER_MEMORY = re.compile(r"\[--\] Physical Memory\s*: ([\d.]+[KMGT]?)")
_TOTAL = re.compile(r"^[ \t]*Total \| ([\d.]+[KMGT])[ \t]*$", re.MULTILINE)
_PROCESSORS = re.compile(
    r"^[ \t]*Processors \| physical = \d+, cores = \d+, virtual = (\d{1,4})", re.MULTILINE
)

_PERFORMANCE_SCHEMA = re.compile(r"performance_schema\.memory[\s|]+(\d{1,15})\b")

_LOG_LINES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), sentence)
    for pattern, sentence in (
        (r"page_cleaner: 1000ms intended loop took (\d{1,9})ms",
         "the page cleaner took longer than its second, up to {most} ms"),
        (r"a long semaphore wait", "threads waited long for semaphores"),
        (r"semaphore wait has lasted > (\d{1,9}) seconds",
         "a semaphore wait lasted for more than {most} s: the server ends itself then"),
        (r"age of the last checkpoint is (\d{1,20})",
         "the redo log was too small: the age of its checkpoint reached {most} bytes"),
        (r"(?:redo log|log) .{0,40}(?:too small|capacity exceeded)|ib_log.* is too small",
         "the server calls its redo log too small"),
        (r"(?:Starting crash recovery|Database was not shutdown normally)",
         "the server recovered from a crash"),
        (r"(?:Out of memory: Kill|oom-kill|Killed process \d+ \((?:mysqld|mariadbd))",
         "the kernel killed a process for lack of memory"),
        (r"(?:blk_update_request|print_req_error|Buffer I/O error|I/O error, dev )",
         "the kernel reported errors of a drive"),
        (r"(?:exception Emask|hard resetting link|nvme\w* .*(?:timeout|reset controller))",
         "a drive stopped answering, and was reset"),
        (r"\[sd[a-z]+\] Write cache: disabled", "a drive's write cache is off"),
        (r"Disk is full writing|No space left on device", "a file system was full"),
        (r"state: DEGRADED|FAULTED\s|UNAVAIL\s", "a pool of ZFS is degraded"),
    )
)  # fmt: skip


def read_reports(lines: Sequence[str], name: str) -> Iterator[Piece]:
    """The version, the data's size, memory and processors, as far as a report states them."""
    text = "\n".join(line for line in lines if len(line) < 1000)
    stated = StatedPiece(
        version=_version(text)[0],
        comment=_version(text)[1],
        uptime_s=_uptime_s(text),
        data_bytes=_size(_DATA, text),
        performance_schema_bytes=_size(_PERFORMANCE_SCHEMA, text),
        memory_bytes=_size(_TUNER_MEMORY, text) or _toolkit_memory(text) or 0,
        cpus=int(found[1]) if (found := _PROCESSORS.search(text)) else 0,
    )
    if stated != StatedPiece():
        yield stated
    yield from _remarks(lines, name)


def _version(text: str) -> tuple[str, str]:
    found = _VERSION.search(text)
    if found is None:
        return "", ""
    groups = found.groupdict()
    comment = (groups.pop("comment") or "") + (groups.pop("build") or "")
    return next((each for each in groups.values() if each), ""), comment.strip()


def _uptime_s(text: str) -> float | None:
    if (line := _UPTIME_LINE.search(text)) is not None:
        return float(line[1])
    found = _TUNER_UP.search(text) or _UPTIME.search(text)
    seconds = None if found is None else amounts.span_s(found[1].strip())
    return None if seconds is None else float(seconds)


def _size(pattern: re.Pattern[str], text: str) -> int | None:
    found = pattern.search(text)
    return None if found is None else amounts.size_bytes(found[1])


def _toolkit_memory(text: str) -> int | None:
    """Of pt-summary alone: others call many things a total."""
    return _size(_TOTAL, text) if "Percona Toolkit System Summary" in text else None


def _remarks(lines: Sequence[str], name: str) -> Iterator[Piece]:
    """What a log says again and again, once, with how often and the most that it names."""
    times: dict[str, int] = {}
    most: dict[str, int] = {}
    for line in lines:
        for pattern, sentence in _LOG_LINES:
            if (found := pattern.search(line)) is not None:
                times[sentence] = times.get(sentence, 0) + 1
                if pattern.groups:
                    most[sentence] = max(most.get(sentence, 0), int(found[1]))
    for sentence, count in times.items():
        remark = sentence.format(most=f"{most.get(sentence, 0):,}")
        yield RemarkPiece(f"{name}, {counted(count, 'line')}: {remark}.")
