"""``leadline compare``: drives side by side, alone or under a server that was watched."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import RenderableType

from app.cli import options
from app.cli.curve_argument import contender
from app.cli.files import check_writable, write_whole
from app.cli.measuring import write_text
from app.cli.opening import opened_store
from app.cli.terminal import write
from probes.errors import UsageError


@click.command()
@click.argument("names", metavar="RUN RUN...", nargs=-1, required=True)
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
    help="What a drive costs, as 12=0.12, in any unit; with --under. Repeatable.",
)
@options.json_document("the comparison")
@options.output_file("it")
def compare(
    names: tuple[str, ...], under: str, prices: tuple[str, ...], as_json: bool, file: Path | None
) -> None:
    """Lay runs, imports or published tables side by side: which drive is the fastest, and where.

    Each RUN is a run's number or a name from `leadline runs references`. Under a CASE they are
    forecast as its drive: who wins at how many connections, and by how much where the server is.
    """
    from advisor.report.text.report import plain_text  # noqa: PLC0415 - heavy to load

    if file is not None:
        check_writable(file)
    found = _under(names, under, prices) if under else _alone(names, prices)
    if file is not None:
        write_whole(file, found.content() if as_json else plain_text(found.shown))
    elif as_json:
        write(found.content())
    else:
        write_text(found.shown)


@dataclass(frozen=True, slots=True)
class _Found:
    """A comparison as a document, made when it is asked for, and as text."""

    content: Callable[[], str]
    shown: RenderableType


def _alone(names: Sequence[str], prices: Sequence[str]) -> _Found:
    from advisor.compare import compare as laid_side_by_side  # noqa: PLC0415
    from advisor.report.json.comparison import to_json  # noqa: PLC0415
    from advisor.report.text.comparison import renderable  # noqa: PLC0415

    if prices:
        raise UsageError(
            "A price needs a server whose queries it is for.",
            "Name one that was watched with --under, or leave --price out.",
        )
    with opened_store() as store:
        found = laid_side_by_side([contender(store, name) for name in names])
    return _Found(lambda: to_json(found), renderable(found))


def _under(names: Sequence[str], case: str, prices: Sequence[str]) -> _Found:
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
    return _Found(lambda: to_json(found), renderable(found))


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
