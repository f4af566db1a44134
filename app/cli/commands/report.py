"""``leadline report``: what a client gets, as one file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import click

from advisor.report.document.cover import Cover
from advisor.report.document.endings import JSON, PDF
from advisor.report.document.templates import Paper
from advisor.report.forms.by_ending import (
    form_of,
    written,
    written_lab,
    written_servers,
    written_trial,
)
from advisor.report.sections.advice import asking
from advisor.report.sections.servers_report import PlannedReport
from advisor.run import RunKind
from advisor.store import casefile
from advisor.store.store import Store
from advisor.target_names import CASE_SUFFIX
from app.cli.arguments import options
from app.cli.arguments.case import load
from app.cli.arguments.choice import choose
from app.cli.opening import warn
from app.cli.shown.files import check_writable, write_whole
from app.cli.shown.terminal import output
from probes.errors import UsageError

Kept = TypeVar("Kept")
Writer = Callable[..., str | bytes]
"""Writes a lab or a trial in a form, with a cover and for a paper."""


@click.command()
@click.argument("names", metavar="CASE...", nargs=-1, required=True)
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
    names: tuple[str, ...],
    file: Path | None,
    pdf: Path | None,
    other: str,
    only: tuple[str, ...],
    without: tuple[str, ...],
    cover: Cover,
    paper: str,
) -> None:
    """Write a report of CASE for its client: what to decide, risks, changes with SQL, the plan.

    CASE is a run's number, a target's name for its latest watch at work with its latest curves, or
    a file of `leadline case export`. Several are servers of one client in one report. The HTML file
    stands alone: it needs no network and runs no scripts.
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
    made = [_loaded(name, other, only, without) for name in names]
    _check_own(cover, [each for each in made if isinstance(each, PlannedReport)])
    make = partial(_written, made)
    for each, form in files.items():
        write_whole(each, make(form, cover=cover, paper=Paper(paper)))
        output().print(f"Written to {each}.", soft_wrap=True)


def _loaded(
    name: str, other: str, only: tuple[str, ...], without: tuple[str, ...]
) -> PlannedReport | Writer:
    """A run with its plan; of a lab or a trial what writes it."""
    found = load(name, past=True).report
    match found.run.kind:
        case RunKind.LAB:
            record = _kept(name, lambda store, number: store.lab(number), found.run.id)
            return partial(written_lab, record=record, run=found.run)
        case RunKind.TRIAL:
            trial = _kept(name, lambda store, number: store.trial(number), found.run.id)
            return partial(written_trial, record=trial, run=found.run)
    chosen = choose(found, other, only, without)
    return PlannedReport(chosen.report, chosen.plan, chosen.seen)


def _written(
    made: Sequence[PlannedReport | Writer], form: str, *, cover: Cover, paper: Paper
) -> str | bytes:
    (first, *others) = made
    if not others and not isinstance(first, PlannedReport):
        return first(form, cover=cover, paper=paper)
    found = [each for each in made if isinstance(each, PlannedReport)]
    if len(found) < len(made):
        raise UsageError(
            "A lab's or a trial's run has a report of its own.",
            "Name checks and watches: what was tried on their targets stands in their report.",
        )
    if others:
        return written_servers(form, found, cover=cover, paper=paper)
    (one,) = found
    return written(form, one.report, one.plan, one.seen, cover=cover, paper=paper)


def _check_own(cover: Cover, found: Sequence[PlannedReport]) -> None:
    """Warn of words on a rule that has no advice here: they stand nowhere."""
    asked = [one.rule for each in found for one in asking(each.report.judgement)]
    for own in cover.own:
        if asked and own.rule not in asked:
            rules = ", ".join(dict.fromkeys(asked))
            warn(
                f"{own.rule} is no advice here, so your words on it are left out; "
                f"these are: {rules}."
            )


def _kept(name: str, read: Callable[[Store, int], Kept], run_id: int) -> Kept:
    """What was kept of a run, in a file or in the store, whose warnings have been given by now."""
    if name.endswith(CASE_SUFFIX):
        with casefile.opened(Path(name)) as (store, voice):
            return read(store, voice.run_id)
    with Store.open() as store:
        return read(store, run_id)
