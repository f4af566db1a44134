"""Which files the time of a server's file I/O goes to, as rows and sentences of every report."""

from __future__ import annotations

from collections.abc import Iterator

from probes import figures
from probes.watch.by_file import ByFile, FileWork, added
from probes.watch.file_series import MOST_FILES
from probes.watch.over_time import Amounts
from probes.watch.words import ROLES, Operation

FILE_COLUMNS = ("file", "role", "reads", "writes", "syncs", "bytes", "at a time")

MOST_ROWS = 8
TELLING = 0.01
"""A file has a row where it takes this share of the time of file I/O, and no more have than so
many."""

MOST_NAMED, NAMED = 3, 0.1
"""A sentence names no more files, and none that takes less of the time (our choice)."""

SPOKEN_OF = 0.05
"""The share of the calls from which on a sentence mentions files elsewhere (our choice)."""

FileCells = tuple[str, ...]
"""One file, in the order of ``FILE_COLUMNS``."""


def file_rows(seen: ByFile) -> list[FileCells]:
    """The files that most time goes to, and one row for all others."""
    shown = telling(seen)
    rows = [
        (seen.named(each), ROLES[each.role], *_figures(seen, (each.reads, each.writes, each.syncs)))
        for each in shown
    ]
    others = [each for each in seen.all if each not in shown]
    many = sum(each.files for each in others)
    if rows and many:
        each_kind = [added(one.of(kind) for one in others) for kind in Operation]
        rows.append((f"{figures.counted(many, 'other file')}", "", *_figures(seen, each_kind)))
    return rows


def telling(seen: ByFile) -> list[FileWork]:
    """The files that have a row of their own, the most time first."""
    least_us = TELLING * seen.waited_us
    return [each for each in seen.files if each.all.waited_us > least_us][:MOST_ROWS]


def most_of_it(seen: ByFile) -> str:
    """The files that most of the time goes to, in one sentence; "" where none was used."""
    whole_us = seen.waited_us
    shown = [
        f"{seen.named(each)} ({figures.percent(each.all.waited_us / whole_us)})"
        for each in telling(seen)[:MOST_NAMED]
        if each.all.waited_us >= NAMED * whole_us
    ]
    return f"Of the time in files most goes to {figures.listed(shown)}." if shown else ""


def file_sentences(seen: ByFile) -> Iterator[str]:
    """How many tables' files lie outside of the data directory, and what is not in the rows."""
    kinds = ((kind, seen.away_share(kind)) for kind in (Operation.READ, Operation.WRITE))
    away = [
        f"{figures.percent(share)} of the {kind}s" for kind, share in kinds if share >= SPOKEN_OF
    ]
    if away:
        yield (
            f"Tables' files outside of the data directory take {figures.listed(away)} of tables' "
            "files: what their drive does was not watched."
        )
    if seen.gone:
        gone = figures.counted(seen.gone, "file")
        yield f"What was done with {gone} that the server deleted meanwhile is not known."
    if seen.cut:
        yield (
            f"Of its files the {figures.count(MOST_FILES)} were looked at that it has spent most "
            "time in since its start."
        )
    if seen.uncounted:
        lost = figures.count(seen.uncounted)
        yield (
            f"The Performance Schema had no room to count some files (asked for {lost} times; "
            "`performance_schema_max_file_instances`)."
        )


def _figures(seen: ByFile, parts: list[Amounts] | tuple[Amounts, ...]) -> Iterator[str]:
    for each in parts:
        yield figures.rate(each.calls / seen.seconds) if each.calls else ""
    whole = added(parts)
    yield figures.throughput(whole.size_bytes / seen.seconds) if whole.size_bytes else ""
    yield figures.under_way(seen.under_way(whole))
