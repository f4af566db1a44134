"""``leadline report``: what a client gets, as one file."""

from __future__ import annotations

from pathlib import Path

import click

from advisor.report.client.forms import writer
from app.cli import options
from app.cli.case_argument import load
from app.cli.choice import choose
from app.cli.files import check_writable, write_whole
from app.cli.terminal import output


@click.command()
@click.argument("name", metavar="CASE")
@options.choices
@click.option(
    "-o",
    "--output",
    "file",
    metavar="FILE",
    required=True,
    type=click.Path(path_type=Path),
    help="The file to write: .html, .md or .json.",
)
def report(
    *, name: str, file: Path, other: str, only: tuple[str, ...], without: tuple[str, ...]
) -> None:
    """Write a report of CASE for its client: drive, advice with evidence, change plan with undo.

    CASE is a run's number, a target's name for its last run that came to its end, or a file of
    `leadline case export`. The HTML file stands alone: it needs no network and runs no scripts.
    """
    write = writer(file)
    check_writable(file)
    loaded = load(name).report
    chosen = choose(loaded, other, only, without)
    write_whole(file, write(chosen.report, chosen.plan, chosen.seen))
    output().print(f"Written to {file}.", soft_wrap=True)
