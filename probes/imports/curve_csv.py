"""One curve as a small table: threads and rates, of a drive or a server that the caller names."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from probes.errors import ImportRefused
from probes.imports.content import read_text, shown
from probes.imports.csv_table import CPU, point, rows, threads_of
from probes.points import Curve, Point, Setting

HEADER = re.compile(r"^[ \t]*\"?threads\"?[ \t]*[,;\t]", re.IGNORECASE | re.MULTILINE)
"""What such a table begins with."""

NEEDED = ("threads", "rate_per_s")
COLUMNS = (*NEEDED, "mean_us", "p95_us", "p99_us", "ci95_low_per_s", "ci95_high_per_s", *CPU)

ADVICE = (
    "A curve is a CSV file with the header threads,rate_per_s and a line for each concurrency; "
    "p95_us, ci95_low_per_s and ci95_high_per_s may follow."
)


def is_curve(text: str) -> bool:
    """Whether the text is such a table, and no file of another kind."""
    return HEADER.search(text[:4096]) is not None


def read_curve(path: Path, setting: Setting) -> Curve:
    """Read a curve; each point has ``setting`` with the threads of its line.

    Raises UsageError where there is no such file, and ImportRefused with the place of the first
    fault.
    """
    text = read_text(path)
    try:
        return Curve(tuple(_points(text, setting)))
    except ImportRefused as error:
        sentence = shown(f"{shown(path)}: {error.sentence}")
        raise ImportRefused(sentence, ADVICE, shown(error.details)) from error


def _points(text: str, setting: Setting) -> list[Point]:
    found: dict[int, Point] = {}
    for row in rows(text, {}, NEEDED, COLUMNS):
        threads = threads_of(row)
        if threads in found:
            raise row.refuse("threads", f"{threads} comes twice.")
        found[threads] = point(row, replace(setting, threads=threads))
        if not found[threads].usable:
            raise row.refuse("rate_per_s", "it must be more than 0.")
    if not found:
        raise ImportRefused("The table has no rows.")
    return [found[threads] for threads in sorted(found)]
