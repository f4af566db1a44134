"""A report where somebody reads it: in colours at a terminal, plain in a pipe."""

from __future__ import annotations

from advisor.report.report import Report
from advisor.report.text import render, renderable
from app.cli.terminal import output, write


def write_text(report: Report) -> None:
    """Put the whole report on standard output."""
    console = output()
    if console.is_terminal:
        console.print(renderable(report))
    else:
        write(render(report, console.width))
