"""``leadline compare``: drives side by side, alone or under a server that was watched."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import click

from advisor.run import repeated
from app.cli import options
from app.cli.curve_argument import contender
from app.cli.files import check_writable
from app.cli.measuring import give
from app.cli.opening import opened_store
from app.cli.runs import no_project
from probes.errors import UsageError


@click.command()
@click.argument("names", metavar="RUN RUN...", nargs=-1)
@click.option("--project", metavar="NAME", default="", help="All drives of this project.")
@click.option(
    "--under",
    metavar="CASE",
    default="",
    help="A server that was watched at work: a run's number, a target's name or a case file.",
)
@click.option(
    "--price",
    "prices",
    metavar="RUN=PRICE",
    multiple=True,
    help="What a drive costs, as 12=0.12, in any unit. Repeatable.",
)
@options.json_document("the comparison")
@options.output_file("it")
def compare(
    *,
    names: tuple[str, ...],
    project: str,
    under: str,
    prices: tuple[str, ...],
    as_json: bool,
    file: Path | None,
) -> None:
    """Lay runs, imports or published tables side by side: which drive is the fastest, and where.

    Each RUN is a run's number, the numbers of repeats (1+4), or a name from `leadline runs
    references`; with --project all drives of a project are added. Under a CASE they are forecast
    as its drive: who wins at how many connections, and by how much where the server is.
    """
    if file is not None:
        check_writable(file)
    if project:
        names = (*names, *_of_project(project, names))
    if not names:
        raise UsageError("Nothing was named to compare.", "Name runs, or a --project.")
    if under:
        _under(names, under, prices, as_json=as_json, file=file)
        return
    side_by_side(names, prices, as_json=as_json, file=file)


def _of_project(project: str, named: Sequence[str]) -> list[str]:
    """The drives of a project by their runs' numbers, repeats joined; raises UsageError."""
    with opened_store() as store:
        found = store.runs()
    of_project = [run for run in found if run.label.project == project and run.points]
    if not of_project:
        raise no_project(project, sorted({run.label.project for run in found} - {""}))
    keys = ["+".join(map(str, ids)) for ids in repeated(of_project)]
    return [key for key in keys if key not in named]


def side_by_side(
    names: Sequence[str], prices: Sequence[str] = (), *, as_json: bool, file: Path | None
) -> None:
    """Compare runs and references by themselves; raises UsageError or StoreError."""
    from advisor.compare import compare as laid_side_by_side  # noqa: PLC0415 - heavy to load
    from advisor.report.json.comparison import to_json  # noqa: PLC0415
    from advisor.report.text.comparison import renderable  # noqa: PLC0415

    with opened_store() as store:
        loaded = [contender(store, name) for name in names]
    found = laid_side_by_side(loaded, dict(_price(each, names) for each in prices))
    give(lambda: to_json(found), lambda: renderable(found), as_json=as_json, file=file)


def _under(
    names: Sequence[str], case: str, prices: Sequence[str], *, as_json: bool, file: Path | None
) -> None:
    from advisor.forecasts.live import live  # noqa: PLC0415
    from advisor.forecasts.under import under_server  # noqa: PLC0415
    from advisor.forecasts.what_if import Forecaster  # noqa: PLC0415
    from advisor.report.json.under import to_json  # noqa: PLC0415
    from advisor.report.text.under import renderable  # noqa: PLC0415
    from app.cli.case_argument import load  # noqa: PLC0415

    priced = dict(_price(each, names) for each in prices)
    with opened_store() as store:
        contenders = [contender(store, name) for name in names]
    found = under_server(Forecaster(live(load(case).case)), contenders, priced)
    give(lambda: to_json(found), lambda: renderable(found), as_json=as_json, file=file)


def _price(text: str, names: Sequence[str]) -> tuple[str, float]:
    """RUN and its price; raises UsageError."""
    name, _, told = text.partition("=")
    try:
        price = float(told)
    except ValueError:
        price = math.nan
    if not 0 < price < math.inf:
        raise UsageError(f"'{text}' is not RUN=PRICE.", "Write it as --price 12=0.12.")
    if name.strip() not in names:
        raise UsageError(f"{name.strip() or text} is none of those compared.", "Name it as there.")
    return name.strip(), price
