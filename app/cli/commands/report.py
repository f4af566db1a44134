"""``leadline report``: what a client gets, as one file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import click

from advisor.report.document.cover import Cover
from advisor.report.document.endings import JSON, PDF
from advisor.report.document.templates import Paper
from advisor.report.forms.by_ending import form_of, written, written_lab, written_trial
from advisor.run import RunKind
from advisor.store import casefile
from advisor.store.store import Store
from advisor.target_names import CASE_SUFFIX
from app.cli.arguments import options
from app.cli.arguments.case import load
from app.cli.arguments.choice import choose
from app.cli.shown.files import check_writable, write_whole
from app.cli.shown.terminal import output
from probes.errors import UsageError

Kept = TypeVar("Kept")


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
    found = load(name).report
    make: Callable[..., str | bytes]
    if found.run.kind is RunKind.LAB:
        record = _kept(name, lambda store, number: store.lab(number), found.run.id)
        make = partial(written_lab, record=record, run=found.run)
    elif found.run.kind is RunKind.TRIAL:
        trial = _kept(name, lambda store, number: store.trial(number), found.run.id)
        make = partial(written_trial, record=trial, run=found.run)
    else:
        chosen = choose(found, other, only, without)
        make = partial(written, report=chosen.report, plan=chosen.plan, seen=chosen.seen)
    for each, form in files.items():
        write_whole(each, make(form, cover=cover, paper=Paper(paper)))
        output().print(f"Written to {each}.", soft_wrap=True)


def _kept(name: str, read: Callable[[Store, int], Kept], run_id: int) -> Kept:
    """What was kept of a run, in a file or in the store, whose warnings have been given by now."""
    if name.endswith(CASE_SUFFIX):
        with casefile.opened(Path(name)) as (store, number):
            return read(store, number)
    with Store.open() as store:
        return read(store, run_id)
