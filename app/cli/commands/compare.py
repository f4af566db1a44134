"""``leadline compare``: drives side by side, alone or under a server that was watched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from advisor.amounts import money
from advisor.report.document.cover import Cover
from advisor.report.document.endings import HTML, MARKDOWN, PDF
from advisor.run import looks, repeated
from app.cli.arguments import options
from app.cli.arguments.curve import curves_of
from app.cli.commands.runs import no_project
from app.cli.opening import opened_store
from app.cli.shown.files import write_whole
from app.cli.shown.measuring import give
from app.cli.shown.terminal import messages, output
from probes.errors import UsageError
from probes.points import PAGE_BYTES, Probe, Setting

if TYPE_CHECKING:
    from advisor.case import Case
    from advisor.compare.comparison import Comparison
    from advisor.compare.contender import Contender
    from advisor.forecasts.under import UnderServer


@click.command()
@click.argument("names", metavar="CURVE CURVE...", nargs=-1)
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
    metavar="CURVE=PRICE",
    multiple=True,
    help="What a drive costs, as 12=0.12 or card.csv=0.12, in any unit. Repeatable.",
)
@click.option(
    "--report",
    metavar="FILE",
    type=click.Path(path_type=Path),
    callback=options.writable,
    help="Write a report for a client: .html, .pdf or .md.",
)
@options.cover
@options.json_document("the comparison")
@options.output_file("it")
def compare(
    *,
    report: Path | None,
    cover: Cover,
    paper: str,
    names: tuple[str, ...],
    project: str,
    under: str,
    prices: tuple[str, ...],
    as_json: bool,
    file: Path | None,
) -> None:
    """Lay runs, files or published tables side by side: which drive is the fastest, and where.

    Each CURVE is a run's number, the numbers of repeats (1+4), a name from `leadline runs
    references`, or a file: one that `leadline import` reads, or a CSV of a drive's random reads
    (threads,rate_per_s). With --project all drives of a project are added. Under a CASE they are
    forecast as its drive: who wins at how many connections, and by how much where the server is.

    Two watches of one server are laid side by side as before and after.
    """
    if report is None and file is not None and not as_json and file.suffix.lower() in (HTML, PDF):
        # Whoever names such a file wants no text of a terminal in it.
        report, file = file, None
    if report is not None:
        _check_form(report)
    if project:
        names = (*names, *_of_project(project, names))
    if not names:
        raise UsageError("Nothing was named to compare.", "Name runs, or a --project.")
    if report is None and not under and (watches := _two_watches(names)):
        from app.cli.commands.collecting.history import give_two_looks  # noqa: PLC0415 - heavy

        give_two_looks(watches, as_json=as_json, file=file)
        return
    case = _case(under) if under else None
    contenders, priced = _loaded(names, prices, case)
    server = None if case is None else _forecast(contenders, case, priced)
    if report is not None:
        _write(report, contenders, priced, server, cover=cover, paper=paper)
        beside = messages() if as_json else output()
        beside.print(f"Written to {report}.", soft_wrap=True)
        if file is None and not as_json:
            return
    if server is None:
        _give_comparison(contenders, priced, as_json=as_json, file=file)
    else:
        _give_forecast(server, as_json=as_json, file=file)


def _two_watches(names: Sequence[str]) -> tuple[int, ...]:
    """The numbers of two runs that looked at a server and measured nothing; else none."""
    if len(names) != 2 or not all(name.isdecimal() for name in names):
        return ()
    with opened_store() as store:
        numbers = {run.id for run in looks(store.runs()) if not run.points}
    wanted = tuple(map(int, names))
    return wanted if numbers.issuperset(wanted) else ()


def _check_form(report: Path) -> None:
    """Raise UsageError for a file whose ending is no form of a comparison's report."""
    if report.suffix.lower() not in (HTML, MARKDOWN, PDF):
        raise UsageError(
            f"{report} is none of the forms of a comparison's report.",
            "End its name in .html, .pdf or .md.",
        )


def _of_project(project: str, named: Sequence[str]) -> list[str]:
    """The drives of a project by their runs' numbers, repeats joined; raises UsageError."""
    with opened_store() as store:
        found = store.runs()
    of_project = [run for run in found if run.label.project == project and run.points]
    if not of_project:
        raise no_project(project, sorted({run.label.project for run in found} - {""}))
    keys = ["+".join(map(str, ids)) for ids in repeated(of_project)]
    return [key for key in keys if key not in named]


def _give_comparison(
    contenders: Sequence[Contender],
    priced: Mapping[str, float],
    *,
    as_json: bool,
    file: Path | None,
) -> None:
    from advisor.report.json.comparison import to_json  # noqa: PLC0415
    from advisor.report.sections.comparison_report import compared  # noqa: PLC0415

    found = _side_by_side(contenders, priced)
    give(lambda: to_json(found), lambda: compared(found), as_json=as_json, file=file)


def _side_by_side(contenders: Sequence[Contender], priced: Mapping[str, float]) -> Comparison:
    from advisor.compare.load import compared  # noqa: PLC0415 - heavy to load

    with opened_store() as store:
        return compared(store, contenders, priced)


def _case(name: str) -> Case:
    from app.cli.arguments.case import load  # noqa: PLC0415 - heavy to load

    return load(name).case


def _loaded(
    names: Sequence[str], prices: Sequence[str], case: Case | None = None
) -> tuple[list[Contender], dict[str, float]]:
    """What is compared, and what each costs; raises UsageError, ImportRefused or StoreError.

    A bare curve is the random reads of a drive, of the page size of the case's server.
    """
    from advisor.compare.comparison import MOST  # noqa: PLC0415 - heavy to load
    from advisor.facts.measured.reading import page_bytes  # noqa: PLC0415

    priced = dict(_price(each, names) for each in prices)
    reads = Setting(Probe.RANDOM_READ, 1, PAGE_BYTES if case is None else page_bytes(case))
    found = [curves_of(name, reads) for name in names]
    keys = [key for each in found for key in each.run_ids or (each.key,)]
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice is not None and len(found) <= MOST:
        raise UsageError(
            f"{'Run ' if isinstance(twice, int) else ''}{twice} is named twice.", "Name each once."
        )
    return found, priced


def _forecast(
    contenders: Sequence[Contender], case: Case, priced: Mapping[str, float]
) -> UnderServer:
    from advisor.forecasts.server.live import live  # noqa: PLC0415
    from advisor.forecasts.under import under_server  # noqa: PLC0415
    from advisor.forecasts.what_if import Forecaster  # noqa: PLC0415

    return under_server(Forecaster(live(case)), contenders, priced)


def _give_forecast(found: UnderServer, *, as_json: bool, file: Path | None) -> None:
    from advisor.report.document.blocks import GAP, text  # noqa: PLC0415
    from advisor.report.json.under import to_json  # noqa: PLC0415
    from advisor.report.sections.forecasts import drives_alone, drives_under  # noqa: PLC0415
    from advisor.wording.forecasts.drive_answer import drive_answer  # noqa: PLC0415

    give(
        lambda: to_json(found),
        lambda: (text(drive_answer(found)), GAP, *drives_under(found), *drives_alone(found)),
        as_json=as_json,
        file=file,
    )


def _write(
    report: Path,
    contenders: Sequence[Contender],
    priced: Mapping[str, float],
    server: UnderServer | None,
    *,
    cover: Cover,
    paper: str,
) -> None:
    """Write the comparison, with a ``server`` also as its drives, for a client."""
    from advisor.report.document.templates import Paper  # noqa: PLC0415
    from advisor.report.forms.by_ending import PAGES  # noqa: PLC0415
    from advisor.report.sections.comparison_report import comparison_document  # noqa: PLC0415

    document = comparison_document(_side_by_side(contenders, priced), cover, server)
    write_whole(report, PAGES[report.suffix.lower()](document, Paper(paper)))


def _price(text: str, names: Sequence[str]) -> tuple[str, float]:
    """CURVE and its price; raises UsageError. A file's name may have a = in it."""
    name, parted, amount = text.rpartition("=")
    if not parted:
        raise UsageError(f"'{text}' is not CURVE=PRICE.", "Write it as --price 12=0.12.")
    price = money(amount)
    if name.strip() not in names:
        raise UsageError(
            f"{name.strip() or text!r} is not compared here.", f"Price one of {', '.join(names)}."
        )
    return name.strip(), price
