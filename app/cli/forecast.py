"""``leadline forecast``: what a server would do on a drive, from curves of both."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click
from click.core import ParameterSource

from advisor.amounts import duration_s, size_bytes, thread_levels
from advisor.forecasts.knobs.commits import DURABILITY
from advisor.forecasts.knobs.knobs import KNOBS
from advisor.forecasts.of_curves import of_curves
from advisor.forecasts.server.inputs import beyond_one, drive_rates, redo_rates, server_rates
from advisor.model.curves.measured_rates import MeasuredRates
from advisor.model.network.closed_network import MOST_CUSTOMERS
from advisor.model.network.scenario import MOST_DRIVES, Scenario
from advisor.model.network.stations import Drive
from advisor.model.network.without_drive import without_drive
from advisor.report.json.forecast import to_json
from advisor.report.sections.forecasts import forecast_of_curves
from app.cli import options
from app.cli.curve_argument import curves_of
from app.cli.files import check_writable
from app.cli.measuring import give
from app.cli.terminal import messages
from app.cli.what_if import forecast_case
from probes.errors import UsageError
from probes.figures import listed
from probes.kinds.words import BESIDE_SERVER
from probes.points import PAGE_BYTES, Probe, Setting
from probes.ranges import Range

_MOST = 1e9

_INSTEAD: Mapping[str, str] = {
    "drives": "--set drives=N",
    "network": "--set network=500us",
    "page_size": "--set page_size=4k",
    "reads_per_query": "--set buffer_pool=64G",
    "background": "--set io_capacity=N",
    "commits_per_query": "--set reads=80%",
    "complement": "",
    "query_cpu": "",
    "read_cpu": "",
    "read_cpu_at": "",
    "cores": "",
}
"""Options about curves alone, and what turns the same of a watched server; "" for nothing."""

_CURVE = "a CSV file (threads,rate_per_s), a run's number, or a published table's name"


@click.command()
@click.argument("case", metavar="[CASE]", default="")
@click.option(
    "--set",
    "wanted",
    metavar="NAME=VALUE",
    multiple=True,
    help=f"With a CASE: what is turned, of {', '.join((*KNOBS, *DURABILITY))}. Repeatable.",
)
@click.option(
    "--plan",
    "with_plan",
    is_flag=True,
    help="With a CASE: turn what its change plan sets, as far as a forecast knows it.",
)
@click.option(
    "--complement",
    metavar="CURVE",
    default="",
    help=f"The server with all data in memory, its queries per second over connections: {_CURVE}.",
)
@click.option(
    "--drive",
    metavar="CURVE",
    default="",
    help=f"The drive's random reads, with a CASE the other drive's: {_CURVE}.",
)
@click.option("--reads-per-query", metavar="N", type=float, help="Pages read from the drive.")
@click.option("--page-size", metavar="SIZE", default="", help="Of a run's reads; 16k unless given.")
@click.option(
    "--drives",
    metavar="N",
    type=click.IntRange(1, MOST_DRIVES),
    default=1,
    help="How many such drives share the reads, as in a stripe.",
)
@click.option(
    "--background",
    metavar="N",
    type=float,
    default=0.0,
    help="Pages per second that the drives write meanwhile, each as much work as a read.",
)
@click.option(
    "--redo",
    metavar="CURVE",
    default="",
    help="The redo log's commits per second over committers, where queries commit.",
)
@click.option(
    "--commits-per-query",
    metavar="N",
    type=float,
    default=1.0,
    help="Durable commits that a query waits for; 1 unless given, with --redo alone.",
)
@click.option("--network", metavar="TIME", default="", help="Round-trip time on top, as 500us.")
@click.option(
    "--query-cpu",
    metavar="TIME",
    default="",
    help="Processor time of a query without its reads, as 70us, where there is no --complement.",
)
@click.option(
    "--read-cpu",
    metavar="TIME",
    default="",
    help="Processor time of a read, as 190us, where the server never read when it was measured.",
)
@click.option(
    "--read-cpu-at",
    metavar="N",
    type=float,
    help="Reads of a query where --read-cpu was measured; --reads-per-query unless given.",
)
@click.option(
    "--cores",
    metavar="N",
    type=click.IntRange(1, MOST_CUSTOMERS),
    default=1,
    help="How many processors share --query-cpu and --read-cpu.",
)
@click.option(
    "--measured-on",
    metavar="CURVE",
    default="",
    help="The drive that --complement was measured on, where its data was not in memory; with a"
    " CASE the drive that the server is on, where the run did not measure it.",
)
@click.option("--threads", metavar="LIST", default="", help="Connections to forecast, as 1,8,64.")
@click.option(
    "--keep",
    metavar="NAME",
    default="",
    help="With a CASE: keep what is turned with its run under this name, for its report.",
)
@options.json_document("the forecast")
@options.output_file("it")
def forecast(
    *,
    case: str,
    wanted: tuple[str, ...],
    with_plan: bool,
    complement: str,
    drive: str,
    reads_per_query: float | None,
    page_size: str,
    drives: int,
    background: float,
    redo: str,
    commits_per_query: float,
    network: str,
    query_cpu: str,
    read_cpu: str,
    read_cpu_at: float | None,
    cores: int,
    measured_on: str,
    threads: str,
    keep: str,
    as_json: bool,
    file: Path | None,
) -> None:
    """Forecast a server: a CASE with other settings or another drive, or curves of both.

    CASE is a run's number, a target's name or a case file of a server that was watched while it
    worked: `leadline forecast 12 --set buffer_pool=64G --drive 15` says what it would do with that.
    Without a CASE, --complement and --drive are curves of a server and a drive.

    For each number of connections: queries per second with the band that nine of ten measurements
    lie in, how long a query takes, where its time goes, and what limits. docs/model.md explains the
    model.
    """
    if file is not None:
        check_writable(file)
    if case:
        _refuse_options_of_curves()
        forecast_case(
            case,
            wanted,
            with_plan=with_plan,
            drive=drive,
            redo=redo,
            measured_on=measured_on,
            threads=threads,
            keep=keep,
            as_json=as_json,
            file=file,
        )
        return
    if wanted or with_plan or keep:
        raise UsageError(
            "--set, --plan and --keep are about a watched server: name its run or case file.",
            "For example: leadline forecast 12 --set buffer_pool=64G.",
        )
    if not drive or reads_per_query is None:
        raise UsageError(
            "A forecast needs a CASE, or --drive and --reads-per-query.",
            "Name a run with a watched server, or give both options.",
        )
    _check(reads_per_query, "reads per query", "pages that a query reads from the drive, as 0.867")
    _check(commits_per_query, "commits per query", "commits that a query waits for, as 1")
    if read_cpu_at is not None:
        _check(read_cpu_at, "reads per query", "pages that a query read where --read-cpu was taken")
    _check(background, "pages per second", "pages that the server flushes, as 2000")
    page_bytes = size_bytes(page_size) if page_size else PAGE_BYTES
    if bool(complement) == bool(query_cpu):
        raise UsageError(
            "A forecast needs the server: either --complement or --query-cpu.",
            "Give a curve with --complement, or the processor time of a query with --query-cpu.",
        )
    server = server_rates(curves_of(complement, _lookups())) if complement else None
    read_cpu_us = _time(read_cpu)
    if measured_on and server is not None:
        server = _removed(server, measured_on, page_bytes, reads_per_query)
        # What reads cost the server is in its curve already.
        read_cpu_us = read_cpu_us or Range.exact(0.0)
    reads = drive_rates(curves_of(drive, _reads(page_bytes)), page_bytes)
    scenario = Scenario(
        in_memory=server,
        drive=reads,
        reads_per_query=Range.exact(reads_per_query),
        drives=drives,
        background_per_s=background,
        redo=redo_rates(curves_of(redo, _commits())) if redo else None,
        commits_per_query=Range.exact(commits_per_query),
        network_us=duration_s(network) * 1e6 if network else 0.0,
        query_cpu_us=_time(query_cpu),
        read_cpu_us=read_cpu_us,
        cores=cores,
        read_cpu_at=read_cpu_at,
    )
    if any(each is not None and each.beside_server for each in (server, reads, scenario.redo)):
        messages().print(f"A curve was measured {BESIDE_SERVER}: an idle drive gives more.")
    for sentence in beyond_one(f"In {redo}", scenario.redo):
        messages().print(sentence)
    found = of_curves(scenario, _asked(threads, server or reads))
    give(lambda: to_json(found), lambda: forecast_of_curves(found), as_json=as_json, file=file)


def _refuse_options_of_curves() -> None:
    """Raise UsageError for options that a watched server has no use for, naming what turns it."""
    context = click.get_current_context()
    given = [
        name
        for name in _INSTEAD
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT
    ]
    if not given:
        return
    options_given = listed([f"--{name.replace('_', '-')}" for name in given])
    instead = [_INSTEAD[name] for name in given if _INSTEAD[name]]
    raise UsageError(
        f"With a CASE {options_given} would change nothing: what a query needs was watched.",
        f"Turn the watched server with {listed(instead)}."
        if instead
        else "Leave it out: the watch has this figure.",
    )


def _check(figure: float, what: str, meaning: str) -> None:
    """Raise UsageError for a figure that nothing can have, nan among them."""
    if not 0 <= figure <= _MOST:
        raise UsageError(f"{figure:g} is not a valid number of {what}.", f"Give the {meaning}.")


def _lookups() -> Setting:
    return Setting(Probe.POINT_SELECT, 1, options={"working_set": "cached"})


def _reads(page_bytes: int) -> Setting:
    return Setting(Probe.RANDOM_READ, 1, page_bytes)


def _commits() -> Setting:
    return Setting(Probe.REDO_SYNC, 1, 512, options={"sync": "fdatasync"})


def _removed(
    server: MeasuredRates, drive: str, page_bytes: int, reads_per_query: float
) -> MeasuredRates:
    if not reads_per_query:
        return server
    if server.threads[0] > MOST_CUSTOMERS:
        raise UsageError(
            f"The server's curve begins with {server.threads[0]:,} connections.",
            f"A drive is taken out of a curve with up to {MOST_CUSTOMERS:,}.",
        )
    rates = drive_rates(curves_of(drive, _reads(page_bytes)), page_bytes)
    return without_drive(server, Drive(rates, Range.exact(reads_per_query)))


def _time(text: str) -> Range | None:
    """A time above 0 in microseconds, None for ""; raises UsageError."""
    if not text:
        return None
    time_us = duration_s(text) * 1e6
    if not time_us:
        raise UsageError("A query or a read takes some processor time.", "Write it as 70us.")
    return Range.exact(time_us)


def _asked(threads: str, measured: MeasuredRates) -> tuple[int, ...]:
    """What was asked for, or where the curve was measured; raises UsageError."""
    return thread_levels(threads) or tuple(min(each, MOST_CUSTOMERS) for each in measured.threads)
