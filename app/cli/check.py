"""``leadline check``: the whole job, from the first look to the advice."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import click
from rich.console import Console

from advisor import session
from advisor.events import CheckEvent, RunStarted
from advisor.report.document import to_json
from advisor.report.gather import gather
from advisor.report.report import Report
from advisor.report.text import brief, render
from advisor.requests import CheckRequest
from advisor.store.store import Store
from app.cli.addresses import MYSQL_HELP, address, check_name, named
from app.cli.faults import exit_code, tell
from app.cli.files import check_writable, write_whole
from app.cli.interrupts import Interrupts
from app.cli.opening import opened_store
from app.cli.progress import display
from app.cli.prompts import TerminalPrompts
from app.cli.reading import write_text
from app.cli.terminal import messages, output, write
from probes.cancel import CancelToken
from probes.errors import LeadlineError
from probes.plans.plan import PlanName


@dataclass(frozen=True, slots=True)
class Destination:
    """Where the result goes, and in which form."""

    as_json: bool
    file: Path | None

    @property
    def progress(self) -> Console:
        """Where progress goes: beside a result on standard output that a program may read."""
        return messages() if self.as_json else output()


@click.command()
@click.argument("target", default="local")
@click.option("--mysql", metavar="DSN", default="", help=MYSQL_HELP)
@click.option("--dir", "directory", metavar="PATH", default="", help="Where to measure the drive.")
@click.option("--sandbox", is_flag=True, help="Also measure a private throwaway server there.")
@click.option(
    "--plan",
    type=click.Choice([name.value for name in PlanName]),
    default=PlanName.QUICK.value,
    show_default=True,
    help="How thorough: about 90 seconds, 5 or 30 minutes.",
)
@click.option(
    "--window",
    "window_s",
    metavar="SECONDS",
    type=click.FloatRange(0, 3600),
    default=10.0,
    show_default=True,
    help="How long to watch the server's counters.",
)
@click.option(
    "--table",
    metavar="SCHEMA.TABLE",
    default="",
    help="Which table to look up rows in; - for none. Left out: the largest that fits.",
)
@click.option("--json", "as_json", is_flag=True, help="Give the result as a JSON document.")
@click.option(
    "-o",
    "--output",
    "file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write the result to a file.",
)
@click.option("--save", "name", metavar="NAME", default="", help="Keep the target by this name.")
def check(
    *,
    target: str,
    mysql: str,
    directory: str,
    sandbox: bool,
    plan: str,
    window_s: float,
    table: str,
    as_json: bool,
    file: Path | None,
    name: str,
) -> int:
    """Measure TARGET, judge it by every rule, and advise.

    TARGET is local (this computer), a saved name, ssh://[user@]host[:port] or, where only the
    server can be reached, mysql://[user@]host[:port].

    What it will do is printed before it starts. Ctrl-C ends it at once; what was measured is kept.
    """
    if file is not None:
        check_writable(file)
    with opened_store() as store:
        spec = named(store, target)
        spec = address(spec, mysql=mysql, directory=directory)
        if name:
            check_name(name)
            spec = replace(spec, name=name)
            store.save_target(spec)
        request = CheckRequest(
            spec, PlanName(plan), sandbox=sandbox, window_s=window_s, table=table
        )
        return _Check(store, Destination(as_json, file)).run(request)


class _Check:
    """One check from its start to its written result."""

    def __init__(self, store: Store, destination: Destination) -> None:
        self._store = store
        self._destination = destination
        self._run_id: int | None = None

    def run(self, request: CheckRequest) -> int:
        """Carry it out; returns the exit code. A check that stops early still gives what it has."""
        try:
            self._measure(request)
        except LeadlineError as error:
            if self._run_id is None:
                raise
            self._write_part(self._run_id)
            tell(error)
            return exit_code(error)
        if self._run_id is not None:
            self._write(gather(self._store, self._run_id))
        return 0

    def _measure(self, request: CheckRequest) -> None:
        token = CancelToken()
        interrupts = Interrupts(token)
        prompts = TerminalPrompts(interrupts)
        with (
            interrupts.watched(),
            display(self._destination.progress) as shown,
            closing(_iterate(session.check(self._store, request, prompts, token))) as events,
        ):
            for event in events:
                if isinstance(event, RunStarted):
                    self._run_id = event.run_id
                shown.show(event)

    def _write(self, report: Report) -> None:
        to = self._destination
        if to.file is not None:
            write_whole(to.file, to_json(report) if to.as_json else render(report))
            to.progress.print(brief(report))
            to.progress.print(f"Written to {to.file}.", soft_wrap=True)
        elif to.as_json:
            write(to_json(report))
        else:
            write_text(report)

    def _write_part(self, run_id: int) -> None:
        """What a run that has ended early is good for: in full as JSON, in short for people."""
        report = gather(self._store, run_id)
        to = self._destination
        if to.as_json:
            self._write(report)
        elif report.case.points:
            output().print(brief(report))
        to.progress.print(
            f"Run {run_id} is kept with {len(report.case.points)} points:"
            f" `leadline runs show {run_id}` tells it in full.",
            soft_wrap=True,
        )


def _iterate(events: Iterator[CheckEvent]) -> Generator[CheckEvent, None, None]:
    """A generator around the events, so that leaving early ends the work behind them."""
    yield from events
