"""What the command line writes to: standard output for results, standard error for the rest."""

from __future__ import annotations

import io
import os
import sys
from typing import TextIO

from rich.console import Console

PIPED_WIDTH = 100
"""How wide text is set where no terminal tells."""


def prepare_streams() -> None:
    """Write what a narrow character set lacks as ``?`` instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def output() -> Console:
    """The console of results; plain when piped, and where NO_COLOR is set."""
    return _console(sys.stdout, stderr=False)


def messages() -> Console:
    """The console of progress, questions and faults."""
    return _console(sys.stderr, stderr=True)


def _console(stream: TextIO, *, stderr: bool) -> Console:
    width = None if stream.isatty() or "COLUMNS" in os.environ else PIPED_WIDTH
    return Console(stderr=stderr, highlight=False, emoji=False, markup=False, width=width)


def write(text: str) -> None:
    """Put text on standard output as it is: nothing is wrapped, nothing coloured."""
    sys.stdout.write(text)
    sys.stdout.flush()
