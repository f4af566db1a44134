"""Curves of a server and a drive on a command line, and the scenario that they make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import click

from advisor.amounts import duration_s, size_bytes
from advisor.forecasts.server.inputs import drive_rates, redo_rates, server_rates
from advisor.model.curves.measured_rates import MeasuredRates
from advisor.model.network.closed_network import MOST_CUSTOMERS
from advisor.model.network.scenario import MOST_DRIVES, Scenario
from advisor.model.network.stations import Drive
from advisor.model.network.without_drive import without_drive
from app.cli.arguments.curve import curves_of
from app.fields.field import Field, Option, asked, fields_of
from probes.errors import UsageError
from probes.points import PAGE_BYTES, Probe, Setting
from probes.statistics.ranges import Range

_MOST = 1e9

COMMITS = Setting(Probe.REDO_SYNC, 1, 512, options={"sync": "fdatasync"})
_LOOKUPS = Setting(Probe.POINT_SELECT, 1, options={"working_set": "cached"})
_CURVE = "a CSV file (threads,rate_per_s), a run's number, or a published table's name"


@dataclass(frozen=True, slots=True)
class CurveField(Field):
    """What is asked about curves.

    ``instead`` is what turns the same of a watched server, "" where none does; None where a CASE
    takes the option, too.
    """

    instead: str | None = None


def _option(
    names: str,
    text: str,
    metavar: str,
    default: Any = "",
    *,
    kind: Any = None,
    instead: str | None = None,
) -> Any:
    return asked(
        CurveField(option=Option(names, text, metavar, kind=kind), instead=instead), default
    )


@dataclass(frozen=True, slots=True)
class AskedOfCurves:
    """What is typed about curves of a server and a drive; some of it about a CASE as well."""

    complement: str = _option(
        "--complement",
        f"The server with all data in memory, its queries per second over connections: {_CURVE}.",
        "CURVE",
        instead="",
    )
    drive: str = _option(
        "--drive", f"The drive's random reads, with a CASE the other drive's: {_CURVE}.", "CURVE"
    )
    reads_per_query: float | None = _option(
        "--reads-per-query",
        "Pages read from the drive.",
        "N",
        None,
        kind=float,
        instead="--set buffer_pool=64G",
    )
    page_size: str = _option(
        "--page-size", "Of a run's reads; 16k unless given.", "SIZE", instead="--set page_size=4k"
    )
    drives: int = _option(
        "--drives",
        "How many such drives share the reads, as in a stripe.",
        "N",
        1,
        kind=click.IntRange(1, MOST_DRIVES),
        instead="--set drives=N",
    )
    background: float = _option(
        "--background",
        "Pages per second that the drives write meanwhile, each as much work as a read.",
        "N",
        0.0,
        kind=float,
        instead="--set io_capacity=N",
    )
    redo: str = _option(
        "--redo",
        "The redo log's commits per second over committers, where queries commit.",
        "CURVE",
    )
    commits_per_query: float = _option(
        "--commits-per-query",
        "Durable commits that a query waits for; 1 unless given, with --redo alone.",
        "N",
        1.0,
        kind=float,
        instead="--set reads=80%",
    )
    network: str = _option(
        "--network", "Round-trip time on top, as 500us.", "TIME", instead="--set network=500us"
    )
    query_cpu: str = _option(
        "--query-cpu",
        "Processor time of a query without its reads, as 70us, where there is no --complement.",
        "TIME",
        instead="",
    )
    read_cpu: str = _option(
        "--read-cpu",
        "Processor time of a read, as 190us, where the server never read when it was measured.",
        "TIME",
        instead="",
    )
    read_cpu_at: float | None = _option(
        "--read-cpu-at",
        "Reads of a query where --read-cpu was measured; --reads-per-query unless given.",
        "N",
        None,
        kind=float,
        instead="",
    )
    cores: int = _option(
        "--cores",
        "How many processors share --query-cpu and --read-cpu.",
        "N",
        1,
        kind=click.IntRange(1, MOST_CUSTOMERS),
        instead="",
    )
    measured_on: str = _option(
        "--measured-on",
        "The drive that --complement was measured on, where its data was not in memory; with a"
        " CASE the drive that the server is on, where the run did not measure it.",
        "CURVE",
    )
    threads: str = _option("--threads", "Connections to forecast, as 1,8,64.", "LIST")

    def scenario(self) -> Scenario:
        """Its curves and figures; raises UsageError, ImportRefused or StoreError."""
        reads_per_query = self.reads_per_query
        if not self.drive or reads_per_query is None:
            raise UsageError(
                "A forecast needs a CASE, or --drive and --reads-per-query.",
                "Name a run with a watched server, or give both options.",
            )
        for figure, what, meaning in (
            (
                reads_per_query,
                "reads per query",
                "pages that a query reads from the drive, as 0.867",
            ),
            (self.commits_per_query, "commits per query", "commits that a query waits for, as 1"),
            (
                self.read_cpu_at or 0,
                "reads per query",
                "pages that a query read where --read-cpu was taken",
            ),
            (self.background, "pages per second", "pages that the server flushes, as 2000"),
        ):
            if not 0 <= figure <= _MOST:  # nan among them
                raise UsageError(
                    f"{figure:g} is not a valid number of {what}.", f"Give the {meaning}."
                )
        if bool(self.complement) == bool(self.query_cpu):
            raise UsageError(
                "A forecast needs the server: either --complement or --query-cpu.",
                "Give a curve with --complement, or the processor time of a query with "
                "--query-cpu.",
            )
        page_bytes = size_bytes(self.page_size) if self.page_size else PAGE_BYTES
        server = server_rates(curves_of(self.complement, _LOOKUPS)) if self.complement else None
        read_cpu_us = _time(self.read_cpu)
        if self.measured_on and server is not None:
            server = _removed(server, self.measured_on, page_bytes, reads_per_query)
            # What reads cost the server is in its curve already.
            read_cpu_us = read_cpu_us or Range.exact(0.0)
        return Scenario(
            in_memory=server,
            drive=drive_rates(curves_of(self.drive, _reads(page_bytes)), page_bytes),
            reads_per_query=Range.exact(reads_per_query),
            drives=self.drives,
            background_per_s=self.background,
            redo=redo_rates(curves_of(self.redo, COMMITS)) if self.redo else None,
            commits_per_query=Range.exact(self.commits_per_query),
            network_us=duration_s(self.network) * 1e6 if self.network else 0.0,
            query_cpu_us=_time(self.query_cpu),
            read_cpu_us=read_cpu_us,
            cores=self.cores,
            read_cpu_at=self.read_cpu_at,
        )


INSTEAD = {name: field.instead for name, field in fields_of(AskedOfCurves).items()}
"""What a CASE takes in place of an option about curves, as `CurveField` says it."""


def _reads(page_bytes: int) -> Setting:
    return Setting(Probe.RANDOM_READ, 1, page_bytes)


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
