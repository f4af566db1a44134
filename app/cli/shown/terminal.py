"""What the command line writes to: standard output for results, standard error for the rest."""

from __future__ import annotations

import codecs
import io
import json
import os
import sys
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

PIPED_WIDTH = 100
"""How wide text is set without a terminal."""


_NEAREST = {
    **dict.fromkeys("\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}\N{NO-BREAK SPACE}", " "),
    "→": "->",
    "×": "x",
    "·": "-",
    "…": "...",
    "≤": "<=",
    "≥": ">=",
    "µ": "u",
    "–": "-",
}
"""What stands for a character that a narrow set lacks, as that of a pipe on Windows."""


def _nearest(error: UnicodeError) -> tuple[str, int]:
    """As Python's ``replace``, but with what comes nearest where there is such."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_NEAREST.get(each, "?") for each in lacking), error.end


codecs.register_error("leadline.nearest", _nearest)


def prepare_streams() -> None:
    """Write the nearest to what a narrow character set lacks, and to nowhere without a stream."""
    for name in ("COLUMNS", "LINES"):
        # A size of nothing, as a terminal without one leaves it: all text would be lost.
        if os.environ.get(name, "").strip("0") == "":
            os.environ.pop(name, None)
    nowhere = Path(os.devnull)
    if sys.stdin is None:
        sys.stdin = nowhere.open(encoding="utf-8")
    if sys.stdout is None:
        sys.stdout = nowhere.open("w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = nowhere.open("w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="leadline.nearest")


def output() -> Console:
    """The console of results; plain when piped, and where NO_COLOR is set."""
    return _console(sys.stdout, stderr=False)


def messages() -> Console:
    """The console of progress, questions and faults."""
    return _console(sys.stderr, stderr=True)


def _console(stream: TextIO, *, stderr: bool) -> Console:
    # The window, which starts with this module, writes to none.
    from advisor.report.forms.safe_console import SafeConsole  # noqa: PLC0415

    width = None if stream.isatty() or "COLUMNS" in os.environ else PIPED_WIDTH
    return SafeConsole(stderr=stderr, highlight=False, emoji=False, markup=False, width=width)


def write(text: str) -> None:
    """Put text on standard output as it is: nothing is wrapped, nothing coloured."""
    sys.stdout.write(text)
    sys.stdout.flush()


def write_json(content: object) -> None:
    """Put a document for programs on standard output."""
    write(json.dumps(content, ensure_ascii=False, indent=2) + "\n")


def plain_table(*columns: str, whole: Collection[str] = (), heads: bool = True) -> Table:
    """A table without lines; columns of ``whole`` are not wrapped."""
    from rich.table import Table  # noqa: PLC0415 - heavy to load

    made = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), show_header=heads)
    for column in columns:
        made.add_column(column, header_style="bold", no_wrap=column in whole)
    return made
