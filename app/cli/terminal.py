"""What the command line writes to: standard output for results, standard error for the rest."""

from __future__ import annotations

import io
import os
import sys

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
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPED_WIDTH
    return Console(highlight=False, emoji=False, markup=False, width=width)


def messages() -> Console:
    """The console of progress, questions and faults."""
    return Console(stderr=True, highlight=False, emoji=False, markup=False)


def write(text: str) -> None:
    """Put text on standard output as it is: nothing is wrapped, nothing coloured."""
    sys.stdout.write(text)
    sys.stdout.flush()
