"""``leadline report``: what a client gets, as one file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from advisor.lab.record import Record
from advisor.report.document.cover import Cover
from advisor.report.document.endings import JSON, PDF
from advisor.report.document.templates import Paper
from advisor.report.forms.by_ending import form_of, written, written_lab
from advisor.run import RunKind, RunSummary
from advisor.store import casefile
from advisor.store.store import Store
from advisor.target_names import CASE_SUFFIX
from app.cli.arguments import options
from app.cli.arguments.case import find, load
from app.cli.arguments.choice import choose
from app.cli.shown.files import check_writable, write_whole
from app.cli.shown.terminal import output
from probes.errors import UsageError


@click.command()
@click.argument("name", metavar="CASE")
@options.choices
@options.cover
@click.option(
    "-o",
    "--output",
    "file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The file to write: .html, .pdf, .md or .json.",
)
@click.option(
    "--pdf",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The same as PDF, whatever the file's name ends in.",
)
def report(
    *,
    name: str,
    file: Path | None,
    pdf: Path | None,
    other: str,
    only: tuple[str, ...],
    without: tuple[str, ...],
    cover: Cover,
    paper: str,
) -> None:
    """Write a report of CASE for its client: drive, advice with evidence, change plan with undo.

    CASE is a run's number, a target's name for its last run that came to its end, or a file of
    `leadline case export`. The HTML file stands alone: it needs no network and runs no scripts.
    """
    files = {each: PDF if each == pdf else form_of(each) for each in (file, pdf) if each}
    if not files:
        raise UsageError("No file is named to write.", "Name one with -o, as report.pdf.")
    for each, form in files.items():
        if cover.anonymous and form == JSON:
            raise UsageError(
                "A JSON document names its hosts.", "Take .html, .pdf or .md with --hide-names."
            )
        check_writable(each)
    lab = _lab(name)
    if lab is None:
        chosen = choose(load(name).report, other, only, without)
        make: Callable[..., str | bytes] = partial(
            written, report=chosen.report, plan=chosen.plan, seen=chosen.seen
        )
    else:
        make = partial(written_lab, record=lab[0], run=lab[1])
    for each, form in files.items():
        write_whole(each, make(form, cover=cover, paper=Paper(paper)))
        output().print(f"Written to {each}.", soft_wrap=True)


def _lab(name: str) -> tuple[Record, RunSummary] | None:
    """The lab that a run's number or a file names; None for any other case."""
    if name.endswith(CASE_SUFFIX):
        with casefile.opened(Path(name)) as (store, run_id):
            run = store.run(run_id)
            return (store.lab(run.id), run) if run.kind is RunKind.LAB else None
    if not name.isdecimal():
        return None
    # Who reads the case says what there is to know of the database.
    with Store.open() as store:
        run = find(name, store)
        return (store.lab(run.id), run) if run.kind is RunKind.LAB else None
